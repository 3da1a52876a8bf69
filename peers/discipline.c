/* SPDX-License-Identifier: Apache-2.0
 *
 * See discipline.h.
 */
#include "peers/discipline.h"

#include <string.h>

/* ---- sets ---- */

/* Ascending, by Shell's method (a thread seldom holds more than three). */
static void sort(uint32_t *x, uint32_t n)
{
    for (uint32_t gap = n / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11)
        for (uint32_t i = gap; i < n; i++) {
            uint32_t v = x[i], k = i;
            for (; k >= gap && x[k - gap] > v; k -= gap)
                x[k] = x[k - gap];
            x[k] = v;
        }
}

/* The set of the n ascending, different numbers in d->scratch; NULL: no memory. */
static const struct gl_lockset *intern(struct gl_discipline *d, uint32_t n)
{
    size_t bytes = n * sizeof *d->scratch;
    uint64_t hash = n + 1;
    for (uint32_t i = 0; i < n; i++)
        hash = (hash ^ d->scratch[i]) * 0x9e3779b97f4a7c15u;
    struct gl_lockset *first = (struct gl_lockset *)(uintptr_t)gl_map_find(&d->sets, hash);
    for (struct gl_lockset *s = first; s; s = s->next)
        if (s->n == n && memcmp(s->lock, d->scratch, bytes) == 0)
            return s;
    struct gl_lockset *s = gl_pool_take(&d->pool, sizeof *s + bytes);
    if (!s)
        return NULL;
    s->n = n;
    memcpy(s->lock, d->scratch, bytes);
    if (first) {
        s->next = first->next;
        first->next = s;
    } else if (!gl_map_add(&d->sets, &d->pool, hash, (uintptr_t)s)) {
        gl_pool_give(&d->pool, s, sizeof *s + bytes);
        return NULL;
    }
    d->n_sets++;
    return s;
}

static bool scratch_for(struct gl_discipline *d, uint32_t n)
{
    uint32_t *grown = gl_pool_grow(&d->pool, d->scratch, sizeof *grown, &d->scratch_capacity, n);
    if (grown)
        d->scratch = grown;
    return grown;
}

static const struct gl_lockset *collect(struct gl_discipline *d, const struct gl_actor *t, bool write, bool transaction)
{
    if (!scratch_for(d, t->n + 1))
        return NULL;
    uint32_t n = 0, kept = 0;
    if (transaction)
        d->scratch[n++] = 0;
    for (uint32_t i = 0; i < t->n; i++) {
        const struct gl_hold *h = &t->hold[i];
        if (h->kind == GL_HOLD_MUTEX || h->kind == GL_HOLD_WRITE || (h->kind == GL_HOLD_READ && !write))
            d->scratch[n++] = ((struct gl_lock *)h->what)->number;
    }
    sort(d->scratch, n);
    for (uint32_t i = 0; i < n; i++) /* a writer may hold its lock for reading, too */
        if (!kept || d->scratch[kept - 1] != d->scratch[i])
            d->scratch[kept++] = d->scratch[i];
    return intern(d, kept);
}

/* LH(t).  A thread's fields `current` and `last` keep its two sets, as long as last_number is its changes + 1. */
static const struct gl_lockset *held_by(struct gl_discipline *d, struct gl_actor *t, bool write, bool transaction)
{
    if (transaction)
        return collect(d, t, write, true);
    if (t->last_number != (uint64_t)t->changes + 1) {
        t->current = t->last = NULL;
        t->last_number = (uint64_t)t->changes + 1;
    }
    void **kept = write ? &t->current : &t->last;
    if (!*kept)
        *kept = (void *)collect(d, t, write, false);
    return *kept;
}

const struct gl_lockset *gl_lockset_both(struct gl_discipline *d, const struct gl_lockset *a, const struct gl_lockset *b)
{
    if (a == b)
        return a;
    uint64_t hash = ((uintptr_t)a * 31 + (uintptr_t)b) * 0x9e3779b97f4a7c15u >> 32;
    unsigned slot = (unsigned)hash % GL_DISCIPLINE_MEMO;
    if (d->memo[slot].a == a && d->memo[slot].b == b)
        return d->memo[slot].both;
    if (!scratch_for(d, a->n + 1))
        return NULL;
    uint32_t n = 0;
    for (uint32_t i = 0, k = 0; i < a->n && k < b->n;) {
        if (a->lock[i] == b->lock[k])
            d->scratch[n++] = a->lock[i];
        uint32_t x = a->lock[i], y = b->lock[k];
        i += x <= y;
        k += y <= x;
    }
    d->n_intersections++;
    const struct gl_lockset *both = intern(d, n);
    if (both) {
        d->memo[slot].a = a;
        d->memo[slot].b = b;
        d->memo[slot].both = both;
    }
    return both;
}

/* ---- from events to checks ---- */

static void check_span(struct gl_discipline *d, const struct gl_event *e, const struct gl_check *c,
                       const struct gl_span *span, gl_check_fn *check, struct gl_verdict *out)
{
    struct gl_piece *found[4];
    unsigned n = c->held ? gl_words_split(&d->words, span->word, span->mask, found) : 0;
    out->nomem |= !n;
    for (unsigned i = 0; i < n; i++) {
        struct gl_seen_access then = {0};
        found[i]->copied = false;
        if (check(d, found[i], c, &then, &out->nomem))
            gl_verdict_note(out, e, span, found[i]->bytes,
                            (struct gl_race_access){c->now.thread, c->now.site, c->now.write, false},
                            (struct gl_race_access){then.thread, then.site, then.write, false}, found[i]->bytes);
    }
}

static void check_all(struct gl_discipline *d, const struct gl_event *e, struct gl_actor *t, gl_check_fn *check,
                      struct gl_verdict *out)
{
    struct gl_check c = {.now = {true, e->op != GL_OP_READ, e->thread, e->site}};
    struct gl_span span;
    d->n_accesses++;
    if (e->op != GL_OP_COMMIT) {
        c.held = held_by(d, t, c.now.write, false);
        for (uint32_t done = 0; gl_span_next(e->object, e->size, &done, &span);)
            check_span(d, e, &c, &span, check, out);
        return;
    }
    for (uint64_t i = 0; i < (uint64_t)e->n_reads + e->n_writes; i++) {
        c.now.write = i >= e->n_reads;
        c.held = held_by(d, t, c.now.write, true);
        span = gl_span_of_byte(c.now.write ? e->writes[i - e->n_reads] : e->reads[i], (uint32_t)i);
        check_span(d, e, &c, &span, check, out);
    }
}

gl_status gl_discipline_event(struct gl_discipline *d, const struct gl_event *e, gl_check_fn *check, struct gl_race *race)
{
    struct gl_step step;
    struct gl_verdict out = {0};
    if (d->stopped)
        return GL_NOMEM;
    gl_status status = gl_holds_event(&d->holds, e, &step);
    if (status != GL_OK) {
        d->stopped = status == GL_NOMEM;
        return status;
    }
    d->n_events += gl_event_does(e, GL_COMMIT_BEGIN);
    if (e->op == GL_OP_ALLOC)
        gl_words_clear(&d->words, e->object, e->size, NULL, NULL);
    else if ((e->op == GL_OP_COMMIT && gl_event_does(e, GL_COMMIT_ACCESS)) || gl_op_class(e->op) == GL_CLASS_DATA)
        check_all(d, e, step.actor, check, &out);
    d->n_races += out.raced;
    return gl_verdict_status(&out, race);
}

struct gl_discipline *gl_discipline_create(const struct gl_env *env, size_t piece_bytes)
{
    struct gl_pool pool;
    gl_pool_init(&pool, env);
    struct gl_discipline *d = gl_pool_take(&pool, sizeof *d);
    if (!d)
        return NULL;
    d->pool = pool;
    d->holds.pool = d->words.pool = &d->pool;
    d->words.piece_bytes = piece_bytes;
    return d;
}

void gl_discipline_destroy(struct gl_discipline *d) { gl_pool_end(&d->pool); }

void gl_discipline_counts(const struct gl_discipline *d, gl_count_fn *count, void *ctx)
{
    count(ctx, "events", "events that were possible", d->n_events);
    count(ctx, "accesses", "accesses checked", d->n_accesses);
    count(ctx, "sets", "different sets of locks", d->n_sets);
    count(ctx, "intersections", "intersections computed (others were remembered)", d->n_intersections);
    count(ctx, "rule_race", "accesses that broke the discipline", d->n_races);
}
