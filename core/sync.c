/* SPDX-License-Identifier: Apache-2.0
 *
 * Sources and sinks: the two rules that move every Goldilockset (CACM 2010, Fig. 2, rules 1 and 2),
 * as records of the log, and the cases in which a record would add nothing.
 */
#include <string.h>

#include "core/state.h"

/* Trim when this many records have come since the last cut, ... */
#define TRIM_EVERY (16ull << GL_LOG_CHUNK_BITS)
/* ... or so many for each thread, 16 KiB of them, since a trim applies every record to every block of columns; or as many as take the memory of
 * the rows that a trim may make (all blocks, all threads), up to half a GiB. */
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

/* What gl_segment_lock() says of a segment that ends now.  lock: held too, and nothing else if it must be one. */
static uint32_t locks_at_end(struct gl_thread *t, uint32_t lock)
{
    uint32_t serials[GL_GROUP_MAX] = {lock}, n = lock != 0;
    for (uint32_t i = t->n_held; i-- > 0 && n < GL_GROUP_MAX;)
        if (t->held[i].exclusive && t->held[i].serial != lock)
            serials[n++] = t->held[i].serial;
    uint32_t set = n > 1 && !t->core->horizons ? lock_set(t, serials) : 0;
    if (set)
        return set | GL_LOCKS_MANY;
    return serials[0] < GL_LOCKS_READ ? serials[0] : 0;
}

uint64_t gl_epoch_end(struct gl_thread *t, uint32_t lock)
{
    if (!t->segment)
        return 0; /* nothing was recorded in this epoch: it goes on, and the row holds all earlier ones */
    _Atomic uint32_t *place = gl_segment_lock(&t->core->segments, t->segment);
    uint32_t locks = t->lock_at_once ? gl_load_relaxed(place) : 0; /* relaxed: only we write it.  A lock that is told stays */
    if (!locks && (lock || t->n_held)) {
        locks = locks_at_end(t, lock);
        if (locks)
            gl_store_release(place, locks); /* pairs with lock_held(), gl_core_holds() */
    }
    if (GL_MUTANT(STALE_ALOCK))
        t->mutant_lock = locks;
    if (GL_MUTANT(NO_BUMP))
        return 0;
    if (t->counted) { /* it went on: its epoch has ended before */
        t->counted = false;
        t->segment = 0;
        *t->key = 0;
        return 0;
    }
    t->ending = t->ended = t->segment;
    t->segment = 0;
    *t->key = 0;
    t->epoch++; // < GL_EPOCH_MOST by gl_segment_begin()
    gl_count(t, GL_COUNT_epochs);
    return GL_REC_BUMP;
}

uint64_t gl_thread_append(struct gl_thread *t, uint64_t record)
{
    struct gl_core *core = t->core;
    uint64_t pos = gl_log_append(&core->log, record);
    t->again = 0; /* until source() says so */
    if (record & GL_REC_BUMP)
        t->bump_pos = pos + 1;
    if ((record & GL_REC_BUMP) && t->ending) {
        _Atomic uint32_t *end = gl_segment_end(&core->segments, t->ending);
        if (end)
            gl_store_relaxed(end, gl_end_of(pos)); /* relaxed: who does not see it is not ordered after it, see gl_column_ask() */
        t->ending = 0;
    }
    if (pos != UINT64_MAX && pos % TRIM_EVERY == TRIM_EVERY - 1) {
        uint64_t slots = gl_load_relaxed(&core->slots), /* relaxed, may be stale: sooner or later */
                 every = slots * (slots / 2 > TRIM_EACH ? slots / 2 : TRIM_EACH);
        every = every > TRIM_MOST ? TRIM_MOST : every;
        if (every <= TRIM_EVERY || pos - gl_load_relaxed(&core->log.head) >= every)
            gl_columns_trim(&core->columns);
    }
    return pos;
}

/* release: pairs with gl_sync_known(), which sees `own` of a version that it sees. */
static inline void version_set(struct gl_sync *s, uint64_t version) { __atomic_store_n(&s->version, version, __ATOMIC_RELEASE); }

/* Gives the object a node; false: none left (checking stops). */
static bool node_take(struct gl_core *core, struct gl_sync *s)
{
    if (s->node)
        return true;
    gl_lock_take(&core->node_lock, &core->env);
    if (core->n_free_nodes)
        s->node = core->free_nodes[--core->n_free_nodes];
    else if (core->nodes < GL_MAX_OBJECTS)
        s->node = GL_NODE_OBJECTS + core->nodes++;
    gl_store_relaxed(&core->columns.objects, core->nodes); /* relaxed: who misses one finds out, see follow() */
    gl_lock_drop(&core->node_lock);
    version_set(s, 0); /* whatever the node's rows hold: the first source assigns */
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

static void source(struct gl_thread *t, struct gl_sync *s, bool assign, uint64_t bump)
{
    if (s->version && s->version == t->again && !bump) { /* row(s) is row(t) already */
        gl_count(t, GL_COUNT_source_again);
        return;
    }
    if (!node_take(t->core, s))
        return;
    bool first = s->version == 0 || assign;
    uint64_t pos = gl_thread_append(t, gl_record(s->node, t->slot, bump | (first ? GL_REC_ASSIGN : 0)));
    if (pos == UINT64_MAX)
        return;
    s->own = first || s->own == t->own ? t->own : 0;
    s->epoch = t->epoch - 1; /* those that ended */
    version_set(s, pos + 1);
    if (s->own) /* all that it has is the thread's */
        t->again = s->version;
    gl_count(t, GL_COUNT_sources);
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

void gl_source(struct gl_thread *t, struct gl_sync *s, bool assign, uint32_t lock)
{
    source(t, s, assign, gl_epoch_end(t, lock));
}

/* Whoever knows the last epoch of the slot must know all that the thread knew, which is what a reuse of the slot needs.  So the end of a
 * thread ends an epoch even when nothing was recorded in it, or only in a segment that went on; unless the thread learned nothing since it
 * ended one: then the threads that waited for its last release know enough, as they do of detached threads. */
void gl_source_end(struct gl_thread *t, struct gl_sync *s)
{
    bool counted = t->segment && t->counted;
    uint64_t bump = gl_epoch_end(t, 0);
    if (!bump && (counted || !t->bump_pos || t->sink_pos > t->bump_pos)) {
        t->epoch++;
        t->ended = 0;
        bump = GL_REC_BUMP;
    }
    source(t, s, true, bump);
}

/* The cache of objects taken in, by node. */
static bool seen(struct gl_seen *cache, const struct gl_sync *s)
{
    struct gl_seen *e = &cache[s->node % GL_SEEN];
    return e->node == s->node && e->version == s->version;
}
static void seen_set(struct gl_seen *cache, const struct gl_sync *s)
{
    cache[s->node % GL_SEEN] = (struct gl_seen){.node = s->node, .version = s->version};
}

uint64_t gl_sync_known(struct gl_thread *t, const struct gl_sync *s, bool acquires)
{
    struct gl_sync now = {.version = __atomic_load_n(&s->version, __ATOMIC_ACQUIRE)}; /* pairs with version_set() */
    if (now.version == 0)
        return 0;
    /* relaxed: of this version or a later one, in which the thread has no part, see docs/concurrency.md, D.2 */
    now.node = __atomic_load_n(&s->node, __ATOMIC_RELAXED);
    now.own = __atomic_load_n(&s->own, __ATOMIC_RELAXED);
    if (now.own == t->own) {
        gl_count(t, GL_COUNT_sink_own);
        return now.version;
    }
    if (!seen(t->seen, &now) && (acquires || !t->seen_a || !seen(t->seen_a, &now)))
        return 0;
    gl_count(t, GL_COUNT_sink_seen);
    return now.version;
}

void gl_sink(struct gl_thread *t, struct gl_sync *s)
{
    if (s->version == 0) {
        gl_count(t, GL_COUNT_sink_empty);
    } else if (s->own == t->own) {
        gl_count(t, GL_COUNT_sink_own);
    } else if (seen(t->seen, s)) {
        gl_count(t, GL_COUNT_sink_seen);
    } else {
        uint64_t pos = gl_thread_append(t, gl_record(t->slot, s->node, 0));
        if (pos == UINT64_MAX)
            return;
        t->sink_pos = pos + 1;
        t->sink_count++;
        seen_set(t->seen, s);
        if (s->own)
            gl_hint_raise(t, gl_own_slot(s->own), s->epoch);
        gl_count(t, GL_COUNT_sinks);
    }
}

void gl_transfer(struct gl_thread *t, struct gl_sync *dst, const struct gl_sync *src, bool assign)
{
    if (!src || src->version == 0) {
        if (assign) {
            version_set(dst, 0); /* empty: the next source assigns, a sink adds nothing */
            dst->own = 0;
        }
        return;
    }
    if (dst == &t->fence_acquire) {
        if (src->own == t->own || seen(t->seen, src) || (t->seen_a && seen(t->seen_a, src)))
            return; /* a relaxed load in a spin loop appends once per change */
        if (!t->seen_a)
            t->seen_a = t->core->env.map(t->core->env.ctx, GL_SEEN * sizeof *t->seen_a);
        if (t->seen_a) /* else it appends more often */
            seen_set(t->seen_a, src);
    }
    if (!node_take(t->core, dst))
        return;
    bool first = dst->version == 0 || assign;
    uint64_t pos = gl_thread_append(t, gl_record(dst->node, src->node, first ? GL_REC_ASSIGN : 0));
    if (pos == UINT64_MAX)
        return;
    dst->own = first ? src->own : (dst->own == src->own ? dst->own : 0);
    dst->epoch = first || src->epoch > dst->epoch ? src->epoch : dst->epoch;
    version_set(dst, pos + 1);
    gl_count(t, GL_COUNT_sources);
}
