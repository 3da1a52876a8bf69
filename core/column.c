/* SPDX-License-Identifier: Apache-2.0
 *
 * Lazily replayed columns, see column.h.  Source of the idea: TR section 3 (lazy evaluation along the
 * update list); we evaluate per thread and epoch instead of per variable (docs/algorithm.md).
 */
#include "core/column.h"
#include "core/mutant.h"

void gl_columns_init(struct gl_columns *c, struct gl_log *log)
{
    c->log = log;
}

bool gl_columns_add(struct gl_columns *c, uint32_t slot)
{
    const struct gl_env *env = c->log->env;
    uint32_t b = slot / GL_BLOCK;
    if (gl_load_acquire(&c->block[b])) /* pairs with the publication below */
        return true;
    gl_lock_take(&c->trim_lock, env); /* a trim must not cut the log between our pos and its minimum */
    bool ok = true;
    if (!gl_load_relaxed(&c->block[b])) {
        struct gl_block *block = env->map(env->ctx, sizeof *block);
        ok = block != NULL;
        if (ok) {
            block->number = b;
            /* None of its columns has had an epoch yet: all earlier records leave them zero. */
            gl_store_relaxed(&block->pos, gl_load_relaxed(&c->log->tail));
            gl_store_release(&c->block[b], block); /* pairs with gl_column_value() and above */
            if (b >= gl_load_relaxed(&c->blocks))
                gl_store_release(&c->blocks, b + 1); /* pairs with gl_columns_trim() */
        }
    }
    gl_lock_drop(&c->trim_lock);
    return ok;
}

/* ---- rows (under the block's lock; or row t by thread t) ---- */

static _Atomic(struct gl_rows *) *rows_place(struct gl_block *b, uint32_t node)
{
    if (node < GL_NODE_OBJECTS)
        return &b->thread_rows[node / GL_ROWS];
    return &b->object_rows[(node - GL_NODE_OBJECTS) / GL_ROWS]; /* < GL_MAX_OBJECTS by gl_sync_node() */
}

static struct gl_row *row_find(struct gl_block *b, uint32_t node)
{
    struct gl_rows *rows = gl_load_acquire(rows_place(b, node)); /* pairs with row_make() */
    return rows ? &rows->row[node % GL_ROWS] : NULL;
}

static struct gl_row *row_make(struct gl_block *b, uint32_t node, const struct gl_env *env)
{
    _Atomic(struct gl_rows *) *place = rows_place(b, node);
    struct gl_rows *rows = gl_load_relaxed(place); /* only we, under the lock, write it */
    if (!rows) {
        rows = env->map(env->ctx, sizeof *rows);
        if (!rows)
            return NULL;
        gl_store_release(place, rows); /* pairs with row_find() */
    }
    return &rows->row[node % GL_ROWS];
}

static bool row_is_zero(const struct gl_row *r)
{
    uint32_t any = 0;
    for (unsigned i = 0; i < GL_BLOCK; i++)
        any |= r->epoch[i];
    return any == 0;
}

/* One record.  False: out of memory. */
static bool apply(struct gl_block *b, uint64_t record, const struct gl_env *env)
{
    uint32_t src = gl_record_src(record), dst = gl_record_dst(record);
    struct gl_row *from = row_find(b, src);
    if ((record & GL_REC_BUMP) && src / GL_BLOCK == b->number) {
        from = row_make(b, src, env);
        if (!from)
            return false;
        from->epoch[src % GL_BLOCK]++; /* M[u][u]: epochs of u that have ended */
    }
    if (dst == GL_NODE_NONE)
        return true;
    bool assign = (record & GL_REC_ASSIGN) && !GL_MUTANT(MERGE_FOR_ASSIGN);
    if (!from || row_is_zero(from)) { /* zero rows are most rows of most blocks: do not make them */
        struct gl_row *to = assign ? row_find(b, dst) : NULL;
        if (to)
            *to = (struct gl_row){{0}};
        return true;
    }
    struct gl_row *to = row_make(b, dst, env);
    if (!to)
        return false;
    if (assign) {
        *to = *from;
    } else {
        for (unsigned i = 0; i < GL_BLOCK; i++) /* compiles to vector maxima */
            to->epoch[i] = to->epoch[i] < from->epoch[i] ? from->epoch[i] : to->epoch[i];
    }
    return true;
}

static void replay_locked(struct gl_columns *c, struct gl_block *b, uint64_t upto)
{
    uint64_t pos = gl_load_relaxed(&b->pos); /* written under the lock, which we hold */
    b->replayed += upto > pos ? upto - pos : 0;
    for (; pos < upto; pos++) {
        uint64_t record = gl_log_read(c->log, pos);
        if (record && !apply(b, record, c->log->env)) {
            gl_store_release(&c->log->stopped, true); /* pairs with gl_log_read() */
            return;
        }
    }
    if (pos > gl_load_relaxed(&b->pos))
        gl_store_release(&b->pos, pos); /* pairs with gl_column_value() */
}

uint32_t gl_column_value(struct gl_columns *c, uint32_t t, uint32_t u, uint64_t upto)
{
    struct gl_block *b = gl_load_acquire(&c->block[u / GL_BLOCK]); /* pairs with gl_columns_add() */
    if (gl_load_acquire(&b->pos) < upto) {                         /* pairs with replay_locked() */
        gl_lock_take(&b->lock, c->log->env);
        replay_locked(c, b, upto);
        gl_lock_drop(&b->lock);
    }
    struct gl_row *r = row_find(b, t);
    /* volatile: another thread may be replaying records that touch other elements of this line */
    return r ? *(volatile uint32_t *)&r->epoch[u % GL_BLOCK] : 0;
}

void gl_columns_trim(struct gl_columns *c)
{
    if (!gl_lock_try(&c->trim_lock))
        return;
    uint64_t upto = gl_load_relaxed(&c->log->tail); /* stale: trims less, never wrongly */
    uint32_t blocks = gl_load_acquire(&c->blocks);  /* pairs with gl_columns_add() */
    for (uint32_t i = 0; i < blocks; i++) {
        struct gl_block *b = gl_load_acquire(&c->block[i]);
        if (!b)
            continue;
        gl_lock_take(&b->lock, c->log->env);
        replay_locked(c, b, upto);
        gl_lock_drop(&b->lock);
    }
    if (!gl_load_acquire(&c->log->stopped))
        gl_log_trim(c->log, upto);
    c->trims++;
    gl_lock_drop(&c->trim_lock);
}

uint64_t gl_columns_replayed(struct gl_columns *c)
{
    uint64_t n = 0;
    for (uint32_t i = 0, blocks = gl_load_acquire(&c->blocks); i < blocks; i++) {
        struct gl_block *b = gl_load_acquire(&c->block[i]);
        n += b ? b->replayed : 0;
    }
    return n;
}

void gl_column_poke(struct gl_columns *c, uint32_t t, uint32_t u, uint32_t epoch)
{
    struct gl_block *b = gl_load_acquire(&c->block[u / GL_BLOCK]);
    gl_lock_take(&b->lock, c->log->env);
    struct gl_row *r = row_make(b, t, c->log->env);
    if (r && r->epoch[u % GL_BLOCK] < epoch)
        r->epoch[u % GL_BLOCK] = epoch;
    gl_lock_drop(&b->lock);
}

void gl_columns_fini(struct gl_columns *c)
{
    const struct gl_env *env = c->log->env;
    for (uint32_t i = 0, blocks = gl_load_acquire(&c->blocks); i < blocks; i++) {
        struct gl_block *b = gl_load_relaxed(&c->block[i]);
        if (!b)
            continue;
        for (size_t k = 0; k < GL_MAX_SLOTS / GL_ROWS; k++)
            if (gl_load_relaxed(&b->thread_rows[k]))
                env->unmap(env->ctx, gl_load_relaxed(&b->thread_rows[k]), sizeof(struct gl_rows));
        for (size_t k = 0; k < GL_MAX_OBJECTS / GL_ROWS; k++)
            if (gl_load_relaxed(&b->object_rows[k]))
                env->unmap(env->ctx, gl_load_relaxed(&b->object_rows[k]), sizeof(struct gl_rows));
        env->unmap(env->ctx, b, sizeof *b);
    }
}
