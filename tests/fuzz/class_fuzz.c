/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes, rewritten as a Java class file (libFuzzer).  What must hold for all of them:
 *
 *   1. no crash, no undefined behaviour, no leak, no endless work;
 *   2. an error has a sentence;
 *   3. what was rewritten is accepted by the reader again, keeps its name, and is not much larger than its code can make it;
 *   4. the same input gives the same output;
 *   5. what was rewritten once can be rewritten again, without members (as a class that is transformed again).
 *
 * By hand: class_fuzz FILE repeats one input.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "java/rewrite.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "class_fuzz: %s\n", what);
    abort();
}

static uint32_t on_site(void *ctx, const struct gl_jplace *place)
{
    uint32_t *n = ctx;
    check(place->class_name && place->method && place->method_desc && place->bci < 65535,
          "a place without a name");
    return *n += strlen(place->method) % 7 ? 1 : 30000;
}

static bool on_checked(void *ctx, const char *owner)
{
    (void)ctx;
    return owner[0] != 'z';
}

static enum gl_jkind on_kind(void *ctx, const char *owner, const char *name, const char *desc, bool is_static)
{
    (void)ctx;
    return (enum gl_jkind)((strlen(owner) + strlen(name) + strlen(desc) + is_static) % 4);
}

static const struct gl_jcall_rule calls[] = {
    {NULL, "wait", "()V", "goldilocks/rt/R", "await", "(Ljava/lang/Object;)V", 0, false},
    {"java/lang/System", "arraycopy", "(Ljava/lang/Object;ILjava/lang/Object;II)V", "goldilocks/rt/R",
     "arraycopy", "(Ljava/lang/Object;ILjava/lang/Object;III)V", GL_JCALL_STATIC, true},
    {NULL, "f", "()V", "a/B", "g", "(Ljava/lang/Object;I)V", 0, true},
};
static const struct gl_jmethod_rule methods[] = {
    {"run", "()V", GL_JWHEN_ENTRY, GL_JPASS_THIS, "a/B", "run", "(Ljava/lang/Object;)V"},
    {"m", "(IJ)J", GL_JWHEN_RETURN, GL_JPASS_RESULT | GL_JPASS_THIS | GL_JPASS_ARGS, "a/B", "m",
     "(JLjava/lang/Object;IJ)J"},
};

static int rewrite(const uint8_t *bytes, size_t size, unsigned flags, struct gl_jbytes *out)
{
    uint32_t sites = 0;
    struct gl_jpolicy policy = {.ctx = &sites,
                                .flags = flags,
                                .checked = on_checked,
                                .field_kind = on_kind,
                                .site = on_site,
                                .calls = calls,
                                .n_calls = 3,
                                .methods = methods,
                                .n_methods = 2};
    char error[GL_JERROR_BYTES];
    memset(error, 'x', sizeof error);
    int result = gl_jrewrite(bytes, size, &policy, out, error);
    check(memchr(error, 0, sizeof error), "an error without an end");
    check(result != GL_JR_MALFORMED || error[0], "an error without a sentence");
    return result;
}

static void wrap(const uint8_t *bytes, size_t size)
{
    struct gl_jbytes out = {0}, twice = {0};
    struct gl_jscan look = {0};
    char error[GL_JERROR_BYTES], name[256], new_name[256];
    if (gl_jwrap_natives(bytes, size, &out, error) == GL_JR_REWRITTEN) {
        size_t n = gl_jclass_name(bytes, size, name, sizeof name);
        check(gl_jclass_scan(out.at, out.n, &look, error) == 0, "what was wrapped cannot be read");
        check(gl_jclass_name(out.at, out.n, new_name, sizeof new_name) == n && strcmp(name, new_name) == 0, "another name of what was wrapped");
        check(out.n <= 4096 + 600 * size, "what was wrapped is too large");
        check(gl_jwrap_natives(out.at, out.n, &twice, error) == GL_JR_NOTHING, "wrapped twice");
    }
    free(out.at);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct gl_jbytes out = {0}, again = {0}, twice = {0};
    char name[256], new_name[256], error[GL_JERROR_BYTES];
    unsigned all = GL_JR_DATA | GL_JR_SYNC | GL_JR_MEMBERS | GL_JR_MAKE_CLINIT | GL_JR_CLASS_USE | GL_JR_LOADERS;
    wrap(bytes, size);
    size_t n = gl_jclass_name(bytes, size, name, sizeof name);
    int result = rewrite(bytes, size, all, &out);
    if (result == GL_JR_REWRITTEN) {
        struct gl_jscan look = {0};
        check(gl_jclass_scan(out.at, out.n, &look, error) == 0, "what was rewritten cannot be read");
        check(gl_jclass_name(out.at, out.n, new_name, sizeof new_name) == n && strcmp(name, new_name) == 0,
              "another name");
        check(out.n <= 4096 + 64 * size + 65535, "too large");
        check(rewrite(bytes, size, all, &again) == result && again.n == out.n &&
                  memcmp(again.at, out.at, out.n) == 0,
              "not the same the second time");
        check(rewrite(out.at, out.n, GL_JR_DATA | GL_JR_SYNC, &twice) != GL_JR_MALFORMED,
              "what was rewritten is malformed");
    }
    free(out.at);
    free(again.at);
    free(twice.at);
    return 0;
}
