/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks of the binary format: bytes as they are, one byte repeated, or a Zstandard frame (private to trace/).
 * zstd works in memory of the caller's env, never in malloc's.
 */
#ifndef GL_TRACE_BINARY_BLOCK_H
#define GL_TRACE_BINARY_BLOCK_H

#include "core/env.h"
#include "goldilocks/trace_format.h"

#include <stdbool.h>
#include <stddef.h>

struct gl_codec {
    const struct gl_env *env;
    void *memory; /* zstd's context and all that it needs */
    size_t size;
    void *zstd; /* ZSTD_DCtx or ZSTD_CCtx, inside memory */
};

/* False: no memory.  fini is allowed after a failed init, and on zeroes. */
bool gl_unpacker_init(struct gl_codec *c, const struct gl_env *env);
bool gl_packer_init(struct gl_codec *c, const struct gl_env *env);
void gl_codec_fini(struct gl_codec *c);
/* Begins a codec: `size` bytes of memory for zstd.  False: none. */
bool gl_codec_memory(struct gl_codec *c, const struct gl_env *env, size_t size);

/* Can this be the head of a block of which `left` bytes are there? */
bool gl_block_is_valid(const struct goldilocks_trace_block *head, uint64_t left);
/* out[0..head->unpacked) := the block whose valid head this is.  False: its frame is damaged. */
bool gl_unpack(struct gl_codec *c, const struct goldilocks_trace_block *head, const unsigned char *packed,
               unsigned char *out);

/* Bytes that n bytes of four values take (GOLDILOCKS_TRACE_FOUR). */
static inline size_t gl_four_size(size_t n) { return 4 + n / 4 + (n % 4 != 0); }

/* The room that gl_pack() needs for n bytes. */
size_t gl_pack_bound(size_t n);
/* Packs n bytes (0 < n <= GOLDILOCKS_TRACE_BLOCK_MAX) in the way that is smallest and worth its time to read. */
struct goldilocks_trace_block gl_pack(struct gl_codec *c, const unsigned char *bytes, size_t n,
                                      unsigned char *out);

#endif
