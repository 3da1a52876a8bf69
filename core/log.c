/* SPDX-License-Identifier: Apache-2.0
 *
 * The log of synchronization events, see log.h.
 */
#include "core/log.h"

void gl_log_init(struct gl_log *log, const struct gl_env *env)
{
    log->env = env; /* the rest is zero: the log lies in mapped memory */
    log->most = GL_ROOM_MOST;
}

/* A chunk without records.  NULL: no memory.  *fresh: it was in no place of the directory yet. */
static struct gl_log_chunk *chunk_get(struct gl_log *log, bool *fresh)
{
    gl_lock_take(&log->free_lock, log->env);
    struct gl_log_chunk *c = log->free_list;
    if (c)
        log->free_list = c->next_free;
    gl_lock_drop(&log->free_lock);
    *fresh = !c || c->spare;
    if (!c)
        return log->env->map(log->env->ctx, sizeof *c);
    if (c->spare)
        return c;
    /* Who still holds room in it from an earlier life finds that its positions do not hold that life's number any more: until here they held records, or
     * had been closed. */
    uint64_t life = gl_load_relaxed(&c->life) + 1;
    gl_store_release(&c->life, life); /* after the chunk left the directory.  Pairs with gl_log_room() */
    for (unsigned i = 0; i < GL_LOG_CHUNK; i++)
        gl_store_relaxed(&c->record[i], life); // < GL_REC_VALID; relaxed: published by gl_log_chunk_install()
    return c;
}

static void chunk_put(struct gl_log *log, struct gl_log_chunk *c)
{
    gl_lock_take(&log->free_lock, log->env);
    c->next_free = log->free_list;
    log->free_list = c;
    gl_lock_drop(&log->free_lock);
}

/* False: something else is there than *was; the chunk is given back. */
static bool chunk_place(struct gl_log *log, _Atomic uintptr_t *place, uintptr_t *was, struct gl_log_chunk *c, uint64_t number, bool fresh)
{
    c->spare = false;
    gl_store_release(&c->number, number); /* pairs with gl_log_chunk_named(), gl_log_chunk_install() */
    if (gl_cas_acq_rel(place, was, (uintptr_t)c)) {
        if (fresh && number && log->env->soon) /* a short run needs a part of the first only; who came second to a place needs none */
            log->env->soon(log->env->ctx, c, sizeof *c);
        return true;
    }
    c->spare = fresh;
    chunk_put(log, c);
    return false;
}

/* Pairs with gl_log_chunk_at(), and with gl_log_trim(), which frees the place. */
struct gl_log_chunk *gl_log_chunk_install(struct gl_log *log, uint64_t pos)
{
    uint64_t number = pos >> GL_LOG_CHUNK_BITS;
    _Atomic uintptr_t *place = &log->dir[number % GL_LOG_DIR];
    for (;;) {
        uintptr_t was = gl_load_acquire(place); /* as in gl_log_chunk_at() */
        if ((was & 1) && was >= gl_log_gone(number))
            return NULL; /* it has come and gone, or even a later one of the same place */
        if (was && !(was & 1)) {
            struct gl_log_chunk *there = (struct gl_log_chunk *)was;
            uint64_t its = gl_load_acquire(&there->number); /* pairs with chunk_place(), of its next life: then the place has another entry */
            if (its == number)
                return there;
            if (gl_load_acquire(place) != was) /* as above */
                continue;                      /* cut off meanwhile */
            if (its > number)
                return NULL;
            /* The directory is a ring.  A place that is still taken means that no trim has got through for GL_LOG_DIR chunks: the
             * caller stops checking. */
            break;
        }
        bool fresh;
        struct gl_log_chunk *c = chunk_get(log, &fresh);
        if (!c)
            break;
        if (chunk_place(log, place, &was, c, number, fresh))
            return c;
    }
    gl_store_release(&log->stopped, true); /* pairs with gl_log_read(), gl_log_room() */
    return NULL;
}

/* The chunk of this number, before anybody has a position in it: many threads would come to it at once, and each of them make one.
 * Without memory, or room in the directory, whoever needs it tries again. */
static void chunk_ahead(struct gl_log *log, uint64_t number)
{
    _Atomic uintptr_t *place = &log->dir[number % GL_LOG_DIR];
    uintptr_t was = gl_load_relaxed(place); /* relaxed: only compared */
    if (was && was != gl_log_gone(number - GL_LOG_DIR))
        return;
    bool fresh;
    struct gl_log_chunk *c = chunk_get(log, &fresh);
    if (c)
        (void)chunk_place(log, place, &was, c, number, fresh);
}

/* Where in a chunk the next one is made. */
#define AHEAD (GL_LOG_CHUNK / 4 * 3)

bool gl_log_room(struct gl_log *log, struct gl_room *room)
{
    uint32_t n = room->size;
    n = !n ? 1 : room->next < room->end ? (n + 1) / 2 : n * 2 < log->most ? n * 2 : log->most;
    room->size = n;
    room->end = room->next; /* the rest is closed by who comes to it */
    for (;;) {
        /* relaxed: the order of positions of records that name the same node is that of their appends, since each is at or behind the `least` that
         * the one before left, under the object's lock or in the thread itself.  A room that is taken now lies behind all that were taken before, for a
         * read-modify-write of one object respects happens-before by coherence. */
        uint64_t pos = gl_add_relaxed(&log->tail, n), number = pos >> GL_LOG_CHUNK_BITS;
        room->due |= (pos + n) / GL_LOG_TRIM != pos / GL_LOG_TRIM;
        struct gl_log_chunk *c = gl_log_chunk_at(log, pos);
        if (!c)
            c = gl_log_chunk_install(log, pos);
        if (!c && gl_load_acquire(&log->stopped)) /* pairs with gl_log_chunk_install() */
            return false;
        if (!c)
            continue; /* it has come and gone while we slept: all of it was closed */
        uint64_t life = gl_load_acquire(&c->life); /* pairs with chunk_get(), of a later life: then the directory has another entry */
        if (gl_log_chunk_at(log, pos) != c)
            continue; /* the same.  A chunk that is there again was there all the time, for a number comes once: the life is that of our positions */
        uint64_t end = (number + 1) << GL_LOG_CHUNK_BITS;
        if (pos % GL_LOG_CHUNK < AHEAD && pos % GL_LOG_CHUNK + n >= AHEAD)
            chunk_ahead(log, number + 1);
        room->next = pos;
        room->end = pos + n < end ? pos + n : end;
        room->slot = &c->record[pos % GL_LOG_CHUNK];
        room->life = life;
        return true;
    }
}

uint64_t gl_log_append(struct gl_log *log, uint64_t record)
{
    struct gl_room room = {0};
    return gl_log_append_inl(log, &room, record, UINT64_MAX, false);
}

uint64_t gl_log_read(struct gl_log *log, uint64_t pos)
{
    struct gl_log_chunk *c = gl_log_chunk_at(log, pos);
    if (!c)
        c = gl_log_chunk_install(log, pos);
    if (!c) { /* it is not gone: the caller's block stands before it */
        gl_store_release(&log->stopped, true); /* pairs with gl_log_read() */
        return 0;
    }
    _Atomic uint64_t *slot = &c->record[pos % GL_LOG_CHUNK];
    uint64_t word = gl_load_acquire(slot); /* acquire: pairs with gl_log_append_inl() */
    /* acq_rel, acquire if a record comes first: as above.  Who has lost the position needs to see nothing of ours. */
    if (!gl_record_is(word) && gl_cas_acq_rel(slot, &word, GL_REC_NOTHING))
        word = GL_REC_NOTHING;
    /* acquire: pairs with gl_log_chunk_install(), replay_locked(), block_retire(), gl_core_stop(), gl_node_make(): a lost synchronization leaves a
     * position that nobody wrote. */
    return word == GL_REC_NOTHING && gl_load_acquire(&log->stopped) ? 0 : word;
}

void gl_log_trim(struct gl_log *log, uint64_t pos)
{
    uint64_t from = gl_load_relaxed(&log->head) >> GL_LOG_CHUNK_BITS; /* only the trimmer writes it */
    uint64_t to = pos >> GL_LOG_CHUNK_BITS;
    for (uint64_t k = from; k < to; k++) {
        struct gl_log_chunk *c = gl_log_chunk_named(gl_load_relaxed(&log->dir[k % GL_LOG_DIR]), k);
        if (!c)
            continue;
        gl_store_release(&log->dir[k % GL_LOG_DIR], gl_log_gone(k)); /* pairs with gl_log_chunk_install() */
        chunk_put(log, c);
    }
    if (to > from)
        gl_store_relaxed(&log->head, to << GL_LOG_CHUNK_BITS);
}

void gl_log_fini(struct gl_log *log)
{
    uint64_t made = (gl_load_relaxed(&log->tail) >> GL_LOG_CHUNK_BITS) + 2; /* one may be made ahead; the rest was never touched, and stays so */
    for (unsigned i = 0; i < GL_LOG_DIR && i < made; i++) {
        uintptr_t c = gl_load_relaxed(&log->dir[i]);
        if (c && !(c & 1))
            log->env->unmap(log->env->ctx, (void *)c, sizeof(struct gl_log_chunk));
    }
    for (struct gl_log_chunk *c = log->free_list, *next; c; c = next) {
        next = c->next_free;
        log->env->unmap(log->env->ctx, c, sizeof *c);
    }
}
