/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing: bytes that grow, and new constants.
 */
#include "java/classfile.h"

#include <stdlib.h>

uint8_t *gl_jbuf_more_slow(struct gl_jbuf *b, size_t n)
{
    size_t room = b->room ? b->room : 512;
    while (room - b->n < n)
        room *= 2;
    uint8_t *at = realloc(b->at, room);
    if (!at)
        gl_jfile_fail(b->f, "out of memory");
    b->at = at;
    b->room = room;
    b->n += n;
    return at + b->n - n;
}

/* ---- constants ----------------------------------------------------------------------------------------------- */

/* Equal constants are kept once, those of the file as well, as far as a short look into the hash table finds them: a class made to collide
 * gets some twice, which is allowed, and costs no time.  To transform a loaded class again takes the virtual machine long when there is one
 * twice: it leaves it out, so that all behind it get other numbers, and looks through all constants for each. */
enum { LOOKS = 16, FIRST_SLOTS = 256 };

void gl_jpool_open(struct gl_jpool *p, struct gl_jfile *f)
{
    *p = (struct gl_jpool){.f = f, .bytes.f = f, .at.f = f, .n = f->n_pool, .n_slots = FIRST_SLOTS};
}

void gl_jpool_close(struct gl_jpool *p)
{
    free(p->bytes.at);
    free(p->at.at);
}

struct gl_jmark gl_jpool_mark(const struct gl_jpool *p) { return (struct gl_jmark){p->n}; }

static uint32_t offset_of(const struct gl_jpool *p, unsigned index)
{
    uint32_t at;
    if (index == p->n)
        return (uint32_t)p->bytes.n;
    memcpy(&at, p->at.at + sizeof at * (index - p->f->n_pool), sizeof at);
    return at;
}

void gl_jpool_back(struct gl_jpool *p, struct gl_jmark mark)
{
    p->bytes.n = offset_of(p, mark.n);
    p->n = mark.n;
    p->at.n = sizeof(uint32_t) * (mark.n - p->f->n_pool);
    p->full = false;
}

/* The bytes of a constant, the file's or an added one, and their number; NULL: no constant has this index. */
static const uint8_t *bytes_of(const struct gl_jpool *p, unsigned index, size_t *n)
{
    if (index < p->f->n_pool) {
        *n = gl_jfile_const_bytes(p->f, index);
        return *n ? p->f->in + p->f->pool[index] : NULL;
    }
    uint32_t at = offset_of(p, index);
    *n = offset_of(p, index + 1) - at;
    return p->bytes.at + at;
}

static uint32_t hash(const uint8_t *bytes, size_t n)
{
    uint64_t h = 0x9E3779B97F4A7C15u ^ n, word = 0;
    for (; n >= sizeof word; n -= sizeof word, bytes += sizeof word) {
        memcpy(&word, bytes, sizeof word);
        h = (h ^ word) * 0xBF58476D1CE4E5B9u;
        h ^= h >> 32;
    }
    word = 0;
    memcpy(&word, bytes, n);
    h = (h ^ word) * 0xBF58476D1CE4E5B9u;
    return (uint32_t)((h ^ h >> 29) * 0x94D049BB133111EBu >> 32);
}

/* A table with all constants there are, of which three quarters are free: few runs are longer than LOOKS. */
static void make_slots(struct gl_jpool *p)
{
    size_t n;
    while (p->n * 4 >= p->n_slots && p->n_slots < 1 << 18)
        p->n_slots *= 2;
    p->slots = gl_jfile_alloc(p->f, sizeof *p->slots * p->n_slots);
    memset(p->slots, 0, sizeof *p->slots * p->n_slots);
    p->used = 0;
    for (unsigned i = 1; i < p->n; i++) {
        const uint8_t *bytes = bytes_of(p, i, &n);
        uint32_t slot = bytes ? hash(bytes, n) : 0;
        for (unsigned k = 0; bytes && k < LOOKS; k++) {
            uint16_t *s = &p->slots[(slot + k) % p->n_slots];
            if (!*s) {
                *s = (uint16_t)i;
                p->used++;
                break;
            }
        }
    }
}

/* The constant whose bytes are first[0..n_first) text[0..n_text). */
static uint16_t add(struct gl_jpool *p, const uint8_t *first, size_t n_first, const char *text, size_t n_text)
{
    if (p->full)
        return 0;
    if (!p->slots || (p->used * 4 >= p->n_slots && p->n_slots < 1 << 18))
        make_slots(p);
    size_t at = p->bytes.n, n = n_first + n_text;
    gl_jbuf_bytes(&p->bytes, first, n_first);
    gl_jbuf_bytes(&p->bytes, text, n_text);
    p->bytes.n = at; /* there, but not of a constant yet */
    uint32_t h = hash(p->bytes.at + at, n);
    uint16_t *empty = NULL;
    for (unsigned k = 0; k < LOOKS && !empty; k++) {
        uint16_t *s = &p->slots[(h + k) % p->n_slots];
        if (!*s) {
            empty = s;
        } else if (*s < p->n) {
            size_t size;
            const uint8_t *there = bytes_of(p, *s, &size);
            if (size == n && memcmp(there, p->bytes.at + at, n) == 0)
                return *s;
        }
    }
    if (p->n >= 65535) {
        p->full = true;
        return 0;
    }
    p->bytes.n += n;
    uint32_t offset = (uint32_t)at;
    gl_jbuf_bytes(&p->at, &offset, sizeof offset);
    if (empty) {
        *empty = (uint16_t)p->n;
        p->used++;
    }
    return (uint16_t)p->n++;
}

uint16_t gl_jpool_utf8(struct gl_jpool *p, const char *text)
{
    size_t n = strlen(text);
    if (n > 65535) {
        p->full = true;
        return 0;
    }
    uint8_t first[3] = {GL_JC_UTF8};
    gl_jset2(first + 1, (uint32_t)n);
    return add(p, first, sizeof first, text, n);
}

static uint16_t add_of_text(struct gl_jpool *p, uint8_t tag, const char *text)
{
    uint8_t first[3] = {tag};
    gl_jset2(first + 1, gl_jpool_utf8(p, text));
    return add(p, first, sizeof first, NULL, 0);
}

uint16_t gl_jpool_class(struct gl_jpool *p, const char *name) { return add_of_text(p, GL_JC_CLASS, name); }

uint16_t gl_jpool_string(struct gl_jpool *p, const char *text) { return add_of_text(p, GL_JC_STRING, text); }

uint16_t gl_jpool_int(struct gl_jpool *p, uint32_t value)
{
    uint8_t first[5] = {GL_JC_INTEGER};
    gl_jset4(first + 1, value);
    return add(p, first, sizeof first, NULL, 0);
}

static uint16_t add_pair(struct gl_jpool *p, uint8_t tag, uint16_t a, uint16_t b)
{
    uint8_t first[5] = {tag};
    gl_jset2(first + 1, a);
    gl_jset2(first + 3, b);
    return add(p, first, sizeof first, NULL, 0);
}

uint16_t gl_jpool_member_of(struct gl_jpool *p, uint8_t tag, uint16_t owner, uint16_t name, uint16_t desc)
{
    return add_pair(p, tag, owner, add_pair(p, GL_JC_NAME_AND_TYPE, name, desc));
}

uint16_t gl_jpool_member(struct gl_jpool *p, uint8_t tag, uint16_t owner, const char *name, const char *desc)
{
    uint16_t n = gl_jpool_utf8(p, name), d = gl_jpool_utf8(p, desc);
    return gl_jpool_member_of(p, tag, owner, n, d);
}
