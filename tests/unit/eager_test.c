/* SPDX-License-Identifier: Apache-2.0
 *
 * The eager reference on executions written by hand: the papers' examples with broken twins, one small
 * case per construct, impossible events, and memory that runs out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "peers/eager.h"
#include "tests/support/fake_env.h"
#include "tests/support/generate.h"
#include "tests/support/oracle.h"

#define T(t, o, ...) {.op = GL_OP_##o, .thread = (t), __VA_ARGS__}
#define X(x) .object = (x)
#define AT(x) .object = (x), .size = 4
#define BYTE(x, o) .object = (x), .size = 1, .order = GL_##o
#define SYNC(x, o) .object = (x), .order = GL_##o

/* Runs the events; the result is the number (from 1) of the first that raced, or 0. */
static size_t first_race(const struct gl_event *e, size_t n)
{
    struct fake_env env;
    fake_env_init(&env);
    struct gl_state *s = gl_detector_eager.create(&env.env);
    assert_non_null(s);
    size_t first = 0;
    for (size_t i = 0; i < n; i++) {
        gl_status status = gl_detector_eager.event(s, &e[i], NULL);
        assert_true(status == GL_OK || status == GL_RACE);
        if (status == GL_RACE && !first)
            first = i + 1;
    }
    gl_detector_eager.destroy(s);
    assert_true(fake_env_is_clean(&env));
    return first;
}

#define assert_first_race(number, ...)                                              \
    do {                                                                            \
        const struct gl_event events[] = {__VA_ARGS__};                             \
        assert_int_equal(first_race(events, sizeof events / sizeof *events), number); \
    } while (0)

/* ---- the papers ---- */

/* Technical report 2.3: a.x moves from lock L1 to lock L2 while T2 swaps a and b, without being touched. */
static void intbox(void **state)
{
    (void)state;
    enum { L1 = 1, L2 = 2, a = 0x100, b = 0x108, o1x = 0x200 };
#define INTBOX(lock_of_t3)                                                            \
    T(0, ALLOC, AT(o1x)), T(0, WRITE, AT(a)), T(0, WRITE, AT(b)),                     \
    T(0, FORK, X(1)), T(0, FORK, X(2)), T(0, FORK, X(3)),                             \
    T(1, ACQ, X(L1)), T(1, READ, AT(a)), T(1, READ, AT(o1x)), T(1, WRITE, AT(o1x)), T(1, REL, X(L1)), \
    T(2, ACQ, X(L1)), T(2, ACQ, X(L2)),                                               \
    T(2, READ, AT(a)), T(2, READ, AT(b)), T(2, WRITE, AT(a)), T(2, WRITE, AT(b)),     \
    T(2, REL, X(L1)), T(2, REL, X(L2)),                                               \
    T(3, ACQ, X(lock_of_t3)), T(3, READ, AT(b)), T(3, READ, AT(o1x)), T(3, WRITE, AT(o1x)), T(3, REL, X(lock_of_t3))
    assert_first_race(0, INTBOX(L2));
    assert_first_race(21, INTBOX(3)); /* the wrong lock: b itself races first */
#undef INTBOX
}

/* Technical report, appendix A: oneTask.out is T1's, then the queue's, then T2's, then Tlock's, then T2's. */
static void task_queue(void **state)
{
    (void)state;
    enum { Qlock = 1, Tlock = 2, tQ = 0x100, out = 0x200, st0 = 3, st1 = 4 };
#define SUBTASK(t) T(t, ACQ, X(Tlock)), T(t, READ, AT(out)), T(t, WRITE, AT(out)), T(t, REL, X(Tlock))
#define CREATE T(1, ALLOC, AT(out)), T(1, WRITE, AT(out)), T(1, ACQ, X(Qlock)), T(1, WRITE, AT(tQ)), T(1, REL, X(Qlock))
#define DEQUEUE T(2, ACQ, X(Qlock)), T(2, READ, AT(tQ)), T(2, WRITE, AT(tQ)), T(2, REL, X(Qlock))
    assert_first_race(0, CREATE, DEQUEUE, T(2, FORK, X(st0)), T(2, FORK, X(st1)), SUBTASK(st0), SUBTASK(st1),
                      T(2, JOIN, X(st0)), T(2, JOIN, X(st1)), T(2, READ, AT(out)), T(2, WRITE, AT(out)));
    /* one child is not joined */
    assert_first_race(21, CREATE, DEQUEUE, T(2, FORK, X(st0)), T(2, FORK, X(st1)), SUBTASK(st0), SUBTASK(st1),
                      T(2, JOIN, X(st0)), T(2, READ, AT(out)));
    /* a child adds without Tlock */
    assert_first_race(16, CREATE, DEQUEUE, T(2, FORK, X(st0)), T(2, FORK, X(st1)), SUBTASK(st0),
                      T(st1, READ, AT(out)), T(st1, WRITE, AT(out)));
    /* the queue is not locked on the way in: its own race comes first */
    assert_first_race(4, T(1, WRITE, AT(out)), T(1, WRITE, AT(tQ)), T(2, ACQ, X(Qlock)), T(2, READ, AT(tQ)));
}

/* CACM, Fig. 1a: a lock hands x over. */
static void cacm_lock(void **state)
{
    (void)state;
    enum { Lx = 1, x = 0x100 };
    assert_first_race(0, T(1, ACQ, X(Lx)), T(1, WRITE, AT(x)), T(1, REL, X(Lx)), T(2, ACQ, X(Lx)), T(2, WRITE, AT(x)));
    assert_first_race(5, T(1, ACQ, X(Lx)), T(1, REL, X(Lx)), T(1, WRITE, AT(x)), T(2, ACQ, X(Lx)), T(2, WRITE, AT(x)));
}

/* CACM, Fig. 1b: volatiles hand x over, through a third thread that never touches it. */
static void cacm_volatiles(void **state)
{
    (void)state;
    enum { o1 = 1, o2 = 2, x = 0x100, ti = 1, tj = 2, tk = 3 };
    assert_first_race(0, T(ti, WRITE, AT(x)), T(ti, VOLWRITE, X(o1)), T(tk, VOLREAD, X(o1)), T(tk, VOLWRITE, X(o2)),
                      T(tj, VOLREAD, X(o2)), T(tj, WRITE, AT(x)));
    /* tk reads o1 too early: its write of o2 passes nothing on */
    assert_first_race(6, T(ti, WRITE, AT(x)), T(tk, VOLREAD, X(o1)), T(ti, VOLWRITE, X(o1)), T(tk, VOLWRITE, X(o2)),
                      T(tj, VOLREAD, X(o2)), T(tj, WRITE, AT(x)));
    /* every earlier write of a volatile orders a later read, not only the latest */
    assert_first_race(0, T(ti, WRITE, AT(x)), T(ti, VOLWRITE, X(o1)), T(tk, VOLWRITE, X(o1)), T(tj, VOLREAD, X(o1)),
                      T(tj, WRITE, AT(x)));
}

/* ---- one case per construct, each with what breaks it ---- */

static void reads(void **state)
{
    (void)state;
    assert_first_race(0, T(1, READ, AT(8)), T(2, READ, AT(8)), T(3, READ, AT(8)));
    /* the one unordered reader among ordered ones is not forgotten */
    assert_first_race(7, T(3, READ, AT(8)), T(1, READ, AT(8)), T(1, POST, X(1)), T(2, WAIT, X(1)), T(2, READ, AT(8)),
                      T(2, READ, AT(8)), T(2, WRITE, AT(8)));
    /* neighbours are different variables; a free is a write; fresh memory forgets */
    assert_first_race(0, T(1, WRITE, AT(8)), T(2, WRITE, AT(12)));
    assert_first_race(2, T(1, READ, AT(8)), T(2, FREE, X(10), .size = 2));
    assert_first_race(0, T(1, WRITE, AT(8)), T(2, ALLOC, AT(8)), T(3, WRITE, AT(8)));
    assert_first_race(3, T(1, WRITE, AT(8)), T(2, ALLOC, AT(9)), T(3, WRITE, AT(8)));
}

static void mutexes(void **state)
{
    (void)state;
    /* the outermost release counts */
    assert_first_race(0, T(1, ACQ, X(1)), T(1, ACQ, X(1)), T(1, REL, X(1)), T(1, WRITE, AT(8)), T(1, REL, X(1)),
                      T(2, ACQ, X(1)), T(2, WRITE, AT(8)));
    /* a condition wait gives up a nest, and returns into it */
    assert_first_race(0, T(1, ACQ, X(1)), T(1, ACQ, X(1)), T(1, WRITE, AT(8)), T(1, CWAIT_BEGIN, X(1)), T(2, ACQ, X(1)),
                      T(2, WRITE, AT(8)), T(2, REL, X(1)), T(1, CWAIT_END, X(1)), T(1, WRITE, AT(8)), T(1, REL, X(1)),
                      T(1, WRITE, AT(8)), T(1, REL, X(1)), T(2, ACQ, X(1)), T(2, WRITE, AT(8)));
}

static void rwlocks(void **state)
{
    (void)state;
    assert_first_race(0, T(1, WRLOCK, X(1)), T(1, WRITE, AT(8)), T(1, WRUNLOCK, X(1)), T(2, RDLOCK, X(1)),
                      T(2, READ, AT(8)), T(2, RDUNLOCK, X(1)), T(3, WRLOCK, X(1)), T(3, WRITE, AT(8)));
    /* readers do not order readers */
    assert_first_race(5, T(1, RDLOCK, X(1)), T(1, WRITE, AT(8)), T(1, RDUNLOCK, X(1)), T(2, RDLOCK, X(1)),
                      T(2, READ, AT(8)));
}

static void release_sequences(void **state)
{
    (void)state;
    enum { x = 8, a = 0x100 };
    assert_first_race(0, T(1, WRITE, AT(x)), T(1, STORE, BYTE(a, REL)), T(2, LOAD, BYTE(a, ACQ)), T(2, WRITE, AT(x)));
    assert_first_race(4, T(1, WRITE, AT(x)), T(1, STORE, BYTE(a, RLX)), T(2, LOAD, BYTE(a, ACQ)), T(2, WRITE, AT(x)));
    assert_first_race(4, T(1, WRITE, AT(x)), T(1, STORE, BYTE(a, REL)), T(2, LOAD, BYTE(a, RLX)), T(2, WRITE, AT(x)));
    /* a read-modify-write continues the sequence, a store ends it: anyone's */
    assert_first_race(0, T(1, WRITE, AT(x)), T(1, STORE, BYTE(a, REL)), T(3, RMW, BYTE(a, RLX)), T(2, LOAD, BYTE(a, ACQ)),
                      T(2, WRITE, AT(x)));
    assert_first_race(5, T(1, WRITE, AT(x)), T(1, STORE, BYTE(a, REL)), T(3, STORE, BYTE(a, REL)),
                      T(2, LOAD, BYTE(a, ACQ)), T(2, WRITE, AT(x)));
}

static void fences(void **state)
{
    (void)state;
    enum { x = 8, a = 0x100 };
    assert_first_race(0, T(1, WRITE, AT(x)), T(1, FENCE, SYNC(0, REL)), T(1, STORE, SYNC(a, RLX)),
                      T(2, LOAD, SYNC(a, RLX)), T(2, FENCE, SYNC(0, ACQ)), T(2, WRITE, AT(x)));
    /* the access comes after the fence; the fence comes before the load; the fence is of the wrong kind */
    assert_first_race(6, T(1, FENCE, SYNC(0, REL)), T(1, WRITE, AT(x)), T(1, STORE, SYNC(a, RLX)),
                      T(2, LOAD, SYNC(a, RLX)), T(2, FENCE, SYNC(0, ACQ)), T(2, WRITE, AT(x)));
    assert_first_race(6, T(1, WRITE, AT(x)), T(1, FENCE, SYNC(0, REL)), T(1, STORE, SYNC(a, RLX)),
                      T(2, FENCE, SYNC(0, ACQ)), T(2, LOAD, SYNC(a, RLX)), T(2, WRITE, AT(x)));
    assert_first_race(6, T(1, WRITE, AT(x)), T(1, FENCE, SYNC(0, ACQ)), T(1, STORE, SYNC(a, RLX)),
                      T(2, LOAD, SYNC(a, RLX)), T(2, FENCE, SYNC(0, SC)), T(2, WRITE, AT(x)));
}

static void barriers(void **state)
{
    (void)state;
    assert_first_race(0, T(1, WRITE, AT(8)), T(1, BAR_IN, X(1)), T(2, BAR_IN, X(1)), T(1, BAR_OUT, X(1)),
                      T(2, BAR_OUT, X(1)), T(2, WRITE, AT(8)));
    /* 3 sleeps in generation 0 while 1 and 2 go through 1 and 2: what they did there is not before 3 */
    assert_first_race(11, T(1, BAR_IN, X(1)), T(3, BAR_IN, X(1)), T(1, BAR_OUT, X(1)), T(1, BAR_IN, X(1)),
                      T(2, BAR_IN, X(1)), T(2, BAR_OUT, X(1)), T(2, WRITE, AT(8)), T(2, BAR_IN, X(1)),
                      T(2, BAR_OUT, X(1)), T(3, BAR_OUT, X(1)), T(3, WRITE, AT(8)));
}

static void threads(void **state)
{
    (void)state;
    /* a child without events still orders, for whoever joins it */
    assert_first_race(0, T(0, WRITE, AT(8)), T(0, FORK, X(1)), T(0, FORK, X(2)), T(2, JOIN, X(1)), T(2, WRITE, AT(8)));
    assert_first_race(5, T(0, FORK, X(2)), T(0, WRITE, AT(8)), T(0, FORK, X(1)), T(2, BEGIN), T(2, WRITE, AT(8)),
                      T(2, JOIN, X(1)));
    /* a thread that nobody forked is after nothing */
    assert_first_race(2, T(0, WRITE, AT(8)), T(1, WRITE, AT(8)));
}

static void commits(void **state)
{
    (void)state;
    static const uint64_t x[] = {8}, y[] = {9}, xy[] = {8, 9};
#define COMMIT(t, r, w) \
    T(t, COMMIT, .n_reads = sizeof(r) / 8, .n_writes = sizeof(w) / 8, .reads = (r), .writes = (w))
    assert_first_race(0, COMMIT(1, x, xy), COMMIT(2, y, x));
    assert_first_race(0, T(1, WRITE, AT(0x20)), COMMIT(1, x, x), COMMIT(2, xy, y), COMMIT(3, y, y), T(3, WRITE, AT(0x20)));
    assert_first_race(4, T(1, WRITE, AT(0x20)), COMMIT(1, x, x), COMMIT(2, y, y), T(2, WRITE, AT(0x20)));
    assert_first_race(2, COMMIT(1, x, y), T(2, WRITE, BYTE(8, RLX)));
    assert_first_race(0, COMMIT(1, x, x), T(2, WRITE, BYTE(9, RLX)));
#undef COMMIT
}

/* What must not be replaced by what (the table in eager.c): each line races with the first access only. */
static void covering(void **state)
{
    (void)state;
    assert_first_race(3, T(1, STORE, BYTE(8, RLX)), T(1, READ, BYTE(8, RLX)), T(2, READ, BYTE(8, RLX)));
    assert_first_race(3, T(1, READ, BYTE(8, RLX)), T(1, STORE, BYTE(8, RLX)), T(2, STORE, BYTE(8, RLX)));
    assert_first_race(3, T(1, READ, BYTE(8, RLX)), T(1, LOAD, BYTE(8, RLX)), T(2, STORE, BYTE(8, RLX)));
    assert_first_race(3, T(1, STORE, BYTE(8, RLX)), T(1, LOAD, BYTE(8, RLX)), T(2, READ, BYTE(8, RLX)));
    assert_first_race(0, T(1, STORE, BYTE(8, RLX)), T(2, RMW, BYTE(8, RLX)), T(3, LOAD, BYTE(8, RLX)));
    assert_first_race(0, T(1, LOAD, BYTE(8, RLX)), T(2, READ, BYTE(8, RLX)));
}

/* ---- what a race says ---- */

static void race_fields(void **state)
{
    (void)state;
    struct fake_env env;
    fake_env_init(&env);
    struct gl_state *s = gl_detector_eager.create(&env.env);
    const struct gl_event events[] = {
        T(1, WRITE, X(0x102), .size = 4, .site = 7),
        T(2, READ, X(0x100), .size = 8, .site = 8),
        T(3, RMW, X(0x106), .size = 2, .site = 9),
    };
    struct gl_race r = {0};
    assert_int_equal(gl_detector_eager.event(s, &events[0], &r), GL_OK);
    assert_int_equal(gl_detector_eager.event(s, &events[1], &r), GL_RACE);
    assert_int_equal(r.object, 0x100);
    assert_int_equal(r.bytes, 0x3c);
    assert_int_equal(r.now.thread, 2);
    assert_int_equal(r.now.site, 8);
    assert_false(r.now.write);
    assert_false(r.now.atomic);
    assert_int_equal(r.then.thread, 1);
    assert_int_equal(r.then.site, 7);
    assert_true(r.then.write);
    assert_int_equal(r.then_bytes, 0xc); /* of the word at 0x100, which holds the lowest racing byte */
    assert_int_equal(gl_detector_eager.event(s, &events[2], &r), GL_RACE);
    assert_int_equal(r.bytes, 3);
    assert_true(r.now.write);
    assert_true(r.now.atomic);
    assert_int_equal(r.then.site, 8);
    assert_false(r.then.write);
    assert_int_equal(r.then_bytes, 0xf);
    gl_detector_eager.destroy(s);
    assert_true(fake_env_is_clean(&env));
}

/* Up to and after a race the access counts as made: the next one of the same thread is in order. */
static void race_counts_as_made(void **state)
{
    (void)state;
    struct fake_env env;
    fake_env_init(&env);
    struct gl_state *s = gl_detector_eager.create(&env.env);
    static const gl_status expected[] = {GL_OK, GL_RACE, GL_OK, GL_RACE};
    const struct gl_event events[] = {T(1, WRITE, AT(8)), T(2, WRITE, AT(8)), T(2, WRITE, AT(8)), T(1, WRITE, AT(8))};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(gl_detector_eager.event(s, &events[i], NULL), expected[i]);
    gl_detector_eager.destroy(s);
}

/* ---- what cannot be ---- */

static void impossible(void **state)
{
    (void)state;
    struct fake_env env;
    fake_env_init(&env);
    struct gl_state *s = gl_detector_eager.create(&env.env);
    /* what each line is about comes first; then the event that cannot be */
    const struct { int possible; struct gl_event e; } steps[] = {
        {0, T(0, READ, X(8), .size = 0)},        {0, T(0, READ, X(8), .size = 65)},
        {0, T(0, RMW, X(8), .size = 17)},        {0, {.op = GL_OP_COUNT}},
        {0, T(0, COMMIT, .n_reads = 1)},         {0, T(0, REL, X(1))},
        {1, T(0, ACQ, X(1))},                    {0, T(1, ACQ, X(1))},
        {0, T(1, REL, X(1))},                    {0, T(0, CWAIT_END, X(1))},
        {1, T(0, CWAIT_BEGIN, X(1))},            {0, T(0, REL, X(1))},
        {1, T(1, ACQ, X(1))},                    {0, T(0, CWAIT_END, X(1))},
        {1, T(1, REL, X(1))},                    {1, T(0, CWAIT_END, X(1))},
        {0, T(0, RDUNLOCK, X(1))},               {0, T(0, WRUNLOCK, X(1))},
        {1, T(0, RDLOCK, X(1))},                 {0, T(1, WRLOCK, X(1))},
        {0, T(1, RDUNLOCK, X(1))},               {1, T(0, RDUNLOCK, X(1))},
        {1, T(1, WRLOCK, X(1))},                 {0, T(0, RDLOCK, X(1))},
        {0, T(0, BAR_OUT, X(1))},                {1, T(0, BAR_IN, X(1))},
        {0, T(0, BAR_IN, X(1))},                 {1, T(0, BAR_OUT, X(1))},
        {0, T(0, FORK, X(0))},                   {0, T(0, FORK, X(1))},
        {1, T(0, FORK, X(2))},                   {0, T(1, FORK, X(2))},
        {0, T(0, JOIN, X(3))},                   {0, T(0, JOIN, X(0))},
        {1, T(2, BEGIN)},                        {0, T(2, BEGIN)},
        {1, T(2, END)},                          {0, T(2, READ, AT(8))},
        {1, T(0, JOIN, X(2))},                   {1, T(1, JOIN, X(2))},
        {1, T(1, JOIN, X(0))},                   {0, T(0, READ, AT(8))},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if ((gl_detector_eager.event(s, &steps[i].e, NULL) == GL_OK) != steps[i].possible)
            fail_msg("step %zu should be %s", i, steps[i].possible ? "possible" : "impossible");
    gl_detector_eager.destroy(s);
    assert_true(fake_env_is_clean(&env));
}

/* ---- memory ---- */

/* Each allocation fails once, in executions of every kind: races may be missed, none is invented, and when
 * a synchronization is lost nothing more is said. */
static void out_of_memory(void **state)
{
    (void)state;
    struct generator *g = generator_new();
    struct oracle *o = oracle_new(GENERATE_MAX);
    struct execution x;
    execution_init(&x, GENERATE_MAX);
    unsigned failures = 0;
    for (uint64_t k = 0; k < 20 * n_profiles; k++) {
        generate(g, &profiles[k % n_profiles], k, &x);
        oracle_run(o, &x);
        bool failed = true;
        for (unsigned long at = 1; failed; at++) {
            struct fake_env env;
            fake_env_init(&env);
            env.fail_at = at;
            env.fail_from = k & 1;
            struct gl_state *s = gl_detector_eager.create(&env.env);
            for (size_t i = 0; s && i < x.n; i++) {
                struct gl_race race = {0};
                gl_status status = gl_detector_eager.event(s, &x.event[i], &race);
                assert_true(status == GL_OK || status == GL_RACE || status == GL_NOMEM);
                assert_int_equal(race.bytes & ~oracle_verdict(o, i).races, 0);
            }
            failed = env.maps >= at;
            failures += failed;
            if (s)
                gl_detector_eager.destroy(s);
            assert_true(fake_env_is_clean(&env));
        }
    }
    assert_true(failures > 20 * n_profiles); /* more than the failing create of each */
    execution_fini(&x);
    oracle_delete(o);
    generator_delete(g);
}

static void count_one(void *ctx, const char *name, const char *sentence, uint64_t value)
{
    assert_non_null(name);
    assert_non_null(sentence);
    *(uint64_t *)ctx += value > 0;
}

static void counts(void **state)
{
    (void)state;
    struct fake_env env;
    fake_env_init(&env);
    struct gl_state *s = gl_detector_eager.create(&env.env);
    const struct gl_event events[] = {T(1, WRITE, AT(8)), T(1, POST, X(1)), T(2, WRITE, AT(8))};
    uint64_t nonzero = 0;
    gl_detector_eager.counts(s, count_one, &nonzero);
    assert_int_equal(nonzero, 0);
    for (size_t i = 0; i < 3; i++)
        gl_detector_eager.event(s, &events[i], NULL);
    gl_detector_eager.counts(s, count_one, &nonzero);
    assert_int_equal(nonzero, 4);
    gl_detector_eager.destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intbox),       cmocka_unit_test(task_queue),
        cmocka_unit_test(cacm_lock),    cmocka_unit_test(cacm_volatiles),
        cmocka_unit_test(reads),        cmocka_unit_test(mutexes),
        cmocka_unit_test(rwlocks),      cmocka_unit_test(release_sequences),
        cmocka_unit_test(fences),       cmocka_unit_test(barriers),
        cmocka_unit_test(threads),      cmocka_unit_test(commits),
        cmocka_unit_test(covering),     cmocka_unit_test(race_fields),
        cmocka_unit_test(race_counts_as_made), cmocka_unit_test(impossible),
        cmocka_unit_test(out_of_memory), cmocka_unit_test(counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
