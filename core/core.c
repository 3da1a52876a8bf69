/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine's birth, death, memory and counters.
 */
#include <string.h>

#include "core/state.h"

struct gl_core *gl_core_create(const struct gl_env *env)
{
    struct gl_core *core = env->map(env->ctx, sizeof *core); /* several MiB, mostly never touched */
    if (!core)
        return NULL;
    core->env = *env;
    core->many = GL_MANY;
    gl_core_as_with_plenty(core, false);
    gl_log_init(&core->log, &core->env);
    gl_columns_init(&core->columns, &core->log);
    gl_segments_init(&core->segments, &core->env);
    gl_holds_init(&core->holds, &core->env);
    gl_sides_init(&core->sides, &core->env);
    gl_lists_init(&core->lists, &core->env);
    gl_spreads_init(&core->spreads, &core->env);
    return core;
}

void gl_core_destroy(struct gl_core *core)
{
    const struct gl_env env = core->env;
    for (struct gl_thread *t = core->threads, *next; t; t = next) {
        next = t->next;
        gl_thread_free(t);
    }
    gl_thread_places_free(core);
    gl_sides_fini(&core->sides);
    gl_lists_fini(&core->lists);
    gl_spreads_fini(&core->spreads);
    gl_segments_fini(&core->segments);
    gl_holds_fini(&core->holds);
    gl_columns_fini(&core->columns);
    gl_log_fini(&core->log);
    if (core->dead)
        env.unmap(env.ctx, core->dead, core->cap_dead * sizeof *core->dead);
    for (uint32_t i = 0; i < GL_MAX_SLOTS / GL_ALONE_CHUNK; i++)
        if (gl_load_relaxed(&core->alone[i]))
            env.unmap(env.ctx, gl_load_relaxed(&core->alone[i]), GL_ALONE_CHUNK * sizeof(uint64_t));
    if (core->retired)
        env.unmap(env.ctx, core->retired, core->cap_retired * sizeof *core->retired);
    if (core->free_nodes)
        env.unmap(env.ctx, core->free_nodes, core->cap_free_nodes * sizeof *core->free_nodes);
    env.unmap(env.ctx, core, sizeof *core);
}

bool gl_core_stopped(const struct gl_core *core)
{
    return gl_load_relaxed(&core->log.stopped); /* relaxed: stale stops a little later */
}

void gl_core_stop(struct gl_core *core)
{
    gl_store_release(&core->log.stopped, true); /* pairs with gl_log_read(), stopped() */
}

const struct gl_env *gl_core_env(const struct gl_core *core) { return &core->env; }

uint32_t gl_core_holds(struct gl_core *core, uint32_t id, uint32_t *words, uint32_t most)
{
    uint32_t locks = gl_load_acquire(gl_segment_lock(&core->segments, id)); /* pairs with gl_epoch_end_inl(), gl_segment_tell_alone(), gl_segment_tell_held() */
    if (!locks || !most)
        return 0;
    if (locks >= GL_LOCKS_LISTED)
        return gl_holds_read(&core->holds, locks & ~GL_LOCKS_LISTED, words, most < GL_HOLDS_MOST ? most : GL_HOLDS_MOST);
    if (gl_locks_are_pair(locks))
        *words = gl_hold_word(gl_locks_first(locks), true);
    else if (locks & GL_LOCKS_MANY)
        *words = gl_hold_word(gl_list_at(&core->lists, locks & ~GL_LOCKS_MANY)->value[0], true);
    else
        *words = gl_hold_word(locks & ~GL_LOCKS_READ, !(locks & GL_LOCKS_READ));
    return 1;
}

struct gl_segment gl_core_segment(struct gl_core *core, uint32_t id)
{
    const struct gl_batch *b = gl_batch_of(&core->segments, id);
    uint32_t words[GL_HOLDS_MOST], n = gl_core_holds(core, id, words, GL_HOLDS_MOST), lock = 0;
    for (uint32_t i = 0; i < n && !lock; i++)
        lock = gl_hold_exclusive(words[i]) ? gl_hold_serial(words[i]) : 0;
    return (struct gl_segment){.slot = b->slot, .epoch = gl_segment_epoch(b, id), .uid = b->uid, .lock = lock};
}

struct gl_lists *gl_core_lists(struct gl_core *core) { return &core->lists; }

void gl_core_as_with_many(struct gl_core *core, bool on) { core->many = on ? 0 : GL_MANY; }

void gl_core_as_with_plenty(struct gl_core *core, bool on)
{
    core->plenty_slots = on ? 0 : GL_SPREAD_THREADS_MOST;
    core->plenty_reads = on ? 2 : GL_PLENTY_READS;
    core->plenty_look = on ? 1 : GL_PLENTY_LOOK;
}

void gl_core_group_at_once(struct gl_core *core, bool on) { core->group_at_once = on; }

void gl_core_spread_at_once(struct gl_core *core, bool on) { core->spreads.at_once = on; }

bool gl_core_is_of_slot(struct gl_core *core, uint32_t half, uint32_t slot)
{
    return half && !gl_half_is_group(half) && gl_batch_of(&core->segments, gl_half_segment(half))->slot == slot;
}

uint32_t gl_thread_slot(const struct gl_thread *t) { return t->slot; }

struct gl_sides *gl_core_sides(struct gl_core *core) { return &core->sides; }

uint32_t gl_lock_serial(struct gl_core *core)
{
    uint32_t serial = gl_add_relaxed(&core->lock_serial, 1) + 1; /* relaxed: only uniqueness matters */
    if (!serial)
        gl_core_stop(core); /* the next ones would be other locks' */
    return serial;
}

uint32_t gl_lock_serial_last(const struct gl_core *core) { return gl_load_relaxed(&core->lock_serial); } /* relaxed: a hint */

bool gl_grow(const struct gl_env *env, void **array, uint32_t *cap, uint32_t used, size_t bytes)
{
    if (used < *cap)
        return true;
    uint32_t more = *cap ? *cap * 2 : (uint32_t)(4096 / bytes);
    void *p = more > *cap ? env->map(env->ctx, more * bytes) : NULL;
    if (!p)
        return false;
    if (*array) {
        memcpy(p, *array, used * bytes);
        env->unmap(env->ctx, *array, *cap * bytes);
    }
    *array = p;
    *cap = more;
    return true;
}

void gl_core_counts(struct gl_core *core, gl_count_fn *fn, void *ctx)
{
    uint64_t sum[GL_COUNT_END];
    gl_lock_take(&core->lock, &core->env);
    memcpy(sum, core->count, sizeof sum);
    for (struct gl_thread *t = core->threads; t; t = t->next)
        for (int i = 0; i < GL_COUNT_END; i++)
            sum[i] += t->count[i]; /* a running thread's may be stale: off by what it does right now */
    gl_lock_drop(&core->lock);
    sum[GL_COUNT_replayed_records] = gl_columns_replayed(&core->columns);
    sum[GL_COUNT_walked_records] = gl_columns_walked(&core->columns);
    sum[GL_COUNT_log_trims] = core->columns.trims;
    sum[GL_COUNT_sweeps] = core->segments.sweeps;
    sum[GL_COUNT_ids_freed] = core->segments.freed;
    sum[GL_COUNT_groups_lost] = gl_load_relaxed(&core->lists.lost);
#define X(name, sentence) fn(ctx, #name, sentence, sum[GL_COUNT_##name]);
#include "core/counters.def"
#undef X
}
