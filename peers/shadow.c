/* SPDX-License-Identifier: Apache-2.0
 *
 * See shadow.h.
 */
#include "peers/shadow.h"

#include <string.h>

/* ---- variables ---- */

void gl_var_forget(struct gl_var *v, struct gl_hb *hb)
{
    if (v->more) {
        for (unsigned k = 0; k < GL_ACCESSES; k++)
            gl_history_fini(&v->more->of[k], &hb->pool);
        gl_pool_give(&hb->pool, v->more, sizeof *v->more);
    }
    *v = (struct gl_var){0};
}

struct gl_var_more *gl_var_more(struct gl_var *v, struct gl_hb *hb)
{
    if (!v->more)
        v->more = gl_pool_take(&hb->pool, sizeof *v->more);
    return v->more;
}

static bool is_write(enum gl_access kind) { return kind == GL_PLAIN_WRITE || kind == GL_ATOMIC_WRITE; }
static bool is_atomic(enum gl_access kind) { return kind == GL_ATOMIC_READ || kind == GL_ATOMIC_WRITE; }

bool gl_var_unordered(const struct gl_var *v, enum gl_access kind, const struct gl_hb_thread *t,
                      struct gl_race_access *then)
{
    if (!v->more)
        return false;
    const struct gl_history *h = &v->more->of[kind];
    uint32_t u = gl_history_unordered(h, &t->clock.clock);
    if (u == GL_CLOCK_NONE)
        return false;
    *then = (struct gl_race_access){u, gl_history_site(h, u), is_write(kind), is_atomic(kind)};
    return true;
}

/* to := from, none of them split; *to is zero.  False: no memory; it still is. */
static bool copy_var(struct gl_var *to, struct gl_hb *hb, const struct gl_var *from)
{
    struct gl_var_more *more = NULL;
    if (from->more) {
        *to = (struct gl_var){0};
        more = gl_var_more(to, hb);
        bool ok = more != NULL;
        for (unsigned k = 0; ok && k < GL_ACCESSES; k++)
            ok = gl_history_copy(&more->of[k], &hb->pool, &from->more->of[k]);
        if (!ok) {
            gl_var_forget(to, hb);
            return false;
        }
    }
    *to = *from;
    to->more = more;
    return true;
}

/* ---- cells ---- */

/* The cell's four variables.  NULL: no memory; the cell is unchanged. */
static struct gl_var *split(struct gl_var *cell, struct gl_hb *hb)
{
    if (cell->write == GL_VAR_SPLIT)
        return cell->split;
    struct gl_var *four = gl_pool_take(&hb->pool, 4 * sizeof *four);
    if (!four)
        return NULL;
    for (unsigned i = 0; i < 4; i++)
        if (!copy_var(&four[i], hb, cell)) {
            while (i-- > 0)
                gl_var_forget(&four[i], hb);
            gl_pool_give(&hb->pool, four, 4 * sizeof *four);
            return NULL;
        }
    gl_var_forget(cell, hb);
    cell->write = GL_VAR_SPLIT;
    cell->split = four;
    return four;
}

/* All four bytes are forgotten, and the cell is whole. */
static void forget_cell(struct gl_var *cell, struct gl_hb *hb)
{
    if (cell->write == GL_VAR_SPLIT) {
        for (unsigned i = 0; i < 4; i++)
            gl_var_forget(&cell->split[i], hb);
        gl_pool_give(&hb->pool, cell->split, 4 * sizeof *cell->split);
        *cell = (struct gl_var){0};
    } else {
        gl_var_forget(cell, hb);
    }
}

/* ---- accesses ---- */

struct access {
    struct gl_clock_detector *d;
    const struct gl_event *event;
    const struct gl_hb_thread *thread;
    enum gl_access kind;
    gl_status status; /* GL_OK, GL_RACE; GL_NOMEM, GL_LIMIT: some bytes were not recorded */
    struct gl_race *race;
    uint64_t bytes; /* those that race, as in gl_race.bytes */
};

/* Bytes `mask` of the event race with *then; the first of them is number `at` of the event (at < 64, or not told). */
static void note_race(struct access *a, uint64_t mask, uint64_t at, const struct gl_race_access *then,
                      unsigned then_bytes)
{
    if (!a->bytes && a->status != GL_RACE) {
        *a->race =
            (struct gl_race){.object = a->event->object, .then = *then, .then_bytes = (uint8_t)then_bytes};
        a->race->now =
            (struct gl_race_access){a->thread->number, a->event->site, is_write(a->kind), is_atomic(a->kind)};
    }
    a->status = GL_RACE;
    if (at < 64)
        a->bytes |= mask << at;
}

static void failed(struct access *a, gl_status status)
{
    if (a->status == GL_OK)
        a->status = status;
}

/* The bytes first..first+n of a cell (first + n <= 4), which are number `at` and following of the event. */
static void access_cell(struct access *a, uint64_t address, unsigned first, unsigned n, uint64_t at)
{
    struct gl_hb *hb = &a->d->hb;
    gl_var_rule *rule = a->d->shadow.rule;
    struct gl_var *cell = gl_shadow_cell(&a->d->shadow, hb, address);
    struct gl_race_access then;
    if (!cell) {
        failed(a, address >> 2 >= GL_TABLE_MAX ? GL_LIMIT : GL_NOMEM);
        return;
    }
    if (n == 4 && cell->write != GL_VAR_SPLIT) {
        enum gl_var_verdict v = rule(hb, cell, a->thread, a->kind, a->event->site, &then);
        if (v == GL_VAR_RACE)
            note_race(a, 15, at, &then, 15);
        else if (v == GL_VAR_NOMEM)
            failed(a, GL_NOMEM);
        return;
    }
    struct gl_var *four = split(cell, hb);
    if (!four) {
        failed(a, GL_NOMEM);
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        enum gl_var_verdict v = rule(hb, &four[first + i], a->thread, a->kind, a->event->site, &then);
        if (v == GL_VAR_RACE) /* how much of the word the earlier access covered is not remembered */
            note_race(a, 1, at + i, &then, 0);
        else if (v == GL_VAR_NOMEM)
            failed(a, GL_NOMEM);
    }
    if (n == 4 && a->kind == GL_PLAIN_WRITE) { /* four times the same: whole again */
        forget_cell(cell, hb);
        (void)rule(hb, cell, a->thread, a->kind, a->event->site, &then); /* the first access of a life */
    }
}

static void access_range(struct access *a)
{
    const struct gl_event *e = a->event;
    if (e->object > UINT64_MAX - e->size) { /* no address space goes on at 0 */
        failed(a, GL_LIMIT);
        return;
    }
    for (uint64_t done = 0; done < e->size;) {
        unsigned first = (e->object + done) & 3, n = 4 - first;
        if (n > e->size - done)
            n = (unsigned)(e->size - done);
        access_cell(a, e->object + done, first, n, done);
        done += n;
    }
}

static void access_commit(struct access *a)
{
    const struct gl_event *e = a->event;
    a->kind = GL_PLAIN_READ;
    for (uint32_t i = 0; i < e->n_reads; i++)
        access_cell(a, e->reads[i], e->reads[i] & 3, 1, i);
    a->kind = GL_PLAIN_WRITE;
    for (uint32_t i = 0; i < e->n_writes; i++)
        access_cell(a, e->writes[i], e->writes[i] & 3, 1, (uint64_t)e->n_reads + i);
}

/* The bytes are fresh: whole cells are whole again, of others some bytes are forgotten. */
static gl_status fresh(struct gl_clock_detector *d, uint64_t from, uint64_t size)
{
    uint64_t limit = GL_TABLE_MAX * 4, end = from < limit && size < limit - from ? from + size : limit;
    for (uint64_t at = from; at < end;) { /* nothing is known of what lies above the limit */
        struct gl_var *cell = gl_table_find(&d->shadow.cells, at >> 2, sizeof *cell, GL_SHADOW_SHIFT);
        if (!cell) { /* nor the others of its leaf */
            at = ((at >> (GL_SHADOW_SHIFT + 2)) + 1) << (GL_SHADOW_SHIFT + 2);
            continue;
        }
        unsigned first = at & 3, n = 4 - first;
        if (n > end - at)
            n = (unsigned)(end - at);
        if (n == 4) {
            forget_cell(cell, &d->hb);
        } else {
            struct gl_var *four = split(cell, &d->hb);
            if (!four)
                return GL_NOMEM;
            for (unsigned i = 0; i < n; i++)
                gl_var_forget(&four[first + i], &d->hb);
        }
        at += n;
    }
    return GL_OK;
}

/* ---- events ---- */

void *gl_clock_detector_create(size_t size, const struct gl_env *env, const struct gl_hb_kind *kind,
                               gl_var_rule *rule)
{
    struct gl_clock_detector *d = env->map(env->ctx, size);
    if (!d)
        return NULL;
    gl_hb_init(&d->hb, env, kind);
    d->shadow.rule = rule;
    return d;
}

void gl_clock_detector_destroy(struct gl_clock_detector *d, size_t size)
{
    struct gl_env env = d->hb.pool.env;
    gl_hb_fini(&d->hb);
    env.unmap(env.ctx, d, size);
}

/* A status that says: an order was lost. */
static gl_status lost(struct gl_clock_detector *d, gl_status status)
{
    if (status == GL_NOMEM || status == GL_LIMIT)
        d->stopped = status;
    return status;
}

static gl_status accesses(struct gl_clock_detector *d, const struct gl_hb_thread *t, const struct gl_event *e,
                          enum gl_access kind, struct gl_race *race)
{
    struct gl_race unwanted;
    struct access a = {.d = d, .event = e, .thread = t, .kind = kind, .race = race ? race : &unwanted};
    d->n_accesses++;
    if (e->op == GL_OP_COMMIT)
        access_commit(&a);
    else
        access_range(&a);
    if (a.status == GL_RACE) {
        d->n_races++;
        a.race->bytes = a.bytes;
    }
    return a.status;
}

/* LOAD, STORE, RMW, COMMIT: acquire side, accesses, release side. */
static gl_status ordering_access(struct gl_clock_detector *d, struct gl_hb_thread *t,
                                 const struct gl_event *e, struct gl_race *race)
{
    d->n_syncs += gl_event_does(e, GL_COMMIT_BEGIN);
    gl_status status = lost(d, gl_hb_acquire_side(&d->hb, t, e));
    if (status != GL_OK)
        return status;
    gl_status verdict = GL_OK;
    if (e->op == GL_OP_COMMIT ? gl_event_does(e, GL_COMMIT_ACCESS) : e->size > 0)
        verdict = accesses(d, t, e, e->op == GL_OP_LOAD ? GL_ATOMIC_READ : GL_ATOMIC_WRITE, race);
    status = lost(d, gl_hb_release_side(&d->hb, t, e));
    return verdict != GL_OK ? verdict : status;
}

/* Sizes and lists; what else an event needs is checked where it is known. */
static bool is_well_formed(const struct gl_event *e)
{
    switch (e->op) {
    case GL_OP_READ:
    case GL_OP_WRITE:
    case GL_OP_FREE:
        return e->size >= 1 && e->size <= 64;
    case GL_OP_LOAD:
    case GL_OP_STORE:
    case GL_OP_RMW:
        return e->size <= 16;
    case GL_OP_COMMIT:
        return (e->reads || !e->n_reads) && (e->writes || !e->n_writes);
    default:
        return e->op < GL_OP_COUNT;
    }
}

gl_status gl_clock_detector_event(struct gl_clock_detector *d, const struct gl_event *e, struct gl_race *race)
{
    if (d->stopped != GL_OK)
        return d->stopped;
    if (!is_well_formed(e))
        return GL_INVALID;
    gl_status status;
    struct gl_hb_thread *t = gl_hb_running(&d->hb, e->thread);
    bool first = !t;
    if (first && !(t = gl_hb_begin(&d->hb, e->thread, &status)))
        return lost(d, status);
    switch (e->op) {
    case GL_OP_READ:
        return accesses(d, t, e, GL_PLAIN_READ, race);
    case GL_OP_WRITE:
    case GL_OP_FREE:
        return accesses(d, t, e, GL_PLAIN_WRITE, race);
    case GL_OP_ALLOC:
        return lost(d, fresh(d, e->object, e->size));
    case GL_OP_LOAD:
    case GL_OP_STORE:
    case GL_OP_RMW:
    case GL_OP_COMMIT:
        return ordering_access(d, t, e, race);
    default:
        status = gl_hb_sync(&d->hb, t, e, first);
        if (status == GL_INVALID && first)
            gl_hb_unbegin(t);
        d->n_syncs += status == GL_OK;
        return lost(d, status);
    }
}

void gl_clock_detector_counts(const struct gl_clock_detector *d, uint64_t short_cuts, gl_count_fn *count,
                              void *ctx)
{
    count(ctx, "accesses", "accesses checked and recorded", d->n_accesses + short_cuts);
    count(ctx, "syncs", "synchronizations", d->n_syncs);
    count(ctx, "races", "accesses that raced", d->n_races);
    gl_hb_counts(&d->hb, count, ctx);
}
