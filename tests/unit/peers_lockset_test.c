/* SPDX-License-Identifier: Apache-2.0
 *
 * The two naive locksets: the papers' examples, their definitions on random executions, and what they do promise.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "peers/eager.h"
#include "peers/lockset.h"
#include "tests/support/fake_env.h"
#include "tests/support/first_report.h"
#include "tests/support/generate.h"
#include "tests/support/hardship.h"
#include "tests/support/masks.h"
#include "tests/support/oracle.h"

static const struct gl_detector *const fixed = &gl_detector_lockset_fixed;
static const struct gl_detector *const dynamic = &gl_detector_lockset_dynamic;

#define T(t, o, ...) {.op = GL_OP_##o, .thread = (t), .site = __LINE__, __VA_ARGS__}
#define X(x) .object = (x)
#define AT(x) .object = (x), .size = 4

static void talk(void **state)
{
    (void)state;
    enum { m1 = 1, m2, m3, x = 8 };
#define UNDER(t, a, b) T(t, ACQ, X(a)), T(t, ACQ, X(b)), T(t, WRITE, AT(x)), T(t, REL, X(a)), T(t, REL, X(b))
    const struct gl_event e[] = {UNDER(1, m1, m2), UNDER(2, m2, m3), UNDER(3, m1, m3)};
    assert_first(fixed, 13, e);
    assert_first(dynamic, 0, e);
}

static void intbox(void **state)
{
    (void)state;
    enum { L1 = 1, L2, o1x = 8 };
    const struct gl_event e[] = {T(1, ACQ, X(L1)), T(1, WRITE, AT(o1x)), T(1, REL, X(L1)),
                                 T(2, ACQ, X(L1)), T(2, ACQ, X(L2)),     T(2, REL, X(L1)), T(2, REL, X(L2)),
                                 T(3, ACQ, X(L2)), T(3, WRITE, AT(o1x))};
    assert_first(fixed, 9, e);
    assert_first(dynamic, 9, e);
}

/* After a report, the dynamic set is what it was: "updated after a race-free access". */
static void dynamic_after_a_report(void **state)
{
    (void)state;
    const struct gl_event e[] = {T(1, ACQ, X(1)),    T(1, WRITE, AT(8)), T(2, ACQ, X(2)),
                                 T(2, WRITE, AT(8)), T(1, WRITE, AT(8)), T(2, WRITE, AT(8))};
    struct fake_env env;
    fake_env_init(&env);
    struct gl_state *s = dynamic->create(&env.env);
    static const gl_status want[] = {GL_OK, GL_OK, GL_OK, GL_RACE, GL_OK, GL_RACE};
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(dynamic->event(s, &e[i], NULL), want[i]);
    dynamic->destroy(s);
}

/* Fields of a report: the access before, of this byte, and which bytes. */
static void what_a_report_says(void **state)
{
    (void)state;
    const struct gl_event e[] = {{.op = GL_OP_WRITE, .thread = 1, .site = 11, .object = 8, .size = 4},
                                 {.op = GL_OP_ACQ, .thread = 2, .object = 1},
                                 {.op = GL_OP_ALLOC, .thread = 2, .object = 8, .size = 1},
                                 {.op = GL_OP_READ, .thread = 2, .site = 12, .object = 6, .size = 4}};
    struct fake_env env;
    fake_env_init(&env);
    struct gl_state *s = fixed->create(&env.env);
    struct gl_race race = {0};
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(fixed->event(s, &e[i], &race), GL_OK);
    assert_int_equal(fixed->event(s, &e[3], &race), GL_RACE);
    assert_int_equal(race.object, 6);
    assert_int_equal(race.bytes, 8); /* 9; byte 8 is fresh */
    assert_int_equal(race.then.site, 11);
    assert_int_equal(race.then.thread, 1);
    assert_true(race.then.write && !race.now.write);
    assert_int_equal(race.now.site, 12);
    fixed->destroy(s);
}

/* ---- the definitions ---- */

static bool define_fixed(struct masks_byte *b, uint32_t thread, bool write, uint64_t held)
{
    (void)thread, (void)write;
    bool report = b->state && !(b->set & held);
    b->set = b->state ? b->set & held : held;
    b->state = 1;
    return report;
}

static bool define_dynamic(struct masks_byte *b, uint32_t thread, bool write, uint64_t held)
{
    (void)thread, (void)write;
    bool report = b->state && !(b->set & held);
    if (!report)
        b->set = held;
    b->state = 1;
    return report;
}

static void as_defined(void **state)
{
    (void)state;
    uint64_t reports;
    assert_true(masks_agree(fixed, define_fixed, 200, &reports));
    assert_true(reports > 1000);
    assert_true(masks_agree(dynamic, define_dynamic, 200, &reports));
    assert_true(reports > 1000);
}

/* ---- the promise: with mutexes only, no variable with a race is passed over ---- */

static bool is_mutex_world(enum gl_op op)
{
    return gl_op_class(op) == GL_CLASS_MUTEX || op == GL_OP_WRITE || op == GL_OP_ALLOC || op == GL_OP_FREE;
}

static void check_promise(const struct gl_detector *d, const struct execution *x, const struct oracle *o, unsigned *races)
{
    enum { BYTES = 1 << 12 };
    static bool reported[BYTES];
    memset(reported, 0, sizeof reported);
    struct fake_env env;
    fake_env_init(&env);
    struct gl_state *s = d->create(&env.env);
    for (size_t i = 0; i < x->n; i++) {
        const struct gl_event *e = &x->event[i];
        struct gl_race race = {0};
        gl_status status = d->event(s, e, &race);
        assert_true(status == GL_OK || status == GL_RACE);
        for (unsigned b = 0; b < e->size; b++) {
            bool *seen = &reported[(e->object + b) % BYTES];
            *seen = e->op != GL_OP_ALLOC && (*seen || (race.bytes >> b & 1));
            if (e->op != GL_OP_ALLOC && (oracle_verdict(o, i).first >> b & 1)) {
                ++*races;
                assert_true(*seen);
            }
        }
    }
    d->destroy(s);
}

static void mutex_races_are_found(void **state)
{
    (void)state;
    struct generator *g = generator_new();
    struct oracle *o = oracle_new(GENERATE_MAX);
    struct execution x, y;
    execution_init(&x, GENERATE_MAX);
    execution_init(&y, GENERATE_MAX);
    unsigned races = 0;
    for (size_t p = 0; p < n_profiles; p++)
        for (uint64_t seed = 1; seed <= 200; seed++) {
            generate(g, &profiles[p], seed, &x);
            y.n = 0;
            for (size_t i = 0; i < x.n; i++) {
                struct gl_event e = x.event[i];
                if (e.op == GL_OP_READ)
                    e.op = GL_OP_WRITE;
                if (is_mutex_world(e.op))
                    execution_add(&y, &e);
            }
            oracle_run(o, &y);
            check_promise(fixed, &y, o, &races);
            check_promise(dynamic, &y, o, &races);
        }
    assert_true(races > 1000);
    generator_delete(g);
    oracle_delete(o);
    execution_fini(&x);
    execution_fini(&y);
}

/* ---- hardship ---- */

/* Sets of up to 300 locks, taken upwards by one thread and downwards by the other, left in a third order. */
static void many_sets(void **state)
{
    (void)state;
    enum { LOCKS = 300 };
    struct fake_env env;
    fake_env_init(&env);
    struct gl_state *s = fixed->create(&env.env);
    for (uint32_t t = 1; t <= 2; t++) {
        for (uint64_t i = 0; i < LOCKS; i++) {
            struct gl_event acq = T(t, ACQ, X(t == 1 ? i : LOCKS - 1 - i));
            struct gl_event w = T(t, WRITE, AT(0x1000 + 8 * (t == 1 ? i : 0)));
            assert_int_equal(fixed->event(s, &acq, NULL), GL_OK);
            /* T1 wrote 0x1000 under lock 0 alone, which T2 takes last; by then the set is empty */
            assert_int_equal(fixed->event(s, &w, NULL), t == 1 ? GL_OK : GL_RACE);
        }
        for (uint64_t i = 0; i < LOCKS; i++) {
            struct gl_event rel = T(t, REL, X(i * 7 % LOCKS));
            assert_int_equal(fixed->event(s, &rel, NULL), GL_OK);
        }
    }
    fixed->destroy(s);
    assert_true(fake_env_is_clean(&env));
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
        assert_true(bears_lack_of_memory(fixed, &x, &runs));
        assert_true(runs >= 2);
        assert_true(bears_lack_of_memory(dynamic, &x, &runs));
    }
    execution_fini(&x);
    generator_delete(g);
    for (uint64_t seed = 1; seed <= 100; seed++) {
        assert_true(refuses_the_same(fixed, &gl_detector_eager, seed, 300));
        assert_true(refuses_the_same(dynamic, &gl_detector_eager, seed, 300));
    }
}

static void what_they_say(void **state)
{
    (void)state;
    assert_int_equal(fixed->can | dynamic->can, 0);
    assert_non_null(strstr(fixed->sentence, "imprecise"));
    assert_non_null(strstr(dynamic->sentence, "imprecise"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(talk),
        cmocka_unit_test(intbox),
        cmocka_unit_test(dynamic_after_a_report),
        cmocka_unit_test(what_a_report_says),
        cmocka_unit_test(as_defined),
        cmocka_unit_test(mutex_races_are_found),
        cmocka_unit_test(many_sets),
        cmocka_unit_test(hardship),
        cmocka_unit_test(what_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
