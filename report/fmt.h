/* SPDX-License-Identifier: Apache-2.0
 *
 * Text into a small buffer and from there to a function.  Enough formatting for reports, and no need
 * of stdio, memory or an operating system.
 */
#ifndef GL_REPORT_FMT_H
#define GL_REPORT_FMT_H

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
