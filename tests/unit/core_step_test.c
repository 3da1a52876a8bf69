/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps, which repeat a change of a cell.
 */
#include "tests/unit/core_world.h"

/* The same history in the next cell takes a step, and gives the same word and the same list of sites as another order does. */
static void steps(void **state)
{
    (void)state;
    for (unsigned kind = R; kind <= W; kind++)
        for (uint32_t other = 0; other < 2; other++) { /* sites that the step meets the first time, and again */
            uint64_t was = count(2, GL_COUNT_stepped) + count(3, GL_COUNT_stepped);
            for (uint32_t i = 0; i < 2; i++) {
                access(1, i, 1, kind, 11);
                access(2, i, 2, kind, 22 + other * i);
                access(3, i, 4, kind, 33);
            }
            assert_int_equal(count(2, GL_COUNT_stepped) + count(3, GL_COUNT_stepped), was + 2 + 2 * other);
            access(3, 2, 4, kind, 33);
            access(1, 2, 1, kind, 11);
            access(2, 2, 2, kind, 22 + other);
            assert_int_equal(here.word[1], here.word[0]);
            assert_int_equal(here.word[2], here.word[0]);
            assert_int_equal(site_of(2, kind), site_of(1, kind));
            assert_int_equal(site_of(1, kind) == site_of(0, kind), !other);
            assert_int_equal(kept(1, 1, kind, 11), 1);
            assert_int_equal(kept(1, 2, kind, 22 + other), 2);
            assert_int_equal(kept(1, 3, kind, 33), 4);
            for (uint32_t i = 0; i < 3; i++)
                gl_cell_fresh(here.core, cell(i), 15);
        }
}

/* A step is not taken where it would hide a race: the other half is asked every time. */
static void steps_ask(void **state)
{
    (void)state;
    access(1, 0, 0xF, R, 11);
    access(1, 1, 0xF, R, 11);
    access(2, 0, 0xF, R, 22);
    access(3, 2, 0x4, W, 33);
    access(1, 2, 0x3, R, 11);
    assert_int_equal(access(2, 2, 0xF, R, 22), 0x4); /* an unordered write, here only */
    assert_int_equal(access(2, 1, 0xF, R, 22), 0);
    assert_int_equal(count(2, GL_COUNT_stepped), 1);
    access(1, 3, 0x1, W, 11);
    gl_cell_fresh(here.core, cell(0), 15);
    access(1, 0, 0x1, W, 11);
    access(2, 0, 0x2, W, 22); /* kept as a step */
    access(4, 3, 0x2, R, 44);
    assert_int_equal(access(2, 3, 0x2, W, 22), 0x2); /* an unordered read, here only */
    assert_int_equal(kept(3, 1, W, 11), 1);
    assert_int_equal(kept(3, 2, W, 22), 2);
    assert_int_equal(count(2, GL_COUNT_stepped), 1);
}

static void steps_of_pairs(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CELLS; i++)
        access(1, i, 0xF, R, 11 + i / 3); /* the last one's is another */
    access(2, 0, 0xF, R, 22);
    uint64_t was = here.word[0];
    uint32_t was_site = site_of(0, R);
    gl_cell_fresh(here.core, cell(0), 15);
    access(1, 0, 0xF, R, 11);
    for (uint32_t i = 0; i < CELLS; i += 2) {
        bool there = gl_access_quick_pair(here.t[2], cell(i), false, 22);
#if defined(__x86_64__)
        assert_true(there);
#endif
        if (!there)
            return; /* no double-width compare-and-swap on this machine */
    }
    for (uint32_t i = 0; i < CELLS; i++) {
        assert_int_equal(here.word[i], was);
        assert_int_equal(site_of(i, R) == was_site, i < 3);
        assert_int_equal(kept(i, 1, R, 11 + i / 3), 0xF);
        assert_int_equal(kept(i, 2, R, 22), 0xF);
    }
    assert_int_equal(count(2, GL_COUNT_stepped), 2);
}

/* Bytes added to a thread's own access in a group: its site becomes a joined one, by a step too. */
static void steps_join_sites(void **state)
{
    (void)state;
    here.t[2]->join_sites = join;
    for (unsigned kind = R; kind <= W; kind++) {
        uint64_t was = count(2, GL_COUNT_stepped);
        joined_calls = 0;
        for (uint32_t i = 0; i < 3; i++) {
            access(1, i, 1, kind, 7);
            access(2, i, 2, kind, 8);
            access(2, i, 4, kind, i < 2 ? 9 : 5);
            assert_true(cell_has_group(cell(i)));
            assert_int_equal(kept(i, 1, kind, 7), 1);
            assert_int_equal(kept(i, 2, kind, i < 2 ? 948 : 548), 6);
        }
        assert_int_equal(count(2, GL_COUNT_stepped), was + 4);
        assert_in_range(joined_calls, 1, 3); /* a step remembers what it made of sites, for both kinds */
        assert_int_equal(here.word[1], here.word[0]);
        assert_int_equal(site_of(1, kind), site_of(0, kind));
        assert_int_equal(here.word[2], here.word[0]);
        assert_int_not_equal(site_of(2, kind), site_of(0, kind));
        access(2, 0, 8, kind, 6); /* refused: two accesses of one segment in a group */
        assert_int_equal(kept(0, 2, kind, 948), 6);
        assert_int_equal(kept(0, 2, kind, 6), 8);
        access(1, 3, 1, kind, 7); /* a step's sites that cannot be joined: the slow path keeps both */
        access(2, 3, 2, kind, 100);
        access(2, 3, 4, kind, 9);
        assert_int_equal(kept(3, 2, kind, 100), 2);
        assert_int_equal(kept(3, 2, kind, 9), 4);
        for (uint32_t i = 0; i < CELLS; i++)
            gl_cell_fresh(here.core, cell(i), 15);
    }
}

#define group_test(f) cmocka_unit_test_setup_teardown(f, begin_at_once, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        group_test(steps),
        group_test(steps_ask),
        group_test(steps_of_pairs),
        group_test(steps_join_sites),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
