/* SPDX-License-Identifier: Apache-2.0
 *
 * The cell: what four bytes of program memory remember of their accesses, in one 64-bit word and one
 * 64-bit word of sites beside it.
 *
 *     word:   63 ......... 37   36   35..32 | 31 .......... 5    4    3..0
 *             write segment   atomic  bytes | read segment    atomic bytes
 *     sites:  63 .................... 32    | 31 ..................... 0
 *             where the write was           | where the read was
 *
 *   half  segment id << 5 | atomic << 4 | byte mask; 0: no such access.  A half never has an id
 *         without bytes or bytes without an id.  In place of a segment's id it may have a group's (group.h), which
 *         stands for several accesses and knows their sites; the half's bytes are those of all of them.
 *   word  0: the four bytes are fresh.
 *         GL_CELL_LOCKED: a transition is under way; its owner is inside the core and never blocks.
 *         GL_CELL_SIDE in the write half: the read half is the number of a side record (side.h) << 4, for what
 *         one word cannot hold: several unordered readers, bytes last touched by different segments
 *         or at different sites, as far as no group does.  (Its byte mask is then 0, so that no filter takes it for a read.)
 *         The sites are then 0, or halves of the last segment's accesses (gl_side_seen_alone()).
 *
 * Every byte b keeps what a later access may race with:  its last plain write; all reads since that
 * are unordered among themselves; atomic accesses likewise (atomic ones never race with atomic ones).
 *
 * Which earlier access e may be dropped when n is recorded on the byte (any later access that races
 * with e would then race with n as well, or has been reported):
 *
 *                       n plain write   n plain read    n atomic write   n atomic read
 *     e plain write     always          no              no               no
 *     e plain read      always          when ordered    no               no
 *     e atomic write    always          no              when ordered     no
 *     e atomic read     always          when ordered    when ordered     when ordered
 *
 * "always": e is ordered before n, or their race is reported by this very transition.
 *
 * The word may be read without the lock by anyone (the front ends' filter does).  Transitions lock it:
 * one compare-and-swap in, one store out.
 */
#ifndef GL_CORE_CELL_H
#define GL_CORE_CELL_H

#include "core/atomic.h"
#include "core/race.h"

struct gl_thread;

struct gl_cell {
    _Atomic uint64_t *word;
    _Atomic uint64_t *sites; /* read and written under the cell's lock only */
};

enum { GL_ACCESS_READ = 0, GL_ACCESS_WRITE = 1, GL_ACCESS_ATOMIC = 2 }; /* bits of `kind` */

#define GL_HALF_SHIFT 5
#define GL_HALF_ATOMIC 0x10u
#define GL_CELL_SIDE 0xFFFFFFFFu                  /* in the write half */
#define GL_CELL_LOCKED ((uint64_t)0xFFFFFFFEu << 32)

static inline uint32_t gl_half(uint32_t segment, uint32_t atomic, uint32_t mask)
{
    return segment << GL_HALF_SHIFT | (atomic ? GL_HALF_ATOMIC : 0) | mask;
}
static inline uint32_t gl_cell_side(uint64_t word) { return (uint32_t)word >> 4; } /* number of its record */
static inline uint32_t gl_half_segment(uint32_t h) { return h >> GL_HALF_SHIFT; }
static inline uint32_t gl_half_mask(uint32_t h) { return h & 0xFu; }

/* One recorded access, where a cell's word is not enough. */
struct gl_entry {
    uint32_t half; /* as in a word; never a group's */
    uint32_t site;
};

enum { GL_ACCESS_OK = 0, GL_ACCESS_NOMEM = -1 };

/* One access by t to the bytes `mask` (1..15) of a cell.  Returns the mask of bytes that race (race: when not
 * NULL, `then` and `then_bytes` are filled for the lowest of them), 0, or GL_ACCESS_NOMEM: not recorded. */
int gl_access(struct gl_thread *t, struct gl_cell cell, uint32_t mask, unsigned kind, uint32_t site,
              struct gl_race *race);

/* The thread has found its accesses in the cell's side record again and again, GL_FOLD_AFTER times since the last call: if one word
 * can say what the record does, by groups, it does from now on, so that a filter finds them.  In a section on the cell's page, or
 * where all lock cells. */
#define GL_FOLD_AFTER 64u /* what a group costs, see CREDIT_GROUP (parts.c) */
void gl_cell_fold(struct gl_thread *t, struct gl_cell cell);

struct gl_core;
/* The bytes `mask` are fresh (all: mask 15); frees a side record. */
void gl_cell_fresh(struct gl_core *core, struct gl_cell cell, uint32_t mask);

#endif
