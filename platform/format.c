/* SPDX-License-Identifier: Apache-2.0
 *
 * Text without stdio, locale or memory.  Understands
 *
 *     % [-0#+ ]* [width|*] [.precision|.*] [hh|h|l|ll|z|j|t] [d i u x X p c s %]
 *
 * as C does; an unknown conversion comes out as it stands in the format, and the rest of the format
 * is then plain text, since the types of the arguments after it are not known.
 */
#include "platform/platform.h"

#include <string.h>

struct out {
    char *buf;
    size_t cap;
    size_t n; /* characters produced, also those that did not fit */
};

static void put(struct out *o, char c)
{
    if (o->n + 1 < o->cap)
        o->buf[o->n] = c;
    o->n++;
}

static void put_many(struct out *o, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put(o, s[i]);
}

static void fill(struct out *o, char c, size_t n)
{
    while (n-- > 0)
        put(o, c);
}

struct spec {
    bool left, zero, alternate;
    char sign;     /* '+', ' ' or 0 */
    size_t width;
    int precision; /* -1: none */
    int size;      /* bytes of the integer argument */
};

static void put_padded(struct out *o, const struct spec *s, const char *text, size_t n)
{
    size_t pad = s->width > n ? s->width - n : 0;
    if (!s->left)
        fill(o, ' ', pad);
    put_many(o, text, n);
    if (s->left)
        fill(o, ' ', pad);
}

static void put_number(struct out *o, const struct spec *s, uint64_t value, bool negative, unsigned base,
                       bool upper)
{
    const char *digit = upper ? "0123456789ABCDEF" : "0123456789abcdef";
    char digits[24]; /* 2^64 has 20 decimal digits */
    size_t n = 0;
    for (uint64_t v = value; v; v /= base)
        digits[n++] = digit[v % base];
    if (value == 0 && s->precision != 0)
        digits[n++] = '0';

    char prefix[3];
    size_t p = 0;
    if (negative)
        prefix[p++] = '-';
    else if (s->sign)
        prefix[p++] = s->sign;
    if (s->alternate && base == 16 && value) {
        prefix[p++] = '0';
        prefix[p++] = upper ? 'X' : 'x';
    }
    size_t zeros = s->precision > (int)n ? (size_t)s->precision - n : 0;
    if (s->zero && !s->left && s->precision < 0 && s->width > p + n)
        zeros = s->width - p - n;
    size_t pad = s->width > p + zeros + n ? s->width - p - zeros - n : 0;
    if (!s->left)
        fill(o, ' ', pad);
    put_many(o, prefix, p);
    fill(o, '0', zeros);
    while (n > 0)
        put(o, digits[--n]);
    if (s->left)
        fill(o, ' ', pad);
}

static const char *parse_number(const char *f, int *value)
{
    int v = 0;
    for (; *f >= '0' && *f <= '9'; f++)
        v = v < 100000 ? v * 10 + (*f - '0') : v; /* no format of ours needs more */
    *value = v;
    return f;
}

static const char *parse_flags(const char *f, struct spec *s)
{
    for (;; f++) {
        if (*f == '-')
            s->left = true;
        else if (*f == '0')
            s->zero = true;
        else if (*f == '#')
            s->alternate = true;
        else if (*f == '+' || (*f == ' ' && s->sign == 0))
            s->sign = *f;
        else if (*f != ' ')
            return f;
    }
}

static const char *parse_size(const char *f, struct spec *s)
{
    s->size = sizeof(int);
    if (f[0] == 'l' && f[1] == 'l')
        s->size = sizeof(long long), f += 2;
    else if (f[0] == 'h' && f[1] == 'h')
        s->size = 1, f += 2;
    else if (*f == 'h')
        s->size = sizeof(short), f++;
    else if (*f == 'l' || *f == 'z' || *f == 'j' || *f == 't')
        s->size = sizeof(long), f++; /* size_t, intmax_t and ptrdiff_t have its size */
    return f;
}

int gl_vformat(char *buf, size_t cap, const char *fmt, va_list arguments)
{
    struct out o = {buf, cap, 0};
    va_list ap;
    va_copy(ap, arguments);
    const char *f = fmt;
    while (*f) {
        if (*f != '%') {
            put(&o, *f++);
            continue;
        }
        const char *start = f++;
        struct spec s = {.precision = -1};
        f = parse_flags(f, &s);
        int width = 0;
        if (*f == '*') {
            width = va_arg(ap, int);
            f++;
            if (width < 0)
                s.left = true;
        } else {
            f = parse_number(f, &width);
        }
        s.width = width < 0 ? 0u - (unsigned)width : (unsigned)width;
        if (*f == '.') {
            f++;
            if (*f == '*') {
                s.precision = va_arg(ap, int);
                f++;
            } else {
                f = parse_number(f, &s.precision);
            }
        }
        f = parse_size(f, &s);

        switch (*f) {
        case 'd':
        case 'i': {
            long long v = s.size <= (int)sizeof(int) ? va_arg(ap, int) : va_arg(ap, long long);
            v = s.size == 1 ? (signed char)v : s.size == sizeof(short) ? (short)v : v;
            put_number(&o, &s, v < 0 ? 0 - (uint64_t)v : (uint64_t)v, v < 0, 10, false);
            break;
        }
        case 'u':
        case 'x':
        case 'X': {
            uint64_t v = s.size <= (int)sizeof(int) ? va_arg(ap, unsigned) : va_arg(ap, unsigned long long);
            v = s.size == 1 ? (unsigned char)v : s.size == sizeof(short) ? (unsigned short)v : v;
            s.sign = 0;
            put_number(&o, &s, v, false, *f == 'u' ? 10 : 16, *f == 'X');
            break;
        }
        case 'p': {
            uintptr_t v = (uintptr_t)va_arg(ap, void *);
            s.alternate = v != 0;
            s.sign = 0;
            if (v)
                put_number(&o, &s, v, false, 16, false);
            else
                put_padded(&o, &s, "(nil)", 5);
            break;
        }
        case 'c': {
            char c = (char)va_arg(ap, int);
            put_padded(&o, &s, &c, 1);
            break;
        }
        case 's': {
            const char *text = va_arg(ap, const char *);
            if (!text)
                text = "(null)";
            size_t n = 0; /* with a precision the text need not be terminated */
            while ((s.precision < 0 || n < (size_t)s.precision) && text[n])
                n++;
            put_padded(&o, &s, text, n);
            break;
        }
        case '%':
            put(&o, '%');
            break;
        default:
            for (f = start; *f; f++)
                put(&o, *f);
            continue;
        }
        f++;
    }
    va_end(ap);
    if (cap)
        buf[o.n < cap ? o.n : cap - 1] = 0;
    return (int)o.n;
}

int gl_format(char *buf, size_t cap, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = gl_vformat(buf, cap, fmt, ap);
    va_end(ap);
    return n;
}
