/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses to many cells at once (core/run.h): where a run ends, and held against gl_access(), cell by cell, on random sequences.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/run.h"
#include "tests/support/cells.h"
#include "tests/support/check.h"
#include "tests/support/fake_env.h"

enum { R = GL_ACCESS_READ, W = GL_ACCESS_WRITE, AW = GL_ACCESS_ATOMIC | GL_ACCESS_WRITE };
enum { THREADS = 5, PAIRS = 8, CELLS = 2 * PAIRS };

/* An engine with threads that nothing orders and with pairs of cells side by side. */
struct world {
    struct fake_env env;
    struct gl_core *core;
    struct gl_thread *t[THREADS + 1]; /* from 1 */
    struct gl_cell_pair pair[PAIRS];
};

static struct world here;

static void world_begin(struct world *w, bool groups_at_once)
{
    fake_env_init(&w->env);
    w->core = gl_core_create(&w->env.env);
    gl_core_group_at_once(w->core, groups_at_once);
    for (uint32_t i = 1; i <= THREADS; i++)
        w->t[i] = gl_thread_create(w->core, NULL, 100 + i, NULL);
    for (uint32_t i = 0; i < PAIRS; i++)
        for (uint32_t k = 0; k < 2; k++)
            w->pair[i].word[k] = w->pair[i].sites[k] = 0;
}

static bool world_end(struct world *w)
{
    gl_core_destroy(w->core);
    return fake_env_is_clean(&w->env);
}

static int begin(void **state)
{
    (void)state;
    world_begin(&here, false);
    return here.t[THREADS] ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    return world_end(&here) ? 0 : -1;
}

static struct gl_cell cell_of(struct world *w, uint32_t i)
{
    return (struct gl_cell){&w->pair[i / 2].word[i % 2], &w->pair[i / 2].sites[i % 2]};
}

static int access(uint32_t who, uint32_t i, unsigned kind, uint32_t site)
{
    return gl_access(here.t[who], cell_of(&here, i), 0xF, kind, site, NULL);
}

static void order(struct world *w, uint32_t from, uint32_t to)
{
    struct gl_sync s = {0};
    gl_source(w->t[from], &s, true, 0);
    gl_sink(w->t[to], &s);
    gl_sync_free(w->core, &s);
}

static uint32_t kept(uint32_t i, uint32_t who, unsigned kind, uint32_t site)
{
    return cell_kept(here.core, cell_of(&here, i), here.t[who]->segment, kind, site);
}

static void whole(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 6; i++)
        access(1, i, i % 2 ? R : W, 1);
    access(1, 7, W, 1);
    order(&here, 1, 2);
    access(2, 4, W, 2); /* seen before: keeps its site */
    assert_int_equal(gl_access_run(here.t[2], here.pair, PAIRS, 1, true, 3, true), CELLS);
    for (uint32_t i = 0; i < CELLS; i++) {
        assert_int_equal(here.pair[i / 2].word[i % 2], (uint64_t)gl_half(here.t[2]->segment, 0, 0xF) << 32);
        assert_int_equal(kept(i, 2, W, i == 4 ? 2 : 3), 0xF);
    }
    assert_int_equal(gl_access_run(here.t[2], here.pair, PAIRS, 1, false, 4, true),
                     CELLS); /* reads after writes: nothing is new */
    assert_int_equal(here.pair[0].sites[0], 3ull << 32);
    order(&here, 2, 3);
    access(3, 15, R, 5);
    bool together = gl_access_run(here.t[3], here.pair, PAIRS, 1, false, 6, false) == CELLS;
#if defined(__x86_64__)
    assert_true(together);
#endif
    if (together)
        assert_int_equal(kept(3, 3, R, 6) & kept(3, 2, W, 3) & kept(15, 3, R, 6), 0xF);
}

static void ends(void **state)
{
    (void)state;
    access(1, 5, R, 1); /* nobody's but t1's: whoever writes it races */
    access(1, 9, AW, 1);
    access(2, 0, R, 2); /* a segment */
    assert_int_equal(gl_access_run(here.t[2], here.pair, PAIRS, 1, true, 3, true), 5);
    assert_int_equal(kept(4, 2, W, 3), 0xF);
    assert_int_equal(kept(5, 1, R, 1), 0xF);
    assert_int_equal(kept(6, 2, W, 3), 0);
    assert_int_equal(gl_access_run(here.t[2], here.pair + 3, PAIRS - 3, 1, true, 3, true), 3); /* atomic */
    assert_int_equal(gl_access_run(here.t[2], here.pair + 5, 0, 1, true, 3, true), 0);
    assert_int_equal(gl_access_run(here.t[2], here.pair + 4, 2, 1, true, 3, false),
                     0); /* both cells of a pair, or none */
    assert_int_equal(here.pair[4].word[0], (uint64_t)gl_half(here.t[2]->segment, 0, 0xF) << 32);
    here.pair[6].word[1] = GL_CELL_LOCKED;
    assert_int_equal(gl_access_run(here.t[2], here.pair + 6, 1, 1, true, 3, false), 0);
    assert_int_equal(here.pair[6].word[1], GL_CELL_LOCKED);
    here.pair[6].word[1] = 0;
}

/* ---- against gl_access() ---- */

/* `n` cells from `first` on; every > 1: pairs, each so many after the one before, from an even `first` on. */
struct cells {
    uint32_t first, n, every;
};

static uint32_t nth(const struct cells *c, uint32_t k) { return c->every == 1 ? c->first + k : c->first + k / 2 * 2 * c->every + k % 2; }

/* The bytes that race are added up in `raced`, for each cell. */
static void cell_by_cell(struct world *w, uint32_t who, const struct cells *c, unsigned kind, uint32_t site, uint32_t *raced)
{
    for (uint32_t k = 0; k < c->n; k++) {
        uint32_t i = nth(c, k);
        int result = gl_access(w->t[who], cell_of(w, i), 0xF, kind, site, NULL);
        check(result >= 0, "no memory for an access");
        raced[i] = (uint32_t)result;
    }
}

/* As a front end does; returns how many cells were done in runs. */
static uint32_t in_runs(struct world *w, uint32_t who, const struct cells *c, unsigned kind, uint32_t site, bool alone, uint32_t *raced)
{
    uint32_t done = 0;
    for (uint32_t k = 0; k < c->n;) {
        uint32_t i = nth(c, k);
        if (i % 2 == 0) {
            size_t run = gl_access_run(w->t[who], &w->pair[i / 2], (c->n - k) / 2, c->every, kind & W, site, alone);
            for (size_t j = 0; j < run; j++)
                raced[nth(c, k++)] = 0;
            done += (uint32_t)run;
            if (run)
                continue;
        }
        cell_by_cell(w, who, &(struct cells){i, 1, 1}, kind, site, raced);
        k++;
    }
    return done;
}

static void same_halves(struct world *a, struct world *b, uint64_t seed, unsigned step)
{
    enum { MOST = 64 };
    struct remembered x[MOST], y[MOST];
    for (uint32_t i = 0; i < CELLS; i++) {
        uint32_t n = cell_remembers(a->core, cell_of(a, i), x, MOST),
                 m = cell_remembers(b->core, cell_of(b, i), y, MOST);
        check(n <= MOST && m <= MOST, "a cell with more accesses than this test looks through");
        bool same = n == m;
        for (uint32_t k = 0; same && k < n; k++)
            same = x[k].half == y[k].half && x[k].write == y[k].write;
        if (!same)
            fail_msg("seed %llu, step %u: cell %u remembers other accesses (%u and %u)",
                     (unsigned long long)seed, step, i, n, m);
    }
}

/* The same random sequence of orders, accesses to single cells and accesses to many, in two worlds: the same bytes race, and, where no cell
 * is locked, the same accesses are remembered.  (Locked ones go by steps, whose thrift differs.)  Returns how many cells were done in runs. */
static uint32_t compare_random(bool alone, uint64_t seed)
{
    static struct world a, b;
    struct rng rng = rng_seed(seed);
    world_begin(&a, alone);
    world_begin(&b, alone);
    uint32_t threads = 2 + rng_below(&rng, THREADS - 1), sync = 10 + rng_below(&rng, 60), done = 0;
    for (unsigned step = 0; step < 200; step++) {
        uint32_t who = 1 + rng_below(&rng, threads), first = rng_below(&rng, CELLS),
                 n = 1 + rng_below(&rng, CELLS - first);
        unsigned kind = rng_chance(&rng, 50) ? W : R;
        uint32_t site = 1 + rng_below(&rng, 4);
        if (rng_chance(&rng, sync)) {
            uint32_t to = 1 + rng_below(&rng, threads);
            order(&a, who, to);
            order(&b, who, to);
        } else if (rng_chance(&rng, 15)) {
            uint32_t mask = 1 + rng_below(&rng, 15);
            kind |= rng_chance(&rng, 10) ? GL_ACCESS_ATOMIC : 0;
            assert_int_equal(gl_access(a.t[who], cell_of(&a, first), mask, kind, site, NULL),
                             gl_access(b.t[who], cell_of(&b, first), mask, kind, site, NULL));
        } else {
            uint32_t x[CELLS] = {0}, y[CELLS] = {0};
            check(gl_segment_begin(a.t[who]) && gl_segment_begin(b.t[who]), "no memory for a segment");
            struct cells c = {first, n, 1};
            if (rng_chance(&rng, 40)) {
                c.first &= ~1u;
                c.every = 2 + rng_below(&rng, 3);
                c.n = 2 * (1 + rng_below(&rng, (CELLS - c.first - 2) / (2 * c.every) + 1));
            }
            cell_by_cell(&a, who, &c, kind, site, x);
            done += in_runs(&b, who, &c, kind, site, alone, y);
            for (uint32_t i = 0; i < CELLS; i++)
                if (x[i] != y[i])
                    fail_msg("seed %llu, step %u, cell %u: another verdict", (unsigned long long)seed, step,
                             i);
        }
        if (alone)
            same_halves(&a, &b, seed, step);
    }
    assert_true(world_end(&a));
    assert_true(world_end(&b));
    return done;
}

static void alone(void **state)
{
    (void)state;
    uint32_t done = 0;
    for (uint64_t seed = 1; seed <= 300; seed++)
        done += compare_random(true, seed);
    assert_true(done > 20000);
}

static void among_others(void **state)
{
    (void)state;
    uint32_t done = 0;
    for (uint64_t seed = 1001; seed <= 1300; seed++)
        done += compare_random(false, seed);
#if defined(__x86_64__)
    assert_true(done > 20000);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(whole, begin, end),
        cmocka_unit_test_setup_teardown(ends, begin, end),
        cmocka_unit_test(alone),
        cmocka_unit_test(among_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
