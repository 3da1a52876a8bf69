/* SPDX-License-Identifier: Apache-2.0
 *
 * Sources and sinks: the two rules that move every Goldilockset (CACM 2010, Fig. 2, rules 1 and 2),
 * as records of the log, and the cases in which a record would add nothing.
 */
#include <string.h>

#include "core/sync_inl.h"

/* A trim is due when so many records have come since the last cut for each thread, 16 KiB of them, since it applies every record to every
 * block of columns; or as many as take the memory of the rows that it may make (all blocks, all threads), up to half a GiB. */
#define TRIM_EACH 2048u
#define TRIM_MOST (1ull << 26)
#define LOCK_SETS_MOST (GL_LISTS / 4)

/* The list of these serials; 0: no memory, or too many sets of locks are known. */
static uint32_t lock_set(struct gl_thread *t, const uint32_t serials[GL_GROUP_MAX])
{
    struct gl_core *core = t->core;
    uint32_t *place = &t->lock_set[gl_list_hash(serials) % GL_LOCK_SETS];
    if (*place && memcmp(gl_list_at(&core->lists, *place)->value, serials, GL_GROUP_MAX * sizeof *serials) == 0)
        return *place;
    if (gl_load_relaxed(&core->lock_sets) >= LOCK_SETS_MOST) /* relaxed: a few more do no harm */
        return 0;
    bool made = false;
    uint32_t number = gl_list_intern(&core->lists, serials, &made);
    if (made)
        gl_add_relaxed(&core->lock_sets, 1);
    if (number)
        *place = number;
    return number;
}

uint32_t gl_locks_at_end(struct gl_thread *t, uint32_t lock)
{
    uint32_t serials[GL_GROUP_MAX] = {lock}, n = lock != 0;
    for (uint32_t i = t->n_held; i-- > 0 && n < GL_GROUP_MAX;)
        if (t->held[i].exclusive && t->held[i].serial != lock)
            serials[n++] = t->held[i].serial;
    if (n == 2 && (serials[0] | serials[1]) >> GL_LOCKS_PAIR_BITS == 0)
        return gl_locks_pair(serials[0], serials[1]);
    uint32_t set = n > 1 ? lock_set(t, serials) : 0;
    if (set)
        return set | GL_LOCKS_MANY;
    return serials[0] < GL_LOCKS_READ ? serials[0] : 0;
}

uint64_t gl_thread_append(struct gl_thread *t, uint64_t record) { return gl_thread_append_inl(t, record, UINT64_MAX, false); }

void gl_thread_trim(struct gl_thread *t, uint64_t pos)
{
    struct gl_core *core = t->core;
    uint64_t slots = gl_load_relaxed(&core->slots), /* relaxed, may be stale: sooner or later */
             every = slots * (slots / 2 > TRIM_EACH ? slots / 2 : TRIM_EACH);
    every = every > TRIM_MOST ? TRIM_MOST : every;
    if (every <= GL_LOG_TRIM || pos - gl_load_relaxed(&core->log.head) >= every)
        gl_columns_trim(&core->columns);
}

uint64_t gl_epoch_end(struct gl_thread *t, uint32_t lock) { return gl_epoch_end_inl(t, lock); }

bool gl_node_make(struct gl_core *core, struct gl_sync *s)
{
    gl_lock_take(&core->node_lock, &core->env);
    s->behind = 0;
    if (core->n_free_nodes) {
        s->node = core->free_nodes[--core->n_free_nodes];
        s->behind = UINT32_MAX; /* records name the object that had it before */
    } else if (core->nodes < GL_MAX_OBJECTS) {
        s->node = GL_NODE_OBJECTS + core->nodes++;
    }
    gl_store_relaxed(&core->columns.objects, core->nodes); /* relaxed: who misses one finds out, see follow() */
    gl_lock_drop(&core->node_lock);
    gl_version_set(s, 0); /* whatever the node's rows hold: the first source assigns */
    s->own = 0;
    if (!s->node)
        gl_store_release(&core->log.stopped, true); /* pairs with gl_log_read() */
    return s->node != 0;
}

void gl_sync_free(struct gl_core *core, struct gl_sync *s)
{
    if (!s->node)
        return;
    gl_lock_take(&core->node_lock, &core->env);
    if (gl_grow(&core->env, (void **)&core->free_nodes, &core->cap_free_nodes, core->n_free_nodes,
                sizeof *core->free_nodes))
        core->free_nodes[core->n_free_nodes++] = s->node; /* else the number is lost, nothing more */
    gl_lock_drop(&core->node_lock);
    memset(s, 0, sizeof *s);
}

bool gl_segment_went_on(struct gl_thread *t, uint32_t key)
{
    if (!key || gl_segment_resumable(t) != key)
        return false;
    t->segment = gl_half_segment(key); /* the locks that it tells are held again */
    t->counted = true;
    *t->key = key;
    gl_count(t, GL_COUNT_resumed);
    return true;
}

void gl_segment_resume(struct gl_thread *t, const struct gl_sync *s, uint64_t again)
{
    if (GL_MUTANT(RESUME_USED) && again && s->version == again && t->segment) {
        t->counted = true; /* a segment that has begun since passes for the one that ended */
        return;
    }
    if (GL_MUTANT(RESUME_TAKEN) && again && t->bump_pos == again && !t->segment && t->ended == t->batch - 1) {
        t->segment = t->ended;
        t->counted = true;
        *t->key = gl_half(t->segment, 0, 0);
        return;
    }
    if (t->again && s->version == t->again && t->again_held + 1 == t->n_held) /* the same locks, in the same order */
        (void)gl_segment_went_on(t, gl_segment_resumable(t));
}

void gl_source(struct gl_thread *t, struct gl_sync *s, bool assign, uint32_t lock) { gl_source_inl(t, s, assign, lock, false); }

void gl_sink(struct gl_thread *t, struct gl_sync *s) { gl_sink_inl(t, s, true, false); }

/* Whoever knows the last epoch of the slot must know all that the thread knew, which is what a reuse of the slot needs.  So the end of a
 * thread ends an epoch even when nothing was recorded in it, or only in a segment that went on; unless the thread learned nothing since it
 * ended one: then the threads that waited for its last release know enough, as they do of detached threads. */
void gl_source_end(struct gl_thread *t, struct gl_sync *s)
{
    bool counted = t->segment && t->counted;
    uint64_t bump = gl_epoch_end(t, 0);
    if (!bump && (counted || !t->bump_pos || t->sink_pos > t->bump_pos)) {
        gl_epoch_next(t);
        t->ended = 0;
        bump = GL_REC_BUMP;
    }
    gl_source_append(t, s, true, bump, false);
}

uint64_t gl_sync_known(struct gl_thread *t, const struct gl_sync *s, bool acquires)
{
    struct gl_sync now = {.version = __atomic_load_n(&s->version, __ATOMIC_ACQUIRE)}; /* pairs with gl_version_set() */
    if (now.version == 0)
        return 0;
    /* relaxed: of this version or a later one, in which the thread has no part, see docs/concurrency.md, D.2 */
    now.node = __atomic_load_n(&s->node, __ATOMIC_RELAXED);
    now.own = __atomic_load_n(&s->own, __ATOMIC_RELAXED);
    if (now.own == t->own) {
        gl_count(t, GL_COUNT_sink_own);
        return now.version;
    }
    if (!gl_seen_has(t->seen, &now) && (acquires || !t->seen_a || !gl_seen_has(t->seen_a, &now)))
        return 0;
    gl_count(t, GL_COUNT_sink_seen);
    return now.version;
}

void gl_transfer(struct gl_thread *t, struct gl_sync *dst, struct gl_sync *src, bool assign)
{
    if (!src || src->version == 0) {
        if (assign) {
            dst->behind = UINT32_MAX;
            gl_version_set(dst, 0); /* empty: the next source assigns, a sink adds nothing */
            dst->own = 0;
        }
        return;
    }
    if (dst == &t->fence_acquire) {
        if (src->own == t->own || gl_seen_has(t->seen, src) || (t->seen_a && gl_seen_has(t->seen_a, src)))
            return; /* a relaxed load in a spin loop appends once per change */
        if (!t->seen_a)
            t->seen_a = t->core->env.map(t->core->env.ctx, GL_SEEN * sizeof *t->seen_a);
        if (t->seen_a) /* else it appends more often */
            gl_seen_set(t->seen_a, src);
    }
    if (!gl_node_take(t->core, dst))
        return;
    bool first = dst->version == 0 || assign;
    uint64_t least = gl_sync_least(dst), least_src = gl_sync_least(src);
    uint64_t pos = gl_thread_append_inl(t, gl_record(dst->node, src->node, first ? GL_REC_ASSIGN : 0), least > least_src ? least : least_src, false);
    if (pos == UINT64_MAX)
        return;
    gl_sync_named(src, pos);
    dst->behind = 0;
    dst->own = first ? src->own : (dst->own == src->own ? dst->own : 0);
    dst->epoch = first || src->epoch > dst->epoch ? src->epoch : dst->epoch;
    gl_version_set(dst, pos + 1);
    gl_count(t, GL_COUNT_sources);
}
