/* SPDX-License-Identifier: Apache-2.0
 *
 * Logical threads: slots, epochs, the locks they hold.
 *
 * Which slot (the column of a thread) a new one gets: slots.c.
 */
#include <string.h>

#include "core/sweep.h"
#include "core/sync_inl.h"

/* A new thread knows what its creator knows. */
static void hints_inherit(struct gl_thread *t, struct gl_thread *creator)
{
    for (uint32_t i = 0; i < GL_HINTS_FEW; i++)
        if (creator->hints[i].epoch)
            gl_hint_raise(t, creator->hints[i].slot, creator->hints[i].epoch);
    gl_hint_raise(t, creator->slot, creator->epoch - 1);
}

/* row(t) := max(row(t), row(slot)) */
static void append_sink(struct gl_thread *t, uint32_t slot)
{
    uint64_t pos = gl_thread_append(t, gl_record(t->slot, slot, 0));
    if (pos == UINT64_MAX)
        return;
    t->sink_pos = pos + 1;
    t->sink_count++;
}

#define SPARE_PLACES 1024u /* at most */

/* The memory for a thread, zeroed; NULL: none left. */
static void *place_take(struct gl_core *core)
{
    gl_lock_take(&core->lock, &core->env);
    void **place = core->spare_place;
    if (place) {
        core->spare_place = *place;
        core->n_spare_places--;
    }
    gl_lock_drop(&core->lock);
    return place ? memset(place, 0, GL_THREAD_BYTES) : core->env.map(core->env.ctx, GL_THREAD_BYTES);
}

static void place_drop(struct gl_core *core, void *place)
{
    gl_lock_take(&core->lock, &core->env);
    bool kept = core->n_spare_places < SPARE_PLACES;
    if (kept) {
        *(void **)place = core->spare_place;
        core->spare_place = place;
        core->n_spare_places++;
    }
    gl_lock_drop(&core->lock);
    if (!kept)
        core->env.unmap(core->env.ctx, place, GL_THREAD_BYTES);
}

void gl_thread_places_free(struct gl_core *core)
{
    for (void **place; (place = core->spare_place) != NULL;) {
        core->spare_place = *place;
        core->env.unmap(core->env.ctx, place, GL_THREAD_BYTES);
    }
}

struct gl_thread *gl_thread_create(struct gl_core *core, struct gl_thread *creator, uint32_t uid, uint32_t *key)
{
    const struct gl_env *env = &core->env;
    char *place = place_take(core);
    if (!place)
        return NULL;
    struct gl_dead from;
    enum gl_slot_from how = gl_slot_take(core, creator, &from);
    if (how == GL_SLOT_NONE || !gl_columns_add(&core->columns, from.slot)) {
        place_drop(core, place);
        return NULL;
    }
    struct gl_thread *t = (struct gl_thread *)(place + from.slot % GL_THREAD_LINES * 64);
    t->place = place;
    t->core = core;
    t->segments = &core->segments;
    t->slot = from.slot;
    t->own = from.own;
    t->own_least = how == GL_SLOT_ORDERED ? 0 : UINT32_MAX; /* of a slot that was retired nobody remembers anything */
    t->uid = uid;
    t->epoch = from.epochs + 1;
    t->sink_count = 1;
    t->held = t->held_few;
    t->cap_held = GL_HELD_FEW;
    t->hints = t->hints_few;
    t->hint_mask = GL_HINTS_FEW - 1;
    t->steps = &gl_no_steps;
    t->wanted = t->wanted_few;
    t->wanted_shift = gl_shift(GL_WANTED_FEW);
    t->key = key ? key : &t->own_key;
    if (creator) {
        if (how == GL_SLOT_RETIRED) /* its row is empty, but for how many epochs it has had */
            append_sink(creator, from.slot);
        /* The row of the slot becomes the creator's.  After a reuse that is not less than it was. */
        uint64_t bump = gl_epoch_end(creator, 0);
        uint64_t pos = gl_thread_append(creator, gl_record(t->slot, creator->slot, GL_REC_ASSIGN | bump));
        gl_count(creator, GL_COUNT_sources);
        if (how != GL_SLOT_NEW)
            gl_count(creator, GL_COUNT_slots_reused);
        t->sink_pos = pos == UINT64_MAX ? 0 : pos + 1;
        hints_inherit(t, creator);
    }
    gl_lock_take(&core->lock, env);
    t->next = core->threads;
    if (t->next)
        t->next->prev = t;
    core->threads = t;
    gl_lock_drop(&core->lock);
    return t;
}

void gl_thread_set_key(struct gl_thread *t, uint32_t *key)
{
    key[0] = t->segment ? gl_half(t->segment, 0, 0) : 0;
    t->key = key;
}

void gl_thread_end(struct gl_thread *t, struct gl_sync *end)
{
    struct gl_core *core = t->core;
    const struct gl_env *env = &core->env;
    gl_source_end(t, end);
    gl_sync_free(core, &t->fence_release);
    gl_sync_free(core, &t->fence_acquire);
    gl_side_free_many(&core->sides, t->spare, t->n_spare);
    gl_lock_take(&core->lock, env);
    for (int i = 0; i < GL_COUNT_END; i++)
        core->count[i] += t->count[i];
    if (t->prev)
        t->prev->next = t->next;
    else
        core->threads = t->next;
    if (t->next)
        t->next->prev = t->prev;
    gl_slot_ended(t);
    gl_lock_drop(&core->lock);
    gl_thread_free(t);
}

void gl_thread_free(struct gl_thread *t)
{
    const struct gl_env *env = &t->core->env;
    if (t->hints != t->hints_few)
        env->unmap(env->ctx, t->hints, (t->hint_mask + 1) * sizeof *t->hints);
    if (t->held != t->held_few)
        env->unmap(env->ctx, t->held, t->cap_held * sizeof *t->held);
    if (t->seen_a)
        env->unmap(env->ctx, t->seen_a, GL_SEEN * sizeof *t->seen_a);
    gl_holds_hand_free(&t->core->holds, &t->holds);
    if (t->steps != &gl_no_steps)
        env->unmap(env->ctx, t->steps, sizeof *t->steps);
    place_drop(t->core, t->place);
}

void gl_core_epochs(struct gl_core *core, uint32_t most, void (*fn)(void *ctx, uint32_t uid, uint32_t epoch), void *ctx)
{
    gl_lock_take(&core->lock, &core->env);
    for (const struct gl_thread *t = core->threads; t && most-- > 0; t = t->next)
        fn(ctx, t->uid, __atomic_load_n(&t->epoch, __ATOMIC_RELAXED)); /* relaxed: it may go on meanwhile */
    gl_lock_drop(&core->lock);
}

/* ---- locks held ---- */

struct gl_held *gl_held_find(const struct gl_thread *t, uint32_t serial) { return gl_held_find_inl(t, serial); }

bool gl_held_grow(struct gl_thread *t)
{
    if (t->held != t->held_few)
        return gl_grow(&t->core->env, (void **)&t->held, &t->cap_held, t->n_held, sizeof *t->held);
    void *more = NULL;
    if (!gl_grow(&t->core->env, &more, &t->cap_held, t->cap_held, sizeof *t->held))
        return false;
    t->held = memcpy(more, t->held_few, sizeof t->held_few);
    return true;
}

bool gl_held_push(struct gl_thread *t, uint32_t serial, bool exclusive, uint32_t cookie)
{
    return gl_held_push_inl(t, serial, exclusive, cookie);
}

void gl_held_drop(struct gl_thread *t, uint32_t serial)
{
    struct gl_held *h = gl_held_find_inl(t, serial);
    if (h)
        gl_held_take_out(t, h);
}

void gl_segment_tell_held(struct gl_thread *t)
{
    if (!t->lock_at_once || !t->segment || !t->n_held)
        return;
    uint32_t words[GL_HOLDS_MOST], n = 0;
    for (; n < t->n_held && n < GL_HOLDS_MOST; n++) /* an exclusive hold counts for who holds the lock later, see lock_held() */
        words[n] = gl_hold_word(t->held[n].serial, t->held[n].exclusive && t->held[n].serial < GL_LOCKS_MANY);
    uint32_t room = t->holds.room, number = gl_holds_list(&t->core->holds, &t->holds, words, n);
    if (t->holds.room > room)
        gl_core_sweep_sooner(t->core, GL_HOLDS_BATCH * sizeof *words);
    if (number)
        gl_store_release(gl_segment_lock(&t->core->segments, t->segment), GL_LOCKS_LISTED | number); /* pairs with lock_held(), gl_core_holds() */
    else
        gl_count(t, GL_COUNT_holds_lost);
}
