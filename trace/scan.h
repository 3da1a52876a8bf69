/* SPDX-License-Identifier: Apache-2.0
 *
 * Many characters at a time (private to trace/): where the punctuation of a line is, and what a short token says.
 *
 * Both are branch-free, because the lengths of tokens are as good as random to a branch predictor.
 */
#ifndef GL_TRACE_SCAN_H
#define GL_TRACE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

#define GL_EACH_BYTE 0x0101010101010101u

static inline uint64_t gl_load8(const void *p)
{
    uint64_t w;
    memcpy(&w, p, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    w = __builtin_bswap64(w);
#endif
    return w;
}

/* 0x80 in each byte of w that is zero, exactly. */
static inline uint64_t gl_zero_bytes(uint64_t w)
{
    const uint64_t low = 0x7f * GL_EACH_BYTE;
    return ~(((w & low) + low) | w | low);
}

/* Bit i: p[i], i < 32, is one of `|`, `(`, `)`, or a control character below blank. */
static inline uint32_t gl_specials_swar(const unsigned char *p)
{
    uint32_t mask = 0;
    for (unsigned i = 0; i < 4; i++) {
        uint64_t w = gl_load8(p + 8 * i);
        uint64_t hit = gl_zero_bytes(w ^ 0x7c * GL_EACH_BYTE) |
                       gl_zero_bytes((w & 0xfe * GL_EACH_BYTE) ^ 0x28 * GL_EACH_BYTE) |
                       gl_zero_bytes(w & 0xe0 * GL_EACH_BYTE);
        /* bit 8k + 7 to bit 56 + k: the products land in different places */
        mask |= (uint32_t)(((hit >> 7) * 0x0102040810204080u) >> 56) << 8 * i;
    }
    return mask;
}

#ifdef __SSE2__
static inline uint32_t gl_specials_sse2(const unsigned char *p)
{
    uint32_t mask = 0;
    for (unsigned i = 0; i < 2; i++) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i));
        __m128i hit = _mm_or_si128(
            _mm_cmpeq_epi8(v, _mm_set1_epi8('|')),
            _mm_or_si128(_mm_cmpeq_epi8(_mm_and_si128(v, _mm_set1_epi8((char)0xfe)), _mm_set1_epi8('(')),
                         _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1f)), v)));
        mask |= (uint32_t)_mm_movemask_epi8(hit) << 16 * i;
    }
    return mask;
}
#define gl_specials gl_specials_sse2
#else
#define gl_specials gl_specials_swar
#endif

/* A token of at most one character that is no digit, then digits. */
struct gl_short_token {
    unsigned prefix; /* the character; 0: none */
    uint32_t number; /* of the digits: at least one, no zero before others */
};

/* Are the first `length` (1..8) characters of w, as gl_load8() gives them, such a token? */
static inline bool gl_short_token(uint64_t w, unsigned length, struct gl_short_token *token)
{
    unsigned first = w & 0xff, prefixed = first - '0' > 9;
    token->prefix = prefixed ? first : 0;
    w >>= 8 * prefixed;
    length -= prefixed;
    if (length == 0)
        return false;
    uint64_t d = (w ^ 0x30 * GL_EACH_BYTE)
                 << (64 - 8 * length); /* a digit becomes 0..9, the last one at the top */
    bool digits = !(((d + 0x76 * GL_EACH_BYTE) | d) & 0x80 * GL_EACH_BYTE);
    /* pairs, fours, eights; the lowest byte is the most significant digit */
    d = d * 10 + (d >> 8);
    d = ((d & 0x000000ff000000ffu) * 0x000f424000000064u +
         (d >> 16 & 0x000000ff000000ffu) * 0x0000271000000001u) >>
        32;
    token->number = (uint32_t)d;
    return digits && ((w & 0xff) != '0' || length == 1);
}

#endif
