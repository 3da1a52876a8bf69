/* SPDX-License-Identifier: Apache-2.0
 *
 * XXH64 (Yann Collet; the specification is part of xxHash), the checksum of our binary traces and of zstd's frames: as
 * fast as memory without special instructions, and simple enough for other people's readers.
 */
#ifndef GL_TRACE_CHECKSUM_H
#define GL_TRACE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* The hash of `size` bytes with seed 0.  Any alignment, any thread. */
uint64_t gl_xxh64(const void *bytes, size_t size);

#endif
