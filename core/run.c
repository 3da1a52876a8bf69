/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses to many cells at once, see run.h.
 */
#include "core/run.h"

#include "core/cell_inl.h"
#include "core/state.h"

/* Does half `h` say that the segment of `mine` (its half with all bytes) accessed all bytes, plainly?  In a group, too. */
static bool half_has(struct gl_thread *t, uint32_t h, uint32_t mine)
{
    return h == mine ||
           (h && gl_half_is_group(h) && gl_group_member(&t->core->lists, h, mine & ~0xFu) == mine);
}

/* Was this access seen, whatever else was?  Such a word stays as it is. */
static bool is_seen(struct gl_thread *t, uint64_t word, uint32_t mine, bool write)
{
    uint32_t w = (uint32_t)(word >> 32);
    if (w >= GL_CELL_LOCKED >> 32)
        return false; /* locked, or a side record */
    return half_has(t, w, mine) || (!write && half_has(t, (uint32_t)word, mine));
}

/* Cells that others touch, too.  Returns how many are done. */
static size_t run_shared(struct gl_thread *t, struct gl_cell_pair *at, size_t pairs, size_t every, bool write, uint32_t site)
{
    uint32_t mine = gl_half(t->segment, 0, 0xF);
    uint64_t seen = (uint64_t)mine << 32;
    for (size_t k = 0; k < pairs; k++, at += every) {
        uint64_t w0 = gl_load_relaxed(&at->word[0]),
                 w1 = gl_load_relaxed(&at->word[1]); /* relaxed: only compared with our own segment */
        if (w0 == seen && w1 == seen)
            continue;
        if (is_seen(t, w0, mine, write) && is_seen(t, w1, mine, write))
            seen = w0;
        else if (!gl_access_quick_pair(t, (struct gl_cell){at->word, at->sites}, write, site))
            return 2 * k;
    }
    return 2 * pairs;
}

/* What is known of words: `seen` stays; `old` becomes `next`. */
struct known {
    uint64_t seen, old, next;
};

/* A cell of whose word nothing is known: learns it.  False: that is not simple. */
static __attribute__((noinline)) bool learn(struct gl_thread *t, uint64_t word, bool write,
                                            struct known *known)
{
    uint32_t mine = gl_half(t->segment, 0, 0xF);
    if (is_seen(t, word, mine, write)) {
        known->seen = word;
        return true;
    }
    uint64_t next = gl_plan(t, word, mine, write);
    if (!next)
        return false;
    known->old = word;
    known->next = next;
    return true;
}

static inline void change(_Atomic uint64_t *word, _Atomic uint64_t *sites, bool write, uint32_t site,
                          uint64_t next)
{
    gl_site_store(gl_site_half(sites, write), site);
    gl_store_relaxed(word, next); /* relaxed: nobody else is there */
}

static inline __attribute__((always_inline)) size_t run_alone(struct gl_thread *t, struct gl_cell_pair *at, size_t pairs, size_t every,
                                                              bool write, uint32_t site)
{
    uint32_t mine = gl_half(t->segment, 0, 0xF);
    struct known known = {
        .seen = (uint64_t)mine << 32, .old = 0, .next = write ? (uint64_t)mine << 32 : mine};
    for (struct gl_cell_pair *end = at + pairs * every, *first = at;; at += every) {
        uint64_t seen = known.seen, old = known.old, next = known.next, w0, w1; /* in registers */
        for (;; at += every) {
            if (at == end)
                return 2 * pairs;
            w0 = gl_load_relaxed(&at->word[0]); /* relaxed: as above */
            w1 = gl_load_relaxed(&at->word[1]);
            if (w0 == old && w1 == old) {
                change(&at->word[0], &at->sites[0], write, site, next);
                change(&at->word[1], &at->sites[1], write, site, next);
            } else if (w0 != seen || w1 != seen) {
                break;
            }
        }
        for (unsigned i = 0; i < 2; i++) {
            uint64_t word = i ? w1 : w0;
            if (word != known.seen && word != known.old && !learn(t, word, write, &known))
                return 2 * ((size_t)(at - first) / every) + i;
            if (word == known.old)
                change(&at->word[i], &at->sites[i], write, site, known.next);
        }
    }
}

size_t gl_access_run(struct gl_thread *t, struct gl_cell_pair *at, size_t pairs, size_t every, bool write, uint32_t site, bool alone)
{
    if (!alone)
        return run_shared(t, at, pairs, every, write, site);
    return every == 1 ? run_alone(t, at, pairs, 1, write, site) : run_alone(t, at, pairs, every, write, site);
}
