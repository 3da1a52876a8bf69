/* SPDX-License-Identifier: Apache-2.0
 *
 * See long_execution.h.
 */
#include "tests/support/long_execution.h"

#include <string.h>

#include "tests/support/check.h"

enum { OBJECTS = 64, BASE = 0x1000, TRIES = 8 };

/* Of a byte, by thread: the time of its last access of a kind. */
enum kind { PLAIN_READ, PLAIN_WRITE, ATOMIC_READ, ATOMIC_WRITE, KINDS };

struct thread_now {
    bool known, ended, detached;
    bool begun; /* or forked: it may be joined */
    bool in_wait, in_barrier;
    uint32_t place;      /* of the object that it waits for, or whose generation it is in */
    uint32_t generation;
    uint32_t depth;      /* of the mutex before the wait */
    uint32_t holds, rw_holds; /* mutexes; locks for reading or writing */
};

struct mutex_now {
    uint32_t owner, depth; /* depth == 0: nobody's */
    uint32_t waiting;
};

struct rwlock_now {
    uint32_t writer, readers; /* writer: thread + 1 */
};

struct barrier_now {
    uint32_t open; /* generation, 0: none */
    bool closed;
};

/* A race of one event, as it was then. */
struct race_now {
    uint32_t event;
    struct oracle_verdict verdict;
};

struct long_execution {
    struct execution x;
    uint32_t max_events, max_threads, max_words;
    uint32_t width; /* of clocks */
    const struct long_shape *p;
    struct rng rng;
    struct thread_now *thread;
    uint32_t next, running, last; /* threads: the next number, how many have not ended, who did the last step */
    struct mutex_now mutex[OBJECTS];
    uint64_t number[OBJECTS]; /* of the mutex at a place: another one when the old one's owner has ended with it */
    struct rwlock_now rwlock[OBJECTS];
    uint8_t *read_holds; /* by thread and place */
    struct barrier_now barrier[OBJECTS];
    uint32_t *inside; /* of a generation of barriers; a generation is free when nobody is */
    int posts[OBJECTS];
    uint8_t atomic_size[OBJECTS];
    /* clocks, `width` each */
    uint32_t *of_thread, *of_release_fence, *of_acquire_fence, *of_mutex, *of_reader, *of_writer, *of_volatile, *of_atomic, *of_generation,
        *of_semaphore, *of_transaction, *of_byte;
    uint32_t *time;     /* by event: its thread's own */
    uint32_t *race_of;  /* by event: 1 + its place in race[], or 0 */
    struct race_now *race;
    uint32_t *of_race; /* what the racing event's thread knew */
    uint32_t n_races, cap_races;
    bool *raced;        /* by byte: in this life */
    uint64_t heal;      /* byte that raced, to be allocated anew; 0: none */
};

struct long_execution *long_new(uint32_t max_events, uint32_t max_threads, uint32_t max_words)
{
    struct long_execution *l = check_alloc(sizeof *l);
    size_t width = max_threads, clock = width * sizeof(uint32_t);
    execution_init(&l->x, max_events);
    l->max_events = max_events;
    l->max_threads = max_threads;
    l->max_words = max_words;
    l->thread = check_alloc(max_threads * sizeof *l->thread);
    l->read_holds = check_alloc(max_threads * OBJECTS);
    l->inside = check_alloc((max_threads + 1) * sizeof *l->inside);
    l->of_thread = check_alloc(max_threads * clock);
    l->of_release_fence = check_alloc(max_threads * clock);
    l->of_acquire_fence = check_alloc(max_threads * clock);
    l->of_mutex = check_alloc(OBJECTS * clock);
    l->of_reader = check_alloc(OBJECTS * clock);
    l->of_writer = check_alloc(OBJECTS * clock);
    l->of_volatile = check_alloc(OBJECTS * clock);
    l->of_atomic = check_alloc(OBJECTS * clock);
    l->of_semaphore = check_alloc(OBJECTS * clock);
    l->of_generation = check_alloc((max_threads + 1) * clock);
    l->of_transaction = check_alloc((size_t)max_words * 4 * clock);
    l->of_byte = check_alloc((size_t)max_words * 4 * KINDS * clock);
    l->time = check_alloc(max_events * sizeof *l->time);
    l->race_of = check_alloc(max_events * sizeof *l->race_of);
    l->raced = check_alloc((size_t)max_words * 4);
    return l;
}

void long_delete(struct long_execution *l)
{
    void *all[] = {l->thread,      l->read_holds,    l->inside,      l->of_thread,      l->of_release_fence, l->of_acquire_fence,
                   l->of_mutex,    l->of_reader,     l->of_writer,   l->of_volatile,    l->of_atomic,        l->of_semaphore,
                   l->of_generation, l->of_transaction, l->of_byte,  l->time,           l->race_of,          l->raced,
                   l->race,        l->of_race};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    execution_fini(&l->x);
    free(l);
}

static uint32_t below(struct long_execution *l, uint32_t n) { return rng_below(&l->rng, n); }
static bool chance(struct long_execution *l, uint32_t percent) { return rng_chance(&l->rng, percent); }

/* ---- clocks ---- */

static uint32_t *clock_of(const struct long_execution *l, uint32_t *clocks, size_t i) { return clocks + i * l->width; }

static void join(const struct long_execution *l, uint32_t *to, const uint32_t *from)
{
    for (uint32_t u = 0; u < l->width; u++)
        to[u] = to[u] < from[u] ? from[u] : to[u];
}

static void assign(const struct long_execution *l, uint32_t *to, const uint32_t *from) { memcpy(to, from, l->width * sizeof *to); }

static bool knows(const struct long_execution *l, const uint32_t *now, const uint32_t *then)
{
    uint32_t unknown = 0;
    for (uint32_t u = 0; u < l->width; u++)
        unknown |= then[u] > now[u];
    return !unknown;
}

/* ---- accesses ---- */

static uint32_t *accesses(const struct long_execution *l, uint64_t byte, enum kind kind)
{
    return clock_of(l, l->of_byte, (byte - BASE) * KINDS + kind);
}

static bool conflicts(enum kind a, enum kind b)
{
    return (a % 2 || b % 2) && (a < ATOMIC_READ || b < ATOMIC_READ);
}

static bool races(const struct long_execution *l, uint32_t thread, uint64_t byte, enum kind kind)
{
    const uint32_t *now = clock_of(l, l->of_thread, thread);
    for (enum kind k = 0; k < KINDS; k++)
        if (conflicts(kind, k) && !knows(l, now, accesses(l, byte, k)))
            return true;
    return false;
}

/* One byte of the event is accessed, or freshly allocated. */
typedef void touch_fn(struct long_execution *l, const struct gl_event *e, uint64_t byte, unsigned bit, enum kind kind, void *ctx);

static void each_byte(struct long_execution *l, const struct gl_event *e, touch_fn *fn, void *ctx)
{
    enum kind kind = e->op == GL_OP_READ   ? PLAIN_READ
                     : e->op == GL_OP_LOAD ? ATOMIC_READ
                     : e->op <= GL_OP_FREE ? PLAIN_WRITE
                                           : ATOMIC_WRITE;
    if (e->op == GL_OP_COMMIT)
        for (uint32_t i = 0; i < e->n_reads + e->n_writes; i++)
            fn(l, e, event_byte(e, i), i, i < e->n_reads ? PLAIN_READ : PLAIN_WRITE, ctx);
    else if (e->op <= GL_OP_FREE || (e->op >= GL_OP_LOAD && e->op <= GL_OP_RMW))
        for (uint32_t i = 0; i < e->size; i++)
            fn(l, e, e->object + i, i, kind, ctx);
}

static void judge_byte(struct long_execution *l, const struct gl_event *e, uint64_t byte, unsigned bit, enum kind kind, void *verdict)
{
    struct oracle_verdict *v = verdict;
    if (e->op == GL_OP_ALLOC || bit >= 64 || !races(l, e->thread, byte, kind))
        return;
    v->races |= UINT64_C(1) << bit;
    bool twice = l->raced[byte - BASE];
    for (unsigned i = 0; i < bit && e->op == GL_OP_COMMIT; i++)
        twice |= event_byte(e, i) == byte;
    if (!twice)
        v->first |= UINT64_C(1) << bit;
}

static void record_byte(struct long_execution *l, const struct gl_event *e, uint64_t byte, unsigned bit, enum kind kind, void *verdict)
{
    const struct oracle_verdict *v = verdict;
    if (e->op == GL_OP_ALLOC) {
        memset(accesses(l, byte, 0), 0, KINDS * l->width * sizeof(uint32_t));
        l->raced[byte - BASE] = false;
        return;
    }
    accesses(l, byte, kind)[e->thread] = clock_of(l, l->of_thread, e->thread)[e->thread];
    if (bit < 64 && v->races >> bit & 1) {
        l->raced[byte - BASE] = true;
        l->heal = byte;
    }
}

static void note_race(struct long_execution *l, const struct gl_event *e, struct oracle_verdict v)
{
    if (l->n_races == l->cap_races) {
        l->cap_races = 2 * l->cap_races + 64;
        l->race = realloc(l->race, l->cap_races * sizeof *l->race);
        l->of_race = realloc(l->of_race, (size_t)l->cap_races * l->max_threads * sizeof *l->of_race);
        check(l->race && l->of_race, "out of memory");
    }
    assign(l, clock_of(l, l->of_race, l->n_races), clock_of(l, l->of_thread, e->thread));
    l->race[l->n_races] = (struct race_now){(uint32_t)l->x.n, v};
    l->race_of[l->x.n] = ++l->n_races;
}

/* ---- synchronization: may it happen, and if so, it does; accesses aside ---- */

static uint32_t place_of(const struct gl_event *e) { return (uint32_t)(e->object % OBJECTS); }

static bool mutex_step(struct long_execution *l, struct thread_now *t, const struct gl_event *e, uint32_t *now)
{
    struct mutex_now *m = &l->mutex[place_of(e)];
    uint32_t *clock = clock_of(l, l->of_mutex, place_of(e));
    switch (e->op) {
    case GL_OP_ACQ:
        if (m->depth && m->owner != e->thread)
            return false;
        t->holds += !m->depth;
        m->owner = e->thread;
        if (!m->depth++)
            join(l, now, clock);
        return true;
    case GL_OP_REL:
        if (!m->depth || m->owner != e->thread)
            return false;
        if (!--m->depth) {
            t->holds--;
            join(l, clock, now);
        }
        return true;
    case GL_OP_CWAIT_BEGIN:
        if (!m->depth || m->owner != e->thread)
            return false;
        t->depth = m->depth;
        m->depth = 0;
        t->holds--;
        t->in_wait = true;
        m->waiting++;
        t->place = place_of(e);
        join(l, clock, now);
        return true;
    default:
        if (!t->in_wait || m->depth)
            return false;
        m->owner = e->thread;
        m->depth = t->depth;
        t->holds++;
        t->in_wait = false;
        m->waiting--;
        join(l, now, clock);
        return true;
    }
}

static bool rwlock_step(struct long_execution *l, struct thread_now *t, const struct gl_event *e, uint32_t *now)
{
    struct rwlock_now *w = &l->rwlock[place_of(e)];
    uint8_t *mine = &l->read_holds[(size_t)e->thread * OBJECTS + place_of(e)];
    uint32_t *read = clock_of(l, l->of_reader, place_of(e)), *written = clock_of(l, l->of_writer, place_of(e));
    bool may = e->op == GL_OP_RDLOCK     ? !w->writer && *mine < 3
               : e->op == GL_OP_RDUNLOCK ? *mine > 0
               : e->op == GL_OP_WRLOCK   ? !w->writer && !w->readers
                                         : w->writer == e->thread + 1;
    if (!may)
        return false;
    if (e->op == GL_OP_RDLOCK || e->op == GL_OP_WRLOCK)
        join(l, now, written);
    if (e->op == GL_OP_WRLOCK)
        join(l, now, read);
    if (e->op == GL_OP_RDUNLOCK)
        join(l, read, now);
    if (e->op == GL_OP_WRUNLOCK)
        join(l, written, now);
    bool locks = e->op == GL_OP_RDLOCK || e->op == GL_OP_WRLOCK;
    t->rw_holds += locks ? 1u : UINT32_MAX;
    if (e->op == GL_OP_RDLOCK || e->op == GL_OP_RDUNLOCK) {
        w->readers += locks ? 1u : UINT32_MAX;
        *mine = (uint8_t)(*mine + (locks ? 1 : -1));
    } else {
        w->writer = locks ? e->thread + 1 : 0;
    }
    return true;
}

static bool barrier_step(struct long_execution *l, struct thread_now *t, const struct gl_event *e, uint32_t *now)
{
    struct barrier_now *b = &l->barrier[place_of(e)];
    if (e->op == GL_OP_BAR_IN) {
        if (!b->open || b->closed) {
            for (b->open = 1; l->inside[b->open]; b->open++) /* of so many one is free */
                ;
            b->closed = false;
            memset(clock_of(l, l->of_generation, b->open), 0, l->width * sizeof *now);
        }
        l->inside[b->open]++;
        join(l, clock_of(l, l->of_generation, b->open), now);
        t->in_barrier = true;
        t->place = place_of(e);
        t->generation = b->open;
        return true;
    }
    if (!t->in_barrier)
        return false;
    t->in_barrier = false;
    join(l, now, clock_of(l, l->of_generation, t->generation));
    if (b->open == t->generation) {
        b->closed = true;
        if (l->inside[t->generation] == 1)
            b->open = 0;
    }
    l->inside[t->generation]--;
    return true;
}

static bool thread_step(struct long_execution *l, struct thread_now *t, const struct gl_event *e, uint32_t *now)
{
    struct thread_now *u = &l->thread[e->object % l->width];
    switch (e->op) {
    case GL_OP_FORK:
        u->known = u->begun = true;
        l->running++;
        assign(l, clock_of(l, l->of_thread, e->object), now);
        return true;
    case GL_OP_JOIN:
        if (!u->begun || u == t || u->in_wait || u->in_barrier)
            return false;
        l->running -= !u->ended;
        u->ended = true;
        join(l, now, clock_of(l, l->of_thread, e->object));
        return true;
    default:
        l->running--;
        t->ended = true;
        return true;
    }
}

static void fence_step(struct long_execution *l, const struct gl_event *e, uint32_t *now)
{
    if (gl_order_acquires(e->order))
        join(l, now, clock_of(l, l->of_acquire_fence, e->thread));
    if (gl_order_releases(e->order))
        assign(l, clock_of(l, l->of_release_fence, e->thread), now);
}

static void atomic_begin(struct long_execution *l, const struct gl_event *e, uint32_t *now)
{
    uint32_t *clock = clock_of(l, l->of_atomic, (e->object - BASE) / 4);
    if (e->op != GL_OP_STORE)
        join(l, gl_order_acquires(e->order) ? now : clock_of(l, l->of_acquire_fence, e->thread), clock);
}

static void atomic_end(struct long_execution *l, const struct gl_event *e, const uint32_t *now)
{
    uint32_t *clock = clock_of(l, l->of_atomic, (e->object - BASE) / 4);
    const uint32_t *from = gl_order_releases(e->order) ? now : clock_of(l, l->of_release_fence, e->thread);
    if (e->op == GL_OP_STORE)
        assign(l, clock, from);
    else if (e->op == GL_OP_RMW)
        join(l, clock, from);
}

static void commit_step(struct long_execution *l, const struct gl_event *e, uint32_t *now, bool begins)
{
    for (uint32_t i = 0; i < e->n_reads + e->n_writes; i++) {
        uint32_t *clock = clock_of(l, l->of_transaction, event_byte(e, i) - BASE);
        if (begins)
            join(l, now, clock);
        else
            join(l, clock, now);
    }
}

/* Up to the accesses. */
static bool begin_step(struct long_execution *l, const struct gl_event *e, uint32_t *now)
{
    struct thread_now *t = &l->thread[e->thread];
    switch (gl_op_class(e->op)) {
    case GL_CLASS_MUTEX:
        return mutex_step(l, t, e, now);
    case GL_CLASS_RWLOCK:
        return rwlock_step(l, t, e, now);
    case GL_CLASS_BARRIER:
        return barrier_step(l, t, e, now);
    case GL_CLASS_THREAD:
        return thread_step(l, t, e, now);
    default:
        break;
    }
    uint32_t place = place_of(e);
    switch (e->op) {
    case GL_OP_VOLREAD:
        join(l, now, clock_of(l, l->of_volatile, place));
        break;
    case GL_OP_VOLWRITE:
        join(l, clock_of(l, l->of_volatile, place), now);
        break;
    case GL_OP_POST:
        l->posts[place]++;
        join(l, clock_of(l, l->of_semaphore, place), now);
        break;
    case GL_OP_WAIT:
        if (!l->posts[place])
            return false;
        l->posts[place]--;
        join(l, now, clock_of(l, l->of_semaphore, place));
        break;
    case GL_OP_LOAD:
    case GL_OP_STORE:
    case GL_OP_RMW:
        atomic_begin(l, e, now);
        break;
    case GL_OP_FENCE:
        fence_step(l, e, now);
        break;
    case GL_OP_COMMIT:
        commit_step(l, e, now, true);
        break;
    case GL_OP_END:
        return thread_step(l, t, e, now);
    default:
        break;
    }
    return true;
}

/* The event is made if it can be.  careless: also if it races. */
static bool make(struct long_execution *l, const struct gl_event *proposed, bool careless)
{
    if (l->x.n >= l->p->events)
        return false;
    uint32_t *now = clock_of(l, l->of_thread, proposed->thread);
    struct gl_event e = *proposed;
    e.site = (uint32_t)l->x.n + 1;
    struct oracle_verdict v = {0};
    bool acquires = e.op == GL_OP_COMMIT || (e.op >= GL_OP_LOAD && e.op <= GL_OP_RMW); /* then it is known too late that it races */
    if (!acquires) {
        each_byte(l, &e, judge_byte, &v);
        if (v.races && !careless)
            return false;
    }
    uint32_t time = now[e.thread];
    if (!begin_step(l, &e, now))
        return false;
    l->thread[e.thread].begun = true;
    now[e.thread] = time + 1; /* of this event; what was forked does not know it, nor need it */
    if (acquires)
        each_byte(l, &e, judge_byte, &v);
    each_byte(l, &e, record_byte, &v);
    if (e.op == GL_OP_COMMIT)
        commit_step(l, &e, now, false);
    else if (acquires)
        atomic_end(l, &e, now);
    l->race_of[l->x.n] = 0;
    l->time[l->x.n] = time + 1;
    if (v.races)
        note_race(l, &e, v);
    execution_add(&l->x, &e);
    return true;
}

/* ---- what is proposed ---- */

static bool runs(const struct long_execution *l, uint32_t t) { return l->thread[t].known && !l->thread[t].ended; }

static uint32_t pick_thread(struct long_execution *l)
{
    if (chance(l, l->p->sticky) && runs(l, l->last))
        return l->last;
    for (unsigned tries = 0; tries < 60; tries++) {
        uint32_t window = chance(l, 60) && l->next > 2 * l->p->alive ? 2 * l->p->alive : l->next, t = l->next - 1 - below(l, window);
        if (runs(l, t))
            return t;
    }
    for (uint32_t t = below(l, l->next), n = l->next; n > 0; n--, t = (t + 1) % l->next)
        if (runs(l, t))
            return t;
    return 0;
}

static uint64_t pick_byte(struct long_execution *l) { return BASE + 4 * (uint64_t)below(l, l->p->words); }

static bool access_one(struct long_execution *l, uint32_t thread)
{
    for (unsigned tries = 0; tries < TRIES; tries++) {
        struct gl_event e = {.op = chance(l, 40) ? GL_OP_WRITE : GL_OP_READ, .thread = thread, .object = pick_byte(l), .size = 4};
        if (chance(l, 6)) {
            e.object += below(l, 4);
            e.size = 1 + below(l, 4);
        } else if (chance(l, 2)) {
            e.size = 1 + below(l, 64);
        }
        if (chance(l, 1))
            e.op = chance(l, 50) ? GL_OP_FREE : GL_OP_ALLOC;
        if (e.object + e.size > BASE + 4 * (uint64_t)l->p->words)
            continue;
        if (make(l, &e, below(l, 1000) < l->p->careless))
            return true;
    }
    return false;
}

static bool atomic_one(struct long_execution *l, uint32_t thread)
{
    static const enum gl_order load[] = {GL_RLX, GL_RLX, GL_ACQ, GL_ACQ, GL_SC}, store[] = {GL_RLX, GL_RLX, GL_REL, GL_REL, GL_SC},
                               rmw[] = {GL_RLX, GL_RLX, GL_ACQ, GL_REL, GL_AR, GL_SC}, fences[] = {GL_ACQ, GL_REL, GL_AR, GL_SC};
    static const enum gl_op ops[] = {GL_OP_LOAD, GL_OP_LOAD, GL_OP_STORE, GL_OP_RMW, GL_OP_FENCE};
    struct gl_event e = {.op = ops[below(l, 5)], .thread = thread};
    e.order = e.op == GL_OP_LOAD    ? load[below(l, 5)]
              : e.op == GL_OP_STORE ? store[below(l, 5)]
              : e.op == GL_OP_RMW   ? rmw[below(l, 6)]
                                    : fences[below(l, 4)];
    if (e.op != GL_OP_FENCE) {
        uint32_t which = below(l, l->p->objects);
        e.object = BASE + 4 * (uint64_t)which; /* plain data, too */
        e.size = which < l->p->words ? l->atomic_size[which] : 0;
        for (uint32_t i = 0; i < e.size; i++)
            if (races(l, thread, e.object + i, e.op == GL_OP_LOAD ? ATOMIC_READ : ATOMIC_WRITE) && below(l, 1000) >= 10 * l->p->careless)
                e.size = 0;
    }
    return make(l, &e, true);
}

static bool commit_one(struct long_execution *l, uint32_t thread)
{
    uint64_t list[EXECUTION_COMMIT_MAX];
    struct gl_event e = {.op = GL_OP_COMMIT, .thread = thread, .n_reads = below(l, 4), .reads = list};
    e.n_writes = below(l, 4) + !e.n_reads;
    e.writes = list + e.n_reads;
    for (uint32_t i = 0; i < e.n_reads + e.n_writes; i++)
        list[i] = pick_byte(l) + (chance(l, 80) ? 0 : below(l, 4));
    if (below(l, 1000) >= 10 * l->p->careless) { /* else it may race */
        for (uint32_t i = 0; i < e.n_reads + e.n_writes; i++)
            if (races(l, thread, list[i], i < e.n_reads ? PLAIN_READ : PLAIN_WRITE))
                return false;
    }
    return make(l, &e, true);
}

static bool sync_one(struct long_execution *l, uint32_t thread)
{
    static const enum gl_op mutex[] = {GL_OP_ACQ, GL_OP_ACQ, GL_OP_ACQ, GL_OP_REL, GL_OP_REL, GL_OP_REL, GL_OP_REL, GL_OP_CWAIT_BEGIN},
                            rwlock[] = {GL_OP_RDLOCK, GL_OP_RDUNLOCK, GL_OP_RDUNLOCK, GL_OP_WRLOCK, GL_OP_WRUNLOCK, GL_OP_WRUNLOCK};
    static const enum gl_class classes[] = {GL_CLASS_MUTEX,   GL_CLASS_MUTEX,   GL_CLASS_MUTEX,     GL_CLASS_RWLOCK,     GL_CLASS_VOLATILE,
                                            GL_CLASS_ATOMIC,  GL_CLASS_BARRIER, GL_CLASS_SEMAPHORE, GL_CLASS_TRANSACTION};
    enum gl_class class = classes[below(l, sizeof classes / sizeof *classes)];
    if (!(l->p->classes >> class & 1))
        class = GL_CLASS_MUTEX;
    uint32_t place = below(l, l->p->objects);
    struct gl_event e = {.thread = thread, .object = place};
    switch (class) {
    case GL_CLASS_MUTEX:
        e.op = mutex[below(l, 8)];
        for (uint32_t k = 0; e.op != GL_OP_ACQ && k < l->p->objects; k++, place = (place + 1) % l->p->objects)
            if (l->mutex[place].depth && l->mutex[place].owner == thread)
                break;
        if (l->mutex[place].depth && l->thread[l->mutex[place].owner].ended && !l->mutex[place].waiting) { /* it stays locked for good */
            l->number[place] += OBJECTS;
            l->mutex[place].depth = 0;
            memset(clock_of(l, l->of_mutex, place), 0, l->width * sizeof(uint32_t));
        }
        e.object = l->number[place];
        break;
    case GL_CLASS_RWLOCK:
        e.op = rwlock[below(l, 6)];
        break;
    case GL_CLASS_VOLATILE:
        e.op = chance(l, 50) ? GL_OP_VOLREAD : GL_OP_VOLWRITE;
        break;
    case GL_CLASS_BARRIER:
        e.op = GL_OP_BAR_IN;
        break;
    case GL_CLASS_SEMAPHORE:
        e.op = chance(l, 50) ? GL_OP_POST : GL_OP_WAIT;
        break;
    case GL_CLASS_ATOMIC:
        return atomic_one(l, thread);
    default:
        return commit_one(l, thread);
    }
    return make(l, &e, true);
}

static bool thread_one(struct long_execution *l, uint32_t thread)
{
    struct gl_event e = {.thread = thread};
    if (chance(l, 45)) {
        e.op = GL_OP_FORK;
        e.object = l->next;
        if (l->next == l->p->threads || l->running >= l->p->alive || !make(l, &e, true))
            return false;
        l->thread[l->next].detached = chance(l, l->p->detached);
        if (chance(l, 20))
            make(l, &(struct gl_event){.op = GL_OP_BEGIN, .thread = l->next}, true);
        l->next++;
        return true;
    }
    if (chance(l, 60)) {
        e.op = GL_OP_JOIN;
        e.object = chance(l, 70) && l->next > 8 ? l->next - 1 - below(l, 8) : below(l, l->next);
        const struct thread_now *u = &l->thread[e.object];
        if (u->detached || (!u->ended && u->rw_holds) || (!u->ended && (l->running < 3 || (u->holds && !chance(l, 1)) || !chance(l, 20))))
            return false;
        return make(l, &e, true);
    }
    e.op = GL_OP_END;
    if (l->running < 3 || l->thread[thread].rw_holds || (l->thread[thread].holds && !chance(l, 1)))
        return false;
    return make(l, &e, true);
}

/* Every thread that runs passes one mutex, the first ones once more. */
static void mix(struct long_execution *l)
{
    uint32_t place = below(l, l->p->objects), n = l->next + below(l, l->next + 1), from = below(l, l->next);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t t = (from + i) % l->next;
        if (!runs(l, t) || l->thread[t].in_wait || l->thread[t].in_barrier ||
            !make(l, &(struct gl_event){.op = GL_OP_ACQ, .thread = t, .object = l->number[place]}, true))
            continue;
        if (chance(l, 20))
            access_one(l, t);
        make(l, &(struct gl_event){.op = GL_OP_REL, .thread = t, .object = l->number[place]}, true);
    }
}

/* A thread takes the mutex again that it gave up last, and again, now and then with another's access in between. */
static void again(struct long_execution *l, uint32_t thread)
{
    uint32_t place = below(l, l->p->objects);
    for (uint32_t n = 2 + below(l, 4); n > 0; n--) {
        if (!make(l, &(struct gl_event){.op = GL_OP_ACQ, .thread = thread, .object = l->number[place]}, true))
            return;
        for (uint32_t k = below(l, 4); k > 0; k--)
            access_one(l, thread);
        make(l, &(struct gl_event){.op = GL_OP_REL, .thread = thread, .object = l->number[place]}, true);
        uint32_t other = below(l, l->next);
        if (runs(l, other) && !l->thread[other].in_wait && !l->thread[other].in_barrier && chance(l, 30))
            access_one(l, other);
    }
}

static void step(struct long_execution *l)
{
    uint32_t thread = l->last = pick_thread(l);
    const struct thread_now *t = &l->thread[thread];
    if (t->in_wait || t->in_barrier) {
        if (chance(l, 30))
            make(l, &(struct gl_event){.op = t->in_wait ? GL_OP_CWAIT_END : GL_OP_BAR_OUT,
                                       .thread = thread,
                                       .object = t->in_wait ? l->number[t->place] : t->place}, true);
    } else if (l->heal && chance(l, 30)) {
        make(l, &(struct gl_event){.op = GL_OP_ALLOC, .thread = thread, .object = l->heal & ~UINT64_C(3), .size = 4}, true);
        l->heal = 0;
    } else if (below(l, 1000) < l->p->churn) {
        thread_one(l, thread);
    } else if (below(l, 1000) < l->p->mix) {
        mix(l);
    } else if (chance(l, l->p->sync)) {
        if (chance(l, 15))
            again(l, thread);
        else
            sync_one(l, thread);
    } else {
        for (uint32_t n = 1 + below(l, 5); n > 0; n--)
            access_one(l, thread);
    }
}

const struct execution *long_make(struct long_execution *l, const struct long_shape *shape, uint64_t seed)
{
    size_t clock = shape->threads * sizeof(uint32_t);
    static const uint8_t sizes[] = {0, 0, 1, 2, 4, 4, 4, 8};
    check(shape->events <= l->max_events && shape->threads <= l->max_threads && shape->words <= l->max_words && shape->objects <= OBJECTS,
          "it is larger than there is room for");
    l->p = shape;
    l->width = shape->threads;
    l->rng = rng_seed(seed);
    l->x.n = 0;
    l->n_races = 0;
    l->heal = 0;
    l->last = 0;
    memset(l->thread, 0, l->width * sizeof *l->thread);
    memset(l->mutex, 0, sizeof l->mutex);
    memset(l->rwlock, 0, sizeof l->rwlock);
    memset(l->read_holds, 0, (size_t)l->width * OBJECTS);
    memset(l->barrier, 0, sizeof l->barrier);
    memset(l->inside, 0, (l->width + 1) * sizeof *l->inside);
    memset(l->posts, 0, sizeof l->posts);
    memset(l->of_thread, 0, l->width * clock);
    memset(l->of_release_fence, 0, l->width * clock);
    memset(l->of_acquire_fence, 0, l->width * clock);
    uint32_t *const of_objects[] = {l->of_mutex, l->of_reader, l->of_writer, l->of_volatile, l->of_atomic, l->of_semaphore};
    for (unsigned i = 0; i < sizeof of_objects / sizeof *of_objects; i++)
        memset(of_objects[i], 0, OBJECTS * clock);
    memset(l->of_transaction, 0, (size_t)shape->words * 4 * clock);
    memset(l->of_byte, 0, (size_t)shape->words * 4 * KINDS * clock);
    memset(l->raced, 0, (size_t)shape->words * 4);
    for (uint32_t i = 0; i < OBJECTS; i++) {
        l->number[i] = i;
        l->atomic_size[i] = sizes[below(l, i + 1 < shape->words ? sizeof sizes : sizeof sizes - 1)];
    }
    l->next = l->running = shape->roots;
    for (uint32_t t = 0; t < shape->roots; t++)
        l->thread[t].known = true;
    for (uint64_t tries = 0; l->x.n < shape->events && tries < 20 * (uint64_t)shape->events; tries++)
        step(l);
    return &l->x;
}

struct oracle_verdict long_verdict(const struct long_execution *l, size_t event)
{
    uint32_t r = l->race_of[event];
    return r ? l->race[r - 1].verdict : (struct oracle_verdict){0};
}

struct search {
    uint64_t address;
    uint32_t kinds; /* bits */
};

static void find_byte(struct long_execution *l, const struct gl_event *e, uint64_t byte, unsigned bit, enum kind kind, void *search)
{
    struct search *s = search;
    (void)l, (void)e, (void)bit;
    if (byte == s->address)
        s->kinds |= 1u << kind;
}

bool long_is_race(const struct long_execution *l, uint64_t address, size_t now, size_t then, bool write, bool atomic)
{
    const struct gl_event *a = &l->x.event[now], *b = &l->x.event[then];
    uint32_t r = l->race_of[now];
    enum kind kind = (atomic ? ATOMIC_READ : PLAIN_READ) + write;
    if (!r || then >= now || l->time[then] <= clock_of(l, l->of_race, r - 1)[b->thread])
        return false;
    for (size_t i = then + 1; i < now; i++) /* is it the same life? */
        if (l->x.event[i].op == GL_OP_ALLOC && address - l->x.event[i].object < l->x.event[i].size)
            return false;
    struct search of_now = {.address = address}, of_then = {.address = address};
    each_byte((struct long_execution *)l, a, find_byte, &of_now);
    each_byte((struct long_execution *)l, b, find_byte, &of_then);
    if (!(of_then.kinds >> kind & 1))
        return false;
    for (enum kind k = 0; k < KINDS; k++)
        if ((of_now.kinds >> k & 1) && conflicts(k, kind))
            return true;
    return false;
}
