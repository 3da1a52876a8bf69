/* SPDX-License-Identifier: Apache-2.0
 *
 * Text into a small buffer and from there to a function.  Enough formatting for reports, and no need
 * of stdio, memory or an operating system.
 */
#ifndef GL_REPORT_FMT_H
#define GL_REPORT_FMT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gl_fmt {
    void (*write)(void *ctx, const char *text, size_t n);
    void *ctx;
    size_t n; /* < sizeof buf */
    char buf[1024];
};

static inline void gl_fmt_flush(struct gl_fmt *o)
{
    if (o->n)
        o->write(o->ctx, o->buf, o->n);
    o->n = 0;
}

static inline void gl_fmt_char(struct gl_fmt *o, char c)
{
    o->buf[o->n++] = c;
    if (o->n == sizeof o->buf)
        gl_fmt_flush(o);
}

static inline void gl_fmt_text(struct gl_fmt *o, const char *s)
{
    while (*s)
        gl_fmt_char(o, *s++);
}

static inline void gl_fmt_number(struct gl_fmt *o, uint64_t v, unsigned base, unsigned min_digits)
{
    char digit[24]; /* 2^64 has 20 decimal digits; min_digits <= 16 */
    unsigned n = 0;
    do {
        digit[n++] = "0123456789abcdef"[v % base];
        v /= base;
    } while (v || n < min_digits);
    while (n > 0)
        gl_fmt_char(o, digit[--n]);
}

static inline void gl_fmt_dec(struct gl_fmt *o, uint64_t v)
{
    gl_fmt_number(o, v, 10, 1);
}

/* Bytes of the UTF-8 character at s; 0: it is none. */
static inline unsigned gl_fmt_utf8(const unsigned char *s)
{
    unsigned n = s[0] < 0x80 ? 1 : s[0] >= 0xC2 && s[0] < 0xE0 ? 2 : (s[0] & 0xF0) == 0xE0 ? 3 : s[0] >= 0xF0 && s[0] < 0xF5 ? 4 : 0;
    for (unsigned i = 1; i < n; i++)
        if ((s[i] & 0xC0) != 0x80) /* also the terminator */
            return 0;
    bool overlong = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xF0 && s[1] < 0x90);
    bool beyond = (s[0] == 0xED && s[1] >= 0xA0) || (s[0] == 0xF4 && s[1] >= 0x90); /* surrogates, above 0x10FFFF */
    return n > 1 && (overlong || beyond) ? 0 : n;
}

/* 0x and at least 12 digits, so that addresses stand in columns, as ThreadSanitizer writes them. */
static inline void gl_fmt_address(struct gl_fmt *o, uint64_t v)
{
    gl_fmt_text(o, "0x");
    gl_fmt_number(o, v, 16, 12);
}

static inline void gl_fmt_hex(struct gl_fmt *o, uint64_t v)
{
    gl_fmt_text(o, "0x");
    gl_fmt_number(o, v, 16, 1);
}

#endif
