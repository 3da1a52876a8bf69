/* SPDX-License-Identifier: Apache-2.0
 *
 * The log of synchronization events, see log.h.
 */
#include "core/log.h"

void gl_log_init(struct gl_log *log, const struct gl_env *env)
{
    log->env = env; /* the rest is zero: the log lies in mapped memory */
}

static struct gl_log_chunk *chunk_get(struct gl_log *log)
{
    gl_lock_take(&log->free_lock, log->env);
    struct gl_log_chunk *c = log->free_list;
    if (c)
        log->free_list = c->next_free;
    gl_lock_drop(&log->free_lock);
    if (!c)
        return log->env->map(log->env->ctx, sizeof *c);
    for (unsigned i = 0; i < GL_LOG_CHUNK; i++) /* not published: plain clearing would do */
        gl_store_relaxed(&c->record[i], 0);
    return c;
}

static void chunk_put(struct gl_log *log, struct gl_log_chunk *c)
{
    gl_lock_take(&log->free_lock, log->env);
    c->next_free = log->free_list;
    log->free_list = c;
    gl_lock_drop(&log->free_lock);
}

/* Pairs with gl_log_chunk_at(), and with gl_log_trim(), which frees the place. */
struct gl_log_chunk *gl_log_chunk_install(struct gl_log *log, uint64_t pos)
{
    uint64_t number = pos >> GL_LOG_CHUNK_BITS;
    /* The directory is a ring.  A place that is still taken means that no trim has got through for GL_LOG_DIR chunks: the
     * caller stops checking. */
    struct gl_log_chunk *c = chunk_get(log), *was = NULL;
    if (c) {
        c->number = number;
        if (gl_cas_acq_rel(&log->dir[number % GL_LOG_DIR], &was, c))
            return c;
        chunk_put(log, c);
        if (was->number == number)
            return was;
    }
    gl_store_release(&log->stopped, true); /* pairs with gl_log_read() */
    return NULL;
}

uint64_t gl_log_append(struct gl_log *log, uint64_t record) { return gl_log_append_inl(log, record, false); }

uint64_t gl_log_read(struct gl_log *log, uint64_t pos)
{
    for (unsigned n = 0;; n++) {
        struct gl_log_chunk *c = gl_log_chunk_at(log, pos);
        if (c) {
            /* acquire: pairs with gl_log_append_inl() */
            uint64_t r = gl_load_acquire(&c->record[pos % GL_LOG_CHUNK]);
            if (r)
                return r;
        }
        /* acquire: pairs with gl_log_chunk_install(), replay_locked(), block_retire(), gl_core_stop(), gl_node_make() */
        if (gl_load_acquire(&log->stopped))
            return 0;
        log->env->pause(log->env->ctx, n);
    }
}

void gl_log_trim(struct gl_log *log, uint64_t pos)
{
    uint64_t from = gl_load_relaxed(&log->head) >> GL_LOG_CHUNK_BITS; /* only the trimmer writes it */
    uint64_t to = pos >> GL_LOG_CHUNK_BITS;
    for (uint64_t k = from; k < to; k++) {
        struct gl_log_chunk *c = gl_load_relaxed(&log->dir[k % GL_LOG_DIR]);
        if (!c)
            continue;
        gl_store_release(&log->dir[k % GL_LOG_DIR], NULL); /* pairs with gl_log_chunk_install() */
        chunk_put(log, c);
    }
    if (to > from)
        gl_store_relaxed(&log->head, to << GL_LOG_CHUNK_BITS);
}

void gl_log_fini(struct gl_log *log)
{
    for (unsigned i = 0; i < GL_LOG_DIR; i++) {
        struct gl_log_chunk *c = gl_load_relaxed(&log->dir[i]);
        if (c)
            log->env->unmap(log->env->ctx, c, sizeof *c);
    }
    for (struct gl_log_chunk *c = log->free_list, *next; c; c = next) {
        next = c->next_free;
        log->env->unmap(log->env->ctx, c, sizeof *c);
    }
}
