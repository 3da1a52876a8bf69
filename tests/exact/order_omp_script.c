/* SPDX-License-Identifier: Apache-2.0
 *
 * The truth about random OpenMP programs, while they run: docs/openmp.md, "What is followed".  Compiled without instrumentation.
 */
#include "tests/exact/order_omp.h"

#define TRUTH_THREADS 64
#define TRUTH_BYTES BYTES
#include "tests/exact/truth.h"

#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>

enum { PREDECESSORS = 64, WORDS = 1 << 20 };

struct task {
    struct team *team;
    struct task *parent;
    struct group *group, *within; /* the innermost open one; that waits for it */
    unsigned phase;               /* barriers before it */
    unsigned name;
    struct clock made, end, children;
    struct place {                /* on which its children depend: of each kind, from the latest `out` on */
        struct {
            unsigned n;
            struct task *task[PREDECESSORS];
        } of[D_SET + 1];
        struct clock exclusive; /* the ends of those that exclude one another */
    } place[PLACES];
    struct task *before[8 * PREDECESSORS];
    unsigned n_before;
    struct depends depends;
};

struct group {
    struct group *outer;
    struct clock ends;
};

struct team {
    struct clock fork, barrier[2], ordered[CONSTRUCTS], post[CONSTRUCTS][ITERATIONS];
};

static volatile char busy;
static unsigned script_number, n_threads, n_tasks;
static enum edge {
    NONE, REGION_BEGINS, REGION_ENDS, BARRIER, TASK_BEGINS, DEPENDS, EXCLUDES, WAITS, WAITS_FOR_SOME, GROUP_ENDS, LOCK, ORDERED, POST, ATOMIC, FLUSH, EDGES
} left_out; /* of what orders */
static __thread unsigned my_script, my_number;
static unsigned long done;
static bool wrong;
static struct clock lock_clock[LOCKS], atomic_clock[ATOMICS], fence_released[TRUTH_THREADS], fence_acquired[TRUTH_THREADS];
static struct verdict expected;
static char *text, *text_end;
static void *memory[4096];
static unsigned n_memory;

/* ---- steps ---- */

static unsigned step_begin(void)
{
    while (__atomic_test_and_set(&busy, __ATOMIC_ACQUIRE))
        sched_yield();
    if (my_script != script_number) {
        my_script = script_number;
        my_number = n_threads++;
        if (n_threads > TRUTH_THREADS)
            abort();
    }
    return my_number;
}

static void step_end(void) { __atomic_clear(&busy, __ATOMIC_RELEASE); }

__attribute__((format(printf, 1, 2))) static void note(const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    text_end += snprintf(text_end, (size_t)(text + WORDS - text_end), "  thread %u  ", my_number);
    text_end += vsnprintf(text_end, (size_t)(text + WORDS - text_end), format, ap);
    va_end(ap);
    if (text_end > text + WORDS - 200)
        text_end = text + WORDS - 200;
}

/* Until the script is over. */
static void *get(size_t n)
{
    if (n_memory == sizeof memory / sizeof *memory)
        abort();
    return memory[n_memory++] = calloc(1, n);
}

static void acquire(unsigned t, const struct clock *c, enum edge edge)
{
    if (edge != left_out)
        clock_merge(&truth_clock[t], c);
}

/* ---- accesses ---- */

void access_begin(unsigned at, unsigned size, bool write)
{
    unsigned t = step_begin();
    expected = (struct verdict){false, false};
    truth_access(&expected, t, at, size, write ? TRUTH_WRITE : 0);
    note("%s of %u bytes at %u%s\n", write ? "write" : "read", size, at, expected.races ? " races" : "");
    done++;
    truth_told = false;
}

void access_end(void)
{
    if (truth_told != expected.races && !(truth_told && expected.may)) {
        if (!wrong)
            note("HERE: %s\n", truth_told ? "a race that is none" : "a race that was not found");
        wrong = true;
    }
    step_end();
}

/* ---- regions ---- */

struct team *region_begin(void)
{
    unsigned t = step_begin();
    struct team *team = get(sizeof *team);
    clock_release(t, &team->fork);
    note("opens a region\n");
    step_end();
    return team;
}

void region_end(struct team *team)
{
    unsigned t = step_begin();
    acquire(t, &team->barrier[0], REGION_ENDS);
    acquire(t, &team->barrier[1], REGION_ENDS);
    note("the region is over\n");
    step_end();
}

struct task *thread_begins(struct team *team)
{
    unsigned t = step_begin();
    struct task *task = get(sizeof *task);
    task->team = team;
    task->name = n_tasks++;
    acquire(t, &team->fork, REGION_BEGINS);
    note("begins as task %u\n", task->name);
    step_end();
    return task;
}

void arrives(struct task *task)
{
    unsigned t = step_begin();
    clock_release(t, &task->team->barrier[task->phase % 2]);
    note("arrives\n");
    step_end();
}

void passed(struct task *task)
{
    unsigned t = step_begin();
    acquire(t, &task->team->barrier[task->phase++ % 2], BARRIER);
    note("passed\n");
    step_end();
}

/* ---- tasks ---- */

/* Those that depend by `in`, or as a set, or exclude one another, are not ordered among themselves. */
static void depends_on(struct task *task, const struct place *p, unsigned kind)
{
    for (unsigned k = 0; k <= D_SET; k++)
        for (unsigned i = 0; (k != kind || k == D_OUT) && i < p->of[k].n; i++)
            task->before[task->n_before++] = p->of[k].task[i];
}

static void add(struct task *task, struct place *p, unsigned kind)
{
    for (unsigned k = 0; kind == D_OUT && k <= D_SET; k++)
        p->of[k].n = 0;
    p->of[kind].task[p->of[kind].n++] = task;
    if (p->of[kind].n == PREDECESSORS)
        abort();
}

struct task *task_made(struct task *parent, const struct depends *depends)
{
    unsigned t = step_begin();
    struct task *task = get(sizeof *task);
    task->team = parent->team;
    task->parent = parent;
    task->group = task->within = parent->group;
    task->phase = parent->phase;
    task->name = n_tasks++;
    task->depends = *depends;
    for (unsigned i = 0; i < depends->n; i++)
        depends_on(task, &parent->place[depends->on[i].place], depends->on[i].kind);
    for (unsigned i = 0; i < depends->n; i++)
        add(task, &parent->place[depends->on[i].place], depends->on[i].kind);
    clock_release(t, &task->made);
    note("makes task %u, a child of %u", task->name, parent->name);
    for (unsigned i = 0; i < depends->n; i++)
        text_end += sprintf(text_end, ", %s %u", (const char *[]){"in", "out", "exclusive", "set"}[depends->on[i].kind], depends->on[i].place);
    text_end += sprintf(text_end, "\n");
    step_end();
    return task;
}

void task_begins(struct task *task)
{
    unsigned t = step_begin();
    acquire(t, &task->made, TASK_BEGINS);
    for (unsigned i = 0; i < task->n_before; i++)
        acquire(t, &task->before[i]->end, DEPENDS);
    for (unsigned i = 0; i < task->depends.n; i++)
        if (task->depends.on[i].kind == D_EXCLUSIVE)
            acquire(t, &task->parent->place[task->depends.on[i].place].exclusive, EXCLUDES);
    note("task %u begins\n", task->name);
    step_end();
}

/* What the calling thread has done comes before whoever waits for the task. */
static void part(struct task *task, const char *what)
{
    unsigned t = step_begin();
    clock_merge(&task->end, &truth_clock[t]);
    for (unsigned i = 0; i < task->depends.n; i++)
        if (task->depends.on[i].kind == D_EXCLUSIVE)
            clock_merge(&task->parent->place[task->depends.on[i].place].exclusive, &truth_clock[t]);
    clock_merge(&task->parent->children, &truth_clock[t]);
    if (task->within)
        clock_merge(&task->within->ends, &truth_clock[t]);
    clock_release(t, &task->team->barrier[task->phase % 2]);
    note("task %u%s\n", task->name, what);
    step_end();
}

void task_ends(struct task *task) { part(task, " ends"); }
void task_event(struct task *task) { part(task, "'s event"); }

void waited(struct task *task, const struct depends *depends)
{
    unsigned t = step_begin();
    if (depends) {
        struct task wait = {.n_before = 0};
        for (unsigned i = 0; i < depends->n; i++)
            depends_on(&wait, &task->place[depends->on[i].place], depends->on[i].kind);
        for (unsigned i = 0; i < wait.n_before; i++)
            acquire(t, &wait.before[i]->end, WAITS_FOR_SOME);
    } else {
        acquire(t, &task->children, WAITS);
    }
    note("task %u waited%s\n", task->name, depends ? " for some" : "");
    step_end();
}

void group_begins(struct task *task)
{
    step_begin();
    struct group *group = get(sizeof *group);
    group->outer = task->group;
    task->group = group;
    note("task %u opens a group\n", task->name);
    step_end();
}

void group_ended(struct task *task)
{
    unsigned t = step_begin();
    acquire(t, &task->group->ends, GROUP_ENDS);
    task->group = task->group->outer;
    note("task %u closed a group\n", task->name);
    step_end();
}

/* ---- locks, ordered loops ---- */

static void edge(struct clock *c, enum edge kind, bool gives, const char *what, unsigned number)
{
    unsigned t = step_begin();
    if (gives)
        clock_release(t, c);
    else
        acquire(t, c, kind);
    note("%s %u\n", what, number);
    step_end();
}

void lock_taken(unsigned lock) { edge(&lock_clock[lock], LOCK, false, "has taken lock", lock); }
void lock_given(unsigned lock) { edge(&lock_clock[lock], LOCK, true, "gives up lock", lock); }
void ordered_begins(struct task *task, unsigned construct) { edge(&task->team->ordered[construct], ORDERED, false, "ordered begins in", construct); }
void ordered_ends(struct task *task, unsigned construct) { edge(&task->team->ordered[construct], ORDERED, true, "ordered ends in", construct); }
void posts(struct task *task, unsigned construct, unsigned iteration) { edge(&task->team->post[construct][iteration], POST, true, "posts", iteration); }
void waited_post(struct task *task, unsigned construct, unsigned iteration) { edge(&task->team->post[construct][iteration], POST, false, "waited for", iteration); }

/* ---- atomics ---- */

static bool acquires(unsigned order) { return order == ACQUIRE || order >= BOTH; }
static bool releases(unsigned order) { return order >= RELEASE; }

static void load(unsigned t, struct clock *c, unsigned order)
{
    if (acquires(order))
        acquire(t, c, ATOMIC);
    else
        clock_merge(&fence_acquired[t], c);
}

static void store(unsigned t, struct clock *c, unsigned order)
{
    if (releases(order))
        clock_release(t, c);
    else
        clock_merge(c, &fence_released[t]);
}

void atomic_begin(void) { step_begin(); }

void atomic_end(enum atomic_what what, unsigned object, enum order order, bool flushes)
{
    unsigned t = my_number;
    struct clock *c = &atomic_clock[object];
    if (what == A_LOAD || what == A_CHANGE)
        load(t, c, order);
    if (what == A_STORE)
        memset(c, 0, sizeof *c);
    if (what == A_STORE || what == A_CHANGE)
        store(t, c, order);
    if (what == A_FLUSH || (flushes && order != RELAXED)) {
        acquire(t, &fence_acquired[t], FLUSH);
        fence_released[t] = truth_clock[t];
        clock_step(t);
    }
    note("%s %u, order %u\n", (const char *[]){"loads", "stores", "changes", "flush"}[what], object, order);
    step_end();
}

/* ---- scripts ---- */

bool hear_of_races(void)
{
    text = malloc(WORDS);
    return text && truth_listen();
}
unsigned long steps_done(void) { return done; }
unsigned long races_true(void) { return truth_races; }

bool truth_leave_out(unsigned which)
{
    left_out = which;
    return which < EDGES;
}

void truth_begins(void)
{
    truth_begin();
    script_number++;
    n_threads = n_tasks = 0;
    memset(lock_clock, 0, sizeof lock_clock);
    memset(atomic_clock, 0, sizeof atomic_clock);
    memset(fence_released, 0, sizeof fence_released);
    memset(fence_acquired, 0, sizeof fence_acquired);
    text_end = text;
    wrong = false;
    step_begin(); /* the first number */
    step_end();
}

bool truth_held(unsigned long seed)
{
    while (n_memory)
        free(memory[--n_memory]);
    if (wrong)
        printf("seed %lu:\n%s", seed, text);
    return !wrong;
}
