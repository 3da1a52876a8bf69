/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading blocks, see binary_block.h.
 */
#include <string.h>

/* For contexts in memory of our own.  The functions are exported by the shared library too. */
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

#include "trace/binary_block.h"

bool gl_unpacker_init(struct gl_codec *c, const struct gl_env *env)
{
    if (gl_codec_memory(c, env, ZSTD_estimateDCtxSize()))
        c->zstd = ZSTD_initStaticDCtx(c->memory, c->size);
    return c->zstd;
}

bool gl_block_is_valid(const struct goldilocks_trace_block *head, uint64_t left)
{
    if (head->unpacked > GOLDILOCKS_TRACE_BLOCK_MAX || head->packed > left)
        return false;
    switch (head->coding) {
    case GOLDILOCKS_TRACE_STORED:
        return head->packed == head->unpacked;
    case GOLDILOCKS_TRACE_CONSTANT:
        return head->packed == 1;
    case GOLDILOCKS_TRACE_ZSTD:
        return head->packed > 0;
    case GOLDILOCKS_TRACE_FOUR:
        return head->packed == gl_four_size(head->unpacked);
    default:
        return false;
    }
}

/* Four bytes at a time: what each byte of bits stands for. */
static void unpack_four(const unsigned char *packed, unsigned char *out, size_t n)
{
    unsigned char of[256][4];
    const unsigned char *bits = packed + 4;
    for (unsigned b = 0; b < 256; b++)
        for (unsigned i = 0; i < 4; i++)
            of[b][i] = packed[b >> 2 * i & 3];
    for (size_t i = 0; i < n / 4; i++)
        memcpy(out + 4 * i, of[bits[i]], 4);
    if (n % 4)
        memcpy(out + n - n % 4, of[bits[n / 4]], n % 4);
}

bool gl_unpack(struct gl_codec *c, const struct goldilocks_trace_block *head, const unsigned char *packed,
               unsigned char *out)
{
    if (head->coding == GOLDILOCKS_TRACE_STORED)
        memcpy(out, packed, head->unpacked);
    else if (head->coding == GOLDILOCKS_TRACE_CONSTANT)
        memset(out, packed[0], head->unpacked);
    else if (head->coding == GOLDILOCKS_TRACE_FOUR)
        unpack_four(packed, out, head->unpacked);
    else
        return ZSTD_decompressDCtx(c->zstd, out, head->unpacked, packed, head->packed) == head->unpacked;
    return true;
}
