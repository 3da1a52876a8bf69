/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomic accesses in one step (core/cell_atomic.c) against taking the cell apart: random accesses of random threads to two pairs of
 * cells, which must remember the same after each.
 */
#include <stdlib.h>
#include <string.h>

#include "core/parts.h"
#include "core/state.h"
#include "tests/unit/core_cell.h"

static _Alignas(16) _Atomic uint64_t twin_word[2];
static _Atomic uint64_t twin_sites[2];

static struct gl_cell cell_of(bool twin, int i)
{
    return twin ? (struct gl_cell){&twin_word[i], &twin_sites[i]} : (struct gl_cell){&word[i], &sites[i]};
}

static unsigned long rolled;
static uint32_t roll(uint32_t below)
{
    rolled = rolled * 6364136223846793005ul + 1442695040888963407ul;
    return (uint32_t)(rolled >> 33) % below;
}

static bool is_in(struct remembered e, uint32_t byte, const struct remembered *in, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if ((in[i].half & byte) && !((in[i].half ^ e.half) & ~0xFu) && in[i].site == e.site && in[i].write == e.write)
            return true;
    return false;
}

static void assert_all_in(const struct remembered *those, uint32_t n, const struct remembered *in, uint32_t m)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t byte = 1; byte < 16; byte *= 2)
            if (those[i].half & byte)
                assert_true(is_in(those[i], byte, in, m));
}

/* From then on the two may differ: a full record forgets what others cover, and they need not be full at the same time. */
static bool full;

/* Both remember the same accesses to each byte, in whatever order. */
static void assert_same(int i)
{
    enum { MOST = 64 };
    struct remembered is[MOST], should[MOST];
    uint32_t n = cell_remembers(core, cell_of(false, i), is, MOST), m = cell_remembers(core, cell_of(true, i), should, MOST);
    full |= n >= gl_side_capacity(0) || m >= gl_side_capacity(0);
    assert_all_in(is, n, should, m);
    assert_all_in(should, m, is, n);
}

static uint64_t quick; /* how many were made in one step */

/* One access to both pairs; true: it raced. */
static bool step(int who, uint32_t mask, unsigned kind, uint32_t site)
{
    bool write = kind & GL_ACCESS_WRITE;
    int raced[2] = {0}, should[2];
    if (!t[who]->segment)
        assert_true(gl_segment_begin(t[who]));
    for (int i = 0; i < 2; i++)
        should[i] = gl_access_apart(t[who], cell_of(true, i), mask, kind, site, NULL);
    if ((kind & GL_ACCESS_ATOMIC) && mask == 15 && gl_access_atomic_pair(t[who], cell_of(false, 0), write, site)) {
        quick += 2;
    } else {
        for (int i = 0; i < 2; i++)
            if ((kind & GL_ACCESS_ATOMIC) && gl_access_atomic(t[who], cell_of(false, i), mask, write, site))
                quick++;
            else
                raced[i] = gl_access_apart(t[who], cell_of(false, i), mask, kind, site, NULL);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(raced[i], should[i]);
        assert_same(i);
    }
    return raced[0] || raced[1];
}

/* As programs do: mostly atomic ones to all bytes; now and then a plain one, other bytes, or one cell alone, so that the two of a pair
 * differ; segments end. */
static void random_accesses(void **state)
{
    (void)state;
    static const unsigned kinds[] = {AW, AW, AW, AR, AR, R, W};
    static const uint32_t masks[] = {15, 15, 15, 15, 1, 3, 12};
    uint64_t races = 0;
    for (int round = 0; round < 3000; round++) {
        rolled = (unsigned long)round;
        for (int i = 0; i < 2; i++)
            for (int twin = 0; twin < 2; twin++)
                gl_cell_fresh(core, cell_of(twin, i), 15);
        full = false;
        uint32_t plain = roll(3), threads = 1 + roll(4); /* how much of it; how many */
        for (int k = 0; k < 100 && !full; k++) {
            int who = 1 + (int)roll(threads);
            if (roll(4) == 0)
                order(t[who], t[1 + roll(threads)]);
            if (roll(16) == 0) {
                int one = (int)roll(2);
                unsigned kind = roll(2) ? AW : AR;
                uint32_t site = 1 + roll(1000);
                if (!t[who]->segment)
                    assert_true(gl_segment_begin(t[who]));
                assert_int_equal(gl_access_apart(t[who], cell_of(false, one), 15, kind, site, NULL),
                                 gl_access_apart(t[who], cell_of(true, one), 15, kind, site, NULL));
                assert_same(one);
                continue;
            }
            unsigned kind = kinds[roll(plain == 2 ? 7 : plain == 1 ? 6 : 5)];
            races += step(who, masks[roll(plain ? 7 : 4)], kind, 1 + roll(1000));
        }
    }
    assert_true(quick > 10000);
    assert_true(races > 100);
}

/* What is not so simple changes nothing. */
static void both_or_none(void **state)
{
    (void)state;
    access(1, 15, AW, 1);
    gl_access(t[1], cell_of(false, 1), 15, AW, 1, NULL);
    order(t[1], t[2]); /* a new segment */
    assert_int_equal(gl_access(t[2], cell_of(false, 1), 15, W, 2, NULL), 0); /* what t1 does not know */
    assert_true(gl_segment_begin(t[1]));
    uint64_t was[2] = {word[0], word[1]}, at[2] = {sites[0], sites[1]};
    assert_false(gl_access_atomic_pair(t[1], cell, true, 3));
    assert_memory_equal(was, word, sizeof was);
    assert_memory_equal(at, sites, sizeof at);
    word[1] = GL_CELL_LOCKED;
    assert_false(gl_access_atomic_pair(t[1], cell, true, 3));
    assert_int_equal(word[0], was[0]);
    word[0] = GL_CELL_LOCKED;
    assert_false(gl_access_atomic(t[1], cell, 15, true, 3));
    assert_int_equal(word[0], GL_CELL_LOCKED);
    word[0] = was[0];
    word[1] = was[1];
    gl_source(t[3], &(struct gl_sync){0}, true, 0);
    assert_false(gl_access_atomic(t[3], cell, 15, true, 3)); /* no segment */
    assert_int_equal(word[0], was[0]);
}

/* A record that has no room is left alone. */
static void full_record(void **state)
{
    (void)state;
    for (int who = 1; who <= 4; who++)
        access(who, 15, AW, (uint32_t)who);
    order(t[2], t[4]); /* ends its segment */
    access(2, 15, AR, 5);
    assert_true(is_side());
    order(t[1], t[4]);
    assert_true(gl_segment_begin(t[1]));
    assert_true(gl_access_atomic(t[1], cell, 15, false, 6));
    assert_int_equal(kept(t[1]->segment, AR, 6), 15);
    struct remembered all[16];
    assert_int_equal(cell_remembers(core, cell, all, 16), gl_side_capacity(0));
    order(t[3], t[4]);
    assert_true(gl_segment_begin(t[3]));
    assert_false(gl_access_atomic(t[3], cell, 15, false, 7));
    assert_int_equal(cell_remembers(core, cell, all, 16), gl_side_capacity(0));
}

/* ---- many threads: records in which the thread's own is looked for where it was ---- */

enum { THREADS = 40, ALL = 256 };
static struct gl_thread *crowd[THREADS];

static uint32_t slot_of(struct remembered e) { return gl_batch_of(&core->segments, gl_half_segment(e.half))->slot; }

/* The bytes of an atomic read of which its thread has an atomic write there, too. */
static uint32_t said_by_writes(struct remembered e, const struct remembered *in, uint32_t n)
{
    uint32_t said = 0;
    for (uint32_t i = 0; i < n && !e.write && (e.half & GL_HALF_ATOMIC); i++)
        if (in[i].write && (in[i].half & GL_HALF_ATOMIC) && slot_of(in[i]) == slot_of(e))
            said |= gl_half_mask(in[i].half);
    return said;
}

/* What the twin remembers, and reads which say nothing more. */
static void assert_no_less(int i)
{
    static struct remembered is[ALL], should[ALL];
    uint32_t n = cell_remembers(core, cell_of(false, i), is, ALL), m = cell_remembers(core, cell_of(true, i), should, ALL);
    assert_true(n < ALL && m < ALL);
    assert_all_in(should, m, is, n);
    for (uint32_t k = 0; k < n; k++) {
        struct remembered more = is[k];
        more.half &= ~said_by_writes(more, is, n);
        assert_all_in(&more, 1, should, m);
    }
}

static bool crowd_step(struct gl_thread *who, uint32_t mask, unsigned kind, uint32_t site)
{
    bool write = kind & GL_ACCESS_WRITE, raced = false;
    if (!who->segment)
        assert_true(gl_segment_begin(who));
    bool pair = (kind & GL_ACCESS_ATOMIC) && mask == 15 && gl_access_atomic_pair(who, cell_of(false, 0), write, site);
    for (int i = 0; i < 2; i++) {
        int is = 0, should = gl_access_apart(who, cell_of(true, i), mask, kind, site, NULL);
        if (pair || ((kind & GL_ACCESS_ATOMIC) && gl_access_atomic(who, cell_of(false, i), mask, write, site)))
            quick++;
        else
            is = gl_access_apart(who, cell_of(false, i), mask, kind, site, NULL);
        assert_int_equal(is, should);
        raced |= should != 0;
    }
    return raced;
}

/* As above, by more threads; what one learns from another lets records forget, and the two need not forget at the same time: then only the
 * verdicts are compared. */
static void crowded_accesses(void **state)
{
    (void)state;
    uint64_t races = 0, before = quick;
    for (uint32_t i = 0; i < THREADS; i++)
        assert_non_null(crowd[i] = gl_thread_create(core, NULL, 200 + i, NULL));
    for (int round = 0; round < 300; round++) {
        rolled = (unsigned long)round;
        for (int i = 0; i < 2; i++)
            for (int twin = 0; twin < 2; twin++)
                gl_cell_fresh(core, cell_of(twin, i), 15);
        bool learn = round % 2, plain = roll(2), parts = roll(3) == 0;
        if (roll(2)) { /* plain writes that all know of, which stay */
            crowd_step(crowd[0], 15, W, 1);
            for (uint32_t i = 1; i < THREADS; i++)
                order(crowd[0], crowd[i]);
        }
        for (int k = 0; k < 1000; k++) {
            struct gl_thread *who = crowd[roll(THREADS)];
            uint32_t other = roll(8);
            if (other == 0 && learn)
                order(who, crowd[roll(THREADS)]);
            else if (other < 4)
                gl_source(who, &(struct gl_sync){0}, true, 0); /* ends its segment */
            bool odd = plain && roll(300) == 0;
            races += crowd_step(who, parts && roll(4) == 0 ? 3 : 15, odd ? roll(2) ? W : R : roll(2) ? AW : AR, 1 + roll(1000));
            for (int i = 0; i < 2 && !learn && !plain; i++)
                assert_no_less(i);
        }
    }
    assert_true(quick - before > 100000);
    assert_true(races > 100);
}

#define cell_test(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {cell_test(random_accesses), cell_test(crowded_accesses), cell_test(both_or_none), cell_test(full_record)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
