/* SPDX-License-Identifier: Apache-2.0
 *
 * Slots: the columns of threads, and who may have one after its thread has ended.
 *
 * A slot is reused by a thread that is ordered after everything its former owner did: then "own thread" and every hint about
 * the slot stay true, and epochs go on counting (docs/algorithm.md, slot reuse).  Threads that nobody waits for, after whose last access
 * nothing leads to anybody, leave slots that are never reused so.  Those are retired by a sweep (sweep.h), when no cell names a segment of
 * theirs any more, so that nobody will ever ask about their epochs: then it does no harm if somebody is taken for ordered after
 * them, and the slot is anybody's.  Its row is emptied, but for how many epochs it has had, which its next owner's go on
 * from; objects that knew only the former owner's past are not the new one's (struct gl_dead.own).
 */
#include "core/state.h"
#include "core/sweep.h"

/* How many ended threads one creation looks at before it takes a new slot. */
#define REUSE_TRIES 8u
/* When there are more slots, only what is known without a replay is asked about. */
#define REPLAY_SLOTS 4096u
#define DEAD_COUNT   8192u /* rows in which an ended thread's column counts, at most: see gl_slot_ended() */
#define RETIRE_LEAST 256u  /* slots */
#define RETIRE_ROWS  (1ull << 28) /* bytes */

/* Does t know that many epochs of u?  The last one is ended by the thread's end itself, see gl_source_end(). */
static bool knows(struct gl_thread *t, uint32_t u, uint32_t epochs)
{
    if (gl_hint_epoch(t, u) >= epochs)
        return true;
    if (t->core->slots > REPLAY_SLOTS) /* rows of all threads for all threads would take more than slots do */
        return gl_column_least(&t->core->columns, t->slot, u) >= epochs;
    return gl_column_value(&t->core->columns, t->slot, u, t->sink_pos) >= epochs;
}

/* Under the lock: a slot whose last owner's end is ordered before `creator`; false: none found. */
static bool slot_reuse(struct gl_core *core, struct gl_thread *creator, struct gl_dead *out)
{
    for (uint32_t i = 0; i < REUSE_TRIES && i < core->n_dead; i++) {
        if (core->next_dead >= core->n_dead)
            core->next_dead = 0;
        struct gl_dead d = core->dead[core->next_dead];
        if (knows(creator, d.slot, d.epochs)) {
            core->dead[core->next_dead] = core->dead[--core->n_dead];
            *out = d;
            return true;
        }
        core->next_dead++;
    }
    return false;
}

enum gl_slot_from gl_slot_take(struct gl_core *core, struct gl_thread *creator, struct gl_dead *out)
{
    enum gl_slot_from how = GL_SLOT_NONE;
    gl_lock_take(&core->lock, &core->env);
    if (creator && core->n_retired) {
        *out = core->retired[--core->n_retired];
        how = GL_SLOT_RETIRED;
    } else if (creator && slot_reuse(core, creator, out)) {
        how = GL_SLOT_ORDERED;
    } else if (core->slots < GL_MAX_SLOTS) {
        *out = (struct gl_dead){.slot = core->slots, .own = core->slots + 1};
        core->slots++;
        how = GL_SLOT_NEW;
    }
    gl_lock_drop(&core->lock);
    return how;
}

void gl_slot_ended(struct gl_thread *t)
{
    struct gl_core *core = t->core;
    /* No memory for the entry: the slot is lost, nothing else. */
    if (t->epoch >= UINT32_MAX / 2 ||
        !gl_grow(&core->env, (void **)&core->dead, &core->cap_dead, core->n_dead, sizeof *core->dead))
        return;
    core->dead[core->n_dead++] = (struct gl_dead){.slot = t->slot, .epochs = t->epoch - 1, .own = t->own};
    uint32_t others = core->n_dead > core->dead_stay ? core->n_dead - core->dead_stay : 0;
    gl_core_sweep_sooner(core, (others < DEAD_COUNT ? others : DEAD_COUNT) *
                                   sizeof(uint32_t)); /* each has a row with a column of this */
}

/* ---- threads that nobody comes after, or who comes after all of a group ---- */

void gl_thread_ends_alone(struct gl_thread *t, uint32_t group)
{
    struct gl_core *core = t->core;
    /* Who holds a lock that the segment tells passes for ordered after it. */
    if (!t->segment || t->n_held ||
        gl_load_relaxed(gl_segment_lock(&core->segments, t->segment))) /* relaxed: only we write it */
        return;
    _Atomic(_Atomic uint64_t *) *place = &core->alone[t->slot / GL_ALONE_CHUNK];
    gl_lock_take(&core->lock, &core->env);
    _Atomic uint64_t *chunk = gl_load_relaxed(place); /* written under the lock only */
    if (!chunk) {
        chunk = core->env.map(core->env.ctx, GL_ALONE_CHUNK * sizeof *chunk);
        gl_store_release(place, chunk); /* pairs with gl_slot_ended_alone() */
    }
    gl_lock_drop(&core->lock);
    if (chunk) /* else its reads are all remembered */
        gl_store_relaxed(&chunk[t->slot % GL_ALONE_CHUNK],
                         (uint64_t)group << 32 | t->epoch); /* relaxed: who misses it remembers more */
}

bool gl_slot_ended_alone(struct gl_core *core, uint32_t id, uint32_t *group)
{
    const struct gl_batch *b = gl_batch_of(&core->segments, id);
    _Atomic uint64_t *chunk =
        gl_load_acquire(&core->alone[b->slot / GL_ALONE_CHUNK]); /* pairs with gl_thread_ends_alone() */
    uint64_t ended = chunk ? gl_load_relaxed(&chunk[b->slot % GL_ALONE_CHUNK]) : 0; /* relaxed: no epoch comes twice */
    *group = (uint32_t)(ended >> 32);
    return ended && (uint32_t)ended == gl_segment_epoch(b, id);
}

/* ---- retiring ---- */

/* Its segments may be in cells. */
static void mark_used(struct gl_core *core, uint32_t first, void *used)
{
    uint32_t slot = gl_batch_of(&core->segments, first)->slot;
    if (slot < core->slots) /* else the front end keeps an id that is nobody's any more */
        ((uint64_t *)used)[slot / 64] |= 1ull << slot % 64;
}

static bool may_retire(const struct gl_dead *d, const uint64_t *used)
{
    return !(used[d->slot / 64] >> d->slot % 64 & 1) && d->own <= UINT32_MAX - GL_OWN_NEXT;
}

/* Do n pay for a look at all rows?  The replay of the others may fill the rows of all slots in their blocks of columns. */
static bool pays(const struct gl_core *core, uint32_t n)
{
    uint64_t stay = core->slots - core->n_retired - n,
             blocks = core->slots / GL_BLOCK + 1; /* that are replayed, at most: */
    blocks = stay < blocks ? stay : blocks;
    return n > 0 && (core->segments.fixed || /* a test's */
                     (n >= RETIRE_LEAST && n >= stay &&
                      blocks * GL_BLOCK * core->slots * sizeof(uint32_t) <= RETIRE_ROWS));
}

/* Room for n more in retired[]; false: no memory. */
static bool room(struct gl_core *core, uint32_t n)
{
    while (core->cap_retired < core->n_retired + n)
        if (!gl_grow(&core->env, (void **)&core->retired, &core->cap_retired, core->cap_retired,
                     sizeof *core->retired))
            return false;
    return true;
}

/* Those that may go, and those that went before, by slot. */
static void retire(struct gl_core *core, const uint64_t *used, struct gl_dead *of_slot)
{
    uint32_t n = 0, kept = 0;
    for (uint32_t i = 0; i < core->n_dead; i++)
        n += may_retire(&core->dead[i], used);
    core->dead_stay = core->n_dead;
    if (!pays(core, n) || !room(core, n))
        return;
    for (uint32_t i = 0; i < core->n_retired; i++)
        of_slot[core->retired[i].slot] = core->retired[i];
    for (uint32_t i = 0; i < core->n_dead; i++) {
        struct gl_dead d = core->dead[i];
        if (may_retire(&d, used)) {
            d.own += GL_OWN_NEXT;
            of_slot[d.slot] = d;
        } else {
            core->dead[kept++] = d;
        }
    }
    core->n_dead = core->dead_stay = kept;
    core->n_retired = 0;
    for (uint32_t slot = core->slots;
         slot-- > 0;) /* the lowest is taken first: whole blocks of columns are nobody's */
        if (of_slot[slot].own)
            core->retired[core->n_retired++] = of_slot[slot];
    gl_columns_retire(&core->columns, of_slot, core->slots);
}

void gl_slots_retire(struct gl_core *core, const uint64_t *batches)
{
    const struct gl_env *env = &core->env;
    gl_lock_take(&core->lock, env);
    size_t n_used = (core->slots / 64 + 1) * sizeof(uint64_t),
           n_of_slot = core->slots * sizeof(struct gl_dead);
    uint64_t *used = core->n_dead ? env->map(env->ctx, n_used) : NULL;
    struct gl_dead *of_slot = used ? env->map(env->ctx, n_of_slot) : NULL;
    if (of_slot) { /* else the next sweep may do it */
        gl_batches_used(core, batches, mark_used, used);
        retire(core, used, of_slot);
        env->unmap(env->ctx, of_slot, n_of_slot);
    }
    if (used)
        env->unmap(env->ctx, used, n_used);
    gl_lock_drop(&core->lock);
}
