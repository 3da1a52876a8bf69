/* SPDX-License-Identifier: Apache-2.0
 *
 * What a detector remembers of data bytes: per 4-byte word a list of pieces, each of which stands for some bytes
 * of the word.  And the verdict on one event, collected piece by piece.  One caller at a time.
 */
#ifndef GL_PEERS_WORDS_H
#define GL_PEERS_WORDS_H

#include "core/detector.h"
#include "peers/pool.h"

/* The first member of what a detector remembers. */
struct gl_piece {
    struct gl_piece *next; /* of the same word */
    uint8_t bytes;         /* bit i: it stands for byte i of the word; never 0 */
    bool copied;           /* gl_words_split() made it as a copy of another: the caller clears it */
};

struct gl_words {
    struct gl_pool *pool;
    size_t piece_bytes; /* of one piece, the detector's part included */
    struct gl_map pages;
    struct gl_page *latest;
    struct gl_page *all;
    uint64_t n_pages;
};

/* The bytes of an access that lie in one word. */
struct gl_span {
    uint64_t word;  /* address of the word */
    unsigned mask;  /* bit i: byte i of the word */
    unsigned index; /* what byte 0 of the word is in the event, modulo 2^32: bit i of mask is byte index + i */
};

/* The words of [object, object + size), size > 0: starts with done = 0; false: that was all. */
static inline bool gl_span_next(uint64_t object, uint32_t size, uint32_t *done, struct gl_span *s)
{
    if (*done >= size)
        return false;
    uint64_t at = object + *done;
    unsigned first = at & 3, left = size - *done, n = left < 4 - first ? left : 4 - first;
    *s = (struct gl_span){at - first, (((1u << n) - 1) << first), *done - first};
    *done += n;
    return true;
}

/* The byte at an address, which is byte number `index` of the event. */
static inline struct gl_span gl_span_of_byte(uint64_t address, uint32_t index)
{
    unsigned at = address & 3;
    return (struct gl_span){address - at, 1u << at, index - at};
}

/* The list of a word, to be changed by the caller; NULL: no memory. */
struct gl_piece **gl_words_at(struct gl_words *w, uint64_t word);

/* Pieces that stand for exactly the bytes of `mask`, one to four: a piece that stands for others too is split, and
 * bytes that had none get one that is zero but for `bytes`.  Their number; 0: no memory. */
unsigned gl_words_split(struct gl_words *w, uint64_t word, unsigned mask, struct gl_piece *found[4]);

typedef void gl_piece_fn(void *ctx, struct gl_piece *p);

/* Nothing is remembered of [object, object + size) any more; `forget` (may be NULL) sees each piece that goes. */
void gl_words_clear(struct gl_words *w, uint64_t object, uint64_t size, gl_piece_fn *forget, void *ctx);

/* ---- the verdict on one event ---- */

struct gl_verdict {
    bool raced, nomem;
    unsigned lowest; /* the lowest racing byte so far */
    struct gl_race race;
};

/* `then` raced with the bytes of mask (not 0) in the span; then_bytes: what it covered of the word.
 * The race names what raced with its lowest byte. */
void gl_verdict_note(struct gl_verdict *v, const struct gl_event *e, const struct gl_span *s, unsigned mask,
                     struct gl_race_access now, struct gl_race_access then, unsigned then_bytes);

/* What the detector answers. */
gl_status gl_verdict_status(const struct gl_verdict *v, struct gl_race *race);

#endif
