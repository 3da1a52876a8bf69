/* SPDX-License-Identifier: Apache-2.0
 *
 * libiberty's demanglers, those of C++ and Rust in their callback form, which allocates nothing.  They recurse and hold
 * arrays on the stack in proportion to the name, so they run on the symbolizer's own stack.  That of D allocates, by the
 * functions below, which libiberty has in a form that ends the process when there is no memory.
 */
#include "symbol/demangle.h"

#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

struct text {
    char *buf;
    size_t cap, n;
    bool cut;
};

static void append(const char *s, size_t n, void *opaque)
{
    struct text *t = opaque;
    size_t room = t->cap - 1 - t->n;
    if (n > room) {
        n = room;
        t->cut = true;
    }
    memcpy(t->buf + t->n, s, n);
    t->n += n;
}

/* ---- D ---- */

static void *no_memory[5]; /* for __builtin_setjmp() */

void *xmalloc(size_t n);
void *xmalloc(size_t n)
{
    void *p = malloc(n);
    if (!p)
        __builtin_longjmp(no_memory, 1);
    return p;
}

void *xrealloc(void *old, size_t n);
void *xrealloc(void *old, size_t n)
{
    void *p = realloc(old, n);
    if (!p)
        __builtin_longjmp(no_memory, 1); /* what has been allocated so far is lost */
    return p;
}

static __attribute__((noinline)) bool demangle_d(const char *name, struct text *t)
{
    enum { LONGEST = 8192 }; /* it recurses without a limit of its own */
    if (strlen(name) > LONGEST || __builtin_setjmp(no_memory))
        return false;
    char *readable = dlang_demangle(name, 0);
    if (readable)
        append(readable, strlen(readable), t);
    free(readable);
    return readable != NULL;
}

bool gl_name_is_mangled(const char *name)
{
    return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R' || name[1] == 'D');
}

bool gl_demangle(const char *name, char *buf, size_t cap)
{
    if (!gl_name_is_mangled(name))
        return false;
    struct text t = {buf, cap, 0, false};
    /* Rust first: its legacy names are also C++ names, but then show their hash. */
    bool ok = name[1] == 'D' ? demangle_d(name, &t) : rust_demangle_callback(name, DMGL_PARAMS, append, &t);
    if (!ok) {
        t = (struct text){buf, cap, 0, false};
        ok = cplus_demangle_v3_callback(name, DMGL_PARAMS | DMGL_ANSI, append, &t);
    }
    if (t.cut)
        memcpy(buf + cap - 4, "...", 3);
    buf[t.n] = 0;
    return ok && t.n > 0;
}
