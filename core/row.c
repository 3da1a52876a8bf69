/* SPDX-License-Identifier: Apache-2.0
 *
 * One thread's whole row of the columns, by a walk back along the log: whose pasts flowed into it, and since when.  That is the Goldilocks rule
 * read backwards (docs/algorithm.md): what a set of nodes knows at a position, the sources of its records knew before.
 *
 * A record dst <- src at which dst is in the set: src joins it.  If the record assigns, dst leaves it, for what dst knew before is gone (of a thread:
 * its creator knew all of it, or nobody asks).  What thread u did before a position is in the past of t, if u joined at that position or behind it.
 */
#include <string.h>

#include "core/column.h"
#include "core/segment.h"

/* A node's bit, if there is one. */
static inline bool bit_of(const struct gl_walker *w, uint32_t node, uint32_t *i)
{
    bool thread = node < GL_NODE_OBJECTS;
    *i = thread ? node : node - GL_NODE_OBJECTS;
    bool fits = *i < (thread ? w->threads : w->objects);
    *i += thread ? 0 : w->threads;
    return fits;
}

/* One record, at a position that the walk has come to. */
static inline void step_back(struct gl_walker *w, struct gl_row *row, uint64_t record, uint64_t pos)
{
    uint32_t src = gl_record_src(record), dst = gl_record_dst(record), from, to;
    /* An object or a thread that has come meanwhile has no bit, and is in nobody's past who came before. */
    if (dst == GL_NODE_NONE || !bit_of(w, dst, &to) || !gl_bit(w->member, to) || !bit_of(w, src, &from))
        return;
    if (record & GL_REC_ASSIGN)
        w->member[to / 64] &= ~(1ull << to % 64);
    w->member[from / 64] |= 1ull << from % 64;
    if (src < row->threads && !row->joined[src])
        row->joined[src] = pos + 1;
}

/* The trim lock is held: the log from `floor` on stays.  A position without a record is none that t is ordered after, since that one's append came before
 * t's last sink. */
static void walk_back(struct gl_columns *c, struct gl_row *row)
{
    struct gl_walker *w = &c->walker;
    for (uint64_t pos = row->upto; pos > row->floor;) {
        uint64_t first = (pos - 1) / GL_LOG_CHUNK * GL_LOG_CHUNK;
        struct gl_log_chunk *chunk = gl_log_chunk_at(c->log, first);
        for (first = first < row->floor ? row->floor : first; pos > first && chunk; pos--) {
            uint64_t record = gl_load_acquire(&chunk->record[(pos - 1) % GL_LOG_CHUNK]); /* pairs with gl_log_append_inl() */
            if (gl_record_is(record))
                step_back(w, row, record, pos - 1);
        }
        pos = first;
    }
}

/* Room for as many threads as the walker has bits for, nobody's past having joined.  False: no memory. */
static bool row_fits(struct gl_row *row, uint32_t threads, const struct gl_env *env)
{
    size_t bytes = threads * sizeof *row->joined;
    if (row->threads != threads) {
        uint64_t *joined = env->map(env->ctx, bytes);
        if (!joined)
            return false;
        if (row->joined)
            env->unmap(env->ctx, row->joined, row->threads * sizeof *row->joined);
        row->joined = joined;
        row->threads = threads;
    }
    memset(row->joined, 0, bytes);
    return true;
}

/* The row of t after the records below `upto`, if it is kept. */
static const struct gl_row *row_kept(struct gl_columns *c, uint32_t t, uint64_t upto)
{
    for (uint32_t i = 0; i < GL_ROWS_KEPT; i++)
        if (c->row[i].t == t + 1 && c->row[i].upto == upto)
            return &c->row[i];
    return NULL;
}

/* Under the trim lock and the walker's; NULL: no memory. */
static const struct gl_row *work_out(struct gl_columns *c, uint32_t t, uint64_t upto)
{
    struct gl_walker *w = &c->walker;
    struct gl_row *row = &c->row[c->row_next++ % GL_ROWS_KEPT];
    row->t = 0;
    uint64_t head = gl_load_relaxed(&c->log->head);
    uint32_t threads = gl_load_acquire(&c->blocks) * GL_BLOCK; /* pairs with gl_columns_add() */
    if (!gl_walker_fits(w, threads, gl_load_relaxed(&c->objects), c->log->env) || !row_fits(row, w->threads, c->log->env))
        return NULL;
    memset(w->member, 0, (w->threads + w->objects) / 8);
    row->upto = upto;
    row->floor = head > c->retired_at ? head : c->retired_at;
    w->member[t / 64] |= 1ull << t % 64;
    walk_back(c, row);
    row->t = t + 1;
    return row;
}

/* Under the walker's lock: the row, worked out if need be; NULL: it cannot be now, for want of memory or because the log is being trimmed. */
static const struct gl_row *row_of(struct gl_columns *c, uint32_t t, uint64_t upto)
{
    const struct gl_row *kept = row_kept(c, t, upto);
    if (kept)
        return kept;
    /* Not waited for: a cell may be held, and who trims may wait for a block whose holder waits for that. */
    if (!gl_lock_try(&c->trim_lock))
        return NULL;
    kept = work_out(c, t, upto);
    gl_lock_drop(&c->trim_lock);
    return kept;
}

/* Where the segment ended; false: before `floor`, or that cannot be told.  What is kept is the position modulo GL_END_WRAP: rows answer only as long as no
 * position can be as large, however late a load of the tail is. */
static bool end_of(struct gl_columns *c, uint32_t end, uint64_t floor, uint64_t *at)
{
    *at = gl_end_after(end, 0);
    return gl_load_relaxed(&c->log->tail) < GL_END_WRAP / 2 && *at >= floor;
}

bool gl_row_says(struct gl_columns *c, const struct gl_question *q, bool ended, bool *yes)
{
    gl_lock_take(&c->walker.lock, c->log->env);
    const struct gl_row *row = row_of(c, q->t, q->upto);
    uint32_t end = gl_load_relaxed(q->end); /* relaxed: as in try_walk() */
    uint64_t at = 0;
    bool says = row && q->u < row->threads && (end ? end_of(c, end, row->floor, &at) : !ended);
    *yes = says && end && at < q->upto && row->joined[q->u] > at;
    gl_lock_drop(&c->walker.lock);
    return says;
}
