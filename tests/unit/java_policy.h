/* SPDX-License-Identifier: Apache-2.0
 *
 * The policy with which tests rewrite classes made by hand, and what it was asked.
 */
#ifndef TESTS_UNIT_JAVA_POLICY_H
#define TESTS_UNIT_JAVA_POLICY_H

#include "tests/unit/java_class.h"

enum { ALL = GL_JR_DATA | GL_JR_SYNC | GL_JR_MEMBERS, STATIC = 8, PLAIN = 0, VOLATILE = 0x40, FINAL = 0x10 };

static struct {
    uint32_t site; /* given to every probe */
    struct gl_jplace last;
    unsigned sites, skipped;
    const char *why;
    enum gl_jkind kind;
    bool checked;
} now;

#define THREAD "invokestatic R.thread()Lgoldilocks/rt/T;; " /* in rewritten code */

static inline uint32_t on_site(void *ctx, const struct gl_jplace *place)
{
    (void)ctx;
    now.last = *place;
    now.sites++;
    return now.site;
}
static inline void on_skipped(void *ctx, const char *class_name, const char *method, const char *desc,
                              const char *why)
{
    (void)ctx;
    (void)method;
    (void)desc;
    assert_string_equal(class_name, "X");
    now.skipped++;
    now.why = why;
}
static inline enum gl_jkind on_kind(void *ctx, const char *owner, const char *name, const char *desc,
                                    bool is_static)
{
    (void)ctx;
    (void)owner;
    (void)name;
    (void)desc;
    (void)is_static;
    return now.kind;
}
static inline bool on_checked(void *ctx, const char *owner)
{
    (void)ctx;
    assert_string_not_equal(owner, "X");
    return now.checked;
}
static inline uint32_t on_class(void *ctx, const char *name)
{
    (void)ctx;
    assert_string_equal(name, "X");
    return 99;
}

static struct gl_jpolicy policy;

static inline int set_up(void **state)
{
    (void)state;
    memset(&now, 0, sizeof now);
    now.site = 7;
    now.checked = true;
    policy = (struct gl_jpolicy){.flags = ALL,
                                 .site = on_site,
                                 .skipped = on_skipped,
                                 .field_kind = on_kind,
                                 .checked = on_checked,
                                 .class_id = on_class};
    return 0;
}

/* Of the constants behind the first n_before none is there twice: the virtual machine would have to number the class anew. */
static inline void expect_constants_once(const struct gl_jbytes *out, unsigned n_before)
{
    struct view *volatile v = calloc(1, sizeof *v); /* volatile: for setjmp */
    v->f.error = v->error;
    if (setjmp(v->f.failed))
        fail_msg("%s", v->error);
    gl_jfile_read(&v->f, out->at, out->n);
    for (unsigned i = n_before; i < v->f.n_pool; i++)
        for (unsigned k = 1; k < i; k++) {
            uint32_t n = gl_jfile_const_bytes(&v->f, i);
            if (gl_jfile_const_bytes(&v->f, k) == n)
                assert_memory_not_equal(out->at + v->f.pool[i], out->at + v->f.pool[k], n);
        }
    unlook(v);
}

/* Rewrites and frees; NULL: there was nothing to do. */
static inline struct gl_jbytes rewritten(struct maker *m)
{
    struct bytes *in = made(m);
    struct gl_jbytes out = {0};
    char error[GL_JERROR_BYTES];
    unsigned sites = now.sites, skipped = now.skipped;
    int asked = gl_jrewrite(in->at, in->n, &policy, NULL, error);
    now.sites = sites;
    now.skipped = skipped;
    int result = gl_jrewrite(in->at, in->n, &policy, &out, error);
    if (result == GL_JR_MALFORMED)
        fail_msg("%s", error);
    assert_int_equal(asked, result);
    assert_true((result == GL_JR_REWRITTEN) == (out.at != NULL));
    if (out.at)
        expect_constants_once(&out, gl_jget2(in->at + 8));
    free(in);
    return out;
}

static inline void expect_code(const struct gl_jbytes *out, const char *method, const char *want)
{
    struct view *v = look(out->at, out->n, method);
    assert_non_null(v);
    char *text = text_of(v);
    assert_string_equal(text, want);
    free(text);
    unlook(v);
}

/* The method becomes that. */
static inline void expect(struct maker *m, const char *want)
{
    const char *method = m->method;
    struct gl_jbytes out = rewritten(m);
    assert_non_null(out.at);
    expect_code(&out, method, want);
    free(out.at);
}

static inline void expect_nothing(struct maker *m)
{
    struct gl_jbytes out = rewritten(m);
    assert_null(out.at);
}

/* Has room for so few constants that it becomes another class, whose method names only constants that are there (true), or is left alone for want of them. */
static inline bool fits_with_room(struct maker *m, unsigned room, const char *method)
{
    while (m->n_pool < 65535 - 5 - room) /* made() adds 5 */
        utf8(m, "");
    now.skipped = 0;
    struct gl_jbytes out = rewritten(m);
    if (!out.at) {
        assert_true(now.skipped > 0);
        assert_non_null(strstr(now.why, "too many constants"));
        return false;
    }
    struct view *v = look(out.at, out.n, method);
    free(text_of(v));
    unlook(v);
    free(out.at);
    return true;
}

/* aload_0; aload_1; putfield; aload_0; invokespecial super; aload_0; aload_1; putfield; return */
static inline struct maker *constructor(unsigned major)
{
    struct maker *m = make(major, 0, "<init>", "(I)V");
    unsigned ref = own_field(m, PLAIN, "f", "I"), super = member(m, 10, m->object, "<init>", "()V");
    op(m, 0x2a);
    op(m, 0x1b);
    op2(m, 0xb5, ref);
    op(m, 0x1b);     /* 5 */
    op2(m, 0x99, 4); /* 6: to 10 */
    op(m, 0);
    op(m, 0x2a); /* 10 */
    op2(m, 0xb7, super);
    op(m, 0x2a);
    op(m, 0x1b);
    op2(m, 0xb5, ref);
    op(m, 0xb1);
    if (major >= 50) {
        struct bytes frames = {.n = 0};
        b2(&frames, 1);
        b1(&frames, 255); /* full: uninitialised this, int */
        b2(&frames, 10);
        b2(&frames, 2);
        b1(&frames, 6);
        b1(&frames, 1);
        b2(&frames, 0);
        attribute(m, "StackMapTable", &frames);
    }
    return m;
}

#endif
