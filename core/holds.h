/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of locks held: which locks a segment's accesses were made under, when they are more than one (one is told by the segment
 * itself, see gl_segment_lock()).  In a list the locks stand in the order in which the thread took them.
 *
 * While a segment is open no lock is given up, since that ends it; locks that are taken meanwhile come last.  So the locks of
 * each access of the segment are the first so many of the last list that it has, and an access need only remember how many.
 *
 * A list never changes, and is whole before its number is told; it stays until a sweep (sweep.h) finds no segment that names it.  What a
 * thread listed before it finds again, if not too many others came since: the number of lists does not grow with the number of
 * segments, mostly.
 */
#ifndef GL_CORE_HOLDS_H
#define GL_CORE_HOLDS_H

#include "core/atomic.h"

#define GL_HOLDS_MOST   14u        /* locks in a list */
#define GL_HOLDS_BATCH  256u       /* words that a thread takes at once */
#define GL_HOLDS_CHUNK  (1u << 16) /* words: 256 KiB */
#define GL_HOLDS_CHUNKS (1u << 14) /* 1.07e9 words; numbers of lists are below */
#define GL_HOLDS_KNOWN  1024u      /* lists that a thread finds again: a page */

struct gl_holds {
    const struct gl_env *env;
    struct gl_lock lock; /* guards next, free */
    uint32_t next;       /* word never taken; 0: none was */
    uint32_t free;       /* first word of a freed batch, which is that of the next one; 0: none */
    _Atomic(_Atomic uint32_t *) chunk[GL_HOLDS_CHUNKS];
};

/* What a thread has at hand.  Zero-initialised = nothing. */
struct gl_holds_hand {
    uint32_t next, room; /* words not used yet */
    uint32_t *known;     /* numbers of lists by hash; NULL: none yet */
};

void gl_holds_init(struct gl_holds *h, const struct gl_env *env);
void gl_holds_fini(struct gl_holds *h);
void gl_holds_hand_free(struct gl_holds *h, struct gl_holds_hand *hand);

/* A lock in a list; never 0 if the serial is not.  A hold for reading excludes nobody: its serial may lose its highest bit. */
static inline uint32_t gl_hold_word(uint32_t serial, bool exclusive) { return serial << 1 | exclusive; }
static inline uint32_t gl_hold_serial(uint32_t word) { return word >> 1; }
static inline bool gl_hold_exclusive(uint32_t word) { return word & 1; }

/* The number of a list of these n words, 0 < n <= GL_HOLDS_MOST, none of which is 0.  0: no memory.  The hand is the calling thread's. */
uint32_t gl_holds_list(struct gl_holds *h, struct gl_holds_hand *hand, const uint32_t *words, uint32_t n);

/* The first words of a list, at most `most`; how many they are.  Any thread that was told the number. */
uint32_t gl_holds_read(struct gl_holds *h, uint32_t number, uint32_t *words, uint32_t most);

/* ---- a sweep: nobody else is here ---- */

/* A bit for each batch that is in use. */
#define GL_HOLDS_BATCHES (GL_HOLDS_CHUNK / GL_HOLDS_BATCH * GL_HOLDS_CHUNKS)
static inline void gl_holds_use(uint64_t *used, uint32_t number)
{
    used[number / GL_HOLDS_BATCH / 64] |= 1ull << number / GL_HOLDS_BATCH % 64;
}
/* What the hand has not used yet stays. */
void gl_holds_use_hand(const struct gl_holds_hand *hand, uint64_t *used);
/* The hand finds no list again whose batch is not in use. */
void gl_holds_hand_forget(const struct gl_holds_hand *hand, const uint64_t *used);
/* Batches that are not in use are taken again.  Returns how many there are. */
uint32_t gl_holds_free(struct gl_holds *h, const uint64_t *used);

#endif
