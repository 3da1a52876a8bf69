/* SPDX-License-Identifier: Apache-2.0
 *
 * The class file: its structure.
 */
#include "java/classfile.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- memory and failure -------------------------------------------------------------------------------------- */

enum { CHUNK = 16 << 10 };

struct gl_jchunk {
    struct gl_jchunk *next;
    size_t used, room;
    _Alignas(16) uint8_t bytes[];
};

void gl_jfile_fail(struct gl_jfile *f, const char *sentence)
{
    snprintf(f->error, GL_JERROR_BYTES, "%s%s%.80s%s%.60s%s", sentence, f->name ? " (class " : "",
             f->name ? f->name : "", f->name && f->where ? ", " : "", f->name && f->where ? f->where : "",
             f->name ? ")" : "");
    longjmp(f->failed, 1);
}

static void *allocate(struct gl_jfile *f, struct gl_jchunk **list, size_t bytes)
{
    bytes = (bytes + 15) & ~(size_t)15;
    struct gl_jchunk *c = *list;
    if (!c || bytes > c->room - c->used) {
        size_t room = bytes > CHUNK ? bytes : CHUNK;
        struct gl_jchunk *fresh = malloc(sizeof *fresh + room);
        if (!fresh)
            gl_jfile_fail(f, "out of memory");
        *fresh = (struct gl_jchunk){.next = c, .room = room};
        *list = c = fresh;
    }
    c->used += bytes;
    return c->bytes + c->used - bytes;
}

static void release(struct gl_jchunk *c)
{
    while (c) {
        struct gl_jchunk *next = c->next;
        free(c);
        c = next;
    }
}

void *gl_jfile_alloc(struct gl_jfile *f, size_t bytes) { return allocate(f, &f->memory, bytes); }

void *gl_jfile_scratch(struct gl_jfile *f, size_t bytes) { return allocate(f, &f->scratch, bytes); }

void gl_jfile_next_method(struct gl_jfile *f)
{
    if (!f->scratch)
        return;
    release(f->scratch->next); /* the last chunk is kept */
    f->scratch->next = NULL;
    f->scratch->used = 0;
}

void gl_jfile_close(struct gl_jfile *f)
{
    release(f->memory);
    release(f->scratch);
    f->memory = f->scratch = NULL;
}

/* ---- constants ----------------------------------------------------------------------------------------------- */

static uint16_t get2(struct gl_jfile *f, uint32_t *at)
{
    uint16_t v = gl_jget2(f->in + gl_jfile_need(f, *at, 2));
    *at += 2;
    return v;
}

/* Bytes of each kind of constant with its tag; 0: no such kind.  Utf8's text comes on top. */
static const uint8_t constant_size[] = {
    [GL_JC_UTF8] = 3,           [GL_JC_INTEGER] = 5,
    [GL_JC_FLOAT] = 5,          [GL_JC_LONG] = 9,
    [GL_JC_DOUBLE] = 9,         [GL_JC_CLASS] = 3,
    [GL_JC_STRING] = 3,         [GL_JC_FIELD] = 5,
    [GL_JC_METHOD] = 5,         [GL_JC_INTERFACE_METHOD] = 5,
    [GL_JC_NAME_AND_TYPE] = 5,  [GL_JC_METHOD_HANDLE] = 4,
    [GL_JC_METHOD_TYPE] = 3,    [GL_JC_DYNAMIC] = 5,
    [GL_JC_INVOKE_DYNAMIC] = 5, [GL_JC_MODULE] = 3,
    [GL_JC_PACKAGE] = 3,
};

static void read_constants(struct gl_jfile *f, uint32_t at)
{
    f->n_pool = get2(f, &at);
    if (!f->n_pool)
        gl_jfile_fail(f, "the class file has no constants");
    f->pool = gl_jfile_alloc(f, sizeof *f->pool * f->n_pool);
    memset(f->pool, 0, sizeof *f->pool * f->n_pool);
    for (unsigned i = 1; i < f->n_pool; i++) {
        gl_jfile_need(f, at, 3);
        uint8_t tag = f->in[at];
        uint32_t size = tag < sizeof constant_size ? constant_size[tag] : 0;
        if (!size)
            gl_jfile_fail(f, "a constant is of no known kind");
        if (tag == GL_JC_UTF8)
            size += gl_jget2(f->in + at + 1);
        gl_jfile_need(f, at, size);
        f->pool[i] = at;
        at += size;
        if ((tag == GL_JC_LONG || tag == GL_JC_DOUBLE) && ++i == f->n_pool) /* they take two indices */
            gl_jfile_fail(f, "the last constant takes an index too many");
    }
    f->pool_end = at;
    f->texts = gl_jfile_alloc(f, sizeof *f->texts * f->n_pool);
    memset(f->texts, 0, sizeof *f->texts * f->n_pool);
}

uint32_t gl_jfile_const_bytes(const struct gl_jfile *f, unsigned index)
{
    const uint8_t *p = f->in + f->pool[index];
    if (!f->pool[index])
        return 0;
    return constant_size[*p] + (*p == GL_JC_UTF8 ? gl_jget2(p + 1) : 0u);
}

const char *gl_jfile_text(struct gl_jfile *f, uint16_t index)
{
    const uint8_t *p = gl_jfile_const(f, index, GL_JC_UTF8);
    if (!f->texts[index]) {
        size_t n = gl_jget2(p);
        if (memchr(p + 2, 0, n))
            gl_jfile_fail(f, "a text has a byte 0");
        char *text = gl_jfile_alloc(f, n + 1);
        memcpy(text, p + 2, n);
        text[n] = 0;
        f->texts[index] = text;
    }
    return f->texts[index];
}

const char *gl_jfile_class(struct gl_jfile *f, uint16_t index)
{
    return gl_jfile_text(f, gl_jget2(gl_jfile_const(f, index, GL_JC_CLASS)));
}

struct gl_jref gl_jfile_ref(struct gl_jfile *f, uint16_t index)
{
    if (index >= f->n_pool || !f->pool[index] || f->in[f->pool[index]] < GL_JC_FIELD ||
        f->in[f->pool[index]] > GL_JC_INTERFACE_METHOD)
        gl_jfile_fail(f, "an instruction names a constant that is no field or method");
    const uint8_t *p = f->in + f->pool[index];
    const uint8_t *name_and_type = gl_jfile_const(f, gl_jget2(p + 3), GL_JC_NAME_AND_TYPE);
    return (struct gl_jref){.tag = p[0],
                            .owner = gl_jfile_class(f, gl_jget2(p + 1)),
                            .name = gl_jfile_text(f, gl_jget2(name_and_type)),
                            .desc = gl_jfile_text(f, gl_jget2(name_and_type + 2))};
}

/* ---- members and attributes ---------------------------------------------------------------------------------- */

struct gl_jattribute gl_jfile_attribute(struct gl_jfile *f, uint32_t *at)
{
    gl_jfile_need(f, *at, 6);
    struct gl_jattribute a = {.name = gl_jget2(f->in + *at), .at = *at + 6};
    uint32_t n = gl_jget4(f->in + *at + 2);
    gl_jfile_need(f, a.at, n);
    a.end = a.at + n;
    gl_jfile_const(f, a.name, GL_JC_UTF8);
    *at = a.end;
    return a;
}

static struct gl_jmember *read_members(struct gl_jfile *f, uint32_t *at, uint16_t *n)
{
    *n = get2(f, at);
    gl_jfile_need(f, *at,
                  *n * 8u); /* each has at least as many bytes: memory is bounded by the input's size */
    struct gl_jmember *members = gl_jfile_alloc(f, sizeof *members * *n);
    for (unsigned i = 0; i < *n; i++) {
        struct gl_jmember *m = &members[i];
        m->at = gl_jfile_need(f, *at, 8);
        m->access = gl_jget2(f->in + m->at);
        m->name = gl_jget2(f->in + m->at + 2);
        m->desc = gl_jget2(f->in + m->at + 4);
        m->n_attributes = gl_jget2(f->in + m->at + 6);
        gl_jfile_const(f, m->name, GL_JC_UTF8);
        gl_jfile_const(f, m->desc, GL_JC_UTF8);
        *at = m->attributes = m->at + 8;
        for (unsigned k = 0; k < m->n_attributes; k++)
            gl_jfile_attribute(f, at);
        m->end = *at;
    }
    return members;
}

void gl_jfile_read(struct gl_jfile *f, const uint8_t *in, size_t n)
{
    if (n > INT32_MAX)
        gl_jfile_fail(f, "the class file is larger than 2 GiB");
    f->in = in;
    f->n = (uint32_t)n;
    gl_jfile_need(f, 0, 10);
    if (gl_jget4(in) != 0xCAFEBABE)
        gl_jfile_fail(f, "this is no class file");
    f->minor = gl_jget2(in + 4);
    f->major = gl_jget2(in + 6);
    read_constants(f, 8);

    uint32_t at = f->pool_end;
    f->access = get2(f, &at);
    f->this_class = get2(f, &at);
    f->super_class = get2(f, &at);
    f->name = gl_jfile_class(f, f->this_class);
    if (!*f->name || strpbrk(f->name, ";["))
        gl_jfile_fail(f, "the class has a name that no descriptor can hold");
    f->n_interfaces = get2(f, &at);
    f->interfaces = gl_jfile_need(f, at, f->n_interfaces * 2u);
    if (f->super_class)
        gl_jfile_class(f, f->super_class);
    for (unsigned k = 0; k < f->n_interfaces; k++)
        gl_jfile_class(f, gl_jget2(in + f->interfaces + 2 * k));
    at += f->n_interfaces * 2u;
    f->members = at;
    f->fields = read_members(f, &at, &f->n_fields);
    f->methods = read_members(f, &at, &f->n_methods);
    f->n_attributes = get2(f, &at);
    f->attributes = at;
    for (unsigned k = 0; k < f->n_attributes; k++) {
        struct gl_jattribute a = gl_jfile_attribute(f, &at);
        if (GL_JFILE_IS(f, a.name, "SourceFile") && a.end - a.at == 2)
            f->source = gl_jfile_text(f, gl_jget2(in + a.at));
        if (GL_JFILE_IS(f, a.name, "SourceDebugExtension")) {
            f->lines = a.at;
            f->n_lines = a.end - a.at;
        }
    }
    if (at != f->n)
        gl_jfile_fail(f, "there are bytes behind the class");
}

/* ---- descriptors ---------------------------------------------------------------------------------------------- */

unsigned gl_jdesc_words(struct gl_jfile *f, const char **desc)
{
    const char *p = *desc;
    bool array = *p == '[';
    while (*p == '[')
        p++;
    unsigned words = 1;
    switch (*p) {
    case 'J':
    case 'D':
        words = 2;
        break;
    case 'V':
        words = 0;
        break;
    case 'L':
        p = strchr(p, ';');
        break;
    case 'B':
    case 'C':
    case 'F':
    case 'I':
    case 'S':
    case 'Z':
        break;
    default:
        p = NULL;
    }
    if (!p || (array && words == 0))
        gl_jfile_fail(f, "a descriptor is malformed");
    *desc = p + 1;
    return array ? 1 : words;
}

unsigned gl_jdesc_arguments(struct gl_jfile *f, const char *desc, unsigned *result)
{
    unsigned words = 0;
    if (*desc++ != '(')
        gl_jfile_fail(f, "a method's descriptor is malformed");
    while (*desc != ')') {
        unsigned w = gl_jdesc_words(f, &desc);
        if (!w || words > 255)
            gl_jfile_fail(f, "a method's descriptor is malformed");
        words += w;
    }
    desc++;
    *result = gl_jdesc_words(f, &desc);
    return words;
}
