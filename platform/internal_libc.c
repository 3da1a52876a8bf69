/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory and strings of the runtime's own libc (internal_libc.h).  memcpy and memset are used on the
 * runtime's warm paths and are therefore written for speed; the rest is for libbacktrace and libiberty
 * and is written to be read.
 *
 * A compiler turns a loop that copies bytes into a call of memcpy, which here is a call of itself.
 * NO_IDIOMS forbids that, whatever the flags of the build.
 */
#include "platform/internal_libc.h"

#include <stdint.h>

#include "platform/platform.h"

#ifdef __clang__
#define NO_IDIOMS __attribute__((no_builtin))
#else
#define NO_IDIOMS __attribute__((optimize("no-tree-loop-distribute-patterns")))
#endif

/* Any 16 or 8 bytes, at any address. */
typedef uint64_t bytes16 __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint64_t bytes8 __attribute__((aligned(1), may_alias));
typedef uint32_t bytes4 __attribute__((aligned(1), may_alias));
typedef uint16_t bytes2 __attribute__((aligned(1), may_alias));

enum { STRING_INSTRUCTION = 1024 }; /* from here on the start-up of `rep movsb` is lost in the copying */

/* 0..32 bytes.  All loads come before all stores, so the blocks may overlap. */
NO_IDIOMS static inline void copy_small(char *to, const char *from, size_t n)
{
    if (n >= 16) {
        bytes16 a = *(const bytes16 *)from, b = *(const bytes16 *)(from + n - 16);
        *(bytes16 *)to = a;
        *(bytes16 *)(to + n - 16) = b;
    } else if (n >= 8) {
        bytes8 a = *(const bytes8 *)from, b = *(const bytes8 *)(from + n - 8);
        *(bytes8 *)to = a;
        *(bytes8 *)(to + n - 8) = b;
    } else if (n >= 4) {
        bytes4 a = *(const bytes4 *)from, b = *(const bytes4 *)(from + n - 4);
        *(bytes4 *)to = a;
        *(bytes4 *)(to + n - 4) = b;
    } else if (n >= 2) {
        bytes2 a = *(const bytes2 *)from, b = *(const bytes2 *)(from + n - 2);
        *(bytes2 *)to = a;
        *(bytes2 *)(to + n - 2) = b;
    } else if (n == 1) {
        *to = *from;
    }
}

NO_IDIOMS void *gl_libc_memmove(void *to, const void *from, size_t n)
{
    char *t = to;
    const char *f = from;
    if (n <= 32) {
        copy_small(t, f, n);
    } else if ((uintptr_t)t - (uintptr_t)f >= n) { /* upwards is safe: `to` is below, or past the end */
#if defined(__x86_64__)
        if (n >= STRING_INSTRUCTION) {
            __asm__ volatile("rep movsb" : "+D"(t), "+S"(f), "+c"(n) : : "memory");
            return to;
        }
#endif
        bytes16 last = *(const bytes16 *)(f + n - 16); /* before a store can reach it */
        char *last_to = t + n - 16;
        for (; n > 16; n -= 16, t += 16, f += 16)
            *(bytes16 *)t = *(const bytes16 *)f;
        *(bytes16 *)last_to = last;
    } else {
        bytes16 first = *(const bytes16 *)f;
        for (; n > 16; n -= 16)
            *(bytes16 *)(t + n - 16) = *(const bytes16 *)(f + n - 16);
        *(bytes16 *)t = first;
    }
    return to;
}

NO_IDIOMS void *gl_libc_memcpy(void *restrict to, const void *restrict from, size_t n)
{
    return gl_libc_memmove(to, from, n);
}

NO_IDIOMS void *gl_libc_memset(void *p, int byte, size_t n)
{
    char *t = p;
    uint64_t word = (unsigned char)byte * 0x0101010101010101ull;
    if (n >= 16) {
        bytes16 all = {word, word};
        char *last = t + n - 16;
#if defined(__x86_64__)
        if (n >= STRING_INSTRUCTION) {
            __asm__ volatile("rep stosb" : "+D"(t), "+c"(n) : "a"(byte) : "memory");
            return p;
        }
#endif
        for (; t < last; t += 16)
            *(bytes16 *)t = all;
        *(bytes16 *)last = all;
    } else if (n >= 8) {
        *(bytes8 *)t = word;
        *(bytes8 *)(t + n - 8) = word;
    } else if (n >= 4) {
        *(bytes4 *)t = (uint32_t)word;
        *(bytes4 *)(t + n - 4) = (uint32_t)word;
    } else {
        for (; n > 0; n--)
            *t++ = (char)byte;
    }
    return p;
}

NO_IDIOMS int gl_libc_memcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *x = a, *y = b;
    while (n >= 8 && *(const bytes8 *)x == *(const bytes8 *)y)
        x += 8, y += 8, n -= 8;
    for (; n > 0; n--, x++, y++)
        if (*x != *y)
            return *x - *y;
    return 0;
}

NO_IDIOMS int gl_libc_bcmp(const void *a, const void *b, size_t n)
{
    return gl_libc_memcmp(a, b, n);
}

NO_IDIOMS void *gl_libc_memchr(const void *p, int byte, size_t n)
{
    for (const unsigned char *s = p; n > 0; n--, s++)
        if (*s == (unsigned char)byte)
            return (void *)(uintptr_t)s;
    return NULL;
}

NO_IDIOMS size_t gl_libc_strlen(const char *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

NO_IDIOMS size_t gl_libc_strnlen(const char *s, size_t max)
{
    size_t n = 0;
    while (n < max && s[n])
        n++;
    return n;
}

NO_IDIOMS int gl_libc_strncmp(const char *a, const char *b, size_t n)
{
    for (; n > 0; n--, a++, b++)
        if (*a != *b || !*a)
            return (unsigned char)*a - (unsigned char)*b;
    return 0;
}

NO_IDIOMS int gl_libc_strcmp(const char *a, const char *b)
{
    return gl_libc_strncmp(a, b, SIZE_MAX);
}

NO_IDIOMS char *gl_libc_strchr(const char *s, int c)
{
    for (;; s++) {
        if (*s == (char)c)
            return (char *)(uintptr_t)s;
        if (!*s)
            return NULL;
    }
}

NO_IDIOMS char *gl_libc_strrchr(const char *s, int c)
{
    const char *found = NULL;
    for (;; s++) {
        if (*s == (char)c)
            found = s;
        if (!*s)
            return (char *)(uintptr_t)found;
    }
}

NO_IDIOMS char *gl_libc_strcpy(char *restrict to, const char *restrict from)
{
    return gl_libc_memmove(to, from, gl_libc_strlen(from) + 1);
}

NO_IDIOMS char *gl_libc_strncpy(char *restrict to, const char *restrict from, size_t n)
{
    size_t have = gl_libc_strnlen(from, n);
    gl_libc_memmove(to, from, have);
    gl_libc_memset(to + have, 0, n - have);
    return to;
}

char *gl_libc_strdup(const char *s)
{
    size_t n = gl_libc_strlen(s) + 1;
    char *copy = gl_libc_malloc(n);
    return copy ? gl_libc_memmove(copy, s, n) : NULL;
}

/* ---- formatted text ------------------------------------------------------------------------- */

int gl_libc_snprintf(char *buf, size_t cap, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = gl_vformat(buf, cap, fmt, ap);
    va_end(ap);
    return n;
}

int gl_libc_sprintf(char *buf, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = gl_vformat(buf, INT32_MAX, fmt, ap);
    va_end(ap);
    return n;
}

int gl_libc___snprintf_chk(char *buf, size_t cap, int flag, size_t size, const char *fmt, ...)
{
    (void)flag;
    va_list ap;
    va_start(ap, fmt);
    int n = gl_vformat(buf, cap < size ? cap : size, fmt, ap);
    va_end(ap);
    return n;
}

/* Unlike libc's, cuts text that is too long instead of ending the program. */
int gl_libc___sprintf_chk(char *buf, int flag, size_t size, const char *fmt, ...)
{
    (void)flag;
    va_list ap;
    va_start(ap, fmt);
    int n = gl_vformat(buf, size, fmt, ap);
    va_end(ap);
    return n;
}

/* ---- the allocator: the arena, with the size in front ----------------------------------------- */

union header {
    size_t bytes; /* of the arena block */
    max_align_t align;
};

_Static_assert(sizeof(union header) % 16 == 0, "malloc's results are 16-byte aligned");

void *gl_libc_malloc(size_t n)
{
    if (n > SIZE_MAX / 2)
        return NULL;
    /* Never the arena's 24-byte class, which is only 8-byte aligned: the header and n > 0 exceed it. */
    size_t bytes = (n ? n : 1) + sizeof(union header);
    bytes = (bytes + 15) & ~(size_t)15;
    union header *h = gl_arena_alloc(bytes);
    if (!h)
        return NULL;
    h->bytes = bytes;
    return h + 1;
}

void *gl_libc_calloc(size_t count, size_t n)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, n, &bytes))
        return NULL;
    return gl_libc_malloc(bytes); /* the arena's blocks are zero */
}

void gl_libc_free(void *p)
{
    if (p) {
        union header *h = (union header *)p - 1;
        gl_arena_free(h, h->bytes);
    }
}

void *gl_libc_realloc(void *p, size_t n)
{
    if (!p)
        return gl_libc_malloc(n);
    if (n == 0) {
        gl_libc_free(p);
        return NULL;
    }
    size_t have = ((union header *)p - 1)->bytes - sizeof(union header);
    if (n <= have)
        return p;
    void *q = gl_libc_malloc(n);
    if (!q)
        return NULL;
    gl_libc_memmove(q, p, have);
    gl_libc_free(p);
    return q;
}

/* ---- libzstd ---- */

unsigned long long gl_libc_ZSTD_trace_compress_begin(const void *context)
{
    (void)context;
    return 0;
}

void gl_libc_ZSTD_trace_compress_end(unsigned long long context, const void *trace)
{
    (void)context, (void)trace;
}
