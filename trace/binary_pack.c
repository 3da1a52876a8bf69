/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing blocks, see binary_block.h.  A file of its own, so that who only writes does not link what unpacks.
 */
#include <string.h>

/* For contexts in memory of our own.  The functions are exported by the shared library too. */
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

#include "trace/binary_block.h"

/* zstd's usual level: on planes of accesses with some locality it gains a sixth over level 1; reading is as fast, and
 * writing is mostly other work. */
enum { LEVEL = 3 };

bool gl_codec_memory(struct gl_codec *c, const struct gl_env *env, size_t size)
{
    *c = (struct gl_codec){.env = env, .memory = env->map(env->ctx, size), .size = size};
    return c->memory;
}

bool gl_packer_init(struct gl_codec *c, const struct gl_env *env)
{
    if (gl_codec_memory(c, env, ZSTD_estimateCCtxSize(LEVEL)))
        c->zstd = ZSTD_initStaticCCtx(c->memory, c->size);
    return c->zstd;
}

void gl_codec_fini(struct gl_codec *c)
{
    if (c->memory)
        c->env->unmap(c->env->ctx, c->memory, c->size);
    *c = (struct gl_codec){0};
}

size_t gl_pack_bound(size_t n) { return ZSTD_compressBound(n); }

static bool is_constant(const unsigned char *bytes, size_t n) { return memcmp(bytes, bytes + 1, n - 1) == 0; }

/* The values, and how many there are; 5: too many. */
static unsigned values_of(const unsigned char *bytes, size_t n, unsigned char values[4])
{
    bool seen[256] = {false};
    unsigned count = 0;
    for (size_t i = 0; i < n; i++) {
        if (seen[bytes[i]])
            continue;
        if (count == 4)
            return 5;
        seen[bytes[i]] = true;
        values[count++] = bytes[i];
    }
    return count;
}

static void pack_four(const unsigned char *bytes, size_t n, const unsigned char values[4], unsigned count, unsigned char *out)
{
    unsigned char number[256] = {0};
    for (unsigned k = 0; k < 4; k++)
        out[k] = k < count ? values[k] : 0;
    for (unsigned k = 0; k < count; k++)
        number[values[k]] = (unsigned char)k;
    memset(out + 4, 0, gl_four_size(n) - 4);
    for (size_t i = 0; i < n; i++)
        out[4 + i / 4] |= (unsigned char)(number[bytes[i]] << 2 * (i % 4));
}

struct goldilocks_trace_block gl_pack(struct gl_codec *c, const unsigned char *bytes, size_t n,
                                      unsigned char *out)
{
    struct goldilocks_trace_block head = {
        .coding = GOLDILOCKS_TRACE_CONSTANT, .unpacked = (uint32_t)n, .packed = 1};
    if (is_constant(bytes, n)) {
        out[0] = bytes[0];
        return head;
    }
    /* Bytes that lose less than a third stay as they are: they are read in place, which costs nothing. */
    size_t packed = ZSTD_compressCCtx(c->zstd, out, gl_pack_bound(n), bytes, n, LEVEL), four = gl_four_size(n);
    unsigned char values[4];
    unsigned count = n - n / 3 > four && (ZSTD_isError(packed) || four <= packed + packed / 8) ? values_of(bytes, n, values) : 5;
    if (count <= 4) { /* a little larger is fine: it is read several times faster */
        pack_four(bytes, n, values, count, out);
        head.coding = GOLDILOCKS_TRACE_FOUR;
        head.packed = (uint32_t)four;
        return head;
    }
    if (!ZSTD_isError(packed) && packed < n - n / 3) {
        head.coding = GOLDILOCKS_TRACE_ZSTD;
        head.packed = (uint32_t)packed;
        return head;
    }
    memcpy(out, bytes, n);
    head.coding = GOLDILOCKS_TRACE_STORED;
    head.packed = (uint32_t)n;
    return head;
}
