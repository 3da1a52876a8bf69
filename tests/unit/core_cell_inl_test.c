/* SPDX-License-Identifier: Apache-2.0
 *
 * The inline transitions of cells: when they are taken, that they leave the cell alone when they are not, and what may be read
 * in a side record without its lock.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/cell_inl.h"
#include "tests/unit/core_cell.h"

static void quick(void **state)
{
    (void)state;
    const struct gl_thread *q = t[2];
    access(2, 15, W, 1); /* fresh */
    access(2, 15, R, 2); /* its own */
    order(t[2], t[3]);
    assert_int_equal(q->count[GL_COUNT_quick], 2);
    assert_int_equal(access(3, 15, W, 3), 0); /* another's, ordered */
    assert_int_equal(t[3]->count[GL_COUNT_quick], 1);
    assert_int_equal(kept(t[3]->segment, W, 3), 15);
    assert_int_equal(kept(0, R, 2), 0);
    assert_int_equal(access(3, 15, AW, 3), 0); /* atomic ones go the other way */
    assert_int_equal(t[3]->count[GL_COUNT_quick], 1);
    assert_int_equal(access(2, 1, R, 4), 1); /* so do races */
    assert_int_equal(q->count[GL_COUNT_quick], 2);
    gl_source(t[4], &(struct gl_sync){0}, true, 0);
    forget_all();
    assert_false(gl_access_quick(t[4], cell, 15, true, 1)); /* no segment yet */
    assert_int_equal(word[0], 0);
}

/* Both cells or none. */
static void quick_pair(void **state)
{
    (void)state;
    const struct gl_cell second = {&word[1], &sites[1]};
    access(1, 15, R, 9); /* gives t1 a segment */
    forget_all();
    bool there = gl_access_quick_pair(t[1], cell, true, 5);
#if defined(__x86_64__)
    assert_true(there);
#endif
    if (!there)
        return; /* no double-width compare-and-swap on this machine */
    assert_int_equal(word[0], (uint64_t)gl_half(t[1]->segment, 0, 15) << 32);
    assert_int_equal(word[1], word[0]);
    assert_int_equal(sites[0] >> 32, 5);
    assert_int_equal(sites[1] >> 32, 5);
    assert_int_equal(gl_access(t[2], second, 1, R, 6, NULL), 1);
    uint64_t was[2] = {word[0], word[1]};
    assert_false(gl_access_quick_pair(t[1], cell, true, 7)); /* the second meets an unordered reader */
    assert_int_equal(word[0], was[0]);
    assert_int_equal(word[1], was[1]);
    assert_int_equal(sites[0] >> 32, 5);
    order(t[2], t[1]);
    access(1, 15, R, 8); /* a segment after t2's */
    assert_true(gl_access_quick_pair(t[1], cell, true, 7));
    assert_int_equal(word[1], (uint64_t)gl_half(t[1]->segment, 0, 15) << 32);
    assert_int_equal(sites[1] >> 32, 7);
    word[1] = GL_CELL_LOCKED;
    assert_false(gl_access_quick_pair(t[1], cell, true, 9));
    assert_int_equal(word[1], GL_CELL_LOCKED);
    assert_int_equal(sites[0] >> 32, 7);
}

/* What the filter reads in a side record without its lock. */
static void side_hit(void **state)
{
    (void)state;
    access(1, 3, R, 1);
    access(2, 15, R, 2);
    access(3, 6, AR, 3);
    access(3, 4, W, 4);
    assert_true(is_side());
    struct gl_sides *sides_ = gl_core_sides(core);
    uint64_t w = word[0];
#define hit(who, mask, write) gl_side_hit(sides_, &word[0], w, gl_half(t[who]->segment, 0, 0), mask, write)
    assert_true(hit(1, 3, false) && hit(1, 1, false) && hit(2, 11, false));
    assert_false(hit(1, 7, false));  /* not all of the bytes */
    assert_false(hit(1, 1, true));   /* a read does not stand for a write */
    assert_false(hit(3, 2, false));  /* an atomic read not for a plain one */
    assert_true(hit(3, 4, false));   /* a write stands for both */
    assert_true(hit(3, 4, true));
    assert_false(hit(4, 1, false));  /* nobody else's, or: no segment */
    word[0] = 0;
    assert_false(hit(1, 3, false)); /* it is not the cell's record any more */
    word[0] = w;
#undef hit
}

#define cell_test(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cell_test(quick),
        cell_test(quick_pair),
        cell_test(side_hit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
