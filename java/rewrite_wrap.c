/* SPDX-License-Identifier: Apache-2.0
 *
 * Methods that become two, before the class is rewritten.
 *
 * Synchronized native ones have no code in which their monitor could be seen:
 *
 *     synchronized native int m(long a);      private native synthetic int $gln$m(long a);
 *                                             synchronized int m(long a) { return $gln$m(a); }
 *
 * The virtual machine finds the function of the first by the name of the second, since GL_JNATIVE_PREFIX is set as a prefix of native methods
 * (JVMTI, SetNativeMethodPrefix), however it is bound: by its symbol or by RegisterNatives.
 *
 * A class loader that keeps its classes apart (OSGi, JBoss Modules) does not ask the boot loader for packages that it does not know, so that code in
 * them would not find what we put into it:
 *
 *     Class loadClass(String name) {...}      private synthetic Class $glc$loadClass(String name) {...}
 *                                             Class loadClass(String name) { Class c = R.ours(name); return c != null ? c : $glc$loadClass(name); }
 *
 * and the same with a boolean behind the name.  Such methods of other classes than loaders do what they did.
 */
#include <stdlib.h>

#include "java/rewrite_class.h"

enum { NAME_MOST = 500, PREFIX = sizeof GL_JNATIVE_PREFIX };
_Static_assert(sizeof GL_JNATIVE_PREFIX == sizeof GL_JLOADER_PREFIX, "PREFIX");

struct wrapping {
    struct gl_jfile f;
    struct gl_jpool pool;
    struct gl_jbuf body, code, out;
    unsigned what; /* GL_JWRAP_* */
    unsigned wrapped;
};

static bool is_native(const struct wrapping *w, const struct gl_jmember *m)
{
    return w->what & GL_JWRAP_NATIVES && m->access & GL_JACC_NATIVE && m->access & GL_JACC_SYNCHRONIZED;
}

static bool is_loader(struct wrapping *w, const struct gl_jmember *m)
{
    return w->what & GL_JWRAP_LOADERS && !(m->access & (GL_JACC_STATIC | GL_JACC_NATIVE | GL_JACC_ABSTRACT)) &&
           !(w->f.access & GL_JACC_INTERFACE) && GL_JFILE_IS(&w->f, m->name, "loadClass") &&
           (GL_JFILE_IS(&w->f, m->desc, "(Ljava/lang/String;)Ljava/lang/Class;") ||
            GL_JFILE_IS(&w->f, m->desc, "(Ljava/lang/String;Z)Ljava/lang/Class;"));
}

/* 0 to 4, as opcodes of loads and returns count: int, long, float, double, reference. */
static unsigned type_of(char first)
{
    switch (first) {
    case 'J': return 1;
    case 'F': return 2;
    case 'D': return 3;
    case 'L':
    case '[': return 4;
    default: return 0;
    }
}

/* The name with the prefix; 0: there can be none. */
static uint16_t prefixed(struct wrapping *w, const struct gl_jmember *m, const char *prefix)
{
    const char *name = gl_jfile_text(&w->f, m->name);
    char own[NAME_MOST + PREFIX];
    size_t n = strlen(name);
    if (n > NAME_MOST || *name == '<')
        return 0;
    memcpy(own, prefix, PREFIX - 1);
    memcpy(own + PREFIX - 1, name, n + 1);
    return gl_jpool_utf8(&w->pool, own);
}

/* Loads its arguments, calls the other one, returns.  Without jumps it needs no frames. */
static void write_code(struct wrapping *w, const struct gl_jmember *m, uint16_t called)
{
    const char *desc = gl_jfile_text(&w->f, m->desc), *type = desc + 1;
    bool is_static = m->access & GL_JACC_STATIC;
    unsigned result = 0, words = gl_jdesc_arguments(&w->f, desc, &result) + !is_static, at = 0;
    w->code.n = 0;
    if (!is_static) {
        gl_jbuf_1(&w->code, GL_JOPC_ALOAD);
        gl_jbuf_1(&w->code, at++);
    }
    while (*type != ')') {
        gl_jbuf_1(&w->code, GL_JOPC_ILOAD + type_of(*type));
        gl_jbuf_1(&w->code, at);
        at += gl_jdesc_words(&w->f, &type);
    }
    gl_jbuf_1(&w->code, is_static ? GL_JOPC_INVOKESTATIC : GL_JOPC_INVOKESPECIAL);
    gl_jbuf_2(&w->code, called);
    gl_jbuf_1(&w->code, type[1] == 'V' ? GL_JOPC_RETURN : GL_JOPC_IRETURN + type_of(type[1]));

    gl_jbuf_2(&w->body, gl_jpool_utf8(&w->pool, "Code"));
    gl_jbuf_4(&w->body, (uint32_t)(2 + 2 + 4 + w->code.n + 2 + 2));
    gl_jbuf_2(&w->body, words > result ? words : result); /* stack */
    gl_jbuf_2(&w->body, words);                           /* variables */
    gl_jbuf_4(&w->body, (uint32_t)w->code.n);
    gl_jbuf_bytes(&w->body, w->code.at, w->code.n);
    gl_jbuf_2(&w->body, 0); /* handlers */
    gl_jbuf_2(&w->body, 0); /* attributes */
}

static void write_head(struct wrapping *w, unsigned access, uint16_t name, uint16_t desc, unsigned attributes)
{
    gl_jbuf_2(&w->body, access);
    gl_jbuf_2(&w->body, name);
    gl_jbuf_2(&w->body, desc);
    gl_jbuf_2(&w->body, attributes);
}

/* All but its code; `more` more follow. */
static void copy_attributes(struct wrapping *w, const struct gl_jmember *m, unsigned more)
{
    size_t count = w->body.n - 2;
    unsigned n = more;
    uint32_t at = m->attributes;
    for (unsigned k = 0; k < m->n_attributes; k++) {
        uint32_t start = at;
        struct gl_jattribute a = gl_jfile_attribute(&w->f, &at);
        if (GL_JFILE_IS(&w->f, a.name, "Code"))
            continue;
        gl_jbuf_bytes(&w->body, w->f.in + start, at - start);
        n++;
    }
    gl_jset2(w->body.at + count, n);
}

/* Asks us first, then the other one. */
static void write_loader(struct wrapping *w, const struct gl_jmember *m, uint16_t called)
{
    enum { ELSE = 9 };
    struct gl_jpool *p = &w->pool;
    bool two = GL_JFILE_IS(&w->f, m->desc, "(Ljava/lang/String;Z)Ljava/lang/Class;");
    unsigned size = ELSE + 7 + two, frames = w->f.major >= 50 ? 6 + 2 + 4 : 0;
    gl_jbuf_2(&w->body, gl_jpool_utf8(p, "Code"));
    gl_jbuf_4(&w->body, 2 + 2 + 4 + size + 2 + 2 + frames);
    gl_jbuf_2(&w->body, 3);       /* stack */
    gl_jbuf_2(&w->body, 2 + two); /* variables */
    gl_jbuf_4(&w->body, size);
    gl_jbuf_1(&w->body, GL_JOPC_ALOAD_0 + 1);  /* 0: the name */
    gl_jbuf_1(&w->body, GL_JOPC_INVOKESTATIC); /* 1 */
    gl_jbuf_2(&w->body, gl_jpool_member(p, GL_JC_METHOD, gl_jpool_class(p, "goldilocks/rt/R"), "ours", "(Ljava/lang/String;)Ljava/lang/Class;"));
    gl_jbuf_1(&w->body, GL_JOPC_DUP);    /* 4 */
    gl_jbuf_1(&w->body, GL_JOPC_IFNULL); /* 5 */
    gl_jbuf_2(&w->body, ELSE - 5);
    gl_jbuf_1(&w->body, GL_JOPC_IRETURN + type_of('L')); /* 8 */
    gl_jbuf_1(&w->body, GL_JOPC_POP);                    /* 9: ELSE */
    gl_jbuf_1(&w->body, GL_JOPC_ALOAD_0);
    gl_jbuf_1(&w->body, GL_JOPC_ALOAD_0 + 1);
    if (two)
        gl_jbuf_1(&w->body, GL_JOPC_ILOAD_1 + 1);
    gl_jbuf_1(&w->body, GL_JOPC_INVOKESPECIAL);
    gl_jbuf_2(&w->body, called);
    gl_jbuf_1(&w->body, GL_JOPC_IRETURN + type_of('L'));
    gl_jbuf_2(&w->body, 0); /* handlers */
    gl_jbuf_2(&w->body, frames ? 1 : 0);
    if (frames) {
        gl_jbuf_2(&w->body, gl_jpool_utf8(p, "StackMapTable"));
        gl_jbuf_4(&w->body, 2 + 4);
        gl_jbuf_2(&w->body, 1);
        gl_jbuf_1(&w->body, 64 + ELSE); /* the same variables, and on the stack: */
        gl_jbuf_1(&w->body, 7);         /* an object */
        gl_jbuf_2(&w->body, gl_jpool_class(p, "java/lang/Class"));
    }
}

static void write_method(struct wrapping *w, const struct gl_jmember *m)
{
    bool native = is_native(w, m), wanted = (native || is_loader(w, m)) && w->f.n_methods + w->wrapped < 65535 && m->n_attributes < 65535;
    uint16_t own = wanted ? prefixed(w, m, native ? GL_JNATIVE_PREFIX : GL_JLOADER_PREFIX) : 0;
    if (!own) {
        gl_jbuf_bytes(&w->body, w->f.in + m->at, m->end - m->at);
        return;
    }
    uint16_t called = gl_jpool_member_of(&w->pool, GL_JC_METHOD, w->f.this_class, own, m->desc);
    if (native) {
        write_head(w, GL_JACC_PRIVATE | GL_JACC_NATIVE | GL_JACC_SYNTHETIC | (m->access & GL_JACC_STATIC), own, m->desc, 0);
        write_head(w, m->access & ~(unsigned)GL_JACC_NATIVE, m->name, m->desc, m->n_attributes + 1);
        gl_jbuf_bytes(&w->body, w->f.in + m->attributes, m->end - m->attributes);
        write_code(w, m, called);
    } else {
        write_head(w, GL_JACC_PRIVATE | GL_JACC_SYNTHETIC | (m->access & GL_JACC_STRICT), own, m->desc, m->n_attributes);
        gl_jbuf_bytes(&w->body, w->f.in + m->attributes, m->end - m->attributes);
        write_head(w, m->access & ~(unsigned)GL_JACC_STRICT, m->name, m->desc, 0); /* synchronized, if it was: reflection tells it */
        copy_attributes(w, m, 1);
        write_loader(w, m, called);
    }
    w->wrapped++;
}

static __attribute__((noinline)) int wrap(struct wrapping *w, const uint8_t *in, size_t n)
{
    struct gl_jfile *f = &w->f;
    gl_jfile_read(f, in, n);
    bool wanted = false, taken = false; /* such names are there already: somebody else's, or ours */
    for (unsigned i = 0; i < f->n_methods; i++) {
        const char *name = gl_jfile_text(f, f->methods[i].name);
        wanted = wanted || is_native(w, &f->methods[i]) || is_loader(w, &f->methods[i]);
        taken = taken || strncmp(name, GL_JNATIVE_PREFIX, PREFIX - 1) == 0 || strncmp(name, GL_JLOADER_PREFIX, PREFIX - 1) == 0;
    }
    if (!wanted || taken)
        return GL_JR_NOTHING;
    gl_jpool_open(&w->pool, f);
    w->body.f = w->code.f = w->out.f = f;
    uint32_t methods = f->n_methods ? f->methods[0].at : f->attributes - 2; /* behind their count */
    gl_jbuf_bytes(&w->body, in + f->pool_end, methods - 2 - f->pool_end);
    size_t count = w->body.n;
    gl_jbuf_2(&w->body, 0);
    for (unsigned i = 0; i < f->n_methods; i++)
        write_method(w, &f->methods[i]);
    if (!w->wrapped || w->pool.full)
        return GL_JR_NOTHING;
    gl_jset2(w->body.at + count, f->n_methods + w->wrapped);
    gl_jbuf_bytes(&w->body, in + f->attributes - 2, f->n - (f->attributes - 2)); /* with their count */
    gl_jbuf_bytes(&w->out, in, f->pool_end);
    gl_jset2(w->out.at + 8, w->pool.n);
    gl_jbuf_bytes(&w->out, w->pool.bytes.at, w->pool.bytes.n);
    gl_jbuf_bytes(&w->out, w->body.at, w->body.n);
    return GL_JR_REWRITTEN;
}

int gl_jwrap(const uint8_t *in, size_t n, unsigned what, struct gl_jbytes *out, char error[GL_JERROR_BYTES])
{
    struct work { /* on the heap: see gl_jrewrite() */
        struct wrapping w;
        int result;
    } *k = calloc(1, sizeof *k);
    error[0] = 0;
    if (!k) {
        memcpy(error, "out of memory", sizeof "out of memory");
        return GL_JR_MALFORMED;
    }
    k->w.f.error = error;
    k->w.what = what;
    if (setjmp(k->w.f.failed) == 0)
        k->result = wrap(&k->w, in, n);
    else
        k->result = GL_JR_MALFORMED;
    int result = k->result;
    if (result == GL_JR_REWRITTEN)
        *out = (struct gl_jbytes){k->w.out.at, k->w.out.n};
    else
        free(k->w.out.at);
    gl_jpool_close(&k->w.pool);
    free(k->w.body.at);
    free(k->w.code.at);
    gl_jfile_close(&k->w.f);
    free(k);
    return result;
}
