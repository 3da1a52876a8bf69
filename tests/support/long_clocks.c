/* SPDX-License-Identifier: Apache-2.0
 *
 * The events of a long execution, by full clocks: no code is shared with any detector.  See long_execution.h.
 */
#include <string.h>

#include "tests/support/long_state.h"

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

bool long_races(const struct long_execution *l, uint32_t thread, uint64_t byte, enum kind kind)
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
    if (e->op == GL_OP_ALLOC || bit >= 64 || !long_races(l, e->thread, byte, kind))
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

bool long_event(struct long_execution *l, const struct gl_event *proposed, bool careless)
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
