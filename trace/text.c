/* SPDX-License-Identifier: Apache-2.0
 *
 * See text.h.
 */
#include <string.h>

#include "trace/text.h"

enum { QUOTE_MAX = 40 };

struct gl_text gl_text_in(char *at, size_t size)
{
    at[0] = 0;
    return (struct gl_text){.at = at, .size = size};
}

static void put(struct gl_text *t, const char *s, size_t n)
{
    size_t room = t->size - 1 - t->n;
    if (n > room)
        n = room;
    memcpy(t->at + t->n, s, n);
    t->n += n;
    t->at[t->n] = 0;
}

void gl_text_add(struct gl_text *t, const char *words) { put(t, words, gl_text_length(words)); }

void gl_text_quote(struct gl_text *t, const void *bytes, size_t n)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < n && i < QUOTE_MAX; i++) {
        char c = b[i] >= ' ' && b[i] < 0x7f ? (char)b[i] : '?';
        put(t, &c, 1);
    }
    if (n > QUOTE_MAX)
        gl_text_add(t, "...");
}

void gl_text_number(struct gl_text *t, uint64_t n)
{
    char digits[20];
    put(t, digits, gl_decimal(digits, n));
}

void gl_text_hex(struct gl_text *t, uint64_t n)
{
    char digits[20];
    put(t, digits, gl_hexadecimal(digits, n));
}

size_t gl_text_length(const char *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

static size_t digits_of(char *to, uint64_t n, unsigned base)
{
    char backwards[20]; /* 2^64 has 20 decimal digits */
    size_t count = 0;
    do {
        backwards[count++] = "0123456789abcdef"[n % base];
        n /= base;
    } while (n);
    for (size_t i = 0; i < count; i++)
        to[i] = backwards[count - 1 - i];
    return count;
}

size_t gl_decimal(char *to, uint64_t n) { return digits_of(to, n, 10); }
size_t gl_hexadecimal(char *to, uint64_t n) { return digits_of(to, n, 16); }

bool gl_trace_fail(struct gl_trace_error *error, uint64_t offset, const char *sentence)
{
    *error = (struct gl_trace_error){.offset = offset};
    struct gl_text t = gl_text_in(error->text, sizeof error->text);
    gl_text_add(&t, sentence);
    return false;
}
