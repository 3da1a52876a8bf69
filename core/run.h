/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses to many cells at once: memory that is copied, set or sent.
 */
#ifndef GL_CORE_RUN_H
#define GL_CORE_RUN_H

#include "core/core.h"

/* Two cells side by side, at a boundary of 16 bytes: how front ends lay them out (struct gl_cell points at one half of each). */
struct gl_cell_pair {
    _Alignas(16) _Atomic uint64_t word[2];
    _Atomic uint64_t sites[2];
};

/* A plain access to all bytes of the cells of `pairs` pairs, of which each is `every` pairs after the one before, by a thread that has a segment: as
 * gl_access() for one after the other, as long as that is simple.  Returns how many cells are done, from the first on; the next one, if any, is
 * for gl_access().
 * alone: no other thread touches these cells now, as the caller sees to, and nothing is locked; else they are locked two by two.
 *
 * What a cell becomes depends on its word only, as long as the segment is the same, and cells side by side mostly have the same
 * word: it is worked out once (docs/concurrency.md, F.9). */
size_t gl_access_run(struct gl_thread *t, struct gl_cell_pair *at, size_t pairs, size_t every, bool write, uint32_t site, bool alone);

#endif
