/* SPDX-License-Identifier: Apache-2.0
 *
 * Sources and sinks, inline: the functions of the same names in sync.c, thread.c and construct.c are these. alone: nobody else is in the
 * core. */
#ifndef GL_CORE_SYNC_INL_H
#define GL_CORE_SYNC_INL_H

#include <string.h>

#include "core/construct.h"
#include "core/mutant.h"
#include "core/state.h"

/* Perhaps the log is to be trimmed. */
void gl_thread_trim(struct gl_thread *t, uint64_t pos);

/* What gl_segment_lock() says of a segment that ends now.  lock: held too, and nothing else if it must be one. */
uint32_t gl_locks_at_end(struct gl_thread *t, uint32_t lock);

/* Gives the object a node; false: none left (checking stops). */
bool gl_node_make(struct gl_core *core, struct gl_sync *s);
static inline bool gl_node_take(struct gl_core *core, struct gl_sync *s) { return s->node || gl_node_make(core, s); }

/* Where the next record that names the object must stand, at least (gl_log_append_inl()). */
static inline uint64_t gl_sync_least(const struct gl_sync *s)
{
    return GL_MUTANT(LOG_EARLY) ? 0 : s->behind == UINT32_MAX ? UINT64_MAX : s->version + s->behind;
}
/* Its last record stands at pos, and is no source of it.  It has a version. */
static inline void gl_sync_named(struct gl_sync *s, uint64_t pos)
{
    uint64_t behind = pos + 1 - s->version;
    s->behind = behind < UINT32_MAX ? (uint32_t)behind : UINT32_MAX;
}

/* least: as in gl_log_append_inl(). */
static inline uint64_t gl_thread_append_inl(struct gl_thread *t, uint64_t record, uint64_t least, bool alone)
{
    struct gl_core *core = t->core;
    uint64_t pos = gl_log_append_inl(&core->log, &t->room, record, least, alone);
    t->again = 0; /* until gl_source_append() says so */
    if (record & GL_REC_BUMP) {
        t->bump_pos = pos + 1;
        if (t->ending) {
            _Atomic uint32_t *end = gl_segment_end(&core->segments, t->ending);
            if (end)
                gl_store_relaxed(end, gl_end_of(pos)); /* relaxed: who does not see it is not ordered after it, see gl_column_ask() */
            t->ending = 0;
        }
    }
    if (__builtin_expect(t->room.due, 0)) {
        t->room.due = false;
        if (pos != UINT64_MAX)
            gl_thread_trim(t, pos);
    }
    return pos;
}

// relaxed: others look at it as it is (gl_core_epochs())
static inline void gl_epoch_next(struct gl_thread *t) { __atomic_store_n(&t->epoch, t->epoch + 1, __ATOMIC_RELAXED); }

static inline uint64_t gl_epoch_end_inl(struct gl_thread *t, uint32_t lock)
{
    if (!t->segment)
        return 0; /* nothing was recorded in this epoch: it goes on, and the row holds all earlier ones */
    _Atomic uint32_t *place = gl_segment_lock(&t->core->segments, t->segment);
    uint32_t locks = t->lock_at_once ? gl_load_relaxed(place) : 0; /* relaxed: only we write it.  A lock that is told stays */
    if (!locks && (lock || t->n_held)) {
        locks = gl_locks_at_end(t, lock);
        if (locks)
            gl_store_release(place, locks); /* pairs with lock_held(), gl_lock_says(), gl_core_holds() */
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
    gl_epoch_next(t); // < GL_EPOCH_MOST by gl_segment_begin()
    gl_count(t, GL_COUNT_epochs);
    return GL_REC_BUMP;
}

/* release: pairs with gl_sync_known(), which sees `own` of a version that it sees. */
static inline void gl_version_set(struct gl_sync *s, uint64_t version) { __atomic_store_n(&s->version, version, __ATOMIC_RELEASE); }

/* The cache of objects taken in, by node. */
static inline bool gl_seen_has(struct gl_seen *cache, const struct gl_sync *s)
{
    struct gl_seen *e = &cache[s->node % GL_SEEN];
    return e->node == s->node && e->version == s->version;
}
static inline void gl_seen_set(struct gl_seen *cache, const struct gl_sync *s)
{
    cache[s->node % GL_SEEN] = (struct gl_seen){.node = s->node, .version = s->version};
}

static inline void gl_source_append(struct gl_thread *t, struct gl_sync *s, bool assign, uint64_t bump, bool alone)
{
    if (s->version && s->version == t->again && !bump) { /* row(s) is row(t) already */
        gl_count(t, GL_COUNT_source_again);
        return;
    }
    if (!gl_node_take(t->core, s))
        return;
    bool first = s->version == 0 || assign, knew = !first && gl_seen_has(t->seen, s);
    uint64_t pos = gl_thread_append_inl(t, gl_record(s->node, t->slot, bump | (first ? GL_REC_ASSIGN : 0)), gl_sync_least(s), alone);
    if (pos == UINT64_MAX)
        return;
    s->behind = 0;
    s->own = first || s->own == t->own ? t->own : 0;
    s->epoch = t->epoch - 1; /* those that ended */
    gl_version_set(s, pos + 1);
    if (s->own) /* all that it has is the thread's */
        t->again = s->version;
    else if (knew) /* and what it had before */
        gl_seen_set(t->seen, s);
    gl_count(t, GL_COUNT_sources);
}

static inline void gl_source_inl(struct gl_thread *t, struct gl_sync *s, bool assign, uint32_t lock, bool alone)
{
    gl_source_append(t, s, assign, gl_epoch_end_inl(t, lock), alone);
}

/* again: the thread may come back to the object when it has no new source, but for its own: it is remembered. */
static inline void gl_sink_inl(struct gl_thread *t, struct gl_sync *s, bool again, bool alone)
{
    if (s->version == 0) {
        gl_count(t, GL_COUNT_sink_empty);
    } else if (s->own == t->own) {
        gl_count(t, GL_COUNT_sink_own);
    } else if (again && gl_seen_has(t->seen, s)) {
        gl_count(t, GL_COUNT_sink_seen);
    } else {
        uint64_t pos = gl_thread_append_inl(t, gl_record(t->slot, s->node, 0), gl_sync_least(s), alone);
        if (pos == UINT64_MAX)
            return;
        gl_sync_named(s, pos);
        t->sink_pos = pos + 1;
        t->sink_count++;
        if (again)
            gl_seen_set(t->seen, s);
        if (s->own)
            gl_hint_raise(t, gl_own_slot(s->own), s->epoch);
        gl_count(t, GL_COUNT_sinks);
    }
}

/* ---- locks held ---- */

static inline struct gl_held *gl_held_find_inl(const struct gl_thread *t, uint32_t serial)
{
    for (uint32_t i = t->n_held; i-- > 0;) /* the innermost is the likeliest */
        if (t->held[i].serial == serial)
            return &t->held[i];
    return NULL;
}

/* Room for more than there is.  False: no memory. */
bool gl_held_grow(struct gl_thread *t);

static inline bool gl_held_push_inl(struct gl_thread *t, uint32_t serial, bool exclusive, uint32_t cookie)
{
    if (t->n_held == t->cap_held && !gl_held_grow(t))
        return false;
    t->held[t->n_held++] = (struct gl_held){.serial = serial, .depth = 1, .cookie = cookie, .exclusive = exclusive};
    gl_segment_tell_alone(t);
    return true;
}

static inline void gl_held_take_out(struct gl_thread *t, struct gl_held *h)
{
    t->n_held--;
    struct gl_held *end = t->held + t->n_held;
    if (h != end) /* most often it was the last */
        memmove(h, h + 1, (size_t)(end - h) * sizeof *h);
    for (; h < end; h++)
        h->note = 0;
}

/* ---- a mutex (construct.h) ---- */

/* False: the hold is not known, for want of memory: slower, not wrong. */
static inline bool gl_hold_inl(struct gl_thread *t, uint32_t *serial, bool exclusive, uint32_t cookie)
{
    if (!*serial)
        *serial = gl_lock_serial(t->core);
    return gl_held_push_inl(t, *serial, exclusive, cookie);
}

/* False: as gl_hold_inl(). */
static inline bool gl_mutex_acquired_inl(struct gl_thread *t, struct gl_mutex *m, uint32_t cookie, bool alone)
{
    struct gl_held *h = m->serial ? gl_held_find_inl(t, m->serial) : NULL;
    if (h) {
        h->depth++;
        return true;
    }
    uint64_t again = t->again;
    bool may = again && (GL_MUTANT(RESUME_TAKEN) || (again == m->sync.version && !m->handed)) && (GL_MUTANT(RESUME_USED) || !t->segment);
    gl_sink_inl(t, &m->sync, false, alone); /* it will release it, or somebody else will in its place */
    bool known = gl_hold_inl(t, &m->serial, true, cookie);
    if (may)
        gl_segment_resume(t, &m->sync, again);
    return known;
}

static inline bool gl_mutex_releasing_inl(struct gl_thread *t, struct gl_mutex *m, bool alone)
{
    struct gl_held *h = m->serial ? gl_held_find_inl(t, m->serial) : NULL;
    if (h && h->depth > 1) {
        h->depth--;
        return true;
    }
    /* By a thread that does not hold it (undefined, yet programs do it): it publishes its own past and
     * must not hide the holder's: merge. */
    gl_source_inl(t, &m->sync, h != NULL, h ? m->serial : 0, alone);
    t->again_held = h && h + 1 == t->held + t->n_held ? t->n_held - 1 : UINT32_MAX;
    if (h) {
        gl_held_take_out(t, h);
    } else {
        m->serial = 0; /* the next locker's is another one: whoever held it does not any more */
        m->handed = true;
    }
    return h != NULL;
}

#endif
