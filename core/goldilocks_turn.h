/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses of whole words by threads that take turns, when there is one caller: what goldilocks_few.c and goldilocks_crowd.c share.
 */
#ifndef GL_CORE_GOLDILOCKS_TURN_H
#define GL_CORE_GOLDILOCKS_TURN_H

#include "core/goldilocks_state.h"

static inline struct cell *cell_find(struct gl_state *s, uint64_t word)
{
    struct cell *cells = word < (uint64_t)LEAF * LEAVES ? (struct cell *)table_find(&s->cells, word) : NULL;
    return cells ? cells + word % LEAF : NULL;
}

/* NULL: it is met for the first time, perhaps. */
static inline struct object *object_find(struct table *tab, uint64_t number)
{
    struct object *objects = number < (uint64_t)LEAF * LEAVES ? (struct object *)table_find(tab, number) : NULL;
    return objects ? objects + number % LEAF : NULL;
}

static inline bool is_crowd(const struct gl_state *s) { return gl_load_relaxed(&s->core->slots) > s->core->many; } /* relaxed: there is one caller */
static inline bool stopped(struct gl_state *s) { return gl_load_acquire(&s->core->log.stopped); } /* as gl_core_stopped() */

static inline struct gl_thread *thread_find(struct gl_state *s, uint32_t number)
{
    struct thread *threads = number < (uint64_t)LEAF * LEAVES ? (struct thread *)table_find(&s->threads, number) : NULL;
    return threads ? gl_load_acquire(&threads[number % LEAF].core) : NULL; /* pairs with thread_now(), do_fork() */
}

/* 0: a plain access to a whole word for which there may be a cell. */
static inline GL_HOT uint64_t not_whole(const struct gl_event *e)
{
    return e->op >> 1 | (e->size ^ 4) | (e->object & ~(4 * ((uint64_t)LEAF * LEAVES - 1)));
}

/* What accesses of a trace need of their thread, at hand as long as the next event is the same thread's. */
struct turn {
    struct gl_thread *t; /* NULL: it does not run */
    uint64_t number;     /* its; UINT64_MAX: nobody's */
    uint32_t *known;     /* its row of gl_state.known, with few threads */
    uint32_t mine;       /* its half for a whole word; 0: it has no segment yet */
};

/* Accesses of whole words that were not counted yet.  An access is counted for one rule: the last one that it needed.  It is counted as if its
 * thread had ended: its own counters may be in no near cache. */
struct tally {
    uint64_t all;
    uint64_t writes;
    uint64_t near;       /* those that the horizon did not answer */
    uint64_t fresh;      /* the first ones of their cells */
    uint64_t same_other; /* recorded already; and << 32, those where another than the thread's own came before */
};

static inline void tally_count(struct gl_core *core, const struct tally *n, bool crowd)
{
    uint64_t *count = core->count; /* nobody else is there */
    uint64_t same = (uint32_t)n->same_other, other = n->same_other >> 32, writes = n->writes, fresh = n->fresh;
    count[GL_COUNT_reads] += n->all - writes;
    count[GL_COUNT_writes] += writes;
    count[GL_COUNT_quick] += n->all - same;
    count[GL_COUNT_rule_same_segment] += same;
    count[GL_COUNT_rule_fresh] += fresh;
    uint64_t near = crowd ? n->all - fresh : n->near; /* with few, what is fresh is behind every horizon */
    count[GL_COUNT_rule_horizon] += n->all - near - fresh;
    count[GL_COUNT_rule_own_thread] += near - same - other;
    count[crowd ? GL_COUNT_rule_lock_held : GL_COUNT_rule_hint] += other;
}

static inline GL_HOT uint32_t half_now(const struct gl_thread *t) { return t->segment ? gl_half(t->segment, 0, 0xF) : 0; }

/* What rule hint says now of a segment's slot, for the thread's row.  False: not that this segment is ordered before. */
static inline bool learn(const struct turn *now, const struct gl_batch *b, uint32_t id)
{
    const struct gl_hint *h = &now->t->hints[b->slot & now->t->hint_mask];
    if (h->slot == b->slot && h->epoch > now->known[b->slot])
        now->known[b->slot] = h->epoch;
    return now->known[b->slot] >= gl_segment_epoch(b, id);
}

/* Are both segments known to be ordered before?  *other: one is not the thread's own. */
static inline GL_HOT bool are_known(const struct turn *now, struct gl_segments *segments, uint32_t w, uint32_t r, bool crowd,
                                    uint32_t *other)
{
    const struct gl_batch *bw = gl_batch_listed(segments, w), *br = gl_batch_listed(segments, r);
    if (crowd) {
        uint32_t foreign_w = bw->slot ^ now->t->slot, foreign_r = br->slot ^ now->t->slot;
        *other = (foreign_w | foreign_r) != 0;
        return !*other || ((!foreign_w || gl_lock_says(now->t, w)) && (!foreign_r || gl_lock_says(now->t, r)));
    }
    uint32_t upto_w = now->known[bw->slot], upto_r = now->known[br->slot];
    uint32_t unknown_w = upto_w < gl_segment_epoch(bw, w), unknown_r = upto_r < gl_segment_epoch(br, r);
    *other = (upto_w & upto_r) != UINT32_MAX;
    return __builtin_expect((unknown_w | unknown_r) == 0, 1) || (learn(now, bw, w) && learn(now, br, r));
}

/* x, or y if that is 0; it is tossed up, and compilers like to branch. */
static inline GL_HOT uint32_t or_else(uint32_t x, uint32_t y) { return x | (y & (uint32_t)(((uint64_t)x - 1) >> 32)); }

/* 0: the half is that of one plain access to the whole word, and of no group.  Tags of a cell have the bit of atomic accesses. */
static inline GL_HOT uint64_t not_simple(uint32_t half)
{
    const uint64_t room = (1ull << 32) - gl_half(GL_GROUP_FIRST, 0, 0); /* what is added carries for groups, and leaves the lower bits */
    return ((half ^ 0xF) + room) & (1ull << 32 | 0x1F);
}

/* The same wherever the cell's segments lie.  Whose access came before is selected, too.  access_alone() is the slow twin.
 * crowd: many threads, where a lock says more than a hint (gl_ordered()). */
static inline GL_HOT bool access_whole(const struct turn *now, struct tally *n, struct gl_segments *segments, struct cell *c,
                                       struct cell *nobodys, uint32_t write, uint32_t site, bool crowd)
{
    uint64_t word = gl_load_relaxed(&c->word); /* relaxed: nobody else is there */
    uint32_t mine = now->mine, wrote = (uint32_t)(word >> 32), read = (uint32_t)word;
    uint32_t w = or_else(wrote, mine), r = or_else(read, mine); /* no access: as if it were our own */
    if (not_simple(w) | not_simple(r))
        return false;
    uint32_t other;
    if (!are_known(now, segments, gl_half_segment(w), gl_half_segment(r), crowd, &other))
        return false;
    n->near++;
    n->writes += write;
    n->fresh += !word;
    /* Recorded, or covered by the thread's own write, as access_alone() has it: then nothing changes but what nobody looks at. */
    uint32_t mine_w = wrote == mine, mine_r = read == mine, same = (mine_w & (r == mine)) | ((mine_w | mine_r) & (write ^ 1));
    n->same_other += same | (uint64_t)(other & (same ^ 1)) << 32;
    uintptr_t here = (uintptr_t)c, there = (uintptr_t)nobodys;
    struct cell *to = (struct cell *)(here ^ ((here ^ there) & -(uintptr_t)same));
    uint32_t keep = write - 1;
    gl_store_relaxed(&to->word, (uint64_t)(wrote & keep) << 32 | (uint64_t)mine << (32 & ~keep));
    gl_store_relaxed((_Atomic uint32_t *)&to->sites + write, site);
    return true;
}

#endif
