/* SPDX-License-Identifier: Apache-2.0
 *
 * Lazily replayed columns, see column.h.  Source of the idea: TR section 3 (lazy evaluation along the
 * update list); we evaluate per thread and epoch instead of per variable (docs/algorithm.md).
 */
#include "core/column.h"

#include <string.h>

#include "core/avx2.h"
#include "core/mutant.h"
#include "core/segment.h"

/* The number of a slot's block. */
static uint32_t block_of(uint32_t slot)
{
    return slot < GL_BLOCK_FIRST ? 0 : (slot - GL_BLOCK_FIRST) / GL_BLOCK + 1;
}

void gl_columns_init(struct gl_columns *c, struct gl_log *log)
{
    c->log = log;
    c->wide = gl_has_avx2();
}

bool gl_columns_add(struct gl_columns *c, uint32_t slot)
{
    const struct gl_env *env = c->log->env;
    uint32_t b = block_of(slot);
    if (gl_load_acquire(&c->block[b])) /* pairs with the publication below */
        return true;
    gl_lock_take(&c->trim_lock, env); /* a trim must not cut the log between our pos and its minimum */
    bool ok = true;
    if (!gl_load_relaxed(&c->block[b])) {
        struct gl_block *block = env->map(env->ctx, sizeof *block);
        ok = block != NULL;
        if (ok) {
            block->first = b ? GL_BLOCK_FIRST + (b - 1) * GL_BLOCK : 0;
            block->width = b ? GL_BLOCK : GL_BLOCK_FIRST;
            /* None of its columns has had an epoch yet: all earlier records leave them zero. */
            gl_store_relaxed(&block->pos, gl_load_relaxed(&c->log->tail));
            /* pairs with gl_column_value(), gl_column_least(), gl_column_ask(), gl_column_poke() and above */
            gl_store_release(&c->block[b], block);
            if (b >= gl_load_relaxed(&c->blocks))
                /* pairs with gl_columns_trim(), walk(), work_out(), gl_columns_replayed(), gl_columns_walked(), gl_columns_fini() */
                gl_store_release(&c->blocks, b + 1);
        }
    }
    gl_lock_drop(&c->trim_lock);
    return ok;
}

/* ---- memory of rows ---- */

/* `bytes`, a multiple of a cache line and far less than a region, zeroed and aligned to a line.  NULL: no memory. */
static void *region_take(struct gl_columns *c, size_t bytes)
{
    struct gl_regions *r = &c->regions;
    const struct gl_env *env = c->log->env;
    enum { HEAD = 64 }; /* keeps what follows aligned */
    gl_lock_take(&r->lock, env);
    if (!r->all || r->all->bytes - r->used < bytes) {
        size_t size = !r->all ? GL_REGION_FIRST : r->all->bytes < GL_REGION_MOST ? r->all->bytes * 2 : GL_REGION_MOST;
        struct gl_region *more = env->map(env->ctx, size);
        if (!more) {
            gl_lock_drop(&r->lock);
            return NULL;
        }
        *more = (struct gl_region){r->all, size};
        r->all = more;
        r->used = HEAD;
        gl_add_relaxed(&r->bytes, size); /* relaxed: read by who wants to know about how much it is */
    }
    void *p = (char *)r->all + r->used;
    if (r->all->next) /* of the first, a program of few threads uses little */
        gl_env_ahead(env, r->all, r->used == HEAD ? 0 : r->used, r->used + bytes, r->all->bytes);
    r->used += bytes;
    gl_lock_drop(&r->lock);
    return p;
}

/* ---- rows (under the block's lock; or row t by thread t) ---- */

static _Atomic(struct gl_pieces *) *page_place(struct gl_block *b, uint32_t node)
{
    if (node < GL_NODE_OBJECTS)
        return &b->threads[node / GL_PIECE_NODES];
    return &b->objects[(node - GL_NODE_OBJECTS) / GL_PIECE_NODES]; /* < GL_MAX_OBJECTS by gl_sync_node() */
}

/* GL_NODE_OBJECTS is a multiple of all these: a node's place below its page is in its own low bits. */
static inline uint32_t *row_find(struct gl_block *b, uint32_t node)
{
    struct gl_pieces *page = gl_load_acquire(page_place(b, node)); /* here and below: pairs with row_make() */
    uint32_t *rows = page ? gl_load_acquire(&page->piece[node / GL_ROWS % GL_PIECES]) : NULL;
    return rows ? rows + node % GL_ROWS * b->width : NULL;
}

static uint32_t *row_make(struct gl_columns *c, struct gl_block *b, uint32_t node)
{
    _Atomic(struct gl_pieces *) *place = page_place(b, node);
    struct gl_pieces *page = gl_load_relaxed(place); /* only we, under the lock, write these */
    if (!page) {
        page = region_take(c, sizeof *page);
        if (!page)
            return NULL;
        gl_store_release(place, page); /* pairs with row_find() */
    }
    _Atomic(uint32_t *) *piece = &page->piece[node / GL_ROWS % GL_PIECES];
    uint32_t *rows = gl_load_relaxed(piece);
    if (!rows) {
        rows = region_take(c, GL_ROWS * b->width * sizeof *rows);
        if (!rows)
            return NULL;
        gl_store_release(piece, rows); /* pairs with row_find() */
    }
    return rows + node % GL_ROWS * b->width;
}

/* ---- replay (its inner loops become vectors; twice, see avx2.h) ---- */

/* Rows are whole cache lines. */
#define GL_LINE 16u

static inline GL_HOT bool row_is_zero(const uint32_t *r, uint32_t width)
{
    for (const uint32_t *end = r + width; r < end; r += GL_LINE) {
        uint32_t any = 0;
        for (unsigned i = 0; i < GL_LINE; i++)
            any |= r[i];
        if (any)
            return false;
    }
    return true;
}

/* Two rows. */
static inline GL_HOT void row_max(uint32_t *restrict to, const uint32_t *restrict from, uint32_t width)
{
    for (const uint32_t *end = to + width; to < end; to += GL_LINE, from += GL_LINE)
        for (unsigned i = 0; i < GL_LINE; i++)
            to[i] = to[i] < from[i] ? from[i] : to[i];
}

/* One record.  False: out of memory. */
static inline GL_HOT bool apply(struct gl_columns *c, struct gl_block *b, uint64_t record, uint32_t width)
{
    if (record == GL_REC_NOTHING)
        return true;
    uint32_t src = gl_record_src(record), dst = gl_record_dst(record);
    uint32_t *from = row_find(b, src);
    if ((record & GL_REC_BUMP) && src - b->first < width) {
        from = from ? from : row_make(c, b, src);
        if (!from)
            return false;
        from[src - b->first]++; /* M[u][u]: epochs of u that have ended */
    }
    if (dst == GL_NODE_NONE)
        return true;
    bool assign = (record & GL_REC_ASSIGN) && !GL_MUTANT(MERGE_FOR_ASSIGN);
    uint32_t *to = row_find(b, dst);
    if (!from || row_is_zero(from, width)) { /* zero rows are most rows of most blocks: do not make them */
        if (assign && to)
            memset(to, 0, width * sizeof *to);
        return true;
    }
    to = to ? to : row_make(c, b, dst);
    if (!to)
        return false;
    if (from == to)
        return true;
    /* A thread's row is not less after it was assigned (gl_thread_create()), and is read meanwhile (gl_column_least()): element by element, where
     * memcpy might write byte by byte, and of two bytes of a number one could be the old one's. */
    if (assign && dst >= GL_NODE_OBJECTS)
        memcpy(to, from, width * sizeof *to);
    else
        row_max(to, from, width);
    return true;
}

/* Records from *pos on, below `upto`; *pos := the first that is not replayed.  False: out of memory. */
static inline GL_HOT bool replay_width(struct gl_columns *c, struct gl_block *b, uint64_t *pos, uint64_t upto, uint32_t width)
{
    while (*pos < upto) {
        struct gl_log_chunk *chunk = gl_log_chunk_at(c->log, *pos);
        uint64_t end = (*pos / GL_LOG_CHUNK + 1) * GL_LOG_CHUNK;
        for (end = end < upto ? end : upto; *pos < end; ++*pos) {
            uint64_t record = chunk ? gl_load_acquire(&chunk->record[*pos % GL_LOG_CHUNK]) : 0; /* pairs with gl_log_append_inl() */
            if (__builtin_expect(!gl_record_is(record), 0) && !(record = gl_log_read(c->log, *pos)))
                continue; /* stopped */
            if (!apply(c, b, record, width))
                return false;
        }
    }
    return true;
}

static bool replay_any(struct gl_columns *c, struct gl_block *b, uint64_t *pos, uint64_t upto)
{
    return b->width == GL_BLOCK ? replay_width(c, b, pos, upto, GL_BLOCK) : replay_width(c, b, pos, upto, GL_BLOCK_FIRST);
}

GL_AVX2 static bool replay_avx2(struct gl_columns *c, struct gl_block *b, uint64_t *pos, uint64_t upto)
{
    return b->width == GL_BLOCK ? replay_width(c, b, pos, upto, GL_BLOCK) : replay_width(c, b, pos, upto, GL_BLOCK_FIRST);
}

static void replay_locked(struct gl_columns *c, struct gl_block *b, uint64_t upto)
{
    uint64_t pos = gl_load_relaxed(&b->pos); /* written under the lock, which we hold */
    b->replayed += upto > pos ? upto - pos : 0;
    if (!(c->wide ? replay_avx2 : replay_any)(c, b, &pos, upto)) {
        gl_store_release(&c->log->stopped, true); /* pairs with gl_log_read() */
        return;
    }
    b->walked_since = 0;
    if (pos > gl_load_relaxed(&b->pos))
        gl_store_release(&b->pos, pos); /* pairs with gl_column_value(), gl_column_ask() */
}

uint32_t gl_column_value(struct gl_columns *c, uint32_t t, uint32_t u, uint64_t upto)
{
    struct gl_block *b = gl_load_acquire(&c->block[block_of(u)]); /* pairs with gl_columns_add() */
    if (gl_load_acquire(&b->pos) < upto) {                         /* pairs with replay_locked() */
        gl_lock_take(&b->lock, c->log->env);
        replay_locked(c, b, upto);
        gl_lock_drop(&b->lock);
    }
    uint32_t *r = row_find(b, t);
    /* volatile: another thread may be replaying records that touch other elements of this line */
    return r ? *(volatile uint32_t *)&r[u - b->first] : 0;
}

uint32_t gl_column_least(struct gl_columns *c, uint32_t t, uint32_t u)
{
    struct gl_block *b = gl_load_acquire(&c->block[block_of(u)]); /* pairs with gl_columns_add() */
    uint32_t *r = row_find(b, t);
    return r ? *(volatile uint32_t *)&r[u - b->first] : 0; /* volatile: as above, and rows of threads only grow */
}

/* ---- walks (under the block's lock, which keeps the log from being cut) ---- */

/* Room for the bits of these nodes.  False: no memory. */
bool gl_walker_fits(struct gl_walker *w, uint32_t threads, uint32_t objects, const struct gl_env *env)
{
    if (threads <= w->threads && objects <= w->objects)
        return true;
    uint32_t t = w->threads ? w->threads : 1024, o = w->objects ? w->objects : 1024;
    while (t < threads)
        t *= 2;
    while (o < objects)
        o *= 2;
    void *bits = env->map(env->ctx, (t + o) / 8 * 2);
    if (!bits)
        return false;
    if (w->member)
        env->unmap(env->ctx, w->member, (w->threads + w->objects) / 8 * 2);
    w->member = bits; /* not the whole struct: others look at the lock */
    w->met = (uint64_t *)bits + (t + o) / 64;
    w->threads = t;
    w->objects = o;
    return true;
}

struct walk {
    struct gl_walker *w;
    struct gl_block *b;
    const struct gl_question *q;
    bool rows; /* a node that has not been met is a member if its row says so; else it is none */
};

static inline uint32_t bit_of(const struct walk *k, uint32_t node)
{
    return node < GL_NODE_OBJECTS ? node : node - GL_NODE_OBJECTS + k->w->threads;
}

static inline bool is_member(const struct walk *k, uint32_t node)
{
    uint32_t i = bit_of(k, node);
    if (!k->rows || gl_bit(k->w->met, i))
        return gl_bit(k->w->member, i);
    const uint32_t *r = row_find(k->b, node);
    return r && r[k->q->u - k->b->first] >= k->q->epoch;
}

static inline void set_member(const struct walk *k, uint32_t node, bool member)
{
    uint32_t i = bit_of(k, node);
    uint64_t one = 1ull << i % 64;
    k->w->met[i / 64] |= one;
    k->w->member[i / 64] = (k->w->member[i / 64] & ~one) | (member ? one : 0);
}

enum outcome { NO, YES, UNKNOWN };

/* Follows the set of the segment from `pos` on, where it is {u}, or (k->rows) what the rows say. */
static enum outcome follow(struct gl_columns *c, const struct walk *k, uint64_t pos)
{
    const struct gl_question *q = k->q;
    if (!k->rows)
        set_member(k, q->u, true);
    while (pos < q->upto) {
        struct gl_log_chunk *chunk = gl_log_chunk_at(c->log, pos);
        uint64_t end = (pos / GL_LOG_CHUNK + 1) * GL_LOG_CHUNK;
        for (end = end < q->upto ? end : q->upto; pos < end; pos++) {
            uint64_t record = chunk ? gl_load_acquire(&chunk->record[pos % GL_LOG_CHUNK]) : 0; /* pairs with gl_log_append_inl() */
            if (__builtin_expect(!gl_record_is(record), 0) && !(record = gl_log_read(c->log, pos)))
                return UNKNOWN; /* stopped */
            uint32_t src = gl_record_src(record), dst = gl_record_dst(record);
            if (dst == GL_NODE_NONE)
                continue;
            if (__builtin_expect((src >= GL_NODE_OBJECTS && src - GL_NODE_OBJECTS >= k->w->objects) ||
                                     (dst >= GL_NODE_OBJECTS && dst - GL_NODE_OBJECTS >= k->w->objects), 0))
                return UNKNOWN; /* an object has come meanwhile that there is no bit for */
            if (is_member(k, src)) {
                if (dst == q->t)
                    return YES; /* threads stay members */
                set_member(k, dst, true);
            } else if ((record & GL_REC_ASSIGN) && !GL_MUTANT(MERGE_FOR_ASSIGN)) {
                set_member(k, dst, false);
            }
        }
    }
    return is_member(k, q->t) ? YES : NO;
}

static enum outcome walk(struct gl_columns *c, struct gl_block *b, const struct gl_question *q, uint64_t start, bool rows)
{
    struct gl_walker *w = &c->walker;
    const struct gl_env *env = c->log->env;
    gl_lock_take(&w->lock, env);
    enum outcome out = UNKNOWN;
    uint32_t threads = gl_load_acquire(&c->blocks) * GL_BLOCK; /* pairs with gl_columns_add() */
    if (gl_walker_fits(w, threads, gl_load_relaxed(&c->objects), env)) {
        memset(w->member, 0, (w->threads + w->objects) / 8);
        if (rows)
            memset(w->met, 0, (w->threads + w->objects) / 8);
        out = follow(c, &(struct walk){w, b, q, rows}, start);
    }
    gl_lock_drop(&w->lock);
    return out;
}

#define WALK_WORTH 1u               /* records walked that cost as much as one replayed */
#define ROWS_MUCH ((size_t)256 << 20) /* bytes; when rows take more, a replay is worth ... */
#define WALK_WORTH_MUCH 256u        /* ... so many */

/* Under the block's lock, when it is behind.  UNKNOWN: a replay is due. */
static enum outcome try_walk(struct gl_columns *c, struct gl_block *b, const struct gl_question *q)
{
    uint64_t pos = gl_load_relaxed(&b->pos), start = pos; /* written under the lock */
    const uint32_t *own = row_find(b, q->u);
    bool ended = own && own[q->u - b->first] >= q->epoch; /* before pos: what is a member now, the rows say */
    if (!ended) {
        /* relaxed: if t is ordered after the end of the segment, then by a chain of records, each of which was appended under
         * its object's lock or by a creator: then u's store of the end, which came before it gave up the first of those locks, is visible. */
        uint32_t end = gl_load_relaxed(q->end);
        start = end ? gl_end_after(end, pos) : q->upto;
        if (start >= q->upto)
            return NO;
    }
    uint64_t cost = q->upto - start, worth = gl_load_relaxed(&c->regions.bytes) > ROWS_MUCH ? WALK_WORTH_MUCH : WALK_WORTH;
    if (b->walked_since + cost > worth * (q->upto - pos))
        return UNKNOWN;
    b->walked += cost;
    b->walked_since += cost;
    return walk(c, b, q, start, ended);
}

struct gl_answer gl_column_ask(struct gl_columns *c, const struct gl_question *q)
{
    struct gl_block *b = gl_load_acquire(&c->block[block_of(q->u)]); /* pairs with gl_columns_add() */
    if (q->end && gl_load_acquire(&b->pos) < q->upto) {              /* pairs with replay_locked() */
        uint32_t least = gl_column_least(c, q->t, q->u);
        if (least >= q->epoch)
            return (struct gl_answer){least, 0};
        bool yes;
        if (q->row && gl_row_says(c, q, gl_column_least(c, q->u, q->u) >= q->epoch, &yes))
            return yes ? (struct gl_answer){q->epoch, 0} : (struct gl_answer){least, q->epoch};
        gl_lock_take(&b->lock, c->log->env);
        enum outcome out = gl_load_relaxed(&b->pos) < q->upto ? try_walk(c, b, q) : UNKNOWN;
        gl_lock_drop(&b->lock);
        if (out != UNKNOWN)
            return out == YES ? (struct gl_answer){q->epoch, 0} : (struct gl_answer){least, q->epoch};
    }
    uint32_t value = gl_column_value(c, q->t, q->u, q->upto);
    return (struct gl_answer){value, value + 1};
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

/* ---- retiring ---- */

static void clear_rows(struct gl_block *b, _Atomic(struct gl_pieces *) *pages, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct gl_pieces *page = gl_load_relaxed(&pages[i]); /* relaxed, twice: nobody else is here */
        for (uint32_t k = 0; page && k < GL_PIECES; k++) {
            uint32_t *rows = gl_load_relaxed(&page->piece[k]);
            if (rows)
                memset(rows, 0, GL_ROWS * b->width * sizeof *rows);
        }
    }
}

/* Under the block's lock. */
static void block_retire(struct gl_columns *c, struct gl_block *b, const struct gl_dead *of_slot, uint32_t slots, uint64_t upto)
{
    uint32_t end = b->first + b->width < slots ? b->first + b->width : slots;
    bool none_left = true;
    for (uint32_t u = b->first; u < end; u++)
        none_left &= of_slot[u].own != 0;
    if (none_left) { /* whatever the records say, nobody asks */
        clear_rows(b, b->threads, sizeof b->threads / sizeof *b->threads);
        clear_rows(b, b->objects, sizeof b->objects / sizeof *b->objects);
        b->walked_since = 0;
        gl_store_relaxed(&b->pos, upto); /* relaxed: nobody else is here */
    } else {
        replay_locked(c, b, upto);
        for (uint32_t t = 0; t < slots; t++) {
            uint32_t *row = of_slot[t].own ? row_find(b, t) : NULL;
            if (row)
                memset(row, 0, b->width * sizeof *row);
        }
    }
    for (uint32_t u = b->first; u < end; u++) {
        if (!of_slot[u].own)
            continue;
        uint32_t *row = row_make(c, b, u);
        if (!row) {
            gl_store_release(&c->log->stopped, true); /* pairs with gl_log_read(), gl_columns_retire() */
            return;
        }
        row[u - b->first] = of_slot[u].epochs;
    }
}

void gl_columns_retire(struct gl_columns *c, const struct gl_dead *of_slot, uint32_t slots)
{
    gl_lock_take(&c->trim_lock, c->log->env);
    uint64_t upto = gl_load_relaxed(&c->log->tail); /* nobody appends */
    for (uint32_t i = 0; i < gl_load_relaxed(&c->blocks); i++) {
        struct gl_block *b = gl_load_relaxed(&c->block[i]);
        if (!b)
            continue;
        gl_lock_take(&b->lock, c->log->env);
        block_retire(c, b, of_slot, slots, upto);
        gl_lock_drop(&b->lock);
    }
    c->retired_at = upto;
    if (!gl_load_acquire(&c->log->stopped)) /* pairs with block_retire() */
        gl_log_trim(c->log, upto);
    c->trims++;
    gl_lock_drop(&c->trim_lock);
}

uint64_t gl_columns_replayed(struct gl_columns *c)
{
    uint64_t n = 0;
    for (uint32_t i = 0, blocks = gl_load_acquire(&c->blocks); i < blocks; i++) { /* pairs with gl_columns_add() */
        struct gl_block *b = gl_load_acquire(&c->block[i]);
        n += b ? b->replayed : 0;
    }
    return n;
}

uint64_t gl_columns_walked(struct gl_columns *c)
{
    uint64_t n = 0;
    for (uint32_t i = 0, blocks = gl_load_acquire(&c->blocks); i < blocks; i++) { /* pairs with gl_columns_add() */
        struct gl_block *b = gl_load_acquire(&c->block[i]);
        n += b ? b->walked : 0;
    }
    return n;
}

void gl_column_poke(struct gl_columns *c, uint32_t t, uint32_t u, uint32_t epoch)
{
    struct gl_block *b = gl_load_acquire(&c->block[block_of(u)]); /* pairs with gl_columns_add() */
    gl_lock_take(&b->lock, c->log->env);
    uint32_t *r = row_make(c, b, t);
    if (r && r[u - b->first] < epoch)
        r[u - b->first] = epoch;
    gl_lock_drop(&b->lock);
}

void gl_columns_fini(struct gl_columns *c)
{
    const struct gl_env *env = c->log->env;
    for (uint32_t i = 0, blocks = gl_load_acquire(&c->blocks); i < blocks; i++) { /* pairs with gl_columns_add() */
        struct gl_block *b = gl_load_relaxed(&c->block[i]);
        if (b)
            env->unmap(env->ctx, b, sizeof *b);
    }
    if (c->walker.member)
        env->unmap(env->ctx, c->walker.member, (c->walker.threads + c->walker.objects) / 8 * 2);
    for (uint32_t i = 0; i < GL_ROWS_KEPT; i++)
        if (c->row[i].joined)
            env->unmap(env->ctx, c->row[i].joined, c->row[i].threads * sizeof *c->row[i].joined);
    for (struct gl_region *r = c->regions.all, *next; r; r = next) {
        next = r->next;
        env->unmap(env->ctx, r, r->bytes);
    }
}
