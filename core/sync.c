/* SPDX-License-Identifier: Apache-2.0
 *
 * Sources and sinks: the two rules that move every Goldilockset (CACM 2010, Fig. 2, rules 1 and 2),
 * as records of the log, and the cases in which a record would add nothing.
 */
#include <string.h>

#include "core/state.h"

/* Trim when this many records have come since the last cut. */
#define TRIM_EVERY (16u << GL_LOG_CHUNK_BITS)

uint64_t gl_epoch_end(struct gl_thread *t, uint32_t lock)
{
    if (!t->segment)
        return 0; /* nothing was recorded in this epoch: it goes on, and the row holds all earlier ones */
    uint32_t serial = lock;
    if (!serial)
        for (uint32_t i = t->n_held; i-- > 0 && !serial;)
            if (t->held[i].exclusive)
                serial = t->held[i].serial;
    if (serial)
        gl_store_relaxed(gl_segment_lock(&t->core->segments, t->segment), serial); /* relaxed: see gl_ordered(), rule lock-held */
    if (GL_MUTANT(STALE_ALOCK))
        t->mutant_lock = serial;
    if (GL_MUTANT(NO_BUMP))
        return 0;
    t->segment = 0;
    *t->key = 0;
    t->epoch++; // < 2^27 segments in all: never wraps
    gl_count(t, GL_COUNT_epochs);
    return GL_REC_BUMP;
}

uint64_t gl_thread_append(struct gl_thread *t, uint64_t record)
{
    uint64_t pos = gl_log_append(&t->core->log, record);
    if (pos != UINT64_MAX && pos % TRIM_EVERY == TRIM_EVERY - 1)
        gl_columns_trim(&t->core->columns);
    return pos;
}

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
    gl_lock_drop(&core->node_lock);
    s->version = 0; /* whatever the node's rows hold: the first source assigns */
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
    if (!node_take(t->core, s))
        return;
    bool first = s->version == 0 || assign;
    uint64_t pos = gl_thread_append(t, gl_record(s->node, t->slot, bump | (first ? GL_REC_ASSIGN : 0)));
    if (pos == UINT64_MAX)
        return;
    s->own = first || s->own == t->slot + 1 ? t->slot + 1 : 0;
    s->epoch = t->epoch - 1; /* those that ended */
    s->version = pos + 1;
    gl_count(t, GL_COUNT_sources);
}

void gl_source(struct gl_thread *t, struct gl_sync *s, bool assign, uint32_t lock)
{
    source(t, s, assign, gl_epoch_end(t, lock));
}

/* The end of a thread ends an epoch even when nothing was recorded in it: whoever knows this epoch of the slot
 * knows all that the thread knew, which is what a reuse of the slot needs. */
void gl_source_end(struct gl_thread *t, struct gl_sync *s)
{
    uint64_t bump = gl_epoch_end(t, 0);
    if (!bump)
        t->epoch++;
    source(t, s, true, GL_REC_BUMP);
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

void gl_sink(struct gl_thread *t, struct gl_sync *s)
{
    if (s->version == 0) {
        gl_count(t, GL_COUNT_sink_empty);
    } else if (s->own == t->slot + 1) {
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
            gl_hint_raise(t, s->own - 1, s->epoch);
        gl_count(t, GL_COUNT_sinks);
    }
}

void gl_transfer(struct gl_thread *t, struct gl_sync *dst, const struct gl_sync *src, bool assign)
{
    if (!src || src->version == 0) {
        if (assign) {
            dst->version = 0; /* empty: the next source assigns, a sink adds nothing */
            dst->own = 0;
        }
        return;
    }
    if (dst == &t->fence_acquire) {
        if (src->own == t->slot + 1 || seen(t->seen, src) || (t->seen_a && seen(t->seen_a, src)))
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
    dst->version = pos + 1;
    gl_count(t, GL_COUNT_sources);
}
