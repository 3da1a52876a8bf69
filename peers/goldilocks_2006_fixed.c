/* SPDX-License-Identifier: Apache-2.0
 *
 * "goldilocks-2006-fixed": the lazy list of the technical report with its smallest repair, and with what its
 * authors added later.  Precise for every op of GL_OPS; one call at a time.
 *
 * The repair (see goldilocks_2006.c for what is wrong): alock is a lock held at the *last* access.  Every access
 * chooses it anew, also one that took a short circuit.  Then, if thread t holds alock now, its owner gave it up
 * after that access and t took it after that: ordered.
 *
 * Reads are told from writes (the report's "we are currently refining our algorithm", section 2.1; done in its authors'
 * later papers).  So a byte keeps several accesses: its last write, and all reads since that nothing orders.
 * A new access takes the place of a recorded one if that is ordered before it and conflicts with nothing else:
 *
 *     plain write    replaces all                       conflicts with all
 *     plain read     replaces plain and atomic reads    conflicts with writes
 *     atomic write   replaces atomic ones               conflicts with plain ones
 *     atomic read    replaces atomic reads              conflicts with plain writes
 *
 * The question "is D ordered before what t does now", step by step.  Each of the first three is one-sided (a yes is
 * a yes, a no says nothing) and can be switched off:
 *
 *   1. own-thread         t made D
 *   2. lock-held          t holds D's alock
 *   3. thread-restricted  Apply-Lockset-Rules, on cells of the two threads only.  Here it runs backwards, since each
 *                         cell knows its thread's cell before: B starts as {t} (what brings t into a set), a cell with
 *                         `to` in B puts `from` into B, and D's thread in B is a yes.  Leaving out cells of others must
 *                         not invent order, so cells of elements that sets can lose are left out too.
 *   4. Apply-Lockset-Rules on the whole list: the answer
 *
 * Accesses of one thread with the same position have the same Goldilockset at all times, so they share a *segment*: its
 * thread, its position, and, for partially-eager evaluation, what the set was there.
 *
 *   partially-eager   a variable that is never accessed again would keep its cells for ever.  When the list is long
 *                     against the number of segments, the older half of it is evaluated once for each segment
 *                     that still needs it.  The segment keeps the set and moves up, and the cells go.
 *
 *   read-write        off: reads race with reads, as in the report.  (Atomic accesses never race with one another.)
 */
#include "peers/goldilocks_2006.h"

#include <string.h>

#include "peers/synclist.h"
#include "peers/words.h"

enum kind { PLAIN_READ, PLAIN_WRITE, ATOMIC_READ, ATOMIC_WRITE };

#define SET(kind) (1u << (kind))
#define EVERY (SET(PLAIN_READ) | SET(PLAIN_WRITE) | SET(ATOMIC_READ) | SET(ATOMIC_WRITE))

static const unsigned conflicts_with[] = {
    [PLAIN_READ] = SET(PLAIN_WRITE) | SET(ATOMIC_WRITE),
    [PLAIN_WRITE] = EVERY,
    [ATOMIC_READ] = SET(PLAIN_WRITE),
    [ATOMIC_WRITE] = SET(PLAIN_READ) | SET(PLAIN_WRITE),
};
static const unsigned replaces[] = {
    [PLAIN_READ] = SET(PLAIN_READ) | SET(ATOMIC_READ),
    [PLAIN_WRITE] = EVERY,
    [ATOMIC_READ] = SET(ATOMIC_READ),
    [ATOMIC_WRITE] = SET(ATOMIC_READ) | SET(ATOMIC_WRITE),
};

/* Accesses of `thread` at `pos`.  All live ones are in a list, in the order of their positions. */
struct segment {
    struct segment *before, *after;
    struct gl_actor *thread;
    struct gl_cell *pos;
    uint32_t refs;     /* accesses */
    uint32_t n;        /* elements of the set; 0: it is {thread} */
    uint32_t *element; /* the set at pos */
};

struct access {
    struct gl_piece piece; /* the bytes that it is the recorded access of: several may be of one byte */
    uint8_t covered;       /* the bytes that it covered */
    uint8_t kind;
    bool write;
    uint32_t site;
    struct segment *segment;
    struct gl_lock *alock;
};

struct gl_state {
    struct gl_pool pool;
    struct gl_holds holds;
    struct gl_synclist list;
    struct gl_words words;
    struct segment *first, *last;
    uint64_t segments; /* in that list */
    bool stopped;
    bool own_thread, lock_held, restricted, eager, read_write; /* switches */
    uint64_t n_events, n_accesses, n_own, n_lock, n_restricted, n_rules, n_races, n_evaluated;
};

/* ---- segments ---- */

static struct segment *segment_of(struct gl_state *s, struct gl_actor *t)
{
    struct segment *g = t->current;
    if (g && g->pos == s->list.tail)
        return g;
    if (!(g = gl_pool_take(&s->pool, sizeof *g)))
        return NULL;
    *g = (struct segment){.before = s->last, .thread = t, .pos = s->list.tail};
    *(s->last ? &s->last->after : &s->first) = g;
    s->last = g;
    s->segments++;
    g->pos->refs++;
    t->current = g;
    return g;
}

/* One access less; the segment goes with its last. */
static void unref(struct gl_state *s, struct segment *g)
{
    if (g->refs && --g->refs)
        return;
    *(g->before ? &g->before->after : &s->first) = g->after;
    *(g->after ? &g->after->before : &s->last) = g->before;
    s->segments--;
    g->pos->refs--;
    if (g->thread->current == g)
        g->thread->current = NULL;
    if (g->n)
        gl_pool_give(&s->pool, g->element, g->n * sizeof *g->element);
    gl_pool_give(&s->pool, g, sizeof *g);
}

/* The segment's set, as it was at its position, becomes the set at hand. */
static void load_set(struct gl_synclist *l, const struct segment *g)
{
    gl_set_clear(l);
    gl_set_add(l, g->thread->element);
    for (uint32_t i = 0; i < g->n; i++)
        gl_set_add(l, g->element[i]);
}

/* Keeps the set at hand as the segment's, which moves to `to`.  False: no memory, nothing changed. */
static bool store_set(struct gl_state *s, struct segment *g, struct gl_cell *to)
{
    const struct gl_synclist *l = &s->list;
    uint32_t n = 0, *element;
    for (uint32_t i = 0; i < l->set.n; i++)
        n += gl_set_has(l, l->set.member[i]);
    if (!(element = gl_pool_take(&s->pool, n * sizeof *element))) /* n >= 1: its thread */
        return false;
    n = 0;
    for (uint32_t i = 0; i < l->set.n; i++)
        if (gl_set_has(l, l->set.member[i]))
            element[n++] = l->set.member[i];
    if (g->n)
        gl_pool_give(&s->pool, g->element, g->n * sizeof *g->element);
    g->element = element;
    g->n = n;
    g->pos->refs--;
    g->pos = to;
    to->refs++;
    return true;
}

/* Partially-eager evaluation, when the list is long against what keeps it. */
static void evaluate_old(struct gl_state *s)
{
    struct gl_synclist *l = &s->list;
    if (!s->eager || l->length < 16 + 16 * s->segments)
        return;
    struct gl_cell *middle = l->head;
    for (uint64_t i = l->length / 2; i > 0; i--)
        middle = middle->next;
    for (struct segment *g = s->first; g && g->pos->number < middle->number; g = g->after) {
        load_set(l, g);
        for (const struct gl_cell *c = g->pos; c != middle; c = c->next)
            gl_set_apply(l, c);
        if (!store_set(s, g, middle))
            return; /* its cells stay: correct, only longer */
        s->n_evaluated++;
    }
}

/* ---- the question ---- */

/* Thread-restricted traversal, backwards from the tail to the segment's position. */
static bool restricted_walk(struct gl_state *s, const struct segment *g, const struct gl_actor *t)
{
    struct gl_synclist *l = &s->list;
    const struct gl_cell *of[2] = {t->last, g->thread->last};
    uint64_t number[2] = {t->last_number, g->thread->last_number};
    gl_set_clear(l);
    gl_set_add(l, t->element);
    while (!gl_set_has(l, g->thread->element)) {
        unsigned later = number[1] > number[0];
        if (number[later] < g->pos->number) { /* both are before the position */
            for (uint32_t i = 0; i < g->n; i++)
                if (gl_set_has(l, g->element[i]))
                    return true;
            return false;
        }
        const struct gl_cell *c = of[later];
        l->walked++;
        if (!c->may_go && gl_set_has(l, c->to))
            gl_set_add(l, c->from);
        of[later] = c->own_before;
        number[later] = c->own_before_number;
    }
    return true;
}

static bool is_ordered(struct gl_state *s, const struct access *d, const struct gl_actor *t)
{
    const struct segment *g = d->segment;
    if (s->own_thread && g->thread == t) {
        s->n_own++;
        return true;
    }
    if (s->lock_held && gl_holds_exclusively(t, d->alock)) {
        s->n_lock++;
        return true;
    }
    if (s->restricted && g->thread != t && restricted_walk(s, g, t)) {
        s->n_restricted++;
        return true;
    }
    s->n_rules++;
    load_set(&s->list, g);
    return gl_set_reaches(&s->list, g->pos, t->element);
}

/* ---- accesses ---- */

struct now { /* what the event does */
    const struct gl_event *e;
    struct gl_actor *t;
    bool write, atomic;
};

static void forget(void *ctx, struct gl_piece *p) { unref(ctx, ((struct access *)p)->segment); }

/* Compares with one recorded access of `shared` bytes.  True: the new access replaces it there. */
static bool meet(struct gl_state *s, const struct access *d, unsigned shared, enum kind kind, const struct now *now,
                 const struct gl_span *span, struct gl_verdict *out)
{
    bool conflict = conflicts_with[kind] & SET(d->kind), goes = replaces[kind] & SET(d->kind);
    if (!conflict && !goes)
        return false;
    bool ordered = is_ordered(s, d, now->t);
    if (!ordered && conflict) {
        struct gl_race_access second = {now->t->number, now->e->site, now->write, now->atomic};
        struct gl_race_access first = {d->segment->thread->number, d->site, d->write, d->kind >= ATOMIC_READ};
        gl_verdict_note(out, now->e, span, shared, second, first, d->covered);
    }
    return goes && (ordered || conflict); /* a race adds no order, but the access counts as made */
}

static void access_span(struct gl_state *s, const struct now *now, const struct gl_span *span, struct gl_verdict *out)
{
    bool as_write = now->write || (!now->atomic && !s->read_write);
    enum kind kind = now->atomic ? (as_write ? ATOMIC_WRITE : ATOMIC_READ) : as_write ? PLAIN_WRITE : PLAIN_READ;
    struct gl_piece **first = gl_words_at(&s->words, span->word);
    struct segment *g = segment_of(s, now->t);
    struct access *a = first && g ? gl_pool_take(&s->pool, sizeof *a) : NULL;
    if (!a) {
        out->nomem = true;
        if (g && !g->refs)
            unref(s, g);
        return;
    }
    g->refs++; /* of the new access, before an old one of the same segment goes */
    for (struct gl_piece **link = first, *p; (p = *link);) {
        struct access *d = (struct access *)p;
        unsigned shared = p->bytes & span->mask;
        if (shared && meet(s, d, shared, kind, now, span, out))
            p->bytes &= (uint8_t)~shared;
        if (p->bytes) {
            link = &p->next;
        } else {
            *link = p->next;
            unref(s, d->segment);
            gl_pool_give(&s->pool, d, sizeof *d);
        }
    }
    *a = (struct access){{*first, (uint8_t)span->mask, false}, (uint8_t)span->mask, (uint8_t)kind, now->write,
                         now->e->site, g, gl_holds_latest(now->t)};
    *first = &a->piece;
}

static void accesses(struct gl_state *s, struct now *now, struct gl_verdict *out)
{
    const struct gl_event *e = now->e;
    struct gl_span span;
    s->n_accesses++;
    if (e->op != GL_OP_COMMIT) {
        for (uint32_t done = 0; gl_span_next(e->object, e->size, &done, &span);)
            access_span(s, now, &span, out);
        return;
    }
    for (uint64_t i = 0; i < (uint64_t)e->n_reads + e->n_writes; i++) {
        now->write = i >= e->n_reads;
        span = gl_span_of_byte(now->write ? e->writes[i - e->n_reads] : e->reads[i], (uint32_t)i);
        access_span(s, now, &span, out);
    }
}

/* ---- events ---- */

static gl_status event_fixed(struct gl_state *s, const struct gl_event *e, struct gl_race *race)
{
    struct gl_step step;
    struct gl_verdict out = {0};
    if (s->stopped)
        return GL_NOMEM;
    gl_status status = gl_synclist_event(&s->list, &s->holds, e, &step);
    s->stopped = status == GL_NOMEM;
    if (status != GL_OK)
        return status;
    s->n_events += gl_event_does(e, GL_COMMIT_BEGIN);
    struct now now = {e, step.actor, e->op != GL_OP_READ && e->op != GL_OP_LOAD, gl_op_class(e->op) == GL_CLASS_ATOMIC};
    if (e->op == GL_OP_ALLOC)
        gl_words_clear(&s->words, e->object, e->size, forget, s);
    else if (now.atomic || (e->op == GL_OP_COMMIT && gl_event_does(e, GL_COMMIT_ACCESS)) || gl_op_class(e->op) == GL_CLASS_DATA)
        accesses(s, &now, &out);
    s->n_races += out.raced;
    s->stopped = !gl_synclist_sources(&s->list, e, &step);
    out.nomem |= s->stopped;
    gl_synclist_collect(&s->list);
    evaluate_old(s);
    return gl_verdict_status(&out, race);
}

static struct gl_state *create_fixed(const struct gl_env *env)
{
    struct gl_pool pool;
    gl_pool_init(&pool, env);
    struct gl_state *s = gl_pool_take(&pool, sizeof *s);
    if (!s)
        return NULL;
    s->pool = pool;
    s->holds.pool = s->list.pool = s->words.pool = &s->pool;
    s->words.piece_bytes = sizeof(struct access);
    s->own_thread = s->lock_held = s->restricted = s->eager = s->read_write = true;
    if (gl_synclist_begin(&s->list))
        return s;
    gl_pool_end(&s->pool);
    return NULL;
}

static void destroy_fixed(struct gl_state *s) { gl_pool_end(&s->pool); }

static const struct gl_switch switches[] = {
    {"own-thread", true, "short circuit: the thread made the earlier access itself"},
    {"lock-held", true, "short circuit: the thread holds a lock that was held at the earlier access"},
    {"thread-restricted", true, "before the whole list, only what the two threads did is searched for an order"},
    {"partially-eager", true, "the old half of a long list is evaluated and dropped; off: the list may grow without end"},
    {"read-write", true, "reads do not race with reads; off: they do, as in the 2006 report"},
    {NULL, false, NULL},
};

static void set_fixed(struct gl_state *s, const char *name, bool on)
{
    bool *const field[] = {&s->own_thread, &s->lock_held, &s->restricted, &s->eager, &s->read_write};
    for (unsigned i = 0; switches[i].name; i++) {
        const char *a = name, *b = switches[i].name;
        while (*a && *a == *b)
            a++, b++;
        if (*a == *b)
            *field[i] = on;
    }
}

static void counts_fixed(const struct gl_state *s, gl_count_fn *count, void *ctx)
{
    count(ctx, "events", "events that were possible", s->n_events);
    count(ctx, "accesses", "accesses checked", s->n_accesses);
    count(ctx, "rule_own_thread", "short circuit own-thread: the earlier access was the thread's own", s->n_own);
    count(ctx, "rule_lock_held", "short circuit lock-held: the thread held the earlier access's lock", s->n_lock);
    count(ctx, "rule_thread_restricted", "short circuit thread-restricted: what the two threads did was enough",
          s->n_restricted);
    count(ctx, "rule_walk", "Apply-Lockset-Rules ran over the whole list", s->n_rules);
    count(ctx, "walked_cells", "cells looked at by both kinds of walk", s->list.walked);
    count(ctx, "cells", "cells appended to the list", s->list.appended);
    count(ctx, "cells_kept", "cells in the list now", s->list.length);
    count(ctx, "segments_kept", "segments with a recorded access now", s->segments);
    count(ctx, "rule_partially_eager", "times a segment's set was brought forward", s->n_evaluated);
    count(ctx, "rule_race", "accesses whose thread was not in a Goldilockset", s->n_races);
}

const struct gl_detector gl_detector_goldilocks_2006_fixed = {
    .size = sizeof(struct gl_detector),
    .name = "goldilocks-2006-fixed",
    .can = GL_CAN_PRECISE,
    .sentence = "the 2006 report's lazy list, repaired, with its later short circuits as switches; precise, slow on "
                "long lists",
    .create = create_fixed,
    .destroy = destroy_fixed,
    .event = event_fixed,
    .counts = counts_fixed,
    .switches = switches,
    .set = set_fixed,
};
