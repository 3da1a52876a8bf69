/* SPDX-License-Identifier: Apache-2.0
 *
 * Horizons (core/goldilocks_horizon.c): in long random executions, given in batches, events() says of each access what event() says of it,
 * which has no horizons.  Threads come and go, slots are used again, and in one of three executions so are ids of segments.  Then the same
 * with every op there is, against clocks too.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/detector.h"
#include "core/goldilocks_state.h"
#include "core/sweep.h"
#include "tests/support/check.h"
#include "tests/support/fake_env.h"
#include "tests/support/long_execution.h"

enum { EVENTS = 20000, ALIVE = 8, LOCKS = 6, VARIABLES = 60, RUNS = 180 };

/* One execution as it is made. */
struct maker {
    struct rng rng;
    struct gl_event *e;
    size_t n;
    uint32_t alive, next;                 /* threads: how many, the next number */
    uint32_t number[ALIVE], held[ALIVE];  /* by place; held: a lock, or LOCKS */
    uint32_t ended[ALIVE], n_ended;       /* not joined yet */
    bool taken[LOCKS];
    uint32_t churn, careless;             /* of a thousand steps: that make or end a thread; of a thousand accesses: without the lock */
};

static void tell(struct maker *m, uint32_t thread, enum gl_op op, uint64_t object, uint32_t size)
{
    m->e[m->n] = (struct gl_event){.op = op, .thread = thread, .object = object, .size = size, .site = (uint32_t)m->n + 1};
    m->n++;
}

static void fork_or_end(struct maker *m, uint32_t p)
{
    if (m->n_ended > 0 && rng_chance(&m->rng, 70)) {
        tell(m, m->number[p], GL_OP_JOIN, m->ended[--m->n_ended], 0);
    } else if (m->alive < ALIVE) {
        tell(m, m->number[p], GL_OP_FORK, m->next, 0);
        m->number[m->alive] = m->next++;
        m->held[m->alive++] = LOCKS;
    } else if (p > 0 && m->held[p] == LOCKS && m->n_ended < ALIVE) {
        tell(m, m->number[p], GL_OP_END, 0, 0);
        m->ended[m->n_ended++] = m->number[p];
        m->alive--;
        m->number[p] = m->number[m->alive];
        m->held[p] = m->held[m->alive];
    }
}

/* Variable v belongs to lock v % LOCKS, those from VARIABLES on to a thread each. */
static void access_one(struct maker *m, uint32_t p)
{
    bool careless = rng_below(&m->rng, 1000) < m->careless;
    uint32_t v = rng_below(&m->rng, VARIABLES / LOCKS) * LOCKS + (m->held[p] < LOCKS ? m->held[p] : 0);
    if (careless && rng_chance(&m->rng, 50))
        v = rng_below(&m->rng, VARIABLES);
    else if (careless) /* of a thread that may have ended */
        v = VARIABLES + (m->next - 1 - rng_below(&m->rng, m->next < 12 ? m->next : 12)) % 500;
    else if (m->held[p] == LOCKS)
        v = VARIABLES + m->number[p] % 500;
    uint32_t size = rng_chance(&m->rng, 97) ? 4 : 1;
    tell(m, m->number[p], rng_chance(&m->rng, 40) ? GL_OP_WRITE : GL_OP_READ, 4 * v, size);
}

static void lock_or_unlock(struct maker *m, uint32_t p)
{
    uint32_t l = m->held[p];
    if (l < LOCKS) {
        tell(m, m->number[p], GL_OP_REL, l, 0);
        m->held[p] = LOCKS;
        m->taken[l] = false;
        return;
    }
    l = rng_below(&m->rng, LOCKS);
    if (m->taken[l])
        return;
    tell(m, m->number[p], GL_OP_ACQ, l, 0);
    m->held[p] = l;
    m->taken[l] = true;
}

static void make(struct maker *m, uint64_t seed)
{
    struct gl_event *e = m->e;
    *m = (struct maker){.rng = rng_seed(seed), .e = e, .alive = 1, .next = 1, .held = {LOCKS}};
    m->churn = seed % 2 ? 2 : 20;
    m->careless = seed % 4 < 2 ? 0 : seed % 4 == 2 ? 5 : 80;
    while (m->n < EVENTS) {
        uint32_t p = rng_below(&m->rng, m->alive);
        if (rng_below(&m->rng, 1000) < m->churn)
            fork_or_end(m, p);
        else if (rng_chance(&m->rng, 30))
            lock_or_unlock(m, p);
        else
            for (uint32_t k = 1 + rng_below(&m->rng, 4); k > 0 && m->n < EVENTS; k--)
                access_one(m, p);
    }
}

static void add_answered(void *answered, const char *name, const char *sentence, uint64_t value)
{
    (void)sentence;
    if (strcmp(name, "rule_horizon") == 0)
        *(uint64_t *)answered += value;
}

/* Returns how many events raced. */
static unsigned compare(struct maker *m, bool swept, uint64_t *answered)
{
    const struct gl_detector *d = &gl_detector_goldilocks;
    struct fake_env one, many;
    fake_env_init(&one);
    fake_env_init(&many);
    struct gl_state *by_one = d->create(&one.env), *by_many = d->create(&many.env);
    d->set(by_many, "sweep-at-once", swept);
    unsigned races = 0;
    for (size_t i = 0; i < m->n;) {
        size_t n = 1 + rng_below(&m->rng, 300);
        n = n < m->n - i ? n : m->n - i;
        struct gl_race expected = {0}, race = {0};
        gl_status status, last = GL_OK;
        size_t done = d->events(by_many, &m->e[i], n, &race, &status);
        for (size_t j = 0; j < done; j++) {
            assert_int_equal(last, GL_OK);
            last = d->event(by_one, &m->e[i + j], &expected);
        }
        assert_int_equal(status, last);
        assert_true(status == GL_RACE || (status == GL_OK && done == n));
        if (status == GL_RACE) {
            races++;
            assert_int_equal(race.object, expected.object);
            assert_int_equal(race.bytes, expected.bytes);
            assert_int_not_equal(race.then.thread, m->e[i + done - 1].thread); /* of several it may be another one */
        }
        i += done;
    }
    d->counts(by_many, add_answered, answered);
    d->destroy(by_one);
    d->destroy(by_many);
    assert_true(fake_env_is_clean(&one) && fake_env_is_clean(&many));
    return races;
}

static void as_one_by_one(void **state)
{
    (void)state;
    static struct gl_event events[EVENTS + 8];
    struct maker m = {.e = events};
    unsigned races = 0;
    uint64_t answered = 0;
    for (uint64_t k = 0; k < RUNS; k++) {
        make(&m, k);
        uint64_t now = 0;
        unsigned raced = compare(&m, k % 3 == 2, &now);
        assert_true(m.careless || !raced);
        races += raced;
        answered += now;
    }
    printf("%u races, %lu accesses behind a horizon\n", races, (unsigned long)answered);
    assert_true(races > 100);
    assert_true(answered > (uint64_t)EVENTS * RUNS / 50);
}

/* ---- every op ---- */

enum { LONG_EVENTS = 12000, LONG_THREADS = 256, LONG_WORDS = 400, LONG_RUNS = 140 };

static uint32_t one_of(struct rng *r, const uint32_t *of, size_t n) { return of[rng_below(r, (uint32_t)n)]; }
#define ONE_OF(r, ...) one_of(r, (const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static struct long_shape shape_of(struct rng *r)
{
    struct long_shape p = {.alive = ONE_OF(r, 2, 3, 4, 8, 8, 16, 40, 150)};
    p.roots = 1 + (rng_chance(r, 30) ? rng_below(r, p.alive) : 0);
    p.threads = p.alive + 1 + rng_below(r, LONG_THREADS - p.alive);
    p.events = LONG_EVENTS / 3 + rng_below(r, LONG_EVENTS * 2 / 3);
    p.objects = ONE_OF(r, 1, 2, 4, 8, 30);
    p.words = ONE_OF(r, 3, 8, 20, 60, LONG_WORDS);
    p.sync = ONE_OF(r, 5, 20, 40, 60);
    p.churn = ONE_OF(r, 1, 3, 10, 30, 100);
    p.mix = ONE_OF(r, 0, 2, 10, 40);
    p.detached = ONE_OF(r, 0, 0, 20, 100);
    p.careless = ONE_OF(r, 0, 1, 4, 20);
    p.sticky = ONE_OF(r, 0, 30, 60, 90);
    p.classes = rng_chance(r, 25) ? 0 : rng_chance(r, 50) ? UINT32_MAX : (uint32_t)rng_next(r);
    return p;
}

/* Is what events() said of the last of some events right, and true? */
static void judge_last(const struct long_execution *l, const struct execution *x, size_t i, gl_status status, const struct gl_race *race)
{
    struct oracle_verdict v = long_verdict(l, i);
    uint64_t bytes = status == GL_RACE ? race->bytes : 0;
    assert_true(status == GL_OK || status == GL_RACE);
    assert_int_equal(v.first & ~bytes, 0);
    assert_int_equal(bytes & ~v.races, 0);
    if (!bytes)
        return;
    uint64_t address = event_byte(&x->event[i], (unsigned)__builtin_ctzll(bytes));
    assert_in_range(race->then.site, 1, i);
    assert_int_equal(x->event[race->then.site - 1].thread, race->then.thread);
    assert_true(long_is_race(l, address, i, race->then.site - 1, race->then.write, race->then.atomic));
}

/* Sweeps: none, after each id, or now and then; and some more that is rare. */
static void hamper(struct gl_state *s, struct rng *r)
{
    const struct gl_detector *d = &gl_detector_goldilocks;
    uint32_t sweeps = rng_below(r, 3);
    if (sweeps == 1)
        d->set(s, "sweep-at-once", true);
    else if (sweeps == 2)
        gl_core_sweep_every(s->core, 33 + rng_below(r, 600), rng_chance(r, 50) ? GL_SEGMENT_CHUNK : 0);
    d->set(s, "groups-at-once", rng_chance(r, 15));
    d->set(s, "lock-at-once", rng_chance(r, 15));
    if (rng_chance(r, 15)) /* threads become many in the middle */
        s->core->many = 1 + rng_below(r, 40);
}

/* Does `analyze` give it to event()? */
static bool is_apart(enum gl_op op) { return op == GL_OP_ALLOC || op == GL_OP_COMMIT || (op >= GL_OP_LOAD && op <= GL_OP_RMW); }

/* Returns how many events raced. */
static unsigned judge_long(const struct long_execution *l, const struct execution *x, struct rng *r, uint64_t *answered)
{
    const struct gl_detector *d = &gl_detector_goldilocks;
    struct fake_env one, many;
    fake_env_init(&one);
    fake_env_init(&many);
    struct gl_state *by_one = d->create(&one.env), *by_many = d->create(&many.env);
    hamper(by_many, r);
    bool apart = rng_chance(r, 50), mixed = rng_chance(r, 40), trims = rng_chance(r, 30);
    uint32_t batch = rng_chance(r, 50) ? 300 : 4000;
    size_t late = rng_chance(r, 15) ? rng_below(r, (uint32_t)x->n) : 0; /* event by event up to here */
    unsigned races = 0;
    for (size_t i = 0; i < x->n;) {
        size_t n = 1 + rng_below(r, batch), done = 1;
        struct gl_race race = {0}, expected = {0};
        gl_status status = GL_OK, last = GL_OK;
        n = n < x->n - i ? n : x->n - i;
        for (size_t k = 0; apart && k < n; k++)
            n = is_apart(x->event[i + k].op) ? k : n;
        if (!n || i < late || (mixed && rng_chance(r, 20)))
            status = d->event(by_many, &x->event[i], &race);
        else
            done = d->events(by_many, &x->event[i], n, &race, &status);
        for (size_t j = 0; j < done; j++, i++) {
            last = d->event(by_one, &x->event[i], &expected);
            judge_last(l, x, i, j + 1 < done ? GL_OK : status, &race);
            assert_int_equal(last, j + 1 < done ? GL_OK : status);
        }
        if (status == GL_RACE)
            assert_int_equal(race.bytes, expected.bytes);
        races += status == GL_RACE;
        if (trims && rng_chance(r, 10))
            gl_columns_trim(&by_many->core->columns);
    }
    d->counts(by_many, add_answered, answered);
    d->destroy(by_one);
    d->destroy(by_many);
    assert_true(fake_env_is_clean(&one) && fake_env_is_clean(&many));
    return races;
}

static uint64_t execution; /* that is judged; UINT64_MAX: all have been */

static int tell_which(void **state)
{
    (void)state;
    if (execution != UINT64_MAX)
        printf("to repeat it: GL_SEED=%lu GL_RUNS=1\n", (unsigned long)execution);
    return 0;
}

static void as_clocks_have_it(void **state)
{
    (void)state;
    struct long_execution *l = long_new(LONG_EVENTS, LONG_THREADS, LONG_WORDS);
    uint64_t answered = 0, events = 0, of_op[GL_OP_COUNT] = {0};
    uint64_t from = env_number("GL_SEED", 0), runs = env_number("GL_RUNS", LONG_RUNS);
    unsigned races = 0;
    for (uint64_t k = from; k < from + runs; k++) {
        struct rng r = rng_seed(~k);
        execution = k;
        struct long_shape shape = shape_of(&r);
        const struct execution *x = long_make(l, &shape, k);
        for (size_t i = 0; i < x->n; i++)
            of_op[x->event[i].op]++;
        events += x->n;
        races += judge_long(l, x, &r, &answered);
    }
    execution = UINT64_MAX;
    printf("%lu events, %u races, %lu accesses behind a horizon\n", (unsigned long)events, races, (unsigned long)answered);
    for (int op = 0; op < GL_OP_COUNT && runs >= LONG_RUNS; op++)
        assert_true(of_op[op] > 100);
    assert_true(runs < LONG_RUNS || (races > 1000 && answered > events / 50));
    long_delete(l);
}

/* ---- ids that are handed out again ---- */

enum { UNDER = 8 }; /* segments of the thread whose ids come back */

/* Gives one event after the other, as a batch each; the last one's status. */
static gl_status give(struct gl_state *s, const struct gl_event *e, size_t n)
{
    gl_status status = GL_OK;
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(status, GL_OK);
        assert_int_equal(gl_detector_goldilocks.events(s, &e[i], 1, NULL, &status), 1);
    }
    return status;
}
#define GIVE(s, ...) give(s, (const struct gl_event[]){__VA_ARGS__}, sizeof((const struct gl_event[]){__VA_ARGS__}) / sizeof(struct gl_event))
#define DO(t, what, on) {.op = GL_OP_##what, .thread = t, .object = on, .size = 4}

/* The id of the segment that wrote the cell. */
static uint32_t writer(struct gl_state *s, uint64_t address)
{
    return gl_half_segment((uint32_t)(gl_load_relaxed(&((struct cell *)cell_at(s, address))->word) >> 32));
}

/* Thread 1 makes segments under locks, the last of which thread 0 has taken in; nothing of it is in a cell when thread 2 gets its ids, which thread 0 is not ordered
 * after.  late: thread 0 takes in what thread 1 did after that. */
static void chunk_comes_back(bool late)
{
    struct fake_env env;
    fake_env_init(&env);
    struct gl_state *s = gl_detector_goldilocks.create(&env.env);
    GIVE(s, DO(0, FORK, 3), DO(0, WRITE, 800), DO(3, WRITE, 900), DO(0, FORK, 1), DO(0, FORK, 2));
    for (unsigned i = 0; i < UNDER; i++) /* by turns: else a segment goes on */
        GIVE(s, DO(1, ACQ, 8), DO(1, WRITE, 400), DO(1, REL, 8), DO(1, ACQ, 9), DO(1, WRITE, 400), DO(1, REL, 9));
    uint32_t was = writer(s, 400);
    if (!late)
        GIVE(s, DO(0, ACQ, 9), DO(0, WRITE, 400), DO(0, REL, 9));
    GIVE(s, DO(1, END, 0), DO(3, ALLOC, 400)); /* thread 1 is gone, and nobody waits for it */
    for (int i = 0; i < 2; i++) /* the first may keep what has just ended */
        gl_goldilocks_sweep(s);
    GIVE(s, DO(2, WRITE, 600));
    assert_int_equal(writer(s, 600) / GL_SEGMENT_CHUNK, was / GL_SEGMENT_CHUNK); /* the ids are its own now */
    assert_true(writer(s, 600) < was);
    if (late) /* the lock's last source is thread 1's */
        GIVE(s, DO(0, WRITE, 800), DO(0, ACQ, 9));
    assert_int_equal(GIVE(s, DO(0, WRITE, 600)), GL_RACE);
    gl_detector_goldilocks.destroy(s);
    assert_true(fake_env_is_clean(&env));
}

static void ids_come_back(void **state)
{
    (void)state;
    chunk_comes_back(false);
}

static void ids_come_back_late(void **state)
{
    (void)state;
    chunk_comes_back(true);
}

/* What many threads read again and again, in one batch of ids after another, is remembered once for each: records do not grow with the trace. */
static void one_read_of_each(void **state)
{
    (void)state;
    enum { READERS = 20, ROUNDS = 400 };
    struct fake_env env;
    fake_env_init(&env);
    struct gl_state *s = gl_detector_goldilocks.create(&env.env);
    s->core->many = 1;
    for (uint32_t t = 1; t <= READERS; t++)
        GIVE(s, DO(0, FORK, t));
    GIVE(s, DO(0, LOAD, 400)); /* an atomic read: the others cannot be spread (spread.h) */
    for (uint32_t n = 0; n < ROUNDS; n++)
        for (uint32_t t = 1; t <= READERS; t++)
            GIVE(s, DO(t, ACQ, t), DO(t, READ, 400), DO(t, REL, t), DO(t, ACQ, 100 + t), DO(t, READ, 4 * t), DO(t, REL, 100 + t));
    uint64_t word = gl_load_relaxed(&((struct cell *)cell_at(s, 400))->word);
    assert_true(word >> 32 == GL_CELL_SIDE);
    const struct gl_side *r = gl_side_at(&s->core->sides, gl_cell_side(word));
    assert_int_equal(gl_load_relaxed(&r->spread), 0);
    assert_int_equal(r->n_reads, READERS + 1);
    gl_detector_goldilocks.destroy(s);
    assert_true(fake_env_is_clean(&env));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ids_come_back), cmocka_unit_test(ids_come_back_late), cmocka_unit_test(one_read_of_each),
                                       cmocka_unit_test(as_one_by_one), cmocka_unit_test_teardown(as_clocks_have_it, tell_which)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
