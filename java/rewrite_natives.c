/* SPDX-License-Identifier: Apache-2.0
 *
 * Native methods that become two, before the class is rewritten: those that are synchronized or static have no code in which their monitor, or the use of their class, could be seen:
 *
 *     synchronized native int m(long a);      private native synthetic int $gln$m(long a);
 *                                             synchronized int m(long a) { return $gln$m(a); }
 *
 * Reflection goes on to say that m is native (rt.Hidden): serialization computes a number of it.
 * The virtual machine finds the function of the first by the name of the second, since GL_JNATIVE_PREFIX is set as a prefix of native methods
 * (JVMTI, SetNativeMethodPrefix), however it is bound: by its symbol or by RegisterNatives.
 */
#include <stdlib.h>

#include "java/rewrite_class.h"

enum { NAME_MOST = 500, PREFIX = sizeof GL_JNATIVE_PREFIX };

struct wrapping {
    struct gl_jfile f;
    struct gl_jpool pool;
    struct gl_jbuf body, code, out;
    unsigned wrapped;
};

static bool is_wanted(const struct gl_jmember *m)
{
    return m->access & GL_JACC_NATIVE && m->access & (GL_JACC_SYNCHRONIZED | GL_JACC_STATIC);
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
static uint16_t prefixed(struct wrapping *w, const struct gl_jmember *m)
{
    const char *name = gl_jfile_text(&w->f, m->name);
    char own[NAME_MOST + PREFIX];
    size_t n = strlen(name);
    if (n > NAME_MOST || *name == '<')
        return 0;
    memcpy(own, GL_JNATIVE_PREFIX, PREFIX - 1);
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

static void write_method(struct wrapping *w, const struct gl_jmember *m)
{
    bool wanted = is_wanted(m) && w->f.n_methods + w->wrapped < 65535 && m->n_attributes < 65535;
    uint16_t own = wanted ? prefixed(w, m) : 0;
    if (!own) {
        gl_jbuf_bytes(&w->body, w->f.in + m->at, m->end - m->at);
        return;
    }
    uint16_t called = gl_jpool_member_of(&w->pool, GL_JC_METHOD, w->f.this_class, own, m->desc);
    write_head(w, GL_JACC_PRIVATE | GL_JACC_NATIVE | GL_JACC_SYNTHETIC | (m->access & GL_JACC_STATIC), own, m->desc, 0);
    write_head(w, m->access & ~(unsigned)GL_JACC_NATIVE, m->name, m->desc, m->n_attributes + 1);
    gl_jbuf_bytes(&w->body, w->f.in + m->attributes, m->end - m->attributes);
    write_code(w, m, called);
    w->wrapped++;
}

static __attribute__((noinline)) int wrap(struct wrapping *w, const uint8_t *in, size_t n)
{
    struct gl_jfile *f = &w->f;
    gl_jfile_read(f, in, n);
    bool wanted = false, taken = false; /* such names are there already: somebody else's, or ours */
    for (unsigned i = 0; i < f->n_methods; i++) {
        const char *name = gl_jfile_text(f, f->methods[i].name);
        wanted = wanted || is_wanted(&f->methods[i]);
        taken = taken || strncmp(name, GL_JNATIVE_PREFIX, PREFIX - 1) == 0;
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

int gl_jwrap_natives(const uint8_t *in, size_t n, struct gl_jbytes *out, char error[GL_JERROR_BYTES])
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
