/* SPDX-License-Identifier: Apache-2.0
 *
 * Eraser: its table of states row by row, the definition on random executions, and what it knows of other constructs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "peers/eager.h"
#include "peers/eraser.h"
#include "tests/support/fake_env.h"
#include "tests/support/generate.h"
#include "tests/support/hardship.h"
#include "tests/support/masks.h"

static const struct gl_detector *const eraser = &gl_detector_eraser;

#define T(t, o, ...) {.op = GL_OP_##o, .thread = (t), __VA_ARGS__}
#define X(x) .object = (x)
#define R(t) T(t, READ, .object = 8, .size = 4, .site = 100 + (t))
#define W(t) T(t, WRITE, .object = 8, .size = 4, .site = 100 + (t))
#define ACQ(t, l) T(t, ACQ, X(l))
#define REL(t, l) T(t, REL, X(l))

/* The numbers (from 1) of the events that were reported, as bits; *last: the last report. */
static uint64_t reports(const struct gl_event *e, size_t n, struct gl_race *last)
{
    struct fake_env env;
    fake_env_init(&env);
    struct gl_state *s = eraser->create(&env.env);
    uint64_t which = 0;
    for (size_t i = 0; i < n; i++) {
        gl_status status = eraser->event(s, &e[i], last);
        assert_true(status == GL_OK || status == GL_RACE);
        if (status == GL_RACE)
            which |= (uint64_t)2 << i;
    }
    eraser->destroy(s);
    assert_true(fake_env_is_clean(&env));
    return which;
}

#define AT(number) ((uint64_t)1 << (number))
#define assert_reports(which, ...)                                                                \
    do {                                                                                          \
        const struct gl_event events[] = {__VA_ARGS__};                                           \
        struct gl_race last = {0};                                                                \
        assert_int_equal(reports(events, sizeof events / sizeof *events, &last), which);          \
    } while (0)

static void states(void **state)
{
    (void)state;
    assert_reports(0, W(1), R(1), W(1));                     /* virgin, exclusive */
    assert_reports(0, W(1), R(2), R(3), R(1));               /* exclusive to shared: never a report */
    assert_reports(AT(2), W(1), W(2));                       /* exclusive to shared-modified */
    assert_reports(AT(3), W(1), R(2), W(2));                 /* shared to shared-modified */
    assert_reports(AT(2) | AT(3) | AT(4), W(1), W(2), R(2), R(1)); /* and there it stays */
    /* the set begins when the second thread comes, whatever the first one held */
    assert_reports(0, W(1), ACQ(2, 1), W(2), REL(2, 1), ACQ(1, 1), W(1));
    /* it only shrinks: {1,2}, {1}, {} */
    assert_reports(AT(10), W(3), ACQ(1, 1), ACQ(1, 2), W(1), REL(1, 1), REL(1, 2), ACQ(2, 1), W(2), REL(2, 1), W(2));
    assert_reports(AT(12), W(3), ACQ(1, 1), ACQ(1, 2), W(1), REL(1, 1), REL(1, 2), ACQ(2, 1), W(2), REL(2, 1), ACQ(2, 2),
                   T(2, FENCE, .order = GL_SC), R(2));
    /* shared reads shrink it silently */
    assert_reports(AT(7), W(1), ACQ(2, 1), R(2), REL(2, 1), R(3), ACQ(2, 1), W(2));
}

static void constructs(void **state)
{
    (void)state;
    /* a read hold protects reads, and no write */
    assert_reports(0, W(3), T(1, WRLOCK, X(1)), W(1), T(1, WRUNLOCK, X(1)), T(2, RDLOCK, X(1)), R(2));
    assert_reports(AT(6), W(3), T(1, WRLOCK, X(1)), W(1), T(1, WRUNLOCK, X(1)), T(2, RDLOCK, X(1)), W(2));
    /* mutex 1 and reader-writer lock 1 are two locks */
    assert_reports(AT(6), W(3), ACQ(1, 1), W(1), REL(1, 1), T(2, WRLOCK, X(1)), W(2));
    /* a wait gives the lock up; an inner release does not */
    assert_reports(AT(6), W(3), ACQ(1, 1), ACQ(1, 1), W(1), T(1, CWAIT_BEGIN, X(1)), W(1));
    assert_reports(0, W(3), ACQ(1, 1), ACQ(1, 1), W(1), REL(1, 1), W(1));
    assert_reports(0, W(3), ACQ(1, 1), W(1), T(1, CWAIT_BEGIN, X(1)), T(1, CWAIT_END, X(1)), W(1));
    /* transactions share a lock; order is none */
    const uint64_t bytes[] = {8, 9, 10, 11};
#define COMMIT(t) T(t, COMMIT, .n_writes = 4, .writes = bytes)
    assert_reports(0, W(3), COMMIT(1), COMMIT(2));
    assert_reports(AT(4), W(3), COMMIT(1), COMMIT(2), W(2));
    assert_reports(AT(4), W(1), T(1, POST, X(1)), T(2, WAIT, X(1)), W(2));
    assert_reports(0, W(1), T(2, ALLOC, .object = 8, .size = 4), W(2));
    assert_reports(AT(2), R(1), T(2, FREE, .object = 8, .size = 4));
    /* atomic accesses are not checked */
    assert_reports(0, W(1), T(2, STORE, .object = 8, .size = 4, .order = GL_REL));
}

/* The earlier access of a report is the latest by another thread. */
static void names_the_other_thread(void **state)
{
    (void)state;
    struct gl_race last;
    const struct gl_event e[] = {W(3), W(1), W(2), R(2)};
    assert_int_equal(reports(e, 4, &last), AT(2) | AT(3) | AT(4));
    assert_int_equal(last.now.thread, 2);
    assert_int_equal(last.then.thread, 1);
    assert_int_equal(last.then.site, 101);
    assert_int_equal(last.bytes, 0xf);
}

enum { VIRGIN, EXCLUSIVE, SHARED, SHARED_MODIFIED };

static bool define_eraser(struct masks_byte *b, uint32_t thread, bool write, uint64_t held)
{
    switch (b->state) {
    case VIRGIN:
        b->state = EXCLUSIVE;
        b->thread = thread;
        return false;
    case EXCLUSIVE:
        if (b->thread == thread)
            return false;
        b->set = held;
        b->state = SHARED;
        break;
    default:
        b->set &= held;
    }
    if (write)
        b->state = SHARED_MODIFIED;
    return b->state == SHARED_MODIFIED && !b->set;
}

static void as_defined(void **state)
{
    (void)state;
    uint64_t n;
    assert_true(masks_agree(eraser, define_eraser, 200, &n));
    assert_true(n > 1000);
}

static void hardship(void **state)
{
    (void)state;
    struct generator *g = generator_new();
    struct execution x;
    execution_init(&x, GENERATE_MAX);
    unsigned runs;
    for (size_t p = 0; p < n_profiles; p++) {
        generate(g, &profiles[p], 5, &x);
        assert_true(bears_lack_of_memory(eraser, &x, &runs));
        assert_true(runs >= 2);
    }
    execution_fini(&x);
    generator_delete(g);
    for (uint64_t seed = 1; seed <= 100; seed++)
        assert_true(refuses_the_same(eraser, &gl_detector_eager, seed, 300));
}

static void what_it_says(void **state)
{
    (void)state;
    assert_int_equal(eraser->can, 0);
    assert_non_null(strstr(eraser->sentence, "imprecise"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states),
        cmocka_unit_test(constructs),
        cmocka_unit_test(names_the_other_thread),
        cmocka_unit_test(as_defined),
        cmocka_unit_test(hardship),
        cmocka_unit_test(what_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
