/* SPDX-License-Identifier: Apache-2.0
 *
 * Random OpenMP programs (nested regions, barriers, loops of all kinds, sections, tasks with dependences, groups and waits, critical regions, locks,
 * atomics, flushes), held against the truth, access by access: each races if and only if order_omp_script.c says so.  Threads take turns at accesses, in
 * an order that is not the program's and that nobody sees.
 *
 *     order_omp SCRIPTS [FIRST SEED [LEFT OUT]]
 *
 * LEFT OUT: of what orders in the truth, that kind is left out (from 1 on), and scripts are to fail.
 */
#include "tests/exact/order_omp.h"

#include "tests/programs/invisible.h"
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__clang__) ? __clang_major__ >= 15 : __GNUC__ >= 13
#define HAS_SETS 1
#endif

/* libomp (14) fails with any tool in waits for dependences within one another, and in tasks with dependences that are not deferred; and with or without one,
 * tasks in nested regions may be forgotten, and programs with events or task loops stand still now and then. */
#ifdef __clang__
#define DEFERRED true
#define WAITS_FOR_SOME false
#define FLUSHES true
#define NESTED_TASKS false
#define EVENTS_AND_LOOPS false
#else
#define DEFERRED deferred
#define WAITS_FOR_SOME true
#define FLUSHES false
#define NESTED_TASKS true
#define EVENTS_AND_LOOPS true
#endif

enum { DEEPEST = 4 }; /* of tasks in one another */

static _Alignas(16) char bytes[BYTES];
static char place[PLACES];
static long atomic[ATOMICS];
static omp_lock_t lock;
static omp_nest_lock_t nest_lock;
static int sum;

/* ---- random numbers: each task's own ---- */

struct random {
    unsigned long state;
    unsigned left; /* steps that may still be made */
};

static unsigned below(struct random *r, unsigned n)
{
    unsigned long z = r->state += 0x9E3779B97F4A7C15ul;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ul;
    z = (z ^ z >> 27) * 0x94D049BB133111EBul;
    return (unsigned)((z ^ z >> 31) >> 32) % n;
}

static struct random another(struct random *r, unsigned left)
{
    return (struct random){r->state * 31 + below(r, 1000000), left};
}

static void hesitate(struct random *r)
{
    for (unsigned n = below(r, 4) ? 0 : below(r, 20); n; n--)
        hidden_yield();
}

/* ---- steps ---- */

static void touch(struct random *r)
{
    unsigned size = 1u << below(r, 4), at = below(r, BYTES / size) * size;
    bool write = below(r, 2);
    char *p = bytes + at;
    hesitate(r);
    access_begin(at, size, write);
    switch (size * 2 + write) {
    case 2: USE(*p); break;
    case 3: *p = 1; break;
    case 4: USE(*(short *)p); break;
    case 5: *(short *)p = 1; break;
    case 8: USE(*(int *)p); break;
    case 9: *(int *)p = 1; break;
    case 16: USE(*(long *)p); break;
    default: *(long *)p = 1;
    }
    __asm__ volatile("" : : : "memory");
    access_end();
}

static void within_lock(struct random *r, unsigned which)
{
    lock_taken(which);
    for (unsigned n = below(r, 3); n; n--)
        touch(r);
    lock_given(which);
}

static void locked(struct random *r)
{
    switch (below(r, 5)) {
    case 0:
#pragma omp critical
        within_lock(r, 0);
        break;
    case 1:
#pragma omp critical(named)
        within_lock(r, 1);
        break;
    case 2:
        omp_set_lock(&lock);
        within_lock(r, 2);
        omp_unset_lock(&lock);
        break;
    case 3:
        if (!omp_test_lock(&lock))
            break;
        within_lock(r, 2);
        omp_unset_lock(&lock);
        break;
    default:
        omp_set_nest_lock(&nest_lock);
        omp_set_nest_lock(&nest_lock);
        within_lock(r, 3);
        omp_unset_nest_lock(&nest_lock);
        omp_unset_nest_lock(&nest_lock);
    }
}

static void atomic_step(struct random *r)
{
    unsigned k = below(r, ATOMICS);
    long v = 0, *p = &atomic[k];
    enum atomic_what what = A_LOAD;
    enum order order = RELAXED;
    atomic_begin();
#define ATOMIC(w, o, clauses, statement)                                                                                                                       \
    what = w, order = o;                                                                                                                                       \
    _Pragma(clauses) statement;                                                                                                                                \
    break;
    switch (below(r, 14)) {
    case 0: ATOMIC(A_LOAD, RELAXED, "omp atomic read", v = *p)
    case 1: ATOMIC(A_LOAD, ACQUIRE, "omp atomic read acquire", v = *p)
    case 2: ATOMIC(A_LOAD, TOTAL, "omp atomic read seq_cst", v = *p)
    case 3: ATOMIC(A_STORE, RELAXED, "omp atomic write relaxed", *p = 1)
    case 4: ATOMIC(A_STORE, RELEASE, "omp atomic write release", *p = 1)
    case 5: ATOMIC(A_STORE, TOTAL, "omp atomic write seq_cst", *p = 1)
    case 6: ATOMIC(A_CHANGE, RELAXED, "omp atomic", *p += 1)
    case 7: ATOMIC(A_CHANGE, RELEASE, "omp atomic update release", *p += 1)
    case 8: ATOMIC(A_CHANGE, TOTAL, "omp atomic update seq_cst", *p += 1)
    case 9: ATOMIC(A_CHANGE, ACQUIRE, "omp atomic capture acquire", v = (*p)++)
    case 10: ATOMIC(A_CHANGE, BOTH, "omp atomic capture acq_rel", v = (*p)++)
    case 11: ATOMIC(A_CHANGE, TOTAL, "omp atomic capture seq_cst", v = (*p)++)
    default:
        what = A_FLUSH, order = TOTAL;
#pragma omp flush
    }
#undef ATOMIC
    USE(v);
    atomic_end(what, k, order, FLUSHES);
}

static void steps(struct random *r, struct task *self, unsigned depth);

static void task_body(struct random r, struct task *task, unsigned depth)
{
    task_begins(task);
    steps(&r, task, depth);
    task_ends(task);
}

static struct depends random_depends(struct random *r)
{
    struct depends d = {.n = below(r, 3)};
    for (unsigned i = 0; i < d.n; i++) {
        d.on[i].place = (unsigned char)below(r, PLACES);
        d.on[i].kind = (unsigned char)below(r, D_SET);
    }
    if (d.n == 2 && (d.on[0].place == d.on[1].place || d.on[0].kind == D_EXCLUSIVE || d.on[1].kind == D_EXCLUSIVE))
        d.n = 1;
#ifdef HAS_SETS
    if (d.n == 1 && below(r, 4) == 0)
        d.on[0].kind = D_SET;
#endif
    return d;
}

/* Each combination is a line of its own. */
#define TASK(clauses)                                                                                                                                          \
    {                                                                                                                                                          \
        _Pragma(clauses) task_body(of_task, task, depth + 1);                                                                                                  \
        break;                                                                                                                                                 \
    }

static void make_task(struct random *r, struct task *self, unsigned depth)
{
    struct depends d = random_depends(r);
    struct random of_task = another(r, below(r, r->left + 1));
    struct task *task = task_made(self, &d);
    bool deferred = below(r, 5) != 0, final = below(r, 10) == 0;
    char *a = &place[d.on[0].place], *b = &place[d.on[1].place];
    r->left -= of_task.left;
    switch (d.n == 0 ? 15 : d.n == 1 ? d.on[0].kind : 4 + d.on[0].kind + 2 * d.on[1].kind) {
    case D_IN: TASK("omp task depend(in : *a) if(DEFERRED)")
    case D_OUT:
        if (below(r, 2))
            TASK("omp task depend(out : *a) if(DEFERRED)")
        else
            TASK("omp task depend(inout : a[0]) if(DEFERRED) final(final)")
    case D_EXCLUSIVE: TASK("omp task depend(mutexinoutset : *a) if(DEFERRED)")
#ifdef HAS_SETS
    case D_SET: TASK("omp task depend(inoutset : *a) if(DEFERRED)")
#endif
    case 4 + D_IN + 2 * D_IN: TASK("omp task depend(in : *a, *b) if(DEFERRED)")
    case 4 + D_OUT + 2 * D_IN: TASK("omp task depend(out : *a) depend(in : *b) if(DEFERRED)")
    case 4 + D_IN + 2 * D_OUT: TASK("omp task depend(in : *a) depend(inout : *b) if(DEFERRED)")
    case 4 + D_OUT + 2 * D_OUT: TASK("omp task depend(out : *a, *b) if(DEFERRED)")
    default:
        if (below(r, 3))
            TASK("omp task if(deferred) final(final) mergeable")
        else
            TASK("omp task priority(1)")
    }
}

static void wait_here(struct task *self)
{
#pragma omp taskwait
    waited(self, NULL);
}

static void task_loop(struct random *r, struct task *self)
{
    enum { TURNS = 4 };
    const struct depends none = {.n = 0};
    struct task *task[TURNS];
    struct random of_task = another(r, 0);
    bool grouped = below(r, 2);
    if (grouped)
        group_begins(self);
    for (unsigned i = 0; i < TURNS; i++)
        task[i] = task_made(self, &none);
#define TURN                                                                                                                                                   \
    for (int i = 0; i < TURNS; i++) {                                                                                                                          \
        struct random own = {of_task.state + (unsigned long)i, 0};                                                                                             \
        task_begins(task[i]);                                                                                                                                  \
        touch(&own);                                                                                                                                           \
        task_ends(task[i]);                                                                                                                                    \
    }
    if (grouped && below(r, 2)) {
#pragma omp taskloop num_tasks(3)
        TURN
    } else if (grouped) {
#pragma omp taskloop grainsize(1)
        TURN
    } else {
#pragma omp taskloop num_tasks(4) nogroup
        TURN
    }
#undef TURN
    if (grouped)
        group_ended(self);
    else if (below(r, 2))
        wait_here(self);
    touch(r);
}

/* A task that is complete only when another one, or its maker, has said so. */
static void with_event(struct random *r, struct task *self)
{
    const struct depends none = {.n = 0};
    struct random one = another(r, 0), two = another(r, 0);
    struct task *task = task_made(self, &none), *teller;
    omp_event_handle_t event = 0;
#pragma omp task detach(event)
    {
        struct random own = one;
        task_begins(task);
        touch(&own);
        task_ends(task);
    }
    touch(r);
    if (below(r, 2)) {
        teller = task_made(self, &none);
#pragma omp task
        {
            struct random own = two;
            task_begins(teller);
            touch(&own);
            task_event(task);
            omp_fulfill_event(event);
            touch(&own);
            task_ends(teller);
        }
    } else {
        task_event(task);
        omp_fulfill_event(event);
    }
    if (below(r, 2))
        wait_here(self);
    touch(r);
}

static void wait_for_tasks(struct random *r, struct task *self)
{
    struct depends d = {1, {{(unsigned char)below(r, PLACES), D_IN}, {0, 0}}};
    char *a = &place[d.on[0].place];
    unsigned which = WAITS_FOR_SOME ? below(r, 4) : 3;
    if (which == 0) {
#pragma omp taskwait depend(in : *a)
        waited(self, &d);
    } else if (which == 1) {
        d.on[0].kind = D_OUT;
#pragma omp taskwait depend(inout : *a)
        waited(self, &d);
    } else {
        wait_here(self);
    }
}

static void region(struct random *r, unsigned threads, unsigned depth);

/* What a thread or a task does by itself. */
static void steps(struct random *r, struct task *self, unsigned depth)
{
    while (r->left) {
        r->left--;
        switch (below(r, 14)) {
        case 0:
        case 1: locked(r); break;
        case 2: atomic_step(r); break;
        case 3:
        case 4:
        case 5:
            if (depth < DEEPEST)
                make_task(r, self, depth);
            break;
        case 6: wait_for_tasks(r, self); break;
        case 12:
            if (EVENTS_AND_LOOPS && depth < DEEPEST)
                task_loop(r, self);
            break;
        case 13:
            if (EVENTS_AND_LOOPS && depth < DEEPEST && !omp_in_final()) /* where it would be waited for at once */
                with_event(r, self);
            break;
        case 7:
            if (depth < DEEPEST && below(r, 2)) {
                struct random inner = another(r, below(r, r->left + 1));
                r->left -= inner.left;
                group_begins(self);
#pragma omp taskgroup
                steps(&inner, self, depth + 1);
                group_ended(self);
                touch(r);
            } else {
#pragma omp taskyield
            }
            break;
        default: touch(r);
        }
    }
}

/* ---- what all threads of a region do ---- */

static void barrier(struct task *self)
{
    arrives(self);
#pragma omp barrier
    passed(self);
}

static void loops(struct random *r, unsigned what, unsigned number, struct task *self)
{
    (void)number;
    switch (what) {
    case 0:
#pragma omp for schedule(static, 1) nowait
        for (int i = 0; i < ITERATIONS; i++)
            touch(r);
        break;
    case 1:
#pragma omp for schedule(dynamic, 1) nowait
        for (int i = 0; i < ITERATIONS; i++)
            touch(r);
        break;
    case 2:
#pragma omp for schedule(guided) nowait reduction(+ : sum)
        for (int i = 0; i < ITERATIONS; i++) {
            touch(r);
            sum += i;
        }
        barrier(self); /* the sum is there */
        break;
    case 3:
#pragma omp for schedule(dynamic, 1) ordered nowait
        for (int i = 0; i < ITERATIONS; i++) {
            touch(r);
#pragma omp ordered
            {
                ordered_begins(self, number);
                touch(r);
                ordered_ends(self, number);
            }
        }
        barrier(self); /* libgomp may stand still in an ordered loop that begins while others are still in the one before */
        break;
    case 4:
#pragma omp for schedule(static, 1) ordered nowait
        for (int i = 0; i < ITERATIONS; i++) {
#pragma omp ordered
            {
                ordered_begins(self, number);
                touch(r);
                ordered_ends(self, number);
            }
            touch(r);
        }
        barrier(self);
        break;
    case 5:
#pragma omp for schedule(static, 1) ordered(1) nowait
        for (int i = 0; i < ITERATIONS; i++) {
            touch(r);
#pragma omp ordered depend(sink : i - 2)
            if (i >= 2)
                waited_post(self, number, (unsigned)i - 2);
            touch(r);
            posts(self, number, (unsigned)i);
#pragma omp ordered depend(source)
            touch(r);
        }
        break;
    default:
#pragma omp sections nowait
    {
#pragma omp section
        touch(r);
#pragma omp section
        locked(r);
#pragma omp section
        touch(r);
    }
    }
}

/* depth: of what is within. */
static void singles(struct random *r, unsigned what, struct task *self, unsigned depth)
{
    int copied = 0;
    struct random inner = another(r, 1 + below(r, 20));
    switch (what) {
    case 0:
#pragma omp single nowait
        steps(&inner, self, depth);
        break;
    case 1:
#pragma omp master
        steps(&inner, self, depth);
        break;
    case 2:
        arrives(self); /* who does it arrives again */
#pragma omp single copyprivate(copied)
        {
            steps(&inner, self, depth);
            copied = 1;
            arrives(self);
        }
        passed(self);
        USE(copied);
        break;
    default:
        arrives(self);
#pragma omp single
        {
            steps(&inner, self, depth);
            arrives(self);
        }
        passed(self);
    }
}

/* The constructs are the same for all threads of the region, the steps in between are each thread's own. */
static void region(struct random *r, unsigned threads, unsigned depth)
{
    const struct random shared = another(r, 0);
    const unsigned within = depth && !NESTED_TASKS ? DEEPEST : 1;
    struct team *team = region_begin();
#pragma omp parallel num_threads(threads)
    {
        struct task *self = thread_begins(team);
        struct random same = shared, own = shared;
        own.state += (unsigned long)omp_get_thread_num() * 1000003u;
        for (unsigned number = 0, n = 1 + below(&same, CONSTRUCTS / 2); number < n; number++) {
            own.left = below(&own, 3) ? below(&own, 6) : below(&own, 40);
            steps(&own, self, within);
            unsigned kind = below(&same, 5), what = below(&same, 8);
            if (kind == 0)
                barrier(self);
            else if (kind == 1)
                singles(&own, what % 4, self, within);
            else if (kind == 2 && depth == 0 && what < 2)
                region(&own, 2, 1);
            else if (kind >= 3)
                loops(&own, what, number, self);
        }
        arrives(self);
    }
    region_end(team);
    for (unsigned n = below(r, 4); n; n--)
        touch(r);
}

int main(int argc, char **argv)
{
    long scripts = argc > 1 ? atol(argv[1]) : 0, seed = argc > 2 ? atol(argv[2]) : 1, left_out = argc > 3 ? atol(argv[3]) : 0;
    unsigned wrong = 0;
    if (scripts < 1 || !hear_of_races() || !truth_leave_out((unsigned)left_out)) {
        fputs("usage: order_omp SCRIPTS [FIRST SEED [LEFT OUT]]; build it with `goldilocks cc -fopenmp`\n", stderr);
        return 2;
    }
    omp_set_max_active_levels(2);
    omp_set_dynamic(0);
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest_lock);
    for (long n = 0; n < scripts; n++) {
        struct random r = {(unsigned long)(seed + n), 0};
        truth_begins();
        region(&r, 2 + below(&r, 3), 0);
        wrong += !truth_held((unsigned long)(seed + n));
    }
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest_lock);
    printf("%lu steps, %lu bytes raced, %u scripts wrong\n", steps_done(), races_true(), wrong);
    return wrong ? 1 : 0;
}
