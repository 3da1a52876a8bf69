/* SPDX-License-Identifier: Apache-2.0
 *
 * The sweep, see sweep.h.
 */
#include "core/sweep.h"

#include <string.h>

#include "core/state.h"

uint32_t gl_core_sweeps(const struct gl_core *core) { return (uint32_t)core->segments.sweeps; }

bool gl_core_sweep_due(struct gl_core *core)
{
    struct gl_segments *s = &core->segments;
    gl_lock_take(&s->lock, &core->env);
    bool due = s->since >= s->every;
    gl_lock_drop(&s->lock);
    return due;
}

void gl_core_sweep_every(struct gl_core *core, uint64_t ids, uint32_t limit)
{
    struct gl_segments *s = &core->segments;
    s->fixed = ids;
    if (ids)
        s->every = ids;
    if (limit)
        s->limit = limit / GL_SEGMENT_CHUNK + 1; /* chunk 0 is none */
}

void gl_core_sweep_sooner(struct gl_core *core, size_t bytes)
{
    gl_segments_more(&core->segments, (uint32_t)(bytes / GL_SWEEP_ID_BYTES));
}

void gl_core_sweep_put_off(struct gl_core *core) { gl_segments_put_off(&core->segments); }

static void use(struct gl_sweep *s, uint32_t id)
{
    uint32_t batch = id / GL_SEGMENT_BATCH;
    s->used.word[batch / 64] |= 1ull << batch % 64;
}

static void use_half(struct gl_sweep *s, uint32_t half)
{
    uint32_t alone[2];
    const uint32_t *halves = gl_halves_of(&s->core->lists, half, alone);
    for (uint32_t i = 0; i < GL_GROUP_MAX && halves[i]; i++)
        use(s, gl_half_segment(halves[i]));
}

void gl_sweep_word_slow(struct gl_sweep *s, uint64_t word)
{
    if (word == GL_CELL_LOCKED) {
        s->failed = true;
    } else if (word >> 32 == GL_CELL_SIDE) {
        /* Not what is behind the record: a copy that nobody has yet may have the word of a cell whose record is gone (Clones.java). */
        uint32_t number = gl_cell_side(word), n = ((GL_SIDE_CHUNK - number % GL_SIDE_CHUNK) * GL_SIDE_UNIT - 16) / 8;
        const struct gl_side *r = gl_side_at(&s->core->sides, number);
        n = (uint32_t)r->n_writes + r->n_reads < n ? (uint32_t)r->n_writes + r->n_reads : n;
        for (uint32_t i = 0; i < n; i++)
            use(s, gl_half_segment(r->entry[i].half));
        for (uint32_t i = 0; i < GL_SPREAD_READS * gl_spread_lines(&s->core->spreads, r); i++) {
            uint32_t half = gl_spread_half(&s->core->spreads, r, i / GL_SPREAD_READS, i % GL_SPREAD_READS);
            if (half)
                use(s, gl_half_segment(half));
        }
    } else {
        s->last = word; /* a side record's number may be another one's by the next cell */
        use_half(s, (uint32_t)(word >> 32));
        use_half(s, (uint32_t)word);
    }
}

void gl_sweep_id(struct gl_sweep *s, uint32_t id)
{
    if (id)
        use(s, id);
}

uint32_t gl_thread_last_id(const struct gl_thread *t) { return t->batch ? t->batch - 1 : 0; }

/* The thread's present segment, or its last one, whose key a filter may still compare with (docs/concurrency.md, L.2); and the ids
 * that it has at hand. */
static void use_present(struct gl_sweep *s, const struct gl_thread *t)
{
    gl_sweep_id(s, gl_thread_last_id(t));
    for (uint32_t i = 0; i < t->batch_left; i++)
        use(s, t->batch + i);
}

struct gl_sweep *gl_sweep_begin(struct gl_core *core)
{
    struct gl_sweep *s = core->env.map(core->env.ctx, sizeof *s);
    if (!s)
        return NULL;
    s->core = core;
    gl_lock_take(&core->lock, &core->env);
    for (const struct gl_thread *t = core->threads; t; t = t->next)
        use_present(s, t);
    gl_lock_drop(&core->lock);
    return s;
}

struct gl_sweep *gl_sweep_begin_slowly(struct gl_core *core, struct gl_sweep_bits *before)
{
    struct gl_sweep *s = gl_sweep_begin(core); /* it keeps what threads have at hand, and what is not old is kept: so all that is begun from now on */
    if (!s)
        return NULL;
    s->before = before;
    gl_segments_handed_out(&core->segments, s->old.word);
    gl_lock_take(&core->lock, &core->env);
    for (const struct gl_thread *t = core->threads; t; t = t->next) {
        /* all of it: its thread may know its bounds (gl_jthread.foreign), also when a sweep has split it since */
        uint32_t first = t->whole / GL_SEGMENT_BATCH * GL_SEGMENT_BATCH;
        uint32_t ids = first ? gl_segments_ids(t->whole % GL_SEGMENT_BATCH) : 0;
        for (uint32_t i = 0; i < ids; i += GL_SEGMENT_BATCH)
            use(s, first + i);
    }
    gl_lock_drop(&core->lock);
    return s;
}

struct keep {
    struct gl_sweep *s;
    bool (*keeps)(void *ctx, uint32_t uid);
    void *ctx;
};

static void keep_batch(struct gl_core *core, uint32_t first, void *keep)
{
    const struct keep *k = keep;
    if (k->keeps(k->ctx, gl_batch_of(&core->segments, first)->uid))
        use(k->s, first);
}

void gl_sweep_threads(struct gl_sweep *s, bool (*keeps)(void *ctx, uint32_t uid), void *ctx)
{
    gl_batches_used(s->core, s->old.word, keep_batch, &(struct keep){s, keeps, ctx});
}

/* Of the old ids that are used nowhere: those that the sweep before found nowhere either are to be freed, the others next time. */
static void spare(struct gl_sweep *s)
{
    uint32_t words = s->core->segments.chunks * (GL_SEGMENT_CHUNK / GL_SEGMENT_BATCH / 64); /* there are no ids behind; more may have come since it began */
    for (uint32_t i = 0; i < words; i++) {
        uint64_t nowhere = s->old.word[i] & ~s->used.word[i], free = nowhere & s->before->word[i];
        s->before->word[i] = nowhere & ~free;
        s->used.word[i] = free;
        s->old.word[i] = 0;
    }
    gl_segments_handed_out(&s->core->segments, s->old.word);
    for (uint32_t i = 0; i < words; i++)
        s->used.word[i] = s->old.word[i] & ~s->used.word[i];
}

void gl_batches_used(struct gl_core *core, const uint64_t *used, gl_batch_fn *fn, void *ctx)
{
    for (uint32_t i = 0; i < core->segments.chunks * (GL_SEGMENT_CHUNK / GL_SEGMENT_BATCH / 64); i++)
        for (uint64_t left = used[i]; left; left &= left - 1)
            fn(core, (i * 64 + (uint32_t)__builtin_ctzll(left)) * GL_SEGMENT_BATCH, ctx);
}

struct tell {
    void (*thread)(void *ctx, uint32_t uid), (*lock)(void *ctx, uint32_t serial);
    void *ctx;
};

static void tell_batch(struct gl_core *core, uint32_t first, void *ctx)
{
    const struct tell *to = ctx;
    to->thread(to->ctx, gl_batch_of(&core->segments, first)->uid);
    for (uint32_t id = first; id < first + GL_SEGMENT_BATCH; id++) {
        uint32_t locks =
            gl_load_relaxed(gl_segment_lock(&core->segments, id)); /* relaxed: nobody writes it now */
        if (gl_locks_are_pair(locks)) { /* here and below: serials alone, which gl_core_holds() tells the first of */
            to->lock(to->ctx, gl_locks_first(locks));
            to->lock(to->ctx, gl_locks_second(locks));
            continue;
        }
        if ((locks & GL_LOCKS_LISTED) == GL_LOCKS_MANY) {
            const uint32_t *serials = gl_list_at(&core->lists, locks & ~GL_LOCKS_MANY)->value;
            for (uint32_t i = 0; i < GL_GROUP_MAX && serials[i]; i++)
                to->lock(to->ctx, serials[i]);
            continue;
        }
        uint32_t words[GL_HOLDS_MOST], n = gl_core_holds(core, id, words, GL_HOLDS_MOST);
        for (uint32_t i = 0; i < n; i++)
            to->lock(to->ctx, gl_hold_serial(words[i]));
    }
}

void gl_sweep_uses(struct gl_sweep *s, void (*thread)(void *ctx, uint32_t uid),
                   void (*lock)(void *ctx, uint32_t serial), void *ctx)
{
    gl_batches_used(s->core, s->used.word, tell_batch, &(struct tell){thread, lock, ctx});
}

/* The lists of a batch's ids. */
static void use_lists(struct gl_core *core, uint32_t first, void *used)
{
    for (uint32_t id = first; id < first + GL_SEGMENT_BATCH; id++) {
        uint32_t locks =
            gl_load_relaxed(gl_segment_lock(&core->segments, id)); /* relaxed: nobody writes it now */
        if (locks >= GL_LOCKS_LISTED)
            gl_holds_use(used, locks & ~GL_LOCKS_LISTED);
    }
}

/* Lists of holds that no id in use names are forgotten. */
static void forget_lists(struct gl_sweep *s)
{
    struct gl_core *core = s->core;
    size_t bytes = (core->holds.next / GL_HOLDS_BATCH / 64 + 1) * sizeof(uint64_t);
    uint64_t *used = core->holds.next ? core->env.map(core->env.ctx, bytes) : NULL;
    if (!used)
        return; /* they stay till the next sweep */
    gl_batches_used(core, s->used.word, use_lists, used);
    for (const struct gl_thread *t = core->threads; t; t = t->next)
        gl_holds_use_hand(&t->holds, used);
    for (const struct gl_thread *t = core->threads; t; t = t->next)
        gl_holds_hand_forget(&t->holds, used);
    gl_holds_free(&core->holds, used);
    core->env.unmap(core->env.ctx, used, bytes);
}

/* What a thread remembers of ids that may soon stand for other segments. */
static void forget(struct gl_thread *t)
{
    for (uint32_t i = 0; i < GL_BEFORE; i++)
        __atomic_store_n(&t->before[i], 0, __ATOMIC_RELAXED); /* one by one: Java looks there at any moment */
    if (t->segment)
        t->before[t->segment % GL_BEFORE] = t->segment;
    t->own_first = gl_thread_last_id(
        t); /* of the ids before that of its batch some may be another's soon: use_present() */
    t->own_span = t->batch_left;
    if (t->steps != &gl_no_steps)
        memset(t->steps->step, 0, sizeof t->steps->step);
}

void gl_sweep_end(struct gl_sweep *s, uint64_t cells)
{
    struct gl_core *core = s->core;
    if (!s->failed) {
        if (s->before)
            spare(s);
        gl_lock_take(&core->lock, &core->env);
        for (struct gl_thread *t = core->threads; t; t = t->next)
            forget(t);
        forget_lists(s);
        gl_lock_drop(&core->lock);
        gl_slots_retire(core, s->used.word);
        gl_segments_free(&core->segments, s->used.word,
                         cells / 2); /* some 1 ns each; a segment costs 100 and more: 5 % in all */
    } else {
        gl_segments_put_off(&core->segments);
    }
    core->env.unmap(core->env.ctx, s, sizeof *s);
}
