/* SPDX-License-Identifier: Apache-2.0
 *
 * The Goldilocks algorithm as the technical report prints it (Elmas, Qadeer, Tasiran:
 * "Goldilocks: Efficiently Computing the Happens-Before Relation Using Locksets", Fig. 1): every
 * recorded access has its own Goldilockset, and every synchronization event updates every set at
 * once.  Nothing is lazy, nothing is shared between variables, and no code is shared with core/,
 * so that the two can judge each other.  Promise: precise for every op of GL_OPS; one call at a time.
 *
 * The invariant (the report's, with "element" for thread, lock or volatile):
 *
 *     thread t is in the set of access A         iff  A happens before whatever t does next
 *     another element o is in the set of access A  iff  A happens before whoever sinks from o next
 *
 * hence the rules, t being the thread that acts:
 *
 *     access x by t   races if a conflicting access of x is recorded and t is not in its set;
 *                     the new access starts with the set {t}                         (Rule 1)
 *     source(t, o)    every set that holds t gets o                                  (Rules 3, 5, 6)
 *     sink(t, o)      every set that holds o gets t                                  (Rules 2, 4, 7)
 *     alloc x         the recorded accesses of x are dropped                         (Rule 8)
 *
 * Sources and sinks are one function, flow(): every set that holds `from` gets `to`.
 *
 * Where we differ from Fig. 1
 *
 * 1. Reads do not race with reads, and atomic accesses not with atomic ones.  So a variable (a byte)
 *    records several accesses, each with its own set.  A new access E replaces a recorded access D
 *    only if it covers D: D is ordered before E, and whatever conflicts with D conflicts with E.  Then
 *    a later access that races with D also races with E: E -> F would give D -> E -> F.
 *
 *        kind             conflicts with                so, of what is ordered before it, it covers
 *        plain write      all four                      all four
 *        plain read       plain writes, atomic writes   plain reads, atomic reads
 *        atomic write     plain reads, plain writes     atomic writes, atomic reads
 *        atomic read      plain writes                  atomic reads
 *
 *    (An atomic write does not cover a plain read: a later atomic write races with the read only.  A
 *    plain read does not cover an atomic write: a later plain read races with the write only.)
 *    With a plain write this is the report's single set.
 *
 * 2. replace(): every set gets `to` if it holds `from`, and *loses* it otherwise.  A C11 store ends the
 *    release sequences of its object, so what was released before is no longer acquired through it.
 *
 * 3. Elements beyond the report's: a reader-writer lock is two (what readers and what writers
 *    released), a barrier one per generation, a fence two per thread (FENCE_F, F_t: what t's latest release
 *    fence published; FENCE_A, A_t: what t's relaxed loads have seen and an acquire fence may claim), a
 *    transaction one per byte.
 *
 * 4. A race adds no order, and the access counts as made: it replaces what it raced with, if it
 *    conflicts with no less.  Up to and including the first race of a byte the answer is exact.
 */
#include "peers/eager.h"

#include <string.h>

#include "peers/kind.h"

/* ---- what the detector knows ---- */

enum what {
    THREAD, MUTEX, RW_READERS, RW_WRITERS, VOLATILE, ATOMIC, GENERATION, SEMAPHORE, TX_BYTE, FENCE_F, FENCE_A,
    /* no elements, but kept in the same table: who holds, waits and has entered */
    MUTEX_WAITER, RW_HOLDER, BARRIER, BARRIER_VISIT
};

enum { FORKED = 1, BEGUN = 2, ENDED = 4 }; /* thing.count of a THREAD */

/* Anything with a name: (what, a, b), b being a thread or a generation.  Zero until used. */
struct thing {
    struct thing *next; /* in its bucket */
    enum what what;
    uint64_t a, b;
    uint32_t number; /* its place in Goldilocksets */
    bool held;       /* MUTEX, RW_WRITERS: by `holder`; BARRIER: the generation is closed; VISIT: inside */
    uint32_t holder;
    uint64_t count;  /* MUTEX, MUTEX_WAITER: depth; RW_READERS, RW_HOLDER: read holds; BARRIER, VISIT: generation */
};

struct set { /* bit n: the thing with number n is in */
    uint64_t *word;
    uint32_t words;
};

struct access {
    struct access *next; /* of the same variable, or free */
    enum kind kind;
    uint32_t thread, site;
    uint64_t object; /* the whole access that this byte was part of */
    uint32_t size;
    struct set gls;
};

struct variable {
    struct variable *next; /* in its bucket */
    struct variable *all;  /* in the list of all */
    uint64_t address;
    struct access *accesses;
};

struct block {
    struct block *next;
    size_t bytes;
};

#define BUCKETS 512
#define BLOCK_BYTES ((size_t)8 << 10) /* small: a test lets each fail in turn */

struct gl_state {
    struct gl_env env;
    struct block *blocks; /* all memory, also this struct's */
    char *free, *end;     /* what is left of the last block */
    bool stopped;         /* a synchronization was lost: whatever we said now could be wrong */
    uint32_t things;
    struct variable *all;
    struct access *spare;
    struct thing *thing[BUCKETS];
    struct variable *variable[BUCKETS];
    uint64_t n_events, n_accesses, n_updates, n_races;
};

/* ---- memory ---- */

static void *take(struct gl_state *s, size_t bytes)
{
    bytes = (bytes + 15) & ~(size_t)15;
    if ((size_t)(s->end - s->free) < bytes) {
        size_t want = bytes + 16 > BLOCK_BYTES ? bytes + 16 : BLOCK_BYTES;
        struct block *b = s->env.map(s->env.ctx, want);
        if (!b)
            return NULL;
        b->bytes = want;
        b->next = s->blocks;
        s->blocks = b;
        s->free = (char *)b + 16; /* sizeof *b <= 16 */
        s->end = (char *)b + want;
    }
    void *p = s->free;
    s->free += bytes;
    return p;
}

static uint32_t bucket(uint64_t x)
{
    return (uint32_t)(x * 0x9e3779b97f4a7c15u >> 40) % BUCKETS;
}

static uint32_t thing_bucket(enum what what, uint64_t a, uint64_t b)
{
    return bucket(a * 31 + b * 7 + what);
}

/* What is known of it, or a thing of which nothing is known. */
static const struct thing *known(const struct gl_state *s, enum what what, uint64_t a, uint64_t b)
{
    static const struct thing nothing;
    for (const struct thing *x = s->thing[thing_bucket(what, a, b)]; x; x = x->next)
        if (x->what == what && x->a == a && x->b == b)
            return x;
    return &nothing;
}

/* The thing itself, made when it is new.  NULL: no memory, and checking stops. */
static struct thing *get(struct gl_state *s, enum what what, uint64_t a, uint64_t b)
{
    struct thing **first = &s->thing[thing_bucket(what, a, b)];
    for (struct thing *x = *first; x; x = x->next)
        if (x->what == what && x->a == a && x->b == b)
            return x;
    struct thing *x = take(s, sizeof *x);
    if (!x) {
        s->stopped = true;
        return NULL;
    }
    *x = (struct thing){.next = *first, .what = what, .a = a, .b = b, .number = s->things++};
    *first = x;
    return x;
}

static struct variable *get_variable(struct gl_state *s, uint64_t address)
{
    struct variable **first = &s->variable[bucket(address)];
    for (struct variable *v = *first; v; v = v->next)
        if (v->address == address)
            return v;
    struct variable *v = take(s, sizeof *v);
    if (v) {
        *v = (struct variable){.next = *first, .all = s->all, .address = address};
        *first = s->all = v;
    }
    return v;
}

/* ---- Goldilocksets ---- */

static bool has(const struct set *g, const struct thing *x)
{
    return x->number / 64 < g->words && (g->word[x->number / 64] >> x->number % 64 & 1);
}

static bool put(struct gl_state *s, struct set *g, const struct thing *x)
{
    if (x->number / 64 >= g->words) {
        uint32_t words = (x->number / 64 + 1) * 2;
        uint64_t *word = take(s, words * sizeof *word);
        if (!word)
            return false;
        memset(word, 0, words * sizeof *word);
        if (g->words)
            memcpy(word, g->word, g->words * sizeof *word);
        g->word = word;
        g->words = words;
    }
    g->word[x->number / 64] |= (uint64_t)1 << x->number % 64;
    return true;
}

static void drop(struct set *g, const struct thing *x)
{
    if (x->number / 64 < g->words)
        g->word[x->number / 64] &= ~((uint64_t)1 << x->number % 64);
}

/* Every set that holds `from` gets `to`.  A NULL thing is one there was no memory for. */
static void flow(struct gl_state *s, const struct thing *from, const struct thing *to)
{
    if (!from || !to)
        return; /* stopped already */
    for (struct variable *v = s->all; v; v = v->all)
        for (struct access *x = v->accesses; x; x = x->next, s->n_updates++)
            if (has(&x->gls, from) && !put(s, &x->gls, to))
                s->stopped = true;
}

/* The same, and all other sets lose `to`. */
static void replace(struct gl_state *s, const struct thing *from, const struct thing *to)
{
    if (!from || !to)
        return;
    for (struct variable *v = s->all; v; v = v->all)
        for (struct access *x = v->accesses; x; x = x->next)
            if (!has(&x->gls, from))
                drop(&x->gls, to);
    flow(s, from, to);
}

/* ---- accesses ---- */

/* What one event's bytes have come to. */
struct verdict {
    bool raced, nomem;
    struct gl_race race;
};

static void note_race(struct verdict *out, const struct gl_event *e, enum kind kind, unsigned index,
                      uint64_t address, const struct access *then)
{
    if (index < 64)
        out->race.bytes |= (uint64_t)1 << index;
    if (out->raced)
        return; /* now and then are those of the lowest racing byte */
    out->raced = true;
    out->race.object = e->object;
    out->race.now = (struct gl_race_access){e->thread, e->site, kind_writes(kind), kind_is_atomic(kind)};
    out->race.then = (struct gl_race_access){then->thread, then->site, kind_writes(then->kind), kind_is_atomic(then->kind)};
    for (unsigned i = 0; i < 4; i++)
        if ((address & ~(uint64_t)3) + i - then->object < then->size)
            out->race.then_bytes |= (uint8_t)(1u << i);
}

/* Rule 1 for one byte, which is number `index` of the event.  It belongs to the access [object, object + size). */
static void access_byte(struct gl_state *s, const struct gl_event *e, const struct thing *t, enum kind kind,
                        uint64_t object, uint32_t size, unsigned index, uint64_t address, struct verdict *out)
{
    struct variable *v = get_variable(s, address);
    struct access *new = s->spare ? s->spare : v ? take(s, sizeof *new) : NULL;
    if (!v || !new) {
        out->nomem = true;
        return;
    }
    if (new == s->spare)
        s->spare = new->next;
    for (struct access **link = &v->accesses, *old; (old = *link);) {
        bool ordered = has(&old->gls, t);
        bool race = !ordered && kinds_conflict(old->kind, kind);
        if (race)
            note_race(out, e, kind, index, address, old);
        if ((ordered || race) && kind_covers(kind, old->kind)) {
            *link = old->next;
            old->next = s->spare;
            s->spare = old;
        } else {
            link = &old->next;
        }
    }
    struct set gls = new->gls; /* keeps the space it had when it was last used */
    if (gls.words)
        memset(gls.word, 0, gls.words * sizeof *gls.word);
    *new = (struct access){v->accesses, kind, e->thread, e->site, object, size, gls};
    if (put(s, &new->gls, t)) {
        v->accesses = new;
    } else {
        new->next = s->spare;
        s->spare = new;
        out->nomem = true;
    }
}

static void access_range(struct gl_state *s, const struct gl_event *e, const struct thing *t, enum kind kind,
                         struct verdict *out)
{
    s->n_accesses++;
    for (unsigned i = 0; i < e->size; i++)
        access_byte(s, e, t, kind, e->object, e->size, i, e->object + i, out);
}

static void fresh(struct gl_state *s, uint64_t object, uint64_t size)
{
    for (struct variable *v = s->all; v; v = v->all)
        while (v->address - object < size && v->accesses) {
            struct access *x = v->accesses;
            v->accesses = x->next;
            x->next = s->spare;
            s->spare = x;
        }
}

/* ---- the constructs that are more than one source or sink ---- */

static void atomic_op(struct gl_state *s, const struct gl_event *e, const struct thing *t, struct verdict *out)
{
    const struct thing *a = get(s, ATOMIC, e->object, 0);
    if (e->op != GL_OP_STORE) /* what it reads: claimed now, or by a later acquire fence */
        flow(s, a, gl_order_acquires(e->order) ? t : get(s, FENCE_A, e->thread, 0));
    access_range(s, e, t, e->op == GL_OP_LOAD ? ATOMIC_READ : ATOMIC_WRITE, out);
    const struct thing *published = gl_order_releases(e->order) ? t : get(s, FENCE_F, e->thread, 0);
    if (e->op == GL_OP_STORE)
        replace(s, published, a);
    else if (e->op == GL_OP_RMW)
        flow(s, published, a);
}

static void fence(struct gl_state *s, const struct gl_event *e, const struct thing *t)
{
    if (gl_order_acquires(e->order))
        flow(s, get(s, FENCE_A, e->thread, 0), t);
    if (gl_order_releases(e->order))
        flow(s, t, get(s, FENCE_F, e->thread, 0));
}

static void barrier(struct gl_state *s, const struct gl_event *e, const struct thing *t)
{
    struct thing *b = get(s, BARRIER, e->object, 0);
    struct thing *visit = get(s, BARRIER_VISIT, e->object, e->thread);
    if (!b || !visit)
        return;
    if (e->op == GL_OP_BAR_IN) {
        if (b->held) { /* closed: this thread opens the next generation */
            b->held = false;
            b->count++;
        }
        visit->held = true;
        visit->count = b->count;
        flow(s, t, get(s, GENERATION, e->object, b->count));
    } else {
        if (visit->count == b->count)
            b->held = true;
        visit->held = false;
        flow(s, get(s, GENERATION, e->object, visit->count), t);
    }
}

static void commit(struct gl_state *s, const struct gl_event *e, const struct thing *t, struct verdict *out)
{
    bool begins = gl_event_does(e, GL_COMMIT_BEGIN), accesses = gl_event_does(e, GL_COMMIT_ACCESS), ends = gl_event_does(e, GL_COMMIT_END);
    for (unsigned i = 0; begins && i < e->n_reads; i++)
        flow(s, get(s, TX_BYTE, e->reads[i], 0), t);
    for (unsigned i = 0; begins && i < e->n_writes; i++)
        flow(s, get(s, TX_BYTE, e->writes[i], 0), t);
    s->n_accesses += accesses;
    for (unsigned i = 0; accesses && i < e->n_reads; i++)
        access_byte(s, e, t, PLAIN_READ, e->reads[i], 1, i, e->reads[i], out);
    for (unsigned i = 0; accesses && i < e->n_writes; i++)
        access_byte(s, e, t, PLAIN_WRITE, e->writes[i], 1, e->n_reads + i, e->writes[i], out);
    for (unsigned i = 0; ends && i < e->n_reads; i++)
        flow(s, t, get(s, TX_BYTE, e->reads[i], 0));
    for (unsigned i = 0; ends && i < e->n_writes; i++)
        flow(s, t, get(s, TX_BYTE, e->writes[i], 0));
}

/* Mutexes and reader-writer locks.  Who holds what only matters for nesting and for is_possible(). */
static void lock_op(struct gl_state *s, const struct gl_event *e, const struct thing *t)
{
    bool is_mutex = e->op == GL_OP_ACQ || e->op == GL_OP_REL || e->op == GL_OP_CWAIT_BEGIN || e->op == GL_OP_CWAIT_END;
    struct thing *m = get(s, is_mutex ? MUTEX : RW_WRITERS, e->object, 0); /* m, w: held by a writer */
    struct thing *r = is_mutex ? m : get(s, RW_READERS, e->object, 0);
    struct thing *own = get(s, is_mutex ? MUTEX_WAITER : RW_HOLDER, e->object, e->thread);
    if (!m || !r || !own)
        return;
    switch (e->op) {
    case GL_OP_ACQ:
        m->holder = e->thread;
        m->held = true;
        m->count++;
        flow(s, m, t);
        break;
    case GL_OP_REL:
        m->held = --m->count > 0;
        if (!m->held)
            flow(s, t, m);
        break;
    case GL_OP_CWAIT_BEGIN:
        own->count = m->count;
        m->count = 0;
        m->held = false;
        flow(s, t, m);
        break;
    case GL_OP_CWAIT_END:
        m->holder = e->thread;
        m->held = true;
        m->count = own->count;
        own->count = 0;
        flow(s, m, t);
        break;
    case GL_OP_RDLOCK:
        r->count++;
        own->count++;
        flow(s, m, t);
        break;
    case GL_OP_RDUNLOCK:
        r->count--;
        own->count--;
        flow(s, t, r);
        break;
    case GL_OP_WRLOCK:
        m->holder = e->thread;
        m->held = true;
        flow(s, m, t);
        flow(s, r, t);
        break;
    default: /* GL_OP_WRUNLOCK */
        m->held = false;
        flow(s, t, m);
    }
}

/* ---- events ---- */

/* Can this event happen now?  (A semaphore's first value is not known, so any wait can.) */
static bool is_possible(const struct gl_state *s, const struct gl_event *e)
{
    uint64_t x = e->object;
    uint32_t t = e->thread;
    uint64_t life = known(s, THREAD, t, 0)->count, other = known(s, THREAD, x, 0)->count;
    const struct thing *mutex = known(s, MUTEX, x, 0), *writer = known(s, RW_WRITERS, x, 0);
    bool mine = mutex->held && mutex->holder == t;
    if (life & ENDED)
        return false;
    switch (e->op) {
    case GL_OP_READ:
    case GL_OP_WRITE:
    case GL_OP_FREE:       return e->size >= 1 && e->size <= 64;
    case GL_OP_LOAD:
    case GL_OP_STORE:
    case GL_OP_RMW:        return e->size <= 16;
    case GL_OP_ACQ:        return !mutex->held || mine;
    case GL_OP_REL:
    case GL_OP_CWAIT_BEGIN: return mine;
    case GL_OP_CWAIT_END:  return !mutex->held && known(s, MUTEX_WAITER, x, t)->count > 0;
    case GL_OP_RDLOCK:     return !writer->held || writer->holder == t;
    case GL_OP_RDUNLOCK:   return known(s, RW_HOLDER, x, t)->count > 0;
    case GL_OP_WRLOCK:     return !writer->held && known(s, RW_READERS, x, 0)->count == 0;
    case GL_OP_WRUNLOCK:   return writer->held && writer->holder == t;
    case GL_OP_BAR_IN:     return !known(s, BARRIER_VISIT, x, t)->held;
    case GL_OP_BAR_OUT:    return known(s, BARRIER_VISIT, x, t)->held;
    case GL_OP_FORK:       return x != 0 && x != t && x <= UINT32_MAX && !other;
    case GL_OP_JOIN:       return x != t && (x == 0 || other);
    case GL_OP_BEGIN:      return !(life & BEGUN);
    case GL_OP_COMMIT:     return (!e->n_reads || e->reads) && (!e->n_writes || e->writes);
    case GL_OP_ALLOC:
    case GL_OP_VOLREAD:
    case GL_OP_VOLWRITE:
    case GL_OP_FENCE:
    case GL_OP_POST:
    case GL_OP_WAIT:
    case GL_OP_END:        return true;
    case GL_OP_COUNT:      break;
    }
    return false;
}

static void perform(struct gl_state *s, const struct gl_event *e, struct thing *t, struct verdict *out)
{
    uint64_t x = e->object;
    struct thing *u;
    switch (e->op) {
    case GL_OP_READ:     access_range(s, e, t, PLAIN_READ, out); break;
    case GL_OP_WRITE:
    case GL_OP_FREE:     access_range(s, e, t, PLAIN_WRITE, out); break;
    case GL_OP_ALLOC:    fresh(s, x, e->size); break;
    case GL_OP_VOLREAD:  flow(s, get(s, VOLATILE, x, 0), t); break;
    case GL_OP_VOLWRITE: flow(s, t, get(s, VOLATILE, x, 0)); break;
    case GL_OP_LOAD:
    case GL_OP_STORE:
    case GL_OP_RMW:      atomic_op(s, e, t, out); break;
    case GL_OP_FENCE:    fence(s, e, t); break;
    case GL_OP_BAR_IN:
    case GL_OP_BAR_OUT:  barrier(s, e, t); break;
    case GL_OP_POST:     flow(s, t, get(s, SEMAPHORE, x, 0)); break;
    case GL_OP_WAIT:     flow(s, get(s, SEMAPHORE, x, 0), t); break;
    case GL_OP_FORK:
    case GL_OP_JOIN:
        if (!(u = get(s, THREAD, x, 0)))
            return;
        u->count |= e->op == GL_OP_FORK ? FORKED : ENDED;
        if (e->op == GL_OP_FORK)
            flow(s, t, u);
        else
            flow(s, u, t);
        break;
    case GL_OP_BEGIN:    break;
    case GL_OP_END:      t->count |= ENDED; break;
    case GL_OP_COMMIT:   commit(s, e, t, out); break;
    default:             lock_op(s, e, t);
    }
}

static gl_status eager_event(struct gl_state *s, const struct gl_event *e, struct gl_race *race)
{
    if (s->stopped)
        return GL_NOMEM;
    if (!is_possible(s, e))
        return GL_INVALID;
    struct thing *t = get(s, THREAD, e->thread, 0);
    if (!t)
        return GL_NOMEM;
    t->count |= BEGUN;
    s->n_events += gl_event_does(e, GL_COMMIT_BEGIN);
    struct verdict out = {0};
    perform(s, e, t, &out);
    if (out.raced) {
        s->n_races++;
        if (race)
            *race = out.race;
        return GL_RACE;
    }
    return s->stopped || out.nomem ? GL_NOMEM : GL_OK;
}

static struct gl_state *eager_create(const struct gl_env *env)
{
    struct gl_state first = {.env = *env};
    struct gl_state *s = take(&first, sizeof *s);
    if (s)
        *s = first;
    return s;
}

static void eager_destroy(struct gl_state *s)
{
    struct gl_env env = s->env;
    for (struct block *b = s->blocks, *next; b; b = next) { /* s itself lies in the last one */
        next = b->next;
        env.unmap(env.ctx, b, b->bytes);
    }
}

static void eager_counts(const struct gl_state *s, gl_count_fn *count, void *ctx)
{
    count(ctx, "events", "events that were possible", s->n_events);
    count(ctx, "accesses", "accesses checked and recorded", s->n_accesses);
    count(ctx, "rule_flow", "times a rule looked at a Goldilockset", s->n_updates);
    count(ctx, "rule_race", "accesses whose thread was not in a Goldilockset", s->n_races);
}

const struct gl_detector gl_detector_eager = {
    .size = sizeof(struct gl_detector),
    .name = "goldilocks-eager",
    .can = GL_CAN_PRECISE,
    .sentence = "the rules of the papers as written, a set per variable, applied at every event; the slow judge of the others",
    .create = eager_create,
    .destroy = eager_destroy,
    .event = eager_event,
    .counts = eager_counts,
};
