/* SPDX-License-Identifier: Apache-2.0
 *
 * XXH64, see checksum.h.  Names are those of its specification.
 */
#include <string.h>

#include "trace/checksum.h"

#define PRIME64_1 0x9E3779B185EBCA87u
#define PRIME64_2 0xC2B2AE3D27D4EB4Fu
#define PRIME64_3 0x165667B19E3779F9u
#define PRIME64_4 0x85EBCA77C2B2AE63u
#define PRIME64_5 0x27D4EB2F165667C5u

static uint64_t rotl(uint64_t x, int n) { return x << n | x >> (64 - n); }

static uint64_t load64(const unsigned char *p)
{
    uint64_t x;
    memcpy(&x, p, sizeof x);
    return x;
}

static uint64_t load32(const unsigned char *p)
{
    uint32_t x;
    memcpy(&x, p, sizeof x);
    return x;
}

static uint64_t round64(uint64_t acc, uint64_t lane) { return rotl(acc + lane * PRIME64_2, 31) * PRIME64_1; }

static uint64_t merge(uint64_t acc, uint64_t other)
{
    return (acc ^ round64(0, other)) * PRIME64_1 + PRIME64_4;
}

uint64_t gl_xxh64(const void *bytes, size_t size)
{
    const unsigned char *p = bytes;
    size_t left = size;
    uint64_t acc = PRIME64_5;
    if (size >= 32) {
        uint64_t a = PRIME64_1 + PRIME64_2, b = PRIME64_2, c = 0, d = 0 - PRIME64_1;
        for (; left >= 32; left -= 32, p += 32) {
            a = round64(a, load64(p));
            b = round64(b, load64(p + 8));
            c = round64(c, load64(p + 16));
            d = round64(d, load64(p + 24));
        }
        acc = rotl(a, 1) + rotl(b, 7) + rotl(c, 12) + rotl(d, 18);
        acc = merge(merge(merge(merge(acc, a), b), c), d);
    }
    acc += size;
    for (; left >= 8; left -= 8, p += 8)
        acc = rotl(acc ^ round64(0, load64(p)), 27) * PRIME64_1 + PRIME64_4;
    if (left >= 4) {
        acc = rotl(acc ^ load32(p) * PRIME64_1, 23) * PRIME64_2 + PRIME64_3;
        left -= 4;
        p += 4;
    }
    for (; left; left--, p++)
        acc = rotl(acc ^ *p * PRIME64_5, 11) * PRIME64_1;
    acc = (acc ^ acc >> 33) * PRIME64_2;
    acc = (acc ^ acc >> 29) * PRIME64_3;
    return acc ^ acc >> 32;
}
