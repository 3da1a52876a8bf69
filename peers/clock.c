/* SPDX-License-Identifier: Apache-2.0
 *
 * See clock.h.  The two loops over numbers exist twice on x86-64, for what every such processor has and for
 * AVX2; short clocks never ask which.
 */
#include "peers/clock.h"

#include <string.h>

#include "core/avx2.h"

/* ---- the loops ---- */

/* Four or eight numbers; they are <= GL_CLOCK_MAX, so that signed comparison is as good. */
typedef int32_t four __attribute__((vector_size(16), aligned(16), may_alias));
typedef int32_t eight __attribute__((vector_size(32), aligned(16), may_alias));
_Static_assert(sizeof(eight) == GL_CLOCK_LANES * sizeof(uint32_t), "a step takes GL_CLOCK_LANES numbers");

#ifdef __AVX2__
typedef eight usual; /* what needs no asking */
#else
typedef four usual;
#endif

/* Numbers: up to so many, choosing the better loop costs more than it gains. */
#define SHORT (4 * GL_CLOCK_LANES)

/* Macros, because a compiler takes vectors apart for the function that it finds them in. */
#define MAX_OF(vector, to, from, n)                                                                          \
    do {                                                                                                     \
        for (size_t i = 0; i < (n); i += sizeof(vector) / sizeof *(to)) {                                    \
            vector a = *(const vector *)((to) + i);                                                          \
            vector b = *(const vector *)((from) + i);                                                        \
            vector more = b > a;                                                                             \
            *(vector *)((to) + i) = (b & more) | (a & ~more);                                                \
        }                                                                                                    \
    } while (0)

/* The first i, in steps of a vector, at which some a is larger than its b; n if there is none. */
#define FIRST_ABOVE(vector, a, b, n)                                                                         \
    do {                                                                                                     \
        for (size_t i = 0; i < (n); i += sizeof(vector) / sizeof *(a)) {                                     \
            vector more = *(const vector *)((a) + i) > *(const vector *)((b) + i);                           \
            four any = *(const four *)&more | *((const four *)(&more + 1) - 1);                              \
            uint64_t bits[2];                                                                                \
            memcpy(bits, &any, sizeof bits);                                                                 \
            if (bits[0] | bits[1])                                                                           \
                return (uint32_t)i;                                                                          \
        }                                                                                                    \
        return (n);                                                                                          \
    } while (0)

static void max_of_any(uint32_t *to, const uint32_t *from, uint32_t n) { MAX_OF(usual, to, from, n); }

static uint32_t first_above_any(const uint32_t *a, const uint32_t *b, uint32_t n)
{
    FIRST_ABOVE(usual, a, b, n);
}

#if defined(__x86_64__) && !defined(__AVX2__)

GL_AVX2 static void max_of_avx2(uint32_t *to, const uint32_t *from, uint32_t n)
{
    MAX_OF(eight, to, from, n);
}

GL_AVX2 static uint32_t first_above_avx2(const uint32_t *a, const uint32_t *b,
                                                                 uint32_t n)
{
    FIRST_ABOVE(eight, a, b, n);
}

#define max_of(to, from, n) ((n) > SHORT && gl_has_avx2() ? max_of_avx2(to, from, n) : max_of_any(to, from, n))
#define first_above(a, b, n)                                                                                 \
    ((n) > SHORT && gl_has_avx2() ? first_above_avx2(a, b, n) : first_above_any(a, b, n))

#else

#define max_of      max_of_any
#define first_above first_above_any

#endif

/* ---- clocks ---- */

static uint32_t min(uint32_t a, uint32_t b) { return a < b ? a : b; }
static uint32_t whole_lanes(uint32_t n) { return (n + GL_CLOCK_LANES - 1) & ~(GL_CLOCK_LANES - 1); }

uint32_t gl_clock_cap(const struct gl_clock *c, uint32_t n)
{
    uint32_t cap = c->cap ? c->cap : GL_CLOCK_LANES;
    if (n <= c->cap)
        return c->cap;
    while (cap < n) /* n <= GL_CLOCK_THREADS */
        cap *= 2;
    return cap;
}

bool gl_clock_reserve(struct gl_clock *c, struct gl_pool *pool, uint32_t n)
{
    n = whole_lanes(n);
    if (n <= c->n)
        return true;
    if (n > c->cap) {
        uint32_t cap = gl_clock_cap(c, n);
        uint32_t *at = gl_pool_take(pool, cap * sizeof *at);
        if (!at)
            return false;
        if (c->n)
            memcpy(at, c->at, c->n * sizeof *at);
        gl_pool_give(pool, c->at, c->cap * sizeof *at);
        c->at = at;
        c->cap = cap;
    }
    memset(c->at + c->n, 0, (n - c->n) * sizeof *c->at);
    c->n = n;
    return true;
}

bool gl_clock_join(struct gl_clock *to, struct gl_pool *pool, const struct gl_clock *from)
{
    if (from->n > to->n && !gl_clock_reserve(to, pool, from->n))
        return false;
    max_of(to->at, from->at, from->n);
    return true;
}

bool gl_clock_copy(struct gl_clock *to, struct gl_pool *pool, const struct gl_clock *from)
{
    if (from->n > to->cap) {
        uint32_t n = to->n;
        to->n = 0; /* nothing worth moving */
        if (!gl_clock_reserve(to, pool, from->n)) {
            to->n = n;
            return false;
        }
    }
    to->n = from->n;
    if (from->n > SHORT)
        memcpy(to->at, from->at, from->n * sizeof *to->at);
    else
        for (uint32_t i = 0; i < from->n; i += GL_CLOCK_LANES)
            memcpy(to->at + i, from->at + i, GL_CLOCK_LANES * sizeof *to->at); /* two registers, no call */
    return true;
}

uint32_t gl_clock_above(const struct gl_clock *a, const struct gl_clock *b, uint32_t first)
{
    uint32_t both = min(a->n, b->n);
    first &= ~(GL_CLOCK_LANES - 1);
    if (first < both)
        first += first_above(a->at + first, b->at + first, both - first);
    for (; first < both; first++) /* in the block that was found, if any */
        if (a->at[first] > b->at[first])
            return first;
    for (; first < a->n; first++) /* b knows nothing of these */
        if (a->at[first])
            return first;
    return GL_CLOCK_NONE;
}

void gl_clock_fini(struct gl_clock *c, struct gl_pool *pool)
{
    gl_pool_give(pool, c->at, c->cap * sizeof *c->at);
    *c = (struct gl_clock){0};
}
