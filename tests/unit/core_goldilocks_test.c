/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine behind the detector interface: what a race says, what cannot be, what is
 * too large, barriers, transactions, memory that runs out, and events from several threads at once.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/detector.h"
#include "tests/support/fake_env.h"
#include "tests/support/generate.h"
#include "tests/support/oracle.h"

#define T(t, o, ...) {.op = GL_OP_##o, .thread = (t), __VA_ARGS__}
#define X(x) .object = (x)
#define AT(x) .object = (x), .size = 4

static struct fake_env env;
static struct gl_state *s;

static int begin(void **state)
{
    (void)state;
    fake_env_init(&env);
    s = gl_detector_goldilocks.create(&env.env);
    return s ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    gl_detector_goldilocks.destroy(s);
    return fake_env_is_clean(&env) ? 0 : -1;
}

static gl_status event(struct gl_event e) { return gl_detector_goldilocks.event(s, &e, NULL); }
#define EVENT(...) event((struct gl_event)T(__VA_ARGS__))

/* ---- what a race says ---- */

static void race_fields(void **state)
{
    (void)state;
    const struct gl_event e[] = {
        T(1, WRITE, X(0x102), .size = 4, .site = 7),
        T(2, READ, X(0x100), .size = 8, .site = 8),
        T(3, RMW, X(0x106), .size = 2, .site = 9),
        T(3, WRITE, X(0x206), .size = 2, .site = 10),
        T(4, WRITE, X(0x1fe), .size = 64, .site = 11),
    };
    struct gl_race r = {.object = 99, .bytes = 99};
    assert_int_equal(gl_detector_goldilocks.event(s, &e[0], &r), GL_OK);
    assert_int_equal(r.object, 99); /* no race, no change */
    assert_int_equal(r.bytes, 99);
    assert_int_equal(gl_detector_goldilocks.event(s, &e[1], &r), GL_RACE);
    assert_int_equal(r.object, 0x100);
    assert_int_equal(r.bytes, 0x3c);
    assert_int_equal(r.now.thread, 2);
    assert_int_equal(r.now.site, 8);
    assert_false(r.now.write);
    assert_false(r.now.atomic);
    assert_int_equal(r.then.thread, 1);
    assert_int_equal(r.then.site, 7);
    assert_true(r.then.write);
    assert_false(r.then.atomic);
    assert_int_equal(r.then_bytes, 0xc);
    assert_int_equal(gl_detector_goldilocks.event(s, &e[2], &r), GL_RACE);
    assert_int_equal(r.object, 0x106);
    assert_int_equal(r.bytes, 3);
    assert_int_equal(r.now.thread, 3);
    assert_true(r.now.write);
    assert_true(r.now.atomic);
    assert_int_equal(r.then.thread, 2);
    assert_int_equal(r.then.site, 8);
    assert_false(r.then.write);
    assert_int_equal(r.then_bytes, 0xf);
    assert_int_equal(gl_detector_goldilocks.event(s, &e[3], &r), GL_OK);
    assert_int_equal(gl_detector_goldilocks.event(s, &e[4], &r), GL_RACE); /* in its third word */
    assert_int_equal(r.object, 0x1fe);
    assert_int_equal(r.bytes, 0x300);
    assert_int_equal(r.then.site, 10);
    assert_int_equal(r.then_bytes, 0xc);
}

/* Up to and after a race the access counts as made: the next one of the same thread is in order. */
static void race_counts_as_made(void **state)
{
    (void)state;
    assert_int_equal(EVENT(1, WRITE, AT(8)), GL_OK);
    assert_int_equal(EVENT(2, WRITE, AT(8)), GL_RACE);
    assert_int_equal(EVENT(2, WRITE, AT(8)), GL_OK);
    assert_int_equal(EVENT(1, WRITE, AT(8)), GL_RACE);
}

/* ---- constructs that live here: barriers, transactions, condition waits ---- */

static void barriers(void **state)
{
    (void)state;
    /* in, out, in again before another has left the first generation */
    EVENT(1, WRITE, AT(8));
    EVENT(1, BAR_IN, X(5));
    EVENT(2, BAR_IN, X(5));
    EVENT(3, BAR_IN, X(5));
    EVENT(1, BAR_OUT, X(5));
    EVENT(2, BAR_OUT, X(5));
    assert_int_equal(EVENT(2, WRITE, AT(8)), GL_OK);
    EVENT(1, BAR_IN, X(5));
    EVENT(2, BAR_IN, X(5)); /* this one, 3 does not leave */
    EVENT(1, BAR_OUT, X(5));
    EVENT(2, BAR_OUT, X(5));
    EVENT(3, BAR_OUT, X(5));
    assert_int_equal(EVENT(3, READ, AT(8)), GL_RACE);
    /* two barriers, entered by one thread at a time, are two */
    EVENT(4, WRITE, AT(16));
    EVENT(4, BAR_IN, X(6));
    EVENT(5, BAR_IN, X(7));
    EVENT(5, BAR_OUT, X(7));
    assert_int_equal(EVENT(5, WRITE, AT(16)), GL_RACE);
    EVENT(4, BAR_OUT, X(6));
    /* generations are used again: not a page per generation */
    unsigned long maps = env.maps;
    for (int i = 0; i < 2000; i++) {
        uint32_t t = 1 + (i & 1);
        if (EVENT(t, BAR_IN, X(8)) || EVENT(3 - t, BAR_IN, X(8)) || EVENT(t, BAR_OUT, X(8)) ||
            EVENT(t, WRITE, AT(32)) || EVENT(t, BAR_IN, X(8)) || EVENT(3 - t, BAR_OUT, X(8)) ||
            EVENT(t, BAR_OUT, X(8)))
            fail_msg("round %d", i);
        /* 3-t left its generation after t had entered the next, and is behind none of t's writes there */
        if (i == 1999)
            assert_int_equal(EVENT(3 - t, READ, AT(32)), GL_RACE);
        /* next round: t's write is before its second arrival, which nobody waited for */
        if (EVENT(t, POST, X(9)) || EVENT(3 - t, WAIT, X(9)))
            fail_msg("round %d", i);
    }
    assert_true(env.maps - maps < 10);
}

/* What was in a generation's object before must not be in it when it is used again. */
static void barrier_inherits_nothing(void **state)
{
    (void)state;
    EVENT(1, WRITE, AT(8));
    EVENT(1, BAR_IN, X(1));
    EVENT(1, BAR_OUT, X(1));
    EVENT(2, BAR_IN, X(2));
    EVENT(3, BAR_IN, X(2));
    EVENT(2, BAR_OUT, X(2));
    EVENT(3, BAR_OUT, X(2));
    assert_int_equal(EVENT(3, WRITE, AT(8)), GL_RACE);
}

static void transactions(void **state)
{
    (void)state;
    static const uint64_t x[] = {8}, y[] = {9}, xy[] = {8, 9}, many[70] = {[69] = 8};
    struct gl_race r;
#define COMMIT(t, r, w)                                                                                                \
    ((struct gl_event)T(t, COMMIT, .n_reads = sizeof(r) / 8, .n_writes = sizeof(w) / 8, .reads = (r), .writes = (w)))
    assert_int_equal(event(COMMIT(1, x, xy)), GL_OK);
    assert_int_equal(event(COMMIT(2, y, x)), GL_OK);
    assert_int_equal(event(COMMIT(3, y, y)), GL_OK);
    /* outside of a transaction: bit i is entry i */
    assert_int_equal(EVENT(4, READ, X(9), .size = 1, .site = 3), GL_RACE);
    assert_int_equal(event(COMMIT(3, x, x)), GL_OK);
    struct gl_event e = COMMIT(5, xy, y);
    assert_int_equal(gl_detector_goldilocks.event(s, &e, &r), GL_RACE);
    assert_int_equal(r.bytes, 1 << 2); /* only the write of y races with that read */
    assert_int_equal(r.then.thread, 4);
    assert_int_equal(r.then.site, 3);
    assert_int_equal(r.now.thread, 5);
    /* unrelated ones order nothing */
    EVENT(6, WRITE, AT(0x20));
    event(COMMIT(6, x, x));
    event(COMMIT(7, y, y));
    assert_int_equal(EVENT(7, WRITE, AT(0x20)), GL_RACE);
    /* a race past the 64 that have a bit is not reported as something else */
    EVENT(8, WRITE, X(8), .size = 1);
    e = COMMIT(9, many, x);
    r.bytes = 0;
    gl_status status = gl_detector_goldilocks.event(s, &e, &r);
    assert_true(status == GL_OK || (status == GL_RACE && r.bytes == 0));
#undef COMMIT
}

static void find_sources(void *ctx, const char *name, const char *sentence, uint64_t value)
{
    (void)sentence;
    if (strcmp(name, "sources") == 0)
        *(uint64_t *)ctx = value;
}

static uint64_t sources_now(void)
{
    uint64_t n = 0;
    gl_detector_goldilocks.counts(s, find_sources, &n);
    return n;
}

static void condition_wait_keeps_the_nest(void **state)
{
    (void)state;
    EVENT(1, ACQ, X(1));
    EVENT(1, ACQ, X(1));
    EVENT(1, ACQ, X(1));
    EVENT(1, WRITE, AT(8));
    assert_int_equal(EVENT(1, CWAIT_BEGIN, X(1)), GL_OK);
    assert_int_equal(EVENT(1, CWAIT_BEGIN, X(2)), GL_INVALID); /* of a mutex that it does not hold */
    EVENT(2, ACQ, X(1));
    assert_int_equal(EVENT(2, WRITE, AT(8)), GL_OK);
    EVENT(2, REL, X(1));
    EVENT(1, CWAIT_END, X(1));
    assert_int_equal(EVENT(1, WRITE, AT(8)), GL_OK);
    assert_int_equal(EVENT(1, REL, X(1)), GL_OK); /* two inner ones: order nothing */
    assert_int_equal(EVENT(1, REL, X(1)), GL_OK);
    uint64_t sources = sources_now();
    EVENT(1, REL, X(1));
    assert_int_equal(sources_now(), sources + 1);
    assert_int_equal(EVENT(1, REL, X(1)), GL_INVALID);
}

/* ---- what cannot be ---- */

static void impossible(void **state)
{
    (void)state;
    const struct { gl_status expected; struct gl_event e; } steps[] = {
        {GL_INVALID, T(0, READ, X(8), .size = 0)},   {GL_INVALID, T(0, WRITE, X(8), .size = 65)},
        {GL_INVALID, T(0, RMW, X(8), .size = 17)},   {GL_INVALID, {.op = GL_OP_COUNT}},
        {GL_INVALID, T(0, COMMIT, .n_reads = 1)},    {GL_INVALID, T(0, COMMIT, .n_writes = 1)},
        {GL_OK, T(0, COMMIT)},                       {GL_INVALID, T(0, REL, X(1))},
        {GL_INVALID, T(0, CWAIT_BEGIN, X(1))},       {GL_INVALID, T(0, RDUNLOCK, X(1))},
        {GL_INVALID, T(0, WRUNLOCK, X(1))},          {GL_OK, T(0, RDLOCK, X(1))},
        {GL_INVALID, T(0, WRUNLOCK, X(1))},          {GL_INVALID, T(1, RDUNLOCK, X(1))},
        {GL_OK, T(0, RDUNLOCK, X(1))},               {GL_OK, T(1, WRLOCK, X(1))},
        {GL_INVALID, T(1, RDUNLOCK, X(1))},          {GL_OK, T(1, WRUNLOCK, X(1))},
        {GL_INVALID, T(0, BAR_OUT, X(1))},           {GL_OK, T(0, BAR_IN, X(1))},
        {GL_INVALID, T(1, BAR_OUT, X(1))},           {GL_INVALID, T(0, BAR_OUT, X(2))},
        {GL_OK, T(0, BAR_OUT, X(1))},                {GL_INVALID, T(0, BAR_OUT, X(1))},
        {GL_INVALID, T(0, FORK, X(0))},              {GL_INVALID, T(0, FORK, X(1))},
        {GL_OK, T(0, FORK, X(2))},                   {GL_INVALID, T(1, FORK, X(2))},
        {GL_INVALID, T(0, JOIN, X(3))},              {GL_OK, T(2, BEGIN)},
        {GL_OK, T(2, END)},                          {GL_INVALID, T(2, READ, AT(8))},
        {GL_INVALID, T(2, END)},                     {GL_INVALID, T(0, FORK, X(2))},
        {GL_OK, T(0, JOIN, X(2))},                   {GL_OK, T(1, JOIN, X(2))},
        {GL_OK, T(1, JOIN, X(0))},                   {GL_INVALID, T(0, READ, AT(8))},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        gl_status status = gl_detector_goldilocks.event(s, &steps[i].e, NULL);
        if (status != steps[i].expected)
            fail_msg("step %zu (%s): status %d instead of %d", i, gl_op_name(steps[i].e.op), status, steps[i].expected);
    }
}

static void join_of_oneself(void **state)
{
    (void)state;
    assert_int_equal(EVENT(1, WRITE, AT(8)), GL_OK);
    assert_int_equal(EVENT(1, JOIN, X(1)), GL_INVALID);
    assert_int_equal(EVENT(1, WRITE, AT(8)), GL_OK); /* and it lives on */
    assert_int_equal(EVENT(0, JOIN, X(0)), GL_INVALID);
}

static void too_large(void **state)
{
    (void)state;
    const uint64_t numbers = 1u << 28, bytes = 1u << 30; /* include/goldilocks/goldilocks.h */
    assert_int_equal(EVENT((uint32_t)numbers - 1, WRITE, AT(8)), GL_OK);
    assert_int_equal(EVENT((uint32_t)numbers, READ, AT(8)), GL_LIMIT);
    assert_int_equal(EVENT(0, FORK, X(numbers)), GL_LIMIT);
    assert_int_equal(EVENT(0, WRITE, AT(bytes - 4)), GL_OK);
    assert_int_equal(EVENT(0, WRITE, AT(bytes)), GL_LIMIT);
    assert_int_equal(EVENT(0, WRITE, AT(bytes - 1)), GL_LIMIT);
    assert_int_equal(EVENT(0, WRITE, AT(UINT64_MAX - 1)), GL_LIMIT); /* it does not come round to 0 */
    assert_int_equal(EVENT(0, ALLOC, X(0x1000), .size = 0x10000), GL_OK);
    assert_int_equal(EVENT(0, ALLOC, X(UINT64_MAX - 1), .size = 0x10000), GL_LIMIT);
    assert_int_equal(EVENT(0, ACQ, X(numbers - 1)), GL_OK);
    assert_int_equal(EVENT(0, ACQ, X(numbers)), GL_LIMIT);
}

/* ---- many events at once ---- */

/* Gives the oracle event i, which a detector took; place: by site, where it has it. */
static void tell_oracle(struct oracle *o, const struct execution *x, size_t i, size_t *place, size_t *taken)
{
    place[x->event[i].site] = (*taken)++;
    (void)oracle_add(o, &x->event[i]);
}

/* events() on pieces of any length says of each event what event() says of it; of several accesses that it races with it may name another. */
static void batches(void **state)
{
    (void)state;
    const struct gl_detector *d = &gl_detector_goldilocks;
    struct generator *g = generator_new();
    struct rng rng = rng_seed(7);
    struct execution x;
    execution_init(&x, GENERATE_MAX);
    struct oracle *o = oracle_new(GENERATE_MAX);
    static size_t place[GENERATE_MAX + 1];
    unsigned stops = 0;
    for (uint64_t k = 0; k < 50 * n_profiles; k++) {
        generate(g, &profiles[k % n_profiles], k, &x);
        size_t taken = 0;
        oracle_reset(o);
        x.event[rng_below(&rng, (uint32_t)x.n)].size = 99; /* one that is refused, where it has a size */
        struct fake_env one, many;
        fake_env_init(&one);
        fake_env_init(&many);
        struct gl_state *by_one = d->create(&one.env), *by_many = d->create(&many.env);
        d->set(by_one, "as-with-many", k / n_profiles % 2);
        d->set(by_many, "as-with-many", k / n_profiles % 2);
        for (size_t i = 0; i < x.n;) {
            size_t n = 1 + rng_below(&rng, 40);
            n = n < x.n - i ? n : x.n - i;
            struct gl_race expected = {0}, race = {0};
            gl_status status, last = GL_OK;
            size_t done = d->events(by_many, &x.event[i], n, &race, &status);
            assert_true(done >= 1 && done <= n);
            for (size_t j = 0; j < done; j++) {
                assert_int_equal(last, GL_OK);
                last = d->event(by_one, &x.event[i + j], &expected);
                if (last == GL_OK || last == GL_RACE)
                    tell_oracle(o, &x, i + j, place, &taken);
            }
            assert_int_equal(status, last);
            assert_true(status != GL_OK || done == n);
            if (status == GL_RACE) {
                assert_int_equal(race.object, expected.object);
                assert_int_equal(race.bytes, expected.bytes);
                uint64_t address = event_byte(&x.event[i + done - 1], (unsigned)__builtin_ctzll(race.bytes));
                assert_in_range(race.then.site, 1, i + done - 1);
                assert_int_equal(x.event[race.then.site - 1].thread, race.then.thread);
                assert_true(oracle_is_race(o, address, taken - 1, place[race.then.site], race.then.write, race.then.atomic));
            }
            stops += status != GL_OK;
            i += done;
        }
        d->destroy(by_one);
        d->destroy(by_many);
        assert_true(fake_env_is_clean(&one) && fake_env_is_clean(&many));
    }
    execution_fini(&x);
    oracle_delete(o);
    generator_delete(g);
    assert_true(stops > 100);
}

/* Threads become many (GL_MANY) in the middle of a batch, where what is known of them changes its place. */
static void crowd_within_a_batch(void **state)
{
    (void)state;
    enum { THREADS = 300, EACH = 5 };
    static struct gl_event e[THREADS * EACH + 1];
    size_t n = 0;
    for (uint32_t t = 1; t <= THREADS; t++) {
        e[n++] = (struct gl_event)T(0, FORK, X(t));
        e[n++] = (struct gl_event)T(t, ACQ, X(1));
        e[n++] = (struct gl_event)T(t, WRITE, AT(64), .site = t);
        e[n++] = (struct gl_event)T(t / 2, READ, AT(128), .site = t); /* forked before */
        e[n++] = (struct gl_event)T(t, REL, X(1));
    }
    e[n++] = (struct gl_event)T(7, READ, AT(64));
    struct gl_race race;
    gl_status status;
    assert_int_equal(gl_detector_goldilocks.events(s, e, n, &race, &status), n);
    assert_int_equal(status, GL_RACE);
    assert_int_equal(race.then.thread, THREADS);
    assert_int_equal(race.then.site, THREADS);
}

/* ---- memory ---- */

/* What may be dropped, since only a race is missed then. */
static bool is_access(const struct gl_event *e)
{
    return gl_op_class(e->op) == GL_CLASS_ATOMIC || e->op == GL_OP_COMMIT ||
           (gl_op_class(e->op) == GL_CLASS_DATA && e->op != GL_OP_ALLOC);
}

/* Each allocation fails once, in executions of every kind: races may be missed, none is invented, the status says that
 * memory was the reason, and when a synchronization is lost nothing more is said. */
static void out_of_memory(void **state)
{
    (void)state;
    struct generator *g = generator_new();
    struct oracle *o = oracle_new(GENERATE_MAX);
    struct execution x;
    execution_init(&x, GENERATE_MAX);
    unsigned failures = 0, told = 0;
    char wrong[160] = "";
    for (uint64_t k = 0; k < 4 * n_profiles && !*wrong; k++) {
        generate(g, &profiles[k % n_profiles], k, &x);
        oracle_run(o, &x);
        bool failed = true;
        for (unsigned long at = 1; failed && !*wrong; at++) {
            struct fake_env f;
            fake_env_init(&f);
            f.fail_at = at;
            f.fail_from = k & 1;
            struct gl_state *d = gl_detector_goldilocks.create(&f.env);
            bool over = false;
            for (size_t i = 0; d && i < x.n && !*wrong; i++) {
                struct gl_race race = {0};
                gl_status status = gl_detector_goldilocks.event(d, &x.event[i], &race);
                const char *why = status > GL_NOMEM ? "status of another kind"
                                  : status == GL_RACE && race.bytes & ~oracle_verdict(o, i).races ? "a race that is none"
                                  : over && status != GL_NOMEM ? "said to be over, and goes on"
                                  : NULL;
                if (why)
                    snprintf(wrong, sizeof wrong, "%s at %s, event %zu (status %d); profile %s, seed %llu, map %lu%s", why,
                             gl_op_name(x.event[i].op), i, status, profiles[k % n_profiles].name,
                             (unsigned long long)k, at, f.fail_from ? " and later" : "");
                over |= status == GL_NOMEM && !is_access(&x.event[i]);
                told += status == GL_NOMEM;
            }
            failed = f.maps >= at;
            failures += failed;
            if (d)
                gl_detector_goldilocks.destroy(d);
            if (!*wrong && !fake_env_is_clean(&f))
                snprintf(wrong, sizeof wrong, "memory is left; seed %llu, map %lu", (unsigned long long)k, at);
        }
    }
    execution_fini(&x);
    oracle_delete(o);
    generator_delete(g);
    if (*wrong)
        fail_msg("%s", wrong);
    assert_true(failures > 20 * 4 * n_profiles);
    assert_true(told > failures);
}

/* ---- several callers ---- */

enum { CALLERS = 4, ROUNDS = 3000, GUARDED = 0x100, BARE = 0x1000 };
static pthread_mutex_t real = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t together;

struct caller {
    uint32_t thread;
    unsigned guarded, bare, neighbours, other;
};

static void *call(void *arg)
{
    struct caller *c = arg;
    const uint32_t t = c->thread;
    pthread_barrier_wait(&together);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&real);
        c->other += EVENT(t, ACQ, X(1)) != GL_OK;
        c->guarded += EVENT(t, READ, AT(GUARDED)) != GL_OK;
        c->guarded += EVENT(t, WRITE, AT(GUARDED)) != GL_OK;
        c->other += EVENT(t, REL, X(1)) != GL_OK;
        pthread_mutex_unlock(&real);
        c->neighbours += EVENT(t, WRITE, X(0x200 + t), .size = 1) != GL_OK;
    }
    for (uint32_t i = 0; i < ROUNDS; i++) {
        gl_status status = EVENT(t, WRITE, AT(BARE + 4 * i));
        c->bare += status == GL_RACE;
        c->other += status > GL_RACE;
    }
    return NULL;
}

static void concurrent_events(void **state)
{
    (void)state;
    struct caller c[CALLERS] = {{0}};
    pthread_t t[CALLERS];
    for (uint32_t i = 1; i <= CALLERS; i++)
        EVENT(0, FORK, X(i));
    pthread_barrier_init(&together, NULL, CALLERS);
    for (uint32_t i = 0; i < CALLERS; i++) {
        c[i].thread = i + 1;
        assert_int_equal(pthread_create(&t[i], NULL, call, &c[i]), 0);
    }
    struct caller sum = {0};
    for (uint32_t i = 0; i < CALLERS; i++) {
        pthread_join(t[i], NULL);
        sum.guarded += c[i].guarded;
        sum.bare += c[i].bare;
        sum.neighbours += c[i].neighbours;
        sum.other += c[i].other;
    }
    pthread_barrier_destroy(&together);
    assert_int_equal(sum.other, 0);
    assert_int_equal(sum.guarded, 0);
    assert_int_equal(sum.neighbours, 0);
    /* nothing orders any two of them after the last release: whoever is not first at a cell races with its predecessor.
     * A caller still in its first loop may be ordered after one that is in its second?  No: that one releases no more. */
    assert_int_equal(sum.bare, (CALLERS - 1) * ROUNDS);
}

#define detector_test(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        detector_test(race_fields),
        detector_test(race_counts_as_made),
        detector_test(barriers),
        detector_test(barrier_inherits_nothing),
        detector_test(transactions),
        detector_test(condition_wait_keeps_the_nest),
        detector_test(impossible),
        detector_test(join_of_oneself),
        detector_test(too_large),
        cmocka_unit_test(batches),
        detector_test(crowd_within_a_batch),
        cmocka_unit_test(out_of_memory),
        detector_test(concurrent_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
