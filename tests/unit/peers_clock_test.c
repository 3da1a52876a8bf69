/* SPDX-License-Identifier: Apache-2.0
 *
 * Vector clocks, tree clocks, histories and tables against the plainest versions of themselves, on random input.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "peers/history.h"
#include "peers/table.h"
#include "peers/treeclock.h"
#include "tests/support/check.h"
#include "tests/support/fake_env.h"

struct fixture {
    struct fake_env env;
    struct gl_pool pool;
};

static int set_up(void **state)
{
    struct fixture *f = check_alloc(sizeof *f);
    fake_env_init(&f->env);
    gl_pool_init(&f->pool, &f->env.env);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    gl_pool_end(&f->pool);
    bool clean = fake_env_is_clean(&f->env);
    free(f);
    return clean ? 0 : -1;
}

/* ---- clocks ---- */

/* A clock of up to n threads, mostly small numbers, now and then the largest. */
static struct gl_clock random_clock(struct fixture *f, struct rng *r, uint32_t n)
{
    struct gl_clock c = {0};
    uint32_t known = rng_below(r, n + 1);
    assert_true(gl_clock_reserve(&c, &f->pool, known));
    for (uint32_t i = 0; i < known; i++)
        c.at[i] = rng_chance(r, 1) ? GL_CLOCK_MAX : rng_below(r, 4);
    return c;
}

static void clock_operations(void **state)
{
    struct fixture *f = *state;
    struct rng r = rng_seed(1);
    unsigned ordered = 0, unordered = 0;
    for (unsigned round = 0; round < 4000; round++) {
        uint32_t n = 1 + rng_below(&r, round % 2 ? 20 : 300); /* short ones, and some for the wide loops */
        struct gl_clock a = random_clock(f, &r, n), b = random_clock(f, &r, n), joined = {0};
        assert_true(gl_clock_copy(&joined, &f->pool, &a));
        assert_int_equal(gl_clock_above(&joined, &a, 0), GL_CLOCK_NONE);
        assert_int_equal(gl_clock_above(&a, &joined, 0), GL_CLOCK_NONE);

        uint32_t first = GL_CLOCK_NONE, from = rng_below(&r, n) & ~(GL_CLOCK_LANES - 1),
                 later = GL_CLOCK_NONE;
        for (uint32_t i = n; i-- > 0;)
            if (gl_clock_get(&a, i) > gl_clock_get(&b, i)) {
                first = i;
                later = i >= from ? i : later;
            }
        assert_int_equal(gl_clock_above(&a, &b, 0), first);
        assert_int_equal(gl_clock_above(&a, &b, from), later);
        *(first == GL_CLOCK_NONE ? &ordered : &unordered) += 1;

        assert_true(gl_clock_join(&joined, &f->pool, &b));
        for (uint32_t i = 0; i < n + 9; i++) {
            uint32_t x = gl_clock_get(&a, i), y = gl_clock_get(&b, i);
            assert_int_equal(gl_clock_get(&joined, i), x > y ? x : y);
            if (x)
                assert_int_equal(gl_clock_knows(&b, gl_epoch(i, x)), y >= x);
        }
        /* a copy onto a longer clock forgets the rest */
        assert_true(gl_clock_copy(&joined, &f->pool, &b));
        for (uint32_t i = 0; i < n + 9; i++)
            assert_int_equal(gl_clock_get(&joined, i), gl_clock_get(&b, i));
        assert_true(gl_clock_reserve(&joined, &f->pool, n + 9));
        assert_int_equal(gl_clock_above(&joined, &b, 0), GL_CLOCK_NONE); /* no leftovers of the join */
        gl_clock_fini(&a, &f->pool);
        gl_clock_fini(&b, &f->pool);
        gl_clock_fini(&joined, &f->pool);
    }
    assert_true(ordered > 50 && unordered > 1000);
}

static void epochs(void **state)
{
    (void)state;
    assert_int_equal(gl_epoch_thread(gl_epoch(7, 9)), 7);
    uint32_t numbers[8] = {0, 5};
    struct gl_clock c = {numbers, 8, 8};
    assert_true(gl_clock_knows(&c, 0)); /* no epoch at all */
    assert_true(gl_clock_knows(&c, gl_epoch(1, 5)));
    assert_false(gl_clock_knows(&c, gl_epoch(1, 6)));
    assert_false(gl_clock_knows(&c, gl_epoch(8, 1)));
}

/* ---- tree clocks: threads, locks and gathered clocks, beside the same as ordinary clocks ---- */

enum { THREADS = 40, LOCKS = 6, GATHERED = 3 };

struct twin {
    struct gl_tree tree;
    struct gl_clock plain;
};

static void assert_same(const struct twin *t)
{
    assert_int_equal(gl_clock_above(&t->tree.clock, &t->plain, 0), GL_CLOCK_NONE);
    assert_int_equal(gl_clock_above(&t->plain, &t->tree.clock, 0), GL_CLOCK_NONE);
    assert_true(gl_tree_is_valid(&t->tree));
}

/* The thread exported its clock: the next epoch begins. */
static void tick(struct twin *t, uint32_t number)
{
    t->tree.clock.at[number]++;
    t->plain.at[number]++;
}

static void tree_clocks(void **state)
{
    struct fixture *f = *state;
    struct gl_pool *pool = &f->pool;
    struct gl_tree_walk walk = {0};
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct rng r = rng_seed(seed);
        struct twin thread[THREADS] = {0}, lock[LOCKS] = {0};
        struct gl_clock gathered[GATHERED] = {0};
        uint32_t threads = 2 + rng_below(&r, THREADS - 2), gather = rng_below(&r, 30);
        for (uint32_t t = 0; t < threads; t++) {
            assert_true(gl_tree_start(&thread[t].tree, pool, t, 1));
            assert_true(gl_clock_reserve(&thread[t].plain, pool, t + 1));
            thread[t].plain.at[t] = 1;
        }
        for (unsigned step = 0; step < 600; step++) {
            uint32_t t = rng_below(&r, threads), u = rng_below(&r, threads);
            struct twin *me = &thread[t];
            if (rng_chance(&r, gather)) {
                struct gl_clock *g = &gathered[rng_below(&r, GATHERED)];
                if (rng_chance(&r, 50)) {
                    assert_true(gl_clock_join(g, pool, &me->plain));
                    tick(me, t);
                } else {
                    assert_true(gl_tree_join_clock(&me->tree, pool, g));
                    assert_true(gl_clock_join(&me->plain, pool, g));
                }
            } else if (u != t && rng_chance(&r, 10)) { /* as a fork does */
                assert_true(gl_tree_join(&me->tree, pool, &walk, &thread[u].tree));
                assert_true(gl_clock_join(&me->plain, pool, &thread[u].plain));
                tick(&thread[u], u);
            } else { /* take a lock and release it */
                struct twin *l = &lock[rng_below(&r, LOCKS)];
                assert_true(gl_tree_join(&me->tree, pool, &walk, &l->tree));
                assert_true(gl_clock_join(&me->plain, pool, &l->plain));
                assert_true(gl_tree_copy_monotone(&l->tree, pool, &walk, &me->tree));
                assert_true(gl_clock_copy(&l->plain, pool, &me->plain));
                assert_same(l);
                tick(me, t);
            }
            assert_same(me);
        }
        for (uint32_t t = 0; t < threads; t++) {
            gl_tree_fini(&thread[t].tree, pool);
            gl_clock_fini(&thread[t].plain, pool);
        }
        for (uint32_t l = 0; l < LOCKS; l++) {
            gl_tree_fini(&lock[l].tree, pool);
            gl_clock_fini(&lock[l].plain, pool);
        }
        for (uint32_t g = 0; g < GATHERED; g++)
            gl_clock_fini(&gathered[g], pool);
    }
}

/* What tree clocks are for: only what changed is visited. */
static void tree_clocks_visit_little(void **state)
{
    struct fixture *f = *state;
    struct gl_tree thread[THREADS] = {0}, lock = {0};
    struct gl_tree_walk walk = {0};
    for (uint32_t t = 0; t < THREADS; t++)
        assert_true(gl_tree_start(&thread[t], &f->pool, t, 1));
    for (uint32_t t = 1; t < THREADS; t++) { /* thread 0 knows all, at first hand */
        assert_true(gl_tree_join(&thread[0], &f->pool, &walk, &thread[t]));
        thread[t].clock.at[t]++;
    }
    assert_true(gl_tree_copy_monotone(&lock, &f->pool, &walk, &thread[0]));
    assert_int_equal(walk.n, THREADS);
    thread[0].clock.at[0]++;
    assert_true(gl_tree_copy_monotone(&lock, &f->pool, &walk, &thread[0]));
    assert_int_equal(walk.n, 1); /* its own number only */
    thread[0].clock.at[0]++;
    assert_true(gl_tree_join(&thread[1], &f->pool, &walk, &lock));
    assert_int_equal(walk.n, THREADS - 1); /* all but its own */
    assert_true(gl_tree_copy_monotone(&lock, &f->pool, &walk, &thread[1]));
    assert_int_equal(walk.n, 2); /* the new root, and the old one below it */
    assert_true(gl_tree_is_valid(&lock));
    lock.clock.at[2] = 0; /* a number that the tree has and the clock has not */
    assert_false(gl_tree_is_valid(&lock));
}

/* ---- histories and tables ---- */

static void histories(void **state)
{
    struct fixture *f = *state;
    struct rng r = rng_seed(2);
    struct gl_history h = {0}, copy = {0};
    uint32_t epoch[200] = {0}, site[200] = {0};
    struct gl_clock nothing = {0};
    assert_int_equal(gl_history_unordered(&h, &nothing), GL_CLOCK_NONE);
    for (unsigned step = 0; step < 2000; step++) {
        uint32_t t = rng_below(&r, 1 + step / 10);
        epoch[t] = step + 1;
        site[t] = rng_below(&r, 1000);
        assert_true(gl_history_note(&h, &f->pool, gl_epoch(t, epoch[t]), site[t]));
    }
    assert_true(gl_history_copy(&copy, &f->pool, &h));
    gl_history_fini(&h, &f->pool);
    struct gl_clock all = {0};
    assert_true(gl_clock_copy(&all, &f->pool, &copy.clock));
    assert_int_equal(gl_history_unordered(&copy, &all), GL_CLOCK_NONE);
    for (uint32_t t = 0; t < 200; t++) {
        if (!epoch[t])
            continue;
        assert_int_equal(gl_clock_get(&copy.clock, t), epoch[t]);
        assert_int_equal(gl_history_site(&copy, t), site[t]);
        all.at[t]--;
        assert_int_equal(gl_history_unordered(&copy, &all), t);
        all.at[t]++;
    }
}

static void tables(void **state)
{
    struct fixture *f = *state;
    struct gl_table tab = {0};
    static const uint64_t numbers[] = {0, 1, 255, 256, 70000, GL_TABLE_MAX - 1};
    enum { N = sizeof numbers / sizeof *numbers };
    uint32_t *place[N];
    for (unsigned i = 0; i < N; i++) {
        uint32_t *p = gl_table_find(&tab, numbers[i], sizeof *p, 8);
        assert_true(!p || *p == 0);
        place[i] = gl_table_at(&tab, &f->pool, numbers[i], sizeof *p, 8);
        assert_non_null(place[i]);
        assert_int_equal(*place[i], 0);
        *place[i] = i + 1;
    }
    for (unsigned i = 0; i < N; i++) { /* elements stay where they are while the root grows */
        assert_ptr_equal(gl_table_find(&tab, numbers[i], sizeof **place, 8), place[i]);
        assert_int_equal(*place[i], i + 1);
    }
    assert_null(gl_table_at(&tab, &f->pool, GL_TABLE_MAX, sizeof **place, 8));
    assert_null(gl_table_find(&tab, UINT64_MAX, sizeof **place, 8));
    assert_null(gl_table_find(&tab, 1 << 20, sizeof **place, 8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(clock_operations, set_up, tear_down),
        cmocka_unit_test(epochs),
        cmocka_unit_test_setup_teardown(tree_clocks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tree_clocks_visit_little, set_up, tear_down),
        cmocka_unit_test_setup_teardown(histories, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tables, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
