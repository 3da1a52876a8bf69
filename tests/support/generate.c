/* SPDX-License-Identifier: Apache-2.0
 *
 * The generator of generate.h: proposes random events until the model accepts one.
 */
#include "tests/support/generate.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/model.h"
#include "tests/support/oracle.h"

/* Weights that many profiles share. */
#define DATA(r, w) [GL_OP_READ] = (r), [GL_OP_WRITE] = (w)
#define HEAP(a, f) [GL_OP_ALLOC] = (a), [GL_OP_FREE] = (f)
#define LOCKS(n) [GL_OP_ACQ] = (n), [GL_OP_REL] = (n)
#define WAITS(n) [GL_OP_CWAIT_BEGIN] = (n), [GL_OP_CWAIT_END] = 3 * (n)
#define RWLOCKS(n) [GL_OP_RDLOCK] = (n), [GL_OP_RDUNLOCK] = (n), [GL_OP_WRLOCK] = (n), [GL_OP_WRUNLOCK] = (n)
#define VOLATILES(n) [GL_OP_VOLREAD] = (n), [GL_OP_VOLWRITE] = (n)
#define ATOMICS(ld, st, rmw, fence) \
    [GL_OP_LOAD] = (ld), [GL_OP_STORE] = (st), [GL_OP_RMW] = (rmw), [GL_OP_FENCE] = (fence)
#define BARRIERS(n) [GL_OP_BAR_IN] = (n), [GL_OP_BAR_OUT] = 2 * (n)
#define SEMAPHORES(n) [GL_OP_POST] = (n), [GL_OP_WAIT] = (n)
#define THREADS(fork, join, begin, end) \
    [GL_OP_FORK] = (fork), [GL_OP_JOIN] = (join), [GL_OP_BEGIN] = (begin), [GL_OP_END] = (end)
#define COMMITS(n) [GL_OP_COMMIT] = (n)

const struct profile profiles[] = {
    {"everything",
     {DATA(30, 30), HEAP(2, 2), LOCKS(8), WAITS(2), RWLOCKS(4), VOLATILES(4), ATOMICS(6, 5, 5, 4), BARRIERS(3),
      SEMAPHORES(4), THREADS(5, 2, 2, 2), COMMITS(4)},
     .events = 200, .roots = 3, .alive = 6, .threads = 24, .objects = 3, .bytes = 32, .unaligned = 30, .crowd = 4},
    {"atomics",
     {DATA(20, 20), ATOMICS(16, 10, 10, 12), THREADS(2, 1, 0, 0), LOCKS(1)},
     .events = 120, .roots = 4, .alive = 4, .threads = 5, .objects = 2, .bytes = 12, .unaligned = 5, .crowd = 1},
    {"locks",
     {DATA(30, 30), HEAP(1, 1), LOCKS(24), WAITS(4), RWLOCKS(6), THREADS(2, 1, 1, 1)},
     .events = 200, .roots = 4, .alive = 6, .threads = 10, .objects = 4, .bytes = 24, .unaligned = 10, .crowd = 4},
    {"readers",
     {DATA(60, 8), LOCKS(6), RWLOCKS(6), VOLATILES(5), SEMAPHORES(4), THREADS(3, 2, 0, 1), ATOMICS(4, 1, 2, 1)},
     .events = 200, .roots = 4, .alive = 12, .threads = 16, .objects = 2, .bytes = 6, .unaligned = 5, .crowd = 12},
    {"bytes",
     {DATA(40, 40), HEAP(4, 4), LOCKS(6), VOLATILES(6), ATOMICS(6, 5, 4, 1), THREADS(2, 1, 0, 0), COMMITS(4)},
     .events = 120, .roots = 4, .alive = 4, .threads = 5, .objects = 2, .bytes = 100, .unaligned = 80, .crowd = 1},
    {"forks",
     {DATA(30, 30), HEAP(2, 1), LOCKS(4), VOLATILES(3), ATOMICS(2, 2, 2, 1), SEMAPHORES(2), THREADS(24, 16, 6, 10)},
     .events = 300, .roots = 1, .alive = 4, .threads = 100, .objects = 2, .bytes = 12, .unaligned = 10, .crowd = 1},
    {"rounds",
     {DATA(40, 40), LOCKS(3), BARRIERS(10), SEMAPHORES(8), THREADS(3, 1, 0, 0)},
     .events = 200, .roots = 6, .alive = 8, .threads = 10, .objects = 2, .bytes = 16, .unaligned = 10, .crowd = 12},
    {"commits",
     {DATA(20, 20), HEAP(2, 1), LOCKS(3), VOLATILES(3), ATOMICS(3, 2, 2, 0), THREADS(2, 1, 0, 0), COMMITS(30)},
     .events = 120, .roots = 5, .alive = 5, .threads = 6, .objects = 2, .bytes = 8, .unaligned = 10, .crowd = 2},
    {"crowd",
     {DATA(40, 20), LOCKS(8), RWLOCKS(4), VOLATILES(6), ATOMICS(4, 2, 4, 2), SEMAPHORES(4), BARRIERS(2),
      THREADS(10, 2, 1, 1), COMMITS(2)},
     .events = 300, .roots = 20, .alive = 20, .threads = 40, .objects = 4, .bytes = 16, .unaligned = 10, .crowd = 8},
};
const size_t n_profiles = sizeof profiles / sizeof *profiles;

const struct profile *profile_named(const char *name)
{
    for (size_t i = 0; i < n_profiles; i++)
        if (!strcmp(profiles[i].name, name))
            return &profiles[i];
    return NULL;
}

struct generator {
    struct rng rng;
    const struct profile *p;
    struct model model;
    struct oracle *oracle;
    struct execution *out;
    size_t events;
    uint32_t total_weight;
    uint32_t weight[GL_OP_COUNT];
    uint32_t objects, bytes, roots;
    uint32_t ordered; /* percent of racy accesses that are not made */
    uint32_t again;   /* percent of releases after which the same thread takes the same lock next */
    uint32_t sticky;  /* percent of steps by the same thread as the step before */
    uint32_t thread;  /* who did that */
    uint32_t next;    /* the next thread to be forked */
    uint64_t base;    /* of the data bytes */
    uint64_t names;   /* of the objects: their numbers start here */
    uint32_t stride;
    uint8_t atomic_size[8];
};

struct generator *generator_new(void)
{
    struct generator *g = check_alloc(sizeof *g);
    g->oracle = oracle_new(GENERATE_MAX);
    return g;
}

void generator_delete(struct generator *g)
{
    oracle_delete(g->oracle);
    free(g);
}

static uint32_t below(struct generator *g, uint32_t n) { return rng_below(&g->rng, n); }
static bool chance(struct generator *g, uint32_t percent) { return rng_chance(&g->rng, percent); }

/* The event is made if it can be.  An access that races may be refused. */
static bool make(struct generator *g, const struct gl_event *proposed)
{
    struct execution *x = g->out;
    if (x->n == g->events)
        return false;
    bool may_race = proposed->op <= GL_OP_FREE || proposed->op == GL_OP_COMMIT || proposed->size > 0;
    if (!may_race && !model_step(&g->model, proposed))
        return false;
    struct gl_event e = *proposed;
    e.site = (uint32_t)x->n + 1;
    execution_add(x, &e);
    struct oracle_verdict v = oracle_add(g->oracle, &x->event[x->n - 1]);
    if (may_race && ((v.races && chance(g, g->ordered)) || !model_step(&g->model, &e))) {
        oracle_drop(g->oracle);
        execution_drop(x);
        return false;
    }
    return true;
}

static uint32_t alive(const struct generator *g)
{
    uint32_t n = 0;
    for (uint32_t t = 0; t < g->next; t++)
        n += (g->model.thread[t].known || t < g->roots) && !g->model.thread[t].ended;
    return n;
}

/* A thread that can still do something, if only to wake up; mostly the one of the last step. */
static uint32_t pick_thread(struct generator *g)
{
    if (chance(g, g->sticky) && !g->model.thread[g->thread].ended)
        return g->thread;
    for (unsigned tries = 0; tries < 50; tries++) {
        /* young threads oftener: of a hundred, most have ended */
        uint32_t window = chance(g, 70) && g->next > 8 ? 8 : g->next;
        uint32_t t = g->next - 1 - below(g, window);
        if ((g->model.thread[t].known || t < g->roots) && !g->model.thread[t].ended)
            return t;
    }
    return 0;
}

static enum gl_op pick_op(struct generator *g)
{
    uint32_t at = below(g, g->total_weight);
    for (enum gl_op op = 0;; op++) {
        if (at < g->weight[op])
            return op;
        at -= g->weight[op];
    }
}

static uint64_t pick_byte(struct generator *g) { return g->base + below(g, g->bytes); }
static uint64_t pick_object(struct generator *g) { return g->names + (uint64_t)g->stride * below(g, g->objects); }

static void fill_data(struct generator *g, struct gl_event *e)
{
    static const uint8_t sizes[] = {1, 1, 2, 4, 4, 4, 8, 8, 16};
    if (e->op == GL_OP_ALLOC) {
        e->object = pick_byte(g);
        e->size = below(g, 40);
    } else if (chance(g, g->p->unaligned)) {
        e->object = pick_byte(g);
        e->size = chance(g, 5) ? 1 + below(g, 64) : 1 + below(g, 16);
    } else {
        e->size = sizes[below(g, sizeof sizes)];
        e->object = pick_byte(g) & ~(uint64_t)(e->size - 1);
    }
}

static void fill_atomic(struct generator *g, struct gl_event *e)
{
    static const uint8_t load[] = {GL_RLX, GL_RLX, GL_ACQ, GL_ACQ, GL_SC}, store[] = {GL_RLX, GL_RLX, GL_REL, GL_REL, GL_SC},
                         rmw[] = {GL_RLX, GL_RLX, GL_ACQ, GL_REL, GL_AR, GL_SC}, fences[] = {GL_ACQ, GL_REL, GL_AR, GL_SC, GL_RLX};
    e->order = e->op == GL_OP_LOAD    ? load[below(g, sizeof load)]
               : e->op == GL_OP_STORE ? store[below(g, sizeof store)]
               : e->op == GL_OP_RMW   ? rmw[below(g, sizeof rmw)]
                                      : fences[below(g, chance(g, 95) ? 4 : 5)];
    if (e->op == GL_OP_FENCE)
        return;
    uint32_t which = below(g, g->objects);
    e->size = chance(g, 90) ? g->atomic_size[which] : below(g, 17);
    e->object = g->base + (uint64_t)which * 4; /* their bytes overlap with one another's and with plain data */
}

static void fill_commit(struct generator *g, struct gl_event *e, uint64_t list[EXECUTION_COMMIT_MAX])
{
    e->n_reads = below(g, 4);
    e->n_writes = below(g, 4) + !e->n_reads;
    for (uint32_t i = 0; i < e->n_reads + e->n_writes; i++)
        list[i] = pick_byte(g);
    e->reads = list;
    e->writes = list + e->n_reads;
}

/* One random event of a thread.  False: it was not possible. */
static bool step(struct generator *g, uint32_t thread, enum gl_op op)
{
    uint64_t list[EXECUTION_COMMIT_MAX];
    struct gl_event e = {.op = op, .thread = thread};
    const struct model_thread *t = &g->model.thread[thread];
    if ((t->in_wait && op != GL_OP_CWAIT_END) || (t->in_barrier && op != GL_OP_BAR_OUT))
        return false;
    switch (op) {
    case GL_OP_READ:
    case GL_OP_WRITE:
    case GL_OP_ALLOC:
    case GL_OP_FREE:
        fill_data(g, &e);
        break;
    case GL_OP_LOAD:
    case GL_OP_STORE:
    case GL_OP_RMW:
    case GL_OP_FENCE:
        fill_atomic(g, &e);
        break;
    case GL_OP_FORK:
        if (g->next == g->p->threads || alive(g) >= g->p->alive)
            return false;
        e.object = g->next;
        break;
    case GL_OP_JOIN:
        e.object = chance(g, 70) && g->next > 6 ? g->next - 1 - below(g, 6) : below(g, g->next);
        /* who still holds a lock would hold it forever */
        if ((g->model.thread[e.object].holds && !chance(g, 5)) || (alive(g) < 3 && !g->model.thread[e.object].ended))
            return false;
        break;
    case GL_OP_END:
        if ((t->holds && !chance(g, 5)) || alive(g) < 3)
            return false;
        break;
    case GL_OP_CWAIT_END:
    case GL_OP_BAR_OUT:
        e.object = t->blocked_on;
        break;
    case GL_OP_COMMIT:
        fill_commit(g, &e, list);
        break;
    default:
        e.object = pick_object(g);
    }
    if (!make(g, &e))
        return false;
    g->next += op == GL_OP_FORK;
    return true;
}

/* Many threads do the same, one after the other: they read the same bytes, enter and leave a barrier, or
 * take a lock in turn for the same bytes. */
static void crowd(struct generator *g)
{
    uint32_t first = g->next > 24 ? g->next - 24 : 0;
    struct gl_event access = {.op = GL_OP_READ};
    fill_data(g, &access);
    uint32_t what = below(g, 4), last = chance(g, 70) ? g->next : first + 1 + below(g, g->next - first);
    enum gl_op in = what == 2 ? GL_OP_BAR_IN : GL_OP_ACQ, out = what == 2 ? GL_OP_BAR_OUT : GL_OP_REL;
    uint64_t x = pick_object(g);
    bool entered[MODEL_THREADS] = {false};
    if (!g->weight[in])
        what = 0;
    for (uint32_t t = first; t < last; t++) {
        if (!model_runs(&g->model, t) || !(g->model.thread[t].known || t < g->roots))
            continue;
        access.thread = t;
        access.op = what == 3 && chance(g, 50) ? GL_OP_WRITE : GL_OP_READ;
        if (what < 2) {
            make(g, &access);
            continue;
        }
        if (what == 2 && chance(g, 50))
            make(g, &access);
        if (!make(g, &(struct gl_event){.op = in, .thread = t, .object = x}))
            continue;
        entered[t] = true;
        if (what == 3) {
            make(g, &access);
            make(g, &(struct gl_event){.op = out, .thread = t, .object = x});
        }
    }
    for (uint32_t t = first; what == 2 && t < last; t++)
        if (entered[t] && !chance(g, 10)) {
            make(g, &(struct gl_event){.op = out, .thread = t, .object = x});
            access.thread = t;
            access.op = chance(g, 30) ? GL_OP_WRITE : GL_OP_READ;
            if (chance(g, 50))
                make(g, &access);
        }
}

/* Another thread that runs, if there is one at hand; else t. */
static uint32_t pick_other(struct generator *g, uint32_t t)
{
    uint32_t u = pick_thread(g);
    return u != t && model_runs(&g->model, u) ? u : t;
}

/* The thread that gave up a lock takes it again, and again, with little or nothing in between: a segment goes on, or must not. */
static void again(struct generator *g, uint32_t thread, uint64_t lock)
{
    for (uint32_t rounds = 1 + below(g, 5); rounds > 0; rounds--) {
        uint32_t between = below(g, 100), other = pick_other(g, thread);
        if (between < 15) {
            step(g, thread, pick_op(g));
        } else if (between < 30) {
            make(g, &(struct gl_event){.op = GL_OP_ACQ, .thread = other, .object = lock});
            step(g, other, chance(g, 50) ? GL_OP_READ : GL_OP_WRITE);
            make(g, &(struct gl_event){.op = GL_OP_REL, .thread = other, .object = lock});
        } else if (between < 40) {
            step(g, other, chance(g, 50) ? GL_OP_READ : GL_OP_WRITE);
        }
        if (!make(g, &(struct gl_event){.op = GL_OP_ACQ, .thread = thread, .object = lock}))
            return;
        for (uint32_t n = below(g, 4); n > 0; n--)
            if (chance(g, 15))
                step(g, thread, pick_op(g));
            else
                step(g, chance(g, 80) ? thread : other, chance(g, 40) ? GL_OP_READ : GL_OP_WRITE);
        if (!make(g, &(struct gl_event){.op = GL_OP_REL, .thread = thread, .object = lock}))
            return;
    }
}

void generate(struct generator *g, const struct profile *p, uint64_t seed, struct execution *x)
{
    static const uint8_t ordered[] = {0, 50, 90, 98, 100}, sizes[] = {0, 1, 2, 4, 4, 8, 8, 16};
    /* Small numbers: a detector may use them as indices.  Some cross the end of a page or of a table's leaf. */
    static const uint64_t bases[] = {0x10, 0x1000, 0xff4, 0xfffbf8};
    static const uint64_t names[] = {0, 1, 1022, 0xfffbfc};
    x->n = 0;
    g->rng = rng_seed(seed);
    g->p = p;
    g->out = x;
    model_reset(&g->model);
    oracle_reset(g->oracle);
    g->events = p->events / 10 + below(g, p->events - p->events / 10 + 1u);
    g->objects = 1 + below(g, p->objects);
    g->bytes = 1 + below(g, p->bytes);
    g->roots = 1 + below(g, p->roots);
    g->next = g->roots;
    g->ordered = ordered[below(g, sizeof ordered)];
    g->sticky = below(g, 4) * 25;
    g->again = below(g, 3) * 30;
    g->thread = 0;
    g->base = bases[below(g, sizeof bases / sizeof *bases)];
    g->names = names[below(g, sizeof names / sizeof *names)];
    g->stride = chance(g, 50) ? 1 : 8;
    for (unsigned i = 0; i < sizeof g->atomic_size; i++)
        g->atomic_size[i] = sizes[below(g, sizeof sizes)];
    /* Leave out a few ops altogether now and then: what is common hides what is rare. */
    g->total_weight = 0;
    for (enum gl_op op = 0; op < GL_OP_COUNT; op++) {
        g->weight[op] = op > GL_OP_WRITE && chance(g, 20) ? 0 : p->weight[op];
        g->total_weight += g->weight[op];
    }
    for (size_t tries = 0; x->n < g->events && tries < 40 * g->events; tries++) {
        if (chance(g, p->crowd)) {
            crowd(g);
            continue;
        }
        g->thread = pick_thread(g);
        const struct model_thread *t = &g->model.thread[g->thread];
        if (t->in_wait || t->in_barrier) { /* it can do one thing only, and in its own time */
            if (chance(g, 30))
                step(g, g->thread, t->in_wait ? GL_OP_CWAIT_END : GL_OP_BAR_OUT);
        } else {
            enum gl_op op = pick_op(g);
            if (step(g, g->thread, op) && op == GL_OP_REL && chance(g, g->again))
                again(g, g->thread, x->event[x->n - 1].object);
        }
    }
}
