/* SPDX-License-Identifier: Apache-2.0
 *
 * The class file as a structure (JVMS chapter 4), read from bytes that nobody has checked, and the pieces to write one: a growing
 * buffer, and constants that are added behind those of the file.
 *
 * A file that is not well-formed ends the work by gl_jfile_fail(), which jumps back to where `file->failed` was set
 * (setjmp); so readers need no error results.  Memory is from an arena that goes with the file.
 *
 * Not checked here: what no reader of the structure depends on (flags, names, which attributes may be where).  The virtual machine does that.
 */
#ifndef GL_JAVA_CLASSFILE_H
#define GL_JAVA_CLASSFILE_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "java/rewrite.h"

enum {
    GL_JC_UTF8 = 1,
    GL_JC_INTEGER = 3,
    GL_JC_FLOAT = 4,
    GL_JC_LONG = 5,
    GL_JC_DOUBLE = 6,
    GL_JC_CLASS = 7,
    GL_JC_STRING = 8,
    GL_JC_FIELD = 9,
    GL_JC_METHOD = 10,
    GL_JC_INTERFACE_METHOD = 11,
    GL_JC_NAME_AND_TYPE = 12,
    GL_JC_METHOD_HANDLE = 15,
    GL_JC_METHOD_TYPE = 16,
    GL_JC_DYNAMIC = 17,
    GL_JC_INVOKE_DYNAMIC = 18,
    GL_JC_MODULE = 19,
    GL_JC_PACKAGE = 20
};

enum {
    GL_JACC_PRIVATE = 0x0002,
    GL_JACC_STATIC = 0x0008,
    GL_JACC_FINAL = 0x0010,
    GL_JACC_SYNCHRONIZED = 0x0020,
    GL_JACC_VOLATILE = 0x0040,
    GL_JACC_TRANSIENT = 0x0080,
    GL_JACC_NATIVE = 0x0100,
    GL_JACC_INTERFACE = 0x0200,
    GL_JACC_ABSTRACT = 0x0400,
    GL_JACC_STRICT = 0x0800,
    GL_JACC_SYNTHETIC = 0x1000,
    GL_JACC_MODULE = 0x8000
};

/* A field or a method. */
struct gl_jmember {
    uint16_t access, name, desc; /* indices of Utf8 constants */
    uint16_t n_attributes;
    uint32_t at, attributes, end; /* offsets in the file: of the member, of its first attribute, behind it */
};

struct gl_jattribute {
    uint16_t name;    /* index of an Utf8 constant */
    uint32_t at, end; /* offsets of its contents */
};

struct gl_jchunk;

struct gl_jfile {
    const uint8_t *in;
    uint32_t n;
    jmp_buf failed;    /* set by whoever opens the file */
    char *error;       /* of GL_JERROR_BYTES */
    const char *where; /* for the error: the method at hand "name desc", or NULL */
    struct gl_jchunk *memory;
    struct gl_jchunk *scratch; /* for one method */
    uint64_t
        work; /* steps that are not bounded by the file's size; whoever makes them counts and limits them */

    uint16_t minor, major;
    uint16_t n_pool; /* indices are 1..n_pool-1 */
    uint32_t
        *pool; /* offset of the tag of each constant; 0: no constant (index 0, the second half of a long) */
    const char **texts; /* gl_jfile_text's answers so far */
    uint32_t pool_end;  /* offset of what follows the constants */
    uint16_t access, this_class, super_class;
    uint16_t n_interfaces, n_fields, n_methods, n_attributes;
    uint32_t interfaces; /* offset of the indices */
    uint32_t members;    /* offset of the count of fields */
    uint32_t attributes; /* offset of the first attribute of the class */
    struct gl_jmember *fields, *methods;
    const char *name;   /* of the class */
    const char *source; /* file's name, or NULL */
    uint32_t lines, n_lines; /* offset and length of the map of lines (classfile_lines.h); 0, 0: none */
};

/* Ends the work: the error becomes "SENTENCE (CLASS, WHERE)". */
_Noreturn void gl_jfile_fail(struct gl_jfile *f, const char *sentence);

/* Memory that lives as long as the file; fails when there is none.  Not zeroed. */
void *gl_jfile_alloc(struct gl_jfile *f, size_t bytes);

/* The same, until gl_jfile_next_method. */
void *gl_jfile_scratch(struct gl_jfile *f, size_t bytes);
void gl_jfile_next_method(struct gl_jfile *f);

/* Reads the structure of in[0..n).  f->failed and f->error must be set, the rest zero.  n may be what it will. */
void gl_jfile_read(struct gl_jfile *f, const uint8_t *in, size_t n);

/* Gives the memory back; also after a failure. */
void gl_jfile_close(struct gl_jfile *f);

/* Big-endian numbers; no check. */
static inline uint16_t gl_jget2(const uint8_t *p) { return (uint16_t)(p[0] << 8 | p[1]); }
static inline uint32_t gl_jget4(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}
static inline void gl_jset2(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)(v >> 8);
    p[1] = (uint8_t)v;
}
static inline void gl_jset4(uint8_t *p, uint32_t v)
{
    gl_jset2(p, v >> 16);
    gl_jset2(p + 2, v);
}

/* Fails unless bytes [at, at + n) are in the file; returns at. */
static inline uint32_t gl_jfile_need(struct gl_jfile *f, uint32_t at, uint32_t n)
{
    if (at > f->n || n > f->n - at)
        gl_jfile_fail(f, "the class file ends too early");
    return at;
}

/* The constant `index`, which must be there and have that tag: a pointer behind its tag.  All its bytes are in the file. */
static inline const uint8_t *gl_jfile_const(struct gl_jfile *f, uint16_t index, uint8_t tag)
{
    if (index >= f->n_pool || !f->pool[index] || f->in[f->pool[index]] != tag)
        gl_jfile_fail(f, "an index of a constant leads to none of that kind");
    return f->in + f->pool[index] + 1;
}

/* The bytes of the constant `index` (below n_pool), with its tag; 0: none has this index. */
uint32_t gl_jfile_const_bytes(const struct gl_jfile *f, unsigned index);

/* The Utf8 constant as a NUL-terminated string. */
const char *gl_jfile_text(struct gl_jfile *f, uint16_t index);
/* The name of a Class constant. */
const char *gl_jfile_class(struct gl_jfile *f, uint16_t index);

/* Is the Utf8 constant exactly these characters? */
static inline bool gl_jfile_is(struct gl_jfile *f, uint16_t index, const char *text, size_t length)
{
    const uint8_t *p = gl_jfile_const(f, index, GL_JC_UTF8);
    return gl_jget2(p) == length && memcmp(p + 2, text, length) == 0;
}
#define GL_JFILE_IS(f, index, literal) gl_jfile_is(f, index, literal, sizeof(literal) - 1)

/* A Fieldref, Methodref or InterfaceMethodref. */
struct gl_jref {
    uint8_t tag;
    const char *owner, *name, *desc;
};
struct gl_jref gl_jfile_ref(struct gl_jfile *f, uint16_t index);

/* Reads the attribute at offset *at and moves *at behind it; its contents are in the file. */
struct gl_jattribute gl_jfile_attribute(struct gl_jfile *f, uint32_t *at);

/* ---- descriptors ---------------------------------------------------------------------------------------------- */

/* Words of the value of the type at *desc, which moves behind it: 0 for V.  Fails when it is malformed. */
unsigned gl_jdesc_words(struct gl_jfile *f, const char **desc);
/* Words of a method's arguments (without `this`); *result: words of its result; end of arguments is not returned. */
unsigned gl_jdesc_arguments(struct gl_jfile *f, const char *desc, unsigned *result);

/* ---- writing ------------------------------------------------------------------------------------------------ */

/* Bytes that grow.  `f` says how to fail.  Memory is from malloc: whoever made the buffer frees `at`. */
struct gl_jbuf {
    struct gl_jfile *f;
    uint8_t *at;
    size_t n, room;
};

/* Room for n more bytes, which the caller fills; they count as written. */
uint8_t *gl_jbuf_more_slow(struct gl_jbuf *b, size_t n);
static inline uint8_t *gl_jbuf_more(struct gl_jbuf *b, size_t n)
{
    if (n > b->room - b->n)
        return gl_jbuf_more_slow(b, n);
    b->n += n;
    return b->at + b->n - n;
}
static inline void gl_jbuf_1(struct gl_jbuf *b, unsigned v) { *gl_jbuf_more(b, 1) = (uint8_t)v; }
static inline void gl_jbuf_2(struct gl_jbuf *b, uint32_t v) { gl_jset2(gl_jbuf_more(b, 2), v); }
static inline void gl_jbuf_4(struct gl_jbuf *b, uint32_t v) { gl_jset4(gl_jbuf_more(b, 4), v); }
static inline void gl_jbuf_bytes(struct gl_jbuf *b, const void *from, size_t n)
{
    if (n)
        memcpy(gl_jbuf_more(b, n), from, n);
}

/* Constants added behind those of the file, unless they are there.  Every function returns an index, or 0 when the pool is full (65,534),
 * which `full` then says as well until it is rolled back: so a caller may look once, at the end. */
struct gl_jpool {
    struct gl_jfile *f;
    struct gl_jbuf bytes; /* the added constants */
    struct gl_jbuf at;    /* the offset in `bytes` of each, four bytes of the machine's order */
    unsigned n;           /* first free index */
    bool full;
    uint16_t *slots; /* hash table of indices, of which one may have been rolled back; 0: empty; NULL: none yet */
    uint32_t n_slots, used;
};

/* To undo what was added after it was taken. */
struct gl_jmark {
    unsigned n;
};

void gl_jpool_open(struct gl_jpool *p, struct gl_jfile *f);
void gl_jpool_close(struct gl_jpool *p);
struct gl_jmark gl_jpool_mark(const struct gl_jpool *p);
void gl_jpool_back(struct gl_jpool *p, struct gl_jmark mark);

uint16_t gl_jpool_utf8(struct gl_jpool *p, const char *text);
uint16_t gl_jpool_class(struct gl_jpool *p, const char *name);
uint16_t gl_jpool_string(struct gl_jpool *p, const char *text);
uint16_t gl_jpool_int(struct gl_jpool *p, uint32_t value);
/* A member of a class: tag is GL_JC_FIELD or GL_JC_METHOD; owner is the index of a Class constant. */
uint16_t gl_jpool_member(struct gl_jpool *p, uint8_t tag, uint16_t owner, const char *name, const char *desc);
/* The same; name and desc are indices of Utf8 constants. */
uint16_t gl_jpool_member_of(struct gl_jpool *p, uint8_t tag, uint16_t owner, uint16_t name, uint16_t desc);

#endif
