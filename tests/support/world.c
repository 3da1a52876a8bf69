/* SPDX-License-Identifier: Apache-2.0
 *
 * See world.h.
 *
 * Deadlock: a thread blocks only for a mutex when it holds none, for a barrier or a child when it holds
 * nothing, and for the inner locks, under which nobody blocks; whatever else is busy is skipped.
 */
#include "tests/support/world.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/fake_env.h"
#include "tests/support/model.h"

enum {
    BASE = WORLD_BASE,
    LOCKS = 6,       /* objects of each class */
    ROUNDS = 4,      /* at most */
    CHILD_STEPS = 8, /* of a thread that a worker forks */
    CHILD = 1000,    /* index of such a thread; workers have less */
    SITE_BITS = 14,  /* a site is a thread's number and, below, the number of its event */
};

/* A thread of the program under test, and what it did. */
struct worker {
    struct world *world;
    uint32_t number;
    uint32_t index; /* among its round's workers; or CHILD */
    struct rng rng;
    uint64_t stamp; /* of its last synchronization */
    struct entry *log;
    uint32_t n, max;
    uint32_t depth[LOCKS], held; /* of mutexes; how many */
    pthread_t pthread;
    struct worker *next; /* in the list of all */
};

struct barrier {
    pthread_mutex_t lock;
    pthread_cond_t turn;
    uint32_t parties, arrived, generation;
};

struct world {
    const struct gl_detector *detector;
    struct fake_env env;
    struct gl_state *state;
    uint32_t threads, rounds, phases, steps; /* workers per round, of them phases, in them steps */
    uint32_t discipline; /* percent of accesses that keep to the rules of the byte's region */
    uint32_t tidy;       /* percent of threads that are forked, and of those that are joined, as events */
    atomic_uint next;    /* thread number */
    atomic_ulong stamps;
    _Atomic(struct worker *) all;
    pthread_mutex_t mutex[LOCKS], volatiles[LOCKS], atomics[LOCKS], semaphores[LOCKS], commits;
    pthread_rwlock_t rwlock[LOCKS];
    int posts[LOCKS]; /* guarded by semaphores[i] */
    struct barrier barrier[2];
    pthread_barrier_t start;
    atomic_bool failed;
};

/* ---- events ---- */

static void tell(struct worker *w, struct gl_event e)
{
    check(w->n < w->max && w->n < (1u << SITE_BITS) - 1, "a thread's log is full");
    struct entry *x = &w->log[w->n++];
    e.thread = w->number;
    e.site = w->number << SITE_BITS | w->n;
    x->event = e;
    x->stamp = w->stamp;
    for (uint32_t i = 0; i < e.n_reads + e.n_writes; i++)
        x->list[i] = i < e.n_reads ? e.reads[i] : e.writes[i - e.n_reads];
    x->event.reads = x->list;
    x->event.writes = x->list + e.n_reads;
    gl_status status = w->world->detector->event(w->world->state, &x->event, &x->race);
    if ((status != (x->race.bytes ? GL_RACE : GL_OK)) && !atomic_exchange(&w->world->failed, true)) {
        printf("status %d (racing bytes 0x%" PRIx64 ") for ", (int)status, x->race.bytes);
        event_print(&x->event, stdout);
    }
}

/* An event whose place among those of other threads matters; the caller excludes those. */
static void tell_stamped(struct worker *w, struct gl_event e)
{
    w->stamp = atomic_fetch_add(&w->world->stamps, 1) + 1;
    tell(w, e);
}

static void tell_sync(struct worker *w, enum gl_op op, uint64_t object)
{
    tell_stamped(w, (struct gl_event){.op = op, .object = object});
}

/* ---- steps ---- */

static void yield(struct worker *w, uint32_t percent)
{
    if (rng_chance(&w->rng, percent))
        sched_yield();
}

static void lock(struct worker *w, uint32_t m)
{
    if (w->depth[m] == 0) {
        if (w->held == 0)
            pthread_mutex_lock(&w->world->mutex[m]);
        else if (pthread_mutex_trylock(&w->world->mutex[m]))
            return; /* two threads might wait for one another */
        w->held++;
    }
    w->depth[m]++;
    tell_sync(w, GL_OP_ACQ, m);
}

static void unlock(struct worker *w, uint32_t m)
{
    if (w->depth[m] == 0)
        return;
    tell_sync(w, GL_OP_REL, m);
    if (--w->depth[m] == 0) {
        w->held--;
        pthread_mutex_unlock(&w->world->mutex[m]);
    }
}

static void wait_on(struct worker *w, uint32_t m)
{
    if (w->depth[m] == 0 || w->held > 1)
        return;
    tell_sync(w, GL_OP_CWAIT_BEGIN, m);
    pthread_mutex_unlock(&w->world->mutex[m]);
    yield(w, 50);
    pthread_mutex_lock(&w->world->mutex[m]);
    tell_sync(w, GL_OP_CWAIT_END, m);
}

/* The bytes are in four regions with a rule each.  Most accesses keep to the rule, so that most bytes
 * there are in order, in a way that only the right verdict on every event can tell.
 *
 *     0..63      byte i is guarded by mutex i/8 % LOCKS
 *     64..127    read by all; written by the round's main thread only (before it forks)
 *     128..191   byte i is one worker's, and another's of the same barrier in the next phase
 *     192..255   no rule: most of them race */
static void access_step(struct worker *w, uint32_t phase)
{
    struct gl_event e = {.op = rng_chance(&w->rng, 50) ? GL_OP_READ : GL_OP_WRITE};
    uint32_t region = rng_below(&w->rng, 16), at;
    bool good = rng_chance(&w->rng, w->world->discipline);
    e.size = good ? 1u << rng_below(&w->rng, 4) : 1 + rng_below(&w->rng, 16);
    if (region < 6) {
        uint32_t m = rng_below(&w->rng, 8);
        for (uint32_t k = 0; good && k < 8 && w->depth[m % LOCKS] == 0; k++)
            m = (m + 1) % 8;
        if (good && w->depth[m % LOCKS] == 0)
            return; /* holds none */
        at = m * 8 + (good ? rng_below(&w->rng, 8 / e.size) * e.size : rng_below(&w->rng, 8));
    } else if (region < 11) {
        e.op = good ? GL_OP_READ : e.op;
        at = 64 + rng_below(&w->rng, 64 - 8);
    } else if (region < 14) {
        if (w->index == CHILD && good)
            return;
        at = 128 + (w->index + 2 * phase) % 64;
        e.size = good ? 1 : e.size;
    } else {
        at = 192 + rng_below(&w->rng, 64);
    }
    e.object = BASE + at;
    tell(w, e);
}

static void atomic_step(struct worker *w)
{
    static const enum gl_order load[] = {GL_RLX, GL_ACQ, GL_SC}, store[] = {GL_RLX, GL_REL, GL_SC},
                               rmw[] = {GL_RLX, GL_ACQ, GL_REL, GL_AR, GL_SC};
    static const uint32_t size[LOCKS] = {0, 1, 2, 4, 8, 16};
    uint32_t which = rng_below(&w->rng, LOCKS), what = rng_below(&w->rng, 3);
    struct gl_event e = {
        .op = what == 0 ? GL_OP_LOAD : what == 1 ? GL_OP_STORE : GL_OP_RMW,
        .order = what == 0 ? load[rng_below(&w->rng, 3)] : what == 1 ? store[rng_below(&w->rng, 3)] : rmw[rng_below(&w->rng, 5)],
        .object = BASE + 176 + 16 * (uint64_t)which, /* the last of them are in the region without a rule */
        .size = size[which],
    };
    pthread_mutex_lock(&w->world->atomics[which]);
    tell_stamped(w, e);
    pthread_mutex_unlock(&w->world->atomics[which]);
}

static void fence_step(struct worker *w)
{
    static const enum gl_order orders[] = {GL_ACQ, GL_REL, GL_AR, GL_SC};
    tell_stamped(w, (struct gl_event){.op = GL_OP_FENCE, .order = orders[rng_below(&w->rng, 4)]});
}

static void commit_step(struct worker *w)
{
    uint64_t list[4];
    for (unsigned i = 0; i < 4; i++)
        list[i] = BASE + 232 + rng_below(&w->rng, 24);
    struct gl_event e = {.op = GL_OP_COMMIT, .n_reads = rng_below(&w->rng, 3), .n_writes = 1 + rng_below(&w->rng, 2)};
    e.reads = list;
    e.writes = list + e.n_reads;
    pthread_mutex_lock(&w->world->commits);
    tell_stamped(w, e);
    pthread_mutex_unlock(&w->world->commits);
}

static void rwlock_step(struct worker *w, uint32_t phase)
{
    uint32_t i = rng_below(&w->rng, LOCKS);
    bool write = rng_chance(&w->rng, 30);
    if (write ? pthread_rwlock_trywrlock(&w->world->rwlock[i]) : pthread_rwlock_tryrdlock(&w->world->rwlock[i]))
        return;
    tell_sync(w, write ? GL_OP_WRLOCK : GL_OP_RDLOCK, i);
    yield(w, 10);
    access_step(w, phase);
    access_step(w, phase);
    tell_sync(w, write ? GL_OP_WRUNLOCK : GL_OP_RDUNLOCK, i);
    pthread_rwlock_unlock(&w->world->rwlock[i]);
}

static void semaphore_step(struct worker *w)
{
    uint32_t i = rng_below(&w->rng, LOCKS);
    pthread_mutex_lock(&w->world->semaphores[i]);
    if (rng_chance(&w->rng, 50) || w->world->posts[i] == 0) {
        w->world->posts[i]++;
        tell_sync(w, GL_OP_POST, i);
    } else {
        w->world->posts[i]--;
        tell_sync(w, GL_OP_WAIT, i);
    }
    pthread_mutex_unlock(&w->world->semaphores[i]);
}

static void volatile_step(struct worker *w)
{
    uint32_t i = rng_below(&w->rng, LOCKS);
    pthread_mutex_lock(&w->world->volatiles[i]);
    tell_sync(w, rng_chance(&w->rng, 50) ? GL_OP_VOLREAD : GL_OP_VOLWRITE, i);
    pthread_mutex_unlock(&w->world->volatiles[i]);
}

static void barrier_step(struct worker *w)
{
    uint32_t which = w->index % 2;
    struct barrier *b = &w->world->barrier[which];
    pthread_mutex_lock(&b->lock);
    tell_sync(w, GL_OP_BAR_IN, which);
    uint32_t generation = b->generation;
    if (++b->arrived == b->parties) {
        b->arrived = 0;
        b->generation++;
        pthread_cond_broadcast(&b->turn);
    }
    while (generation == b->generation)
        pthread_cond_wait(&b->turn, &b->lock);
    tell_sync(w, GL_OP_BAR_OUT, which);
    pthread_mutex_unlock(&b->lock);
}

static void *run(void *worker);

/* A new thread, which does not run yet. */
static struct worker *spawn(struct world *world, struct worker *parent, bool forked, uint32_t index, uint64_t seed)
{
    struct worker *w = check_alloc(sizeof *w);
    w->world = world;
    w->number = atomic_fetch_add(&world->next, 1);
    w->index = index;
    w->rng = rng_seed(seed);
    w->max = 1000 + 6 * (index == CHILD ? CHILD_STEPS : world->phases * world->steps);
    w->log = check_alloc(w->max * sizeof *w->log);
    w->next = atomic_load(&world->all);
    while (!atomic_compare_exchange_weak(&world->all, &w->next, w)) {
    }
    if (forked)
        tell_sync(parent, GL_OP_FORK, w->number);
    w->stamp = parent ? parent->stamp : 0; /* in the serial order, too, it comes after what made it */
    return w;
}

static void start(struct worker *w)
{
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 256 << 10);
    check(!pthread_create(&w->pthread, &attr, run, w), "a thread could not be created");
    pthread_attr_destroy(&attr);
}

static void child_step(struct worker *w, uint32_t phase)
{
    struct worker *child = spawn(w->world, w, rng_chance(&w->rng, w->world->tidy), CHILD, rng_next(&w->rng));
    start(child);
    for (unsigned i = 0; i < 3; i++)
        access_step(w, phase);
    pthread_join(child->pthread, NULL);
    if (rng_chance(&w->rng, w->world->tidy))
        tell_sync(w, GL_OP_JOIN, child->number);
}

/* The same lock again and again: segments that go on. */
static void again_step(struct worker *w, uint32_t m, uint32_t phase)
{
    for (uint32_t rounds = 2 + rng_below(&w->rng, 6); rounds > 0 && !w->held; rounds--) {
        lock(w, m);
        for (uint32_t n = rng_below(&w->rng, 3); n > 0; n--)
            access_step(w, phase);
        unlock(w, m);
        if (rng_chance(&w->rng, 20))
            access_step(w, phase);
        yield(w, 10);
    }
}

static void step(struct worker *w, uint32_t phase)
{
    uint32_t what = rng_below(&w->rng, 100), m = rng_below(&w->rng, LOCKS);
    if (what < 45) {
        access_step(w, phase);
    } else if (what < 65) {
        if (!w->held && rng_chance(&w->rng, 30))
            again_step(w, m, phase);
        else if (rng_chance(&w->rng, 45) || !w->held)
            lock(w, m);
        else
            for (m = 0; m < LOCKS; m++)
                unlock(w, m);
    } else if (what < 68) {
        wait_on(w, m);
    } else if (what < 74) {
        rwlock_step(w, phase);
    } else if (what < 78) {
        volatile_step(w);
    } else if (what < 86) {
        atomic_step(w);
    } else if (what < 89) {
        fence_step(w);
    } else if (what < 92) {
        commit_step(w);
    } else if (what < 96) {
        semaphore_step(w);
    } else if (what < 98 && w->index != CHILD && !w->held) {
        child_step(w, phase);
    }
    yield(w, 5);
}

static void *run(void *worker)
{
    struct worker *w = worker;
    bool is_child = w->index == CHILD;
    if (!is_child)
        pthread_barrier_wait(&w->world->start);
    if (rng_chance(&w->rng, 50))
        tell_sync(w, GL_OP_BEGIN, 0);
    for (uint32_t phase = 0; phase < (is_child ? 1 : w->world->phases); phase++) {
        for (uint32_t i = 0; i < (is_child ? CHILD_STEPS : w->world->steps); i++)
            step(w, phase);
        for (uint32_t m = 0; m < LOCKS; m++)
            while (w->depth[m])
                unlock(w, m);
        if (!is_child)
            barrier_step(w);
    }
    tell_sync(w, GL_OP_END, 0);
    return NULL;
}

/* ---- one run: rounds of workers, and between them the main thread alone ---- */

static void play_round(struct world *world, struct worker *main_thread)
{
    struct rng *rng = &main_thread->rng;
    struct worker *worker[WORLD_THREADS];
    for (unsigned i = 0; i < 8; i++) /* fresh bytes: a new life */
        tell_stamped(main_thread, (struct gl_event){.op = GL_OP_ALLOC, .object = BASE + rng_below(rng, WORLD_BYTES - 40),
                                                    .size = 1 + rng_below(rng, 40)});
    for (unsigned at = 64; at < 128; at += 8)
        tell(main_thread, (struct gl_event){.op = GL_OP_WRITE, .object = BASE + at, .size = 8});
    world->barrier[0].parties = (world->threads + 1) / 2;
    world->barrier[1].parties = world->threads / 2;
    for (uint32_t i = 0; i < world->threads; i++)
        worker[i] = spawn(world, main_thread, rng_chance(rng, world->tidy), i, rng_next(rng));
    pthread_barrier_init(&world->start, NULL, world->threads);
    for (uint32_t i = 0; i < world->threads; i++)
        start(worker[i]);
    for (uint32_t i = 0; i < world->threads; i++)
        pthread_join(worker[i]->pthread, NULL);
    pthread_barrier_destroy(&world->start);
    for (uint32_t i = 0; i < world->threads; i++)
        if (rng_chance(rng, world->tidy))
            tell_sync(main_thread, GL_OP_JOIN, worker[i]->number);
}

static void locks_init(struct world *world)
{
    for (unsigned i = 0; i < LOCKS; i++) {
        pthread_mutex_init(&world->mutex[i], NULL);
        pthread_mutex_init(&world->volatiles[i], NULL);
        pthread_mutex_init(&world->atomics[i], NULL);
        pthread_mutex_init(&world->semaphores[i], NULL);
        pthread_rwlock_init(&world->rwlock[i], NULL);
        world->posts[i] = MODEL_POSTS(i);
    }
    pthread_mutex_init(&world->commits, NULL);
    for (unsigned i = 0; i < 2; i++) {
        pthread_mutex_init(&world->barrier[i].lock, NULL);
        pthread_cond_init(&world->barrier[i].turn, NULL);
    }
}

struct world *world_play(const struct gl_detector *detector, uint32_t threads, uint64_t seed)
{
    check(threads >= 2 && threads <= WORLD_THREADS, "a world has 2 to 64 threads");
    struct world *world = check_alloc(sizeof *world);
    struct rng rng = rng_seed(seed);
    uint32_t budget = 400 + rng_below(&rng, 3000); /* steps of all */
    world->detector = detector;
    world->threads = threads;
    world->rounds = 1 + rng_below(&rng, ROUNDS);
    world->phases = 1 + rng_below(&rng, 4);
    world->steps = 4 + budget / (threads * world->rounds * world->phases);
    world->discipline = rng_chance(&rng, 30) ? 100 : 95 + rng_below(&rng, 5);
    world->tidy = rng_chance(&rng, 60) ? 100 : 85;
    fake_env_init(&world->env);
    locks_init(world);
    world->state = detector->create(&world->env.env);
    check(world->state, "no memory for a detector");
    struct worker *main_thread = spawn(world, NULL, false, CHILD, rng_next(&rng));
    for (uint32_t round = 0; round < world->rounds; round++)
        play_round(world, main_thread);
    return world;
}

static int by_stamp(const void *x, const void *y)
{
    const struct entry *a = *(struct entry *const *)x, *b = *(struct entry *const *)y;
    if (a->stamp != b->stamp) /* equal only in one thread, and in a new one and the one that made it */
        return a->stamp < b->stamp ? -1 : 1;
    return a->event.site < b->event.site ? -1 : 1; /* numbers grow: the maker comes first */
}

struct entry **world_serialize(struct world *world, struct execution *x)
{
    size_t n = 0, i = 0;
    for (struct worker *w = world->all; w; w = w->next)
        n += w->n;
    struct entry **order = check_alloc(n * sizeof *order);
    for (struct worker *w = world->all; w; w = w->next)
        for (uint32_t k = 0; k < w->n; k++)
            order[i++] = &w->log[k];
    qsort(order, n, sizeof *order, by_stamp);
    execution_init(x, n);
    for (i = 0; i < n; i++) {
        order[i]->serial = i;
        execution_add(x, &order[i]->event);
    }
    return order;
}

const struct entry *world_entry(const struct world *world, uint32_t site)
{
    for (const struct worker *w = world->all; w; w = w->next)
        if (w->number == site >> SITE_BITS)
            return (site & ((1u << SITE_BITS) - 1)) - 1 < w->n ? &w->log[(site & ((1u << SITE_BITS) - 1)) - 1] : NULL;
    return NULL;
}

uint32_t world_threads(const struct world *w)
{
    return w->next;
}

struct wanted {
    const char *name;
    uint64_t value;
};

static void want(void *ctx, const char *name, const char *sentence, uint64_t value)
{
    struct wanted *w = ctx;
    (void)sentence;
    w->value += strcmp(name, w->name) ? 0 : value;
}

uint64_t world_count(const struct world *w, const char *counter)
{
    struct wanted wanted = {.name = counter};
    w->detector->counts(w->state, want, &wanted);
    return wanted.value;
}

bool world_end(struct world *world)
{
    bool good = !world->failed;
    world->detector->destroy(world->state);
    if (!fake_env_is_clean(&world->env)) {
        printf("memory was not given back, or not as it was mapped\n");
        good = false;
    }
    for (struct worker *w = world->all, *next; w; w = next) {
        next = w->next;
        free(w->log);
        free(w);
    }
    free(world);
    return good;
}
