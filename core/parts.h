/* SPDX-License-Identifier: Apache-2.0
 *
 * A cell taken apart into the accesses that it stands for, and put together again in its smallest form: one word, with a
 * group (group.h) where it serves often enough, or a side record (side.h).  Private to core/: all of it is for who holds the cell's
 * lock, or for whom the cell is alone.
 */
#ifndef GL_CORE_PARTS_H
#define GL_CORE_PARTS_H

#include "core/core.h"
#include "core/group.h"
#include "core/side.h"

/* A cell taken apart: writes first. */
struct gl_parts {
    struct gl_entry *e;
    uint32_t n_writes, n_reads;
    uint32_t room; /* how many entries e has; 0: as many as are needed */
    bool changed;
    bool lost; /* there was no room for the access */
};

#define GL_PARTS (2 * GL_GROUP_MAX + 1) /* accesses of a word, and a new one */

/* gl_access() without its short ways: the cell is taken apart.  The thread has a segment. */
int gl_access_apart(struct gl_thread *t, struct gl_cell cell, uint32_t mask, unsigned kind, uint32_t site, struct gl_race *race);

/* Locks the cell; what it held. */
static inline uint64_t gl_cell_lock(struct gl_cell cell, const struct gl_env *env)
{
    for (unsigned n = 0;; n++) {
        uint64_t word = gl_load_relaxed(cell.word);
        /* acquire: pairs with gl_cell_unlock(), gl_access_quick(), gl_access_quick_pair(), gl_access_step(),
         * gl_access_step_pair(), two_cells().  The sites, the side record and the segments named by the word are visible. */
        if (word != GL_CELL_LOCKED && gl_cas_acquire(cell.word, &word, GL_CELL_LOCKED))
            return word;
        env->pause(env->ctx, n);
    }
}

/* Unlocks it with what it holds from now on. */
static inline void gl_cell_unlock(struct gl_cell cell, uint64_t word)
{
    /* release: pairs with gl_cell_lock(), gl_access_quick(), gl_lock_pair(), gl_access_step(), gl_access_parts(), gl_access_reread(),
     * gl_side_hit(), gl_spread_read(), one_cell() */
    gl_store_release(cell.word, word);
}

/* Appends the accesses that a half stands for; returns how many: at most GL_GROUP_MAX. */
uint32_t gl_parts_of(struct gl_core *core, uint32_t half, uint32_t site, struct gl_entry *e);
/* What the cell that was a word is from now on (its sites are stored): one word, or a new side record.  False: no memory. */
bool gl_parts_word(struct gl_thread *t, struct gl_cell cell, const struct gl_parts *p, uint64_t *next);
/* The same for a cell that has the side record r, in which p is: that, or one word, and the record is given back. */
uint64_t gl_parts_word_of_side(struct gl_thread *t, struct gl_cell cell, struct gl_side *r, const struct gl_parts *p);

/* A side record for n accesses (contents undefined), from the thread's own stock when it is small; NULL: no memory. */
struct gl_side *gl_parts_side(struct gl_thread *t, uint32_t n);
void gl_parts_side_done(struct gl_thread *t, struct gl_side *r);

struct gl_core;
/* Takes reads out of a record, with its cell locked, that find no race which others in it do not find (side_thin.c); returns how many accesses it has left. */
uint32_t gl_side_thin(struct gl_core *core, struct gl_side *r);

#endif
