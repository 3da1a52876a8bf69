/* SPDX-License-Identifier: Apache-2.0
 *
 * The detectors made of clocks ("vc", "fasttrack", "treeclock"): the same answers as the eager reference on streams of
 * events that make no sense, what a race says, memory that runs out, cells that are split and made whole,
 * many threads.  (Their verdicts on executions that can happen: tests/differential.)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "peers/clock.h"
#include "peers/eager.h"
#include "peers/fasttrack.h"
#include "peers/table.h"
#include "peers/vc.h"
#include "tests/support/fake_env.h"
#include "tests/support/generate.h"
#include "tests/support/hardship.h"

#define T(t, o, ...) {.op = GL_OP_##o, .thread = (t), __VA_ARGS__}
#define X(x)        .object = (x)
#define AT(x)       .object = (x), .size = 4
#define BYTES(x, n) .object = (x), .size = (n)

static const struct gl_detector *const detectors[] = {&gl_detector_vc, &gl_detector_fasttrack,
                                                      &gl_detector_treeclock};
enum { DETECTORS = sizeof detectors / sizeof *detectors };

/* ---- streams of events, possible or not ---- */

static struct gl_event random_event(struct rng *r, uint64_t list[4])
{
    struct gl_event e = {.op = (enum gl_op)rng_below(r, GL_OP_COUNT + 1), .thread = rng_below(r, 4)};
    enum gl_class class = gl_op_class(e.op);
    e.order = (enum gl_order)rng_below(r, 5);
    e.object = rng_below(r, 3);
    if (class == GL_CLASS_DATA || class == GL_CLASS_ATOMIC) {
        e.object = rng_below(r, 16);
        e.size = rng_chance(r, 5) ? 0 : rng_chance(r, 5) ? 65 : rng_chance(r, 50) ? 4 : 1 + rng_below(r, 8);
    } else if (class == GL_CLASS_THREAD) {
        e.object = rng_chance(r, 2) ? (uint64_t)UINT32_MAX + 1 : rng_below(r, 6);
    } else if (e.op == GL_OP_COMMIT) {
        e.n_reads = rng_below(r, 2);
        e.n_writes = rng_below(r, 3);
        e.reads = rng_chance(r, 5) ? NULL : list;
        e.writes = list + 1;
        for (unsigned i = 0; i < 4; i++)
            list[i] = rng_below(r, 16);
    }
    if (e.op == GL_OP_END && !rng_chance(r, 3)) /* or all would be over soon */
        e.op = GL_OP_READ, e.size = 4;
    return e;
}

/* The reference knows which events are possible; a race that only one of them tells is a second one of its bytes. */
static void same_answers(void **state)
{
    (void)state;
    for (unsigned d = 0; d < DETECTORS; d++) {
        unsigned invalid = 0, valid = 0;
        for (uint64_t seed = 1; seed <= 400; seed++) {
            struct fake_env env, env_of_reference;
            fake_env_init(&env);
            fake_env_init(&env_of_reference);
            struct gl_state *s = detectors[d]->create(&env.env),
                            *ref = gl_detector_eager.create(&env_of_reference.env);
            struct rng r = rng_seed(seed);
            uint64_t list[4];
            bool raced = false;
            for (unsigned i = 0; i < 200; i++) {
                struct gl_event e = random_event(&r, list);
                gl_status expected = gl_detector_eager.event(ref, &e, NULL),
                          got = detectors[d]->event(s, &e, NULL);
                if ((expected == GL_INVALID) != (got == GL_INVALID))
                    fail_msg("%s: seed %u, event %u (%s of thread %u): status %d, expected %d",
                             detectors[d]->name, (unsigned)seed, i, gl_op_name(e.op), e.thread, (int)got,
                             (int)expected);
                if (!raced)
                    assert_int_equal(expected, got);
                raced |= expected == GL_RACE;
                *(expected == GL_INVALID ? &invalid : &valid) += 1;
            }
            detectors[d]->destroy(s);
            gl_detector_eager.destroy(ref);
            assert_true(fake_env_is_clean(&env));
        }
        assert_true(invalid > 5000 && valid > 5000);
    }
}

/* ---- the verdict ---- */

/* Runs the events on a detector: *race is the first that raced, and the result is its number from 1, or 0. */
static size_t first_race(const struct gl_detector *d, const struct gl_event *e, size_t n,
                         struct gl_race *race)
{
    struct fake_env env;
    fake_env_init(&env);
    struct gl_state *s = d->create(&env.env);
    assert_non_null(s);
    size_t first = 0;
    for (size_t i = 0; i < n && !first; i++) {
        gl_status status = d->event(s, &e[i], race);
        assert_true(status == GL_OK || status == GL_RACE);
        first = status == GL_RACE ? i + 1 : 0;
    }
    d->destroy(s);
    assert_true(fake_env_is_clean(&env));
    return first;
}

#define assert_first_race(race, number, ...)                                                                 \
    do {                                                                                                     \
        const struct gl_event events[] = {__VA_ARGS__};                                                      \
        for (unsigned d = 0; d < DETECTORS; d++) {                                                           \
            memset((race), 0, sizeof *(race));                                                               \
            assert_int_equal(first_race(detectors[d], events, sizeof events / sizeof *events, (race)),       \
                             number);                                                                        \
        }                                                                                                    \
    } while (0)

static void race_fields(void **state)
{
    (void)state;
    struct gl_race r;
    /* a whole cell: the earlier access covered it all */
    assert_first_race(&r, 2, T(1, WRITE, AT(0x100), .site = 7), T(2, READ, BYTES(0xfe, 6), .site = 8));
    assert_int_equal(r.object, 0xfe);
    assert_int_equal(r.bytes, 0x3c);
    assert_int_equal(r.now.thread, 2);
    assert_int_equal(r.now.site, 8);
    assert_false(r.now.write);
    assert_int_equal(r.then.thread, 1);
    assert_int_equal(r.then.site, 7);
    assert_true(r.then.write);
    assert_int_equal(r.then_bytes, 0xf);
    /* parts of cells */
    assert_first_race(&r, 3, T(1, READ, BYTES(0x101, 2), .site = 7), T(2, READ, AT(0x100), .site = 8),
                      T(3, RMW, BYTES(0x102, 4), .site = 9));
    assert_int_equal(r.bytes, 0x3);
    assert_true(r.now.write);
    assert_true(r.now.atomic);
    assert_false(r.then.write);
    assert_false(r.then.atomic);
    assert_true((r.then.thread == 1 && r.then.site == 7) || (r.then.thread == 2 && r.then.site == 8));
    /* the earlier access is one that really races: of three readers only the middle one was not joined */
    assert_first_race(&r, 9, T(0, FORK, X(1)), T(0, FORK, X(2)), T(0, FORK, X(3)),
                      T(1, READ, AT(8), .site = 1), T(2, READ, AT(8), .site = 2),
                      T(3, READ, AT(8), .site = 3), T(0, JOIN, X(1)), T(0, JOIN, X(3)),
                      T(0, WRITE, AT(8), .site = 4));
    assert_int_equal(r.then.thread, 2);
    assert_int_equal(r.then.site, 2);
    /* a commit: bits are places in its lists */
    static const uint64_t reads[] = {0x20, 0x30}, writes[] = {0x40, 0x101};
    assert_first_race(&r, 2, T(1, READ, AT(0x100), .site = 5),
                      T(2, COMMIT, .n_reads = 2, .n_writes = 2, .reads = reads, .writes = writes, .site = 6));
    assert_int_equal(r.bytes, 1 << 3);
    assert_true(r.now.write);
    assert_int_equal(r.then.site, 5);
}

/* A cell that was split is whole again after a write of all of it, and after an ALLOC; what was known is gone, not more. */
static void cells(void **state)
{
    (void)state;
    struct gl_race r;
    assert_first_race(&r, 0, T(1, WRITE, BYTES(9, 1)), T(1, WRITE, AT(8)), T(1, POST, X(1)), T(2, WAIT, X(1)),
                      T(2, WRITE, AT(8)));
    assert_first_race(&r, 4, T(1, READ, BYTES(9, 1)), T(1, POST, X(1)), T(2, WAIT, X(1)), T(3, WRITE, AT(8)));
    assert_int_equal(r.bytes, 2);
    assert_first_race(&r, 4, T(1, READ, BYTES(9, 1)), T(2, READ, BYTES(9, 1)), T(3, ALLOC, BYTES(8, 1)),
                      T(3, WRITE, AT(8)));
    assert_int_equal(r.bytes, 2);
    assert_first_race(&r, 0, T(1, READ, BYTES(9, 1)), T(2, READ, BYTES(9, 1)), T(3, ALLOC, BYTES(0, 1 << 20)),
                      T(3, WRITE, AT(8)));
    /* shared readers survive the split, each byte with all of them */
    assert_first_race(&r, 4, T(1, READ, AT(8)), T(2, READ, AT(8)), T(1, READ, BYTES(10, 1)),
                      T(2, WRITE, AT(8), .site = 3));
    assert_int_equal(r.bytes, 15);
    assert_int_equal(r.then.thread, 1);
}

/* Up to and after a race the access counts as made: the next one of the same thread is in order. */
static void race_counts_as_made(void **state)
{
    (void)state;
    static const gl_status expected[] = {GL_OK, GL_RACE, GL_OK, GL_OK, GL_OK, GL_RACE};
    const struct gl_event events[] = {T(1, WRITE, AT(8)), T(2, WRITE, AT(8)), T(2, WRITE, AT(8)),
                                      T(2, POST, X(1)),   T(2, WRITE, AT(8)), T(1, WRITE, AT(8))};
    for (unsigned d = 0; d < DETECTORS; d++) {
        struct fake_env env;
        fake_env_init(&env);
        struct gl_state *s = detectors[d]->create(&env.env);
        for (size_t i = 0; i < sizeof events / sizeof *events; i++)
            assert_int_equal(detectors[d]->event(s, &events[i], NULL), expected[i]);
        detectors[d]->destroy(s);
    }
}

/* ---- limits ---- */

static void out_of_memory(void **state)
{
    (void)state;
    struct generator *g = generator_new();
    struct execution x;
    execution_init(&x, GENERATE_MAX);
    for (unsigned d = 0; d < DETECTORS; d++) {
        unsigned all = 0;
        for (uint64_t k = 0; k < 10 * n_profiles; k++) {
            unsigned runs;
            generate(g, &profiles[k % n_profiles], k, &x);
            assert_true(bears_lack_of_memory(detectors[d], &x, &runs));
            all += runs;
        }
        assert_true(all > 4 * 10 * n_profiles); /* more than the two allocations that every run makes */
    }
    execution_fini(&x);
    generator_delete(g);
}

/* 5,000 threads, each forked by the one before and joined by the first: clocks grow with them. */
static void many_threads(void **state)
{
    (void)state;
    enum { MANY = 5000 };
    for (unsigned d = 0; d < DETECTORS; d++) {
        struct fake_env env;
        fake_env_init(&env);
        struct gl_state *s = detectors[d]->create(&env.env);
        for (uint32_t t = 0; t < MANY; t++) {
            struct gl_event write = T(t, WRITE, AT(8)), fork = T(t, FORK, X(t + 1));
            assert_int_equal(detectors[d]->event(s, &write, NULL), GL_OK);
            assert_int_equal(detectors[d]->event(s, &fork, NULL), GL_OK);
        }
        struct gl_event join = T(0, JOIN, X(MANY - 1)), mine = T(0, WRITE, AT(8)),
                        other = T(MANY, WRITE, AT(8));
        assert_int_equal(detectors[d]->event(s, &join, NULL), GL_OK);
        assert_int_equal(detectors[d]->event(s, &mine, NULL), GL_OK);
        assert_int_equal(detectors[d]->event(s, &other, NULL), GL_RACE);
        detectors[d]->destroy(s);
        assert_true(fake_env_is_clean(&env));
    }
}

/* What no representation holds is refused; after a lost synchronization nothing more is said. */
static void beyond_the_limits(void **state)
{
    (void)state;
    for (unsigned d = 0; d < DETECTORS; d++) {
        struct fake_env env;
        fake_env_init(&env);
        struct gl_state *s = detectors[d]->create(&env.env);
        const struct gl_event far = T(1, WRITE, AT(GL_TABLE_MAX * 4)),
                              last = T(1, WRITE, AT(GL_TABLE_MAX * 4 - 4)),
                              wraps = T(1, WRITE, AT(UINT64_MAX - 1)), end = T(1, ALLOC, AT(UINT64_MAX - 1)),
                              post = T(1, POST, X(GL_TABLE_MAX)), near = T(2, WRITE, AT(8));
        assert_int_equal(detectors[d]->event(s, &far, NULL), GL_LIMIT); /* one access, not recorded */
        assert_int_equal(detectors[d]->event(s, &wraps, NULL), GL_LIMIT);
        /* nothing is known there, so nothing needs to be forgotten */
        assert_int_equal(detectors[d]->event(s, &end, NULL), GL_OK);
        assert_int_equal(detectors[d]->event(s, &near, NULL), GL_OK);
        assert_int_equal(detectors[d]->event(s, &last, NULL), GL_OK);
        assert_int_equal(detectors[d]->event(s, &post, NULL), GL_LIMIT);
        assert_int_equal(detectors[d]->event(s, &near, NULL), GL_LIMIT);
        detectors[d]->destroy(s);
        s = detectors[d]->create(&env.env);
        const struct gl_event stranger = T(GL_CLOCK_THREADS, WRITE, AT(8));
        assert_int_equal(detectors[d]->event(s, &stranger, NULL), GL_LIMIT);
        detectors[d]->destroy(s);
        assert_true(fake_env_is_clean(&env));
    }
}

/* ---- counters ---- */

static uint64_t value;
static const char *wanted;

static void count_one(void *ctx, const char *name, const char *sentence, uint64_t n)
{
    (void)ctx;
    assert_non_null(sentence);
    if (!strcmp(name, wanted))
        value = n;
}

static uint64_t counted(const struct gl_detector *d, const struct gl_state *s, const char *name)
{
    value = UINT64_MAX;
    wanted = name;
    d->counts(s, count_one, NULL);
    assert_true(value != UINT64_MAX);
    return value;
}

static void counts(void **state)
{
    (void)state;
    const struct gl_event events[] = {
        T(1, ACQ, X(1)), T(1, WRITE, AT(8)), T(1, WRITE, AT(8)),  T(1, READ, BYTES(9, 2)), T(1, REL, X(1)),
        T(1, ACQ, X(1)), T(1, READ, AT(64)), T(2, WRITE, AT(64)), T(1, REL, X(1)),         T(1, REL, X(1)),
    };
    for (unsigned d = 0; d < DETECTORS; d++) {
        struct fake_env env;
        fake_env_init(&env);
        struct gl_state *s = detectors[d]->create(&env.env);
        for (size_t i = 0; i < sizeof events / sizeof *events; i++)
            detectors[d]->event(s, &events[i], NULL);
        assert_int_equal(counted(detectors[d], s, "accesses"), 5);
        assert_int_equal(counted(detectors[d], s, "syncs"), 4); /* the last is impossible */
        assert_int_equal(counted(detectors[d], s, "races"), 1);
        assert_int_equal(counted(detectors[d], s, "clock_joins"), 0);
        /* a lock that nobody had, and its own again */
        assert_int_equal(counted(detectors[d], s, "clock_joins_skipped"), 2);
        assert_int_equal(counted(detectors[d], s, "clock_copies"), 2);
        if (detectors[d] != &gl_detector_vc) {
            assert_int_equal(counted(detectors[d], s, "rule_same_epoch"), 1);
            assert_int_equal(counted(detectors[d], s, "rule_exclusive"), 2);
        }
        detectors[d]->destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_answers),
        cmocka_unit_test(race_fields),
        cmocka_unit_test(cells),
        cmocka_unit_test(race_counts_as_made),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(many_threads),
        cmocka_unit_test(beyond_the_limits),
        cmocka_unit_test(counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
