/* SPDX-License-Identifier: Apache-2.0
 *
 * What every test program needs: a check that always runs, memory that is always there, and random
 * numbers that a seed repeats on every machine.
 */
#ifndef GL_TESTS_SUPPORT_CHECK_H
#define GL_TESTS_SUPPORT_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the program when the test itself is wrong (not the code under test). */
#define check(ok, why)                                                     \
    do {                                                                   \
        if (!(ok)) {                                                       \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, (why));     \
            exit(2);                                                       \
        }                                                                  \
    } while (0)

static inline void *check_alloc(size_t bytes)
{
    void *p = calloc(1, bytes ? bytes : 1);
    check(p, "out of memory");
    return p;
}

/* xorshift64*: Marsaglia, "Xorshift RNGs"; Vigna, "An experimental exploration of ...". */
struct rng {
    uint64_t state; /* != 0 */
};

static inline uint64_t rng_next(struct rng *r)
{
    r->state ^= r->state >> 12;
    r->state ^= r->state << 25;
    r->state ^= r->state >> 27;
    return r->state * 0x2545f4914f6cdd1du;
}

/* Spreads a small seed over all bits; never the zero state. */
static inline struct rng rng_seed(uint64_t seed)
{
    seed += 0x9e3779b97f4a7c15u;
    seed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9u;
    seed = (seed ^ seed >> 27) * 0x94d049bb133111ebu;
    return (struct rng){(seed ^ seed >> 31) | 1};
}

/* 0 <= result < n (n > 0); the bias of the remainder does not matter here. */
static inline uint32_t rng_below(struct rng *r, uint32_t n)
{
    return (uint32_t)((rng_next(r) >> 32) * n >> 32);
}

/* True in `percent` of 100 cases. */
static inline bool rng_chance(struct rng *r, uint32_t percent)
{
    return rng_below(r, 100) < percent;
}

/* A number from the environment, or the one given.  Anything but a number ends the program. */
static inline uint64_t env_number(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    if (!text || !*text)
        return otherwise;
    char *end;
    uint64_t n = strtoull(text, &end, 0);
    if (*end) {
        fprintf(stderr, "%s=%s: set it to a number, or not at all\n", name, text);
        exit(2);
    }
    return n;
}

#endif
