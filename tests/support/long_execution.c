/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proposed; long_clocks.c says whether it can be.  See long_execution.h.
 */
#include <string.h>

#include "tests/support/long_state.h"

enum { TRIES = 8 };

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
        if (long_event(l, &e, below(l, 1000) < l->p->careless))
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
            if (long_races(l, thread, e.object + i, e.op == GL_OP_LOAD ? ATOMIC_READ : ATOMIC_WRITE) && below(l, 1000) >= 10 * l->p->careless)
                e.size = 0;
    }
    return long_event(l, &e, true);
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
            if (long_races(l, thread, list[i], i < e.n_reads ? PLAIN_READ : PLAIN_WRITE))
                return false;
    }
    return long_event(l, &e, true);
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
    return long_event(l, &e, true);
}

static bool thread_one(struct long_execution *l, uint32_t thread)
{
    struct gl_event e = {.thread = thread};
    if (chance(l, 45)) {
        e.op = GL_OP_FORK;
        e.object = l->next;
        if (l->next == l->p->threads || l->running >= l->p->alive || !long_event(l, &e, true))
            return false;
        l->thread[l->next].detached = chance(l, l->p->detached);
        if (chance(l, 20))
            long_event(l, &(struct gl_event){.op = GL_OP_BEGIN, .thread = l->next}, true);
        l->next++;
        return true;
    }
    if (chance(l, 60)) {
        e.op = GL_OP_JOIN;
        e.object = chance(l, 70) && l->next > 8 ? l->next - 1 - below(l, 8) : below(l, l->next);
        const struct thread_now *u = &l->thread[e.object];
        if (u->detached || (!u->ended && u->rw_holds) || (!u->ended && (l->running < 3 || (u->holds && !chance(l, 1)) || !chance(l, 20))))
            return false;
        return long_event(l, &e, true);
    }
    e.op = GL_OP_END;
    if (l->running < 3 || l->thread[thread].rw_holds || (l->thread[thread].holds && !chance(l, 1)))
        return false;
    return long_event(l, &e, true);
}

/* Every thread that runs passes one mutex, the first ones once more. */
static void mix(struct long_execution *l)
{
    uint32_t place = below(l, l->p->objects), n = l->next + below(l, l->next + 1), from = below(l, l->next);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t t = (from + i) % l->next;
        if (!runs(l, t) || l->thread[t].in_wait || l->thread[t].in_barrier ||
            !long_event(l, &(struct gl_event){.op = GL_OP_ACQ, .thread = t, .object = l->number[place]}, true))
            continue;
        if (chance(l, 20))
            access_one(l, t);
        long_event(l, &(struct gl_event){.op = GL_OP_REL, .thread = t, .object = l->number[place]}, true);
    }
}

/* A thread takes the mutex again that it gave up last, and again, now and then with another's access in between. */
static void again(struct long_execution *l, uint32_t thread)
{
    uint32_t place = below(l, l->p->objects);
    for (uint32_t n = 2 + below(l, 4); n > 0; n--) {
        if (!long_event(l, &(struct gl_event){.op = GL_OP_ACQ, .thread = thread, .object = l->number[place]}, true))
            return;
        for (uint32_t k = below(l, 4); k > 0; k--)
            access_one(l, thread);
        long_event(l, &(struct gl_event){.op = GL_OP_REL, .thread = thread, .object = l->number[place]}, true);
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
            long_event(l, &(struct gl_event){.op = t->in_wait ? GL_OP_CWAIT_END : GL_OP_BAR_OUT,
                                       .thread = thread,
                                       .object = t->in_wait ? l->number[t->place] : t->place}, true);
    } else if (l->heal && chance(l, 30)) {
        long_event(l, &(struct gl_event){.op = GL_OP_ALLOC, .thread = thread, .object = l->heal & ~UINT64_C(3), .size = 4}, true);
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

