/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests of the class rewriter: a class file made by hand, and the code of a class file as text.
 */
#ifndef TESTS_UNIT_JAVA_CLASS_H
#define TESTS_UNIT_JAVA_CLASS_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "java/code.h"
#include "java/rewrite.h"

/* ---- making ---------------------------------------------------------------------------------------------------- */

struct bytes {
    uint8_t at[1 << 18];
    size_t n;
};

static inline void b1(struct bytes *b, unsigned v) { b->at[b->n++] = (uint8_t)v; }
static inline void b2(struct bytes *b, unsigned v)
{
    b1(b, v >> 8);
    b1(b, v);
}
static inline void b4(struct bytes *b, uint32_t v)
{
    b2(b, v >> 16);
    b2(b, v);
}
static inline void put(struct bytes *b, const void *from, size_t n)
{
    memcpy(b->at + b->n, from, n);
    b->n += n;
}

/* A class "X" of which one method is `m`; fields and constants are added as the test likes. */
struct maker {
    struct bytes pool, fields, code, handlers, attributes;
    unsigned n_pool, n_fields, n_handlers, n_attributes;
    unsigned major, access, method_access, max_stack, max_locals;
    const char *method, *desc;
    unsigned this_class, object;
    bool clinit; /* and an abstract <clinit>, which only its name matters of */
    const char *map; /* contents of SourceDebugExtension; NULL: none */
};

static inline unsigned utf8(struct maker *m, const char *text)
{
    b1(&m->pool, 1);
    b2(&m->pool, (unsigned)strlen(text));
    put(&m->pool, text, strlen(text));
    return m->n_pool++;
}
static inline unsigned class_of(struct maker *m, const char *name)
{
    unsigned n = utf8(m, name);
    b1(&m->pool, 7);
    b2(&m->pool, n);
    return m->n_pool++;
}
static inline unsigned member(struct maker *m, unsigned tag, unsigned owner, const char *name,
                              const char *desc)
{
    unsigned n = utf8(m, name), d = utf8(m, desc);
    b1(&m->pool, 12);
    b2(&m->pool, n);
    b2(&m->pool, d);
    unsigned pair = m->n_pool++;
    b1(&m->pool, tag);
    b2(&m->pool, owner);
    b2(&m->pool, pair);
    return m->n_pool++;
}
static inline unsigned own_field(struct maker *m, unsigned access, const char *name, const char *desc)
{
    unsigned n = utf8(m, name), d = utf8(m, desc);
    b2(&m->fields, access);
    b2(&m->fields, n);
    b2(&m->fields, d);
    b2(&m->fields, 0);
    m->n_fields++;
    return member(m, 9, m->this_class, name, desc);
}

static inline struct maker *make(unsigned major, unsigned method_access, const char *method, const char *desc)
{
    struct maker *m = calloc(1, sizeof *m);
    m->n_pool = 1;
    m->major = major;
    m->access = 0x21;
    m->method_access = method_access;
    m->method = method;
    m->desc = desc;
    m->max_stack = 8;
    m->max_locals = 8;
    m->this_class = class_of(m, "X");
    m->object = class_of(m, "java/lang/Object");
    return m;
}

static inline void op(struct maker *m, unsigned opcode) { b1(&m->code, opcode); }
static inline void op1(struct maker *m, unsigned opcode, unsigned v)
{
    b1(&m->code, opcode);
    b1(&m->code, v);
}
static inline void op2(struct maker *m, unsigned opcode, unsigned v)
{
    b1(&m->code, opcode);
    b2(&m->code, v);
}

/* An attribute of the code. */
static inline void attribute(struct maker *m, const char *name, const struct bytes *contents)
{
    b2(&m->attributes, utf8(m, name));
    b4(&m->attributes, (uint32_t)contents->n);
    put(&m->attributes, contents->at, contents->n);
    m->n_attributes++;
}

static inline void handler(struct maker *m, unsigned start, unsigned end, unsigned at)
{
    b2(&m->handlers, start);
    b2(&m->handlers, end);
    b2(&m->handlers, at);
    b2(&m->handlers, 0);
    m->n_handlers++;
}

/* The bytes of the class; frees the maker. */
static inline struct bytes *made(struct maker *m)
{
    struct bytes *b = calloc(1, sizeof *b);
    unsigned name = utf8(m, m->method), desc = utf8(m, m->desc), code = utf8(m, "Code"),
             file = utf8(m, "SourceFile"), x = utf8(m, "X.java"),
             map = m->map ? utf8(m, "SourceDebugExtension") : 0,
             initializer = m->clinit ? utf8(m, "<clinit>") : 0, nothing = m->clinit ? utf8(m, "()V") : 0;
    b4(b, 0xCAFEBABE);
    b4(b, m->major);
    b2(b, m->n_pool);
    put(b, m->pool.at, m->pool.n);
    b2(b, m->access);
    b2(b, m->this_class);
    b2(b, m->object);
    b2(b, 0);
    b2(b, m->n_fields);
    put(b, m->fields.at, m->fields.n);
    b2(b, m->clinit ? 2 : 1);
    b2(b, m->method_access);
    b2(b, name);
    b2(b, desc);
    b2(b, m->code.n ? 1 : 0);
    if (m->code.n) {
        b2(b, code);
        b4(b, (uint32_t)(12 + m->code.n + m->handlers.n + m->attributes.n));
        b2(b, m->max_stack);
        b2(b, m->max_locals);
        b4(b, (uint32_t)m->code.n);
        put(b, m->code.at, m->code.n);
        b2(b, m->n_handlers);
        put(b, m->handlers.at, m->handlers.n);
        b2(b, m->n_attributes);
        put(b, m->attributes.at, m->attributes.n);
    }
    if (m->clinit) {
        b2(b, 0x400);
        b2(b, initializer);
        b2(b, nothing);
        b2(b, 0);
    }
    b2(b, m->map ? 2 : 1);
    b2(b, file);
    b4(b, 2);
    b2(b, x);
    if (m->map) {
        b2(b, map);
        b4(b, (uint32_t)strlen(m->map));
        put(b, m->map, strlen(m->map));
    }
    free(m);
    return b;
}

/* ---- reading --------------------------------------------------------------------------------------------------- */

/* A class that was read, and the code of one of its methods. */
struct view {
    struct gl_jfile f;
    struct gl_jcode c;
    char error[GL_JERROR_BYTES];
    const struct gl_jmember *method;
};

/* NULL: the class has no such method with code.  Fails the test when the class is malformed. */
static inline struct view *look(const uint8_t *at, size_t n, const char *method)
{
    static const uint8_t none[256];
    struct view *volatile v = calloc(1, sizeof *v); /* volatile: for setjmp */
    v->f.error = v->error;
    if (setjmp(v->f.failed))
        fail_msg("%s", v->error);
    gl_jfile_read(&v->f, at, n);
    for (unsigned i = 0; i < v->f.n_methods; i++) {
        const struct gl_jmember *m = &v->f.methods[i];
        if (strcmp(gl_jfile_text(&v->f, m->name), method) != 0 || !m->n_attributes)
            continue;
        uint32_t pos = m->attributes;
        gl_jcode_read(&v->c, &v->f, m, gl_jfile_attribute(&v->f, &pos), none);
        v->method = m;
        return v;
    }
    gl_jfile_close(&v->f);
    free(v);
    return NULL;
}

static inline void unlook(struct view *v)
{
    gl_jfile_close(&v->f);
    free(v);
}

static const char *const names[202] = {
    [0x00] = "nop",           [0x01] = "aconst_null",   [0x03] = "iconst_0",     [0x04] = "iconst_1",
    [0x06] = "iconst_3", [0x05] = "iconst_2",      [0x10] = "bipush",        [0x11] = "sipush",       [0x12] = "ldc",
    [0x13] = "ldc_w",         [0x15] = "iload",         [0x16] = "lload",        [0x19] = "aload",
    [0x1b] = "iload_1", [0x1c] = "iload_2",       [0x2a] = "aload_0",       [0x2b] = "aload_1",      [0x2c] = "aload_2",
    [0x2e] = "iaload",        [0x2f] = "laload",        [0x33] = "baload",       [0x4b] = "astore_0",
    [0x4c] = "astore_1",      [0x4f] = "iastore",       [0x50] = "lastore",      [0x3a] = "astore",
    [0x53] = "aastore",       [0x57] = "pop",           [0x58] = "pop2",         [0x59] = "dup",
    [0x5a] = "dup_x1",        [0x5b] = "dup_x2",        [0x5c] = "dup2",         [0x5d] = "dup2_x1",
    [0x5e] = "dup2_x2",       [0x99] = "ifeq",          [0x9a] = "ifne",         [0xa7] = "goto",
    [0xa8] = "jsr",           [0xa9] = "ret",           [0xaa] = "tableswitch",  [0xab] = "lookupswitch",
    [0xac] = "ireturn",       [0xad] = "lreturn",       [0xb0] = "areturn",      [0xb1] = "return",
    [0xb2] = "getstatic",     [0xb3] = "putstatic",     [0xb4] = "getfield",     [0xb5] = "putfield",
    [0xb6] = "invokevirtual", [0xb7] = "invokespecial", [0xb8] = "invokestatic", [0xb9] = "invokeinterface",
    [0xbb] = "new",           [0xbf] = "athrow",        [0xc2] = "monitorenter", [0xc3] = "monitorexit",
    [0xc6] = "ifnull",        [0xc8] = "goto_w",        [0xc9] = "jsr_w",
};

/* The code as text: instructions with ';' between; members as owner.name (desc for methods), jumps as ->POSITION. */
static inline char *text_of(struct view *v)
{
    struct gl_jcode *c = &v->c;
    if (setjmp(v->f.failed))
        fail_msg("%s", v->error);
    size_t room = 64 + 200 * (size_t)c->n, n = 0;
    char *out = malloc(room);
    *out = 0;
    for (uint32_t pc = 0; pc < c->n; pc += gl_jcode_size(c, pc)) {
        const uint8_t *p = c->code + pc;
        const char *name = names[*p];
        n += (size_t)(name ? snprintf(out + n, room - n, "%s%s", pc ? "; " : "", name)
                           : snprintf(out + n, room - n, "; %02x", *p));
        if (*p >= 0xb2 && *p <= 0xb9) {
            struct gl_jref r = gl_jfile_ref(&v->f, gl_jget2(p + 1));
            const char *short_owner = strcmp(r.owner, "goldilocks/rt/R") == 0 ? "R" : r.owner;
            n += (size_t)snprintf(out + n, room - n, " %s.%s%s", short_owner, r.name,
                                  *p >= 0xb6 ? r.desc : "");
        } else if (*p == 0x10) {
            n += (size_t)snprintf(out + n, room - n, " %d", (int8_t)p[1]);
        } else if (*p == 0x11) {
            n += (size_t)snprintf(out + n, room - n, " %d", (int16_t)gl_jget2(p + 1));
        } else if (*p == 0x12 || *p == 0x13) {
            const uint8_t *k = v->f.in + v->f.pool[*p == 0x12 ? p[1] : gl_jget2(p + 1)];
            n += *k == 3 ? (size_t)snprintf(out + n, room - n, " %u", gl_jget4(k + 1))
                 : *k == 7
                     ? (size_t)snprintf(out + n, room - n, " %s", gl_jfile_text(&v->f, gl_jget2(k + 1)))
                 : *k == 17
                     ? (size_t)snprintf(out + n, room - n, " dynamic")
                     : (size_t)snprintf(out + n, room - n, " \"%s\"", gl_jfile_text(&v->f, gl_jget2(k + 1)));
        } else if (*p == 0x15 || *p == 0x16 || *p == 0x19 || *p == 0x3a) {
            n += (size_t)snprintf(out + n, room - n, " %d", p[1]);
        } else if ((*p >= 0x99 && *p <= 0xa8) || *p == 0xc6 || *p == 0xc7) {
            n += (size_t)snprintf(out + n, room - n, " ->%u", pc + (uint32_t)(int16_t)gl_jget2(p + 1));
        } else if (*p == 0xc8 || *p == 0xc9) {
            n += (size_t)snprintf(out + n, room - n, " ->%u", pc + gl_jget4(p + 1));
        }
    }
    return out;
}

/* The frames as text: "position:locals/stack", with the kinds' numbers; of a `new`, its position. */
static inline char *frames_of(struct view *v)
{
    struct gl_jcode *c = &v->c;
    if (setjmp(v->f.failed))
        fail_msg("%s", v->error);
    char *out = calloc(1, 1 << 16);
    size_t n = 0, room = 1 << 16;
    c->method = v->method;
    struct gl_jframes i;
    for (gl_jframes_open(&i, c, true, NULL); gl_jframes_next(&i);) {
        n += (size_t)snprintf(out + n, room - n, "%s%u:", n ? " " : "", i.pc);
        for (uint32_t k = 0; k < i.n_all; k++) {
            n += (size_t)snprintf(out + n, room - n, "%d", i.all[k].kind);
            if (i.all[k].kind == GL_JV_NEW)
                n += (size_t)snprintf(out + n, room - n, "@%u", i.all[k].value);
        }
        n += (size_t)snprintf(out + n, room - n, "/");
        uint32_t at = i.stack;
        for (uint32_t k = 0; k < i.n_stack; k++) {
            struct gl_jvtype t = gl_jframes_type(c, &at);
            n += (size_t)snprintf(out + n, room - n, "%d", t.kind);
            if (t.kind == GL_JV_NEW)
                n += (size_t)snprintf(out + n, room - n, "@%u", t.value);
        }
    }
    return out;
}

#endif
