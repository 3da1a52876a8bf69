/* SPDX-License-Identifier: Apache-2.0
 *
 * The question "is this segment ordered before what the thread does now?", answered by a lock that is held now and was
 * held then.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/construct.h"
#include "tests/unit/core_answers.h"

static void lock_held(void **state)
{
    (void)state;
    struct gl_mutex m = {0}, another = {0};
    gl_mutex_acquired(t1, &m, 0);
    uint32_t inside = segment(t1);
    gl_mutex_releasing(t1, &m);
    uint32_t outside = segment(t1);
    pass_on(&m);
    gl_mutex_acquired(t2, &m, 0);
    assert_answer(t2, inside, true, rule_lock_held);
    assert_answer(t2, outside, false, rule_column);
    gl_mutex_acquired(t2, &another, 0); /* more locks do no harm */
    assert_answer(t2, inside, true, rule_hint);
    gl_mutex_acquired(t3, &another, 0); /* (t2 and t3 cannot; the question is asked of the lock that is held) */
    assert_answer(t3, inside, false, rule_column);
    gl_mutex_releasing(t3, &another);
    gl_mutex_releasing(t2, &m);
    gl_mutex_acquired(t3, &m, 0);
    assert_answer(t3, inside, true, rule_lock_held);
    gl_mutex_releasing(t3, &m);
    assert_answer(t3, inside, true, rule_column);
}

/* A mutex that its only user takes without telling. */
static void taken_alone(void **state)
{
    (void)state;
    struct gl_mutex m = {0};
    uint32_t first = segment(t1);
    gl_mutex_releasing_alone(t1, &m); /* nobody had it before */
    uint32_t inside = segment(t1);
    gl_mutex_releasing_alone(t1, &m);
    uint32_t outside = segment(t1);
    assert_int_not_equal(first, inside);
    assert_int_not_equal(inside, outside);
    pass_on(&m);
    gl_mutex_acquired(t2, &m, 0);
    assert_answer(t2, inside, true, rule_lock_held);
    assert_answer(t2, first, true, rule_lock_held);
    assert_answer(t2, outside, false, rule_column);
}

/* The last holder is the lock's only source: the sink of taking it has answered already. */
static void last_holder(void **state)
{
    (void)state;
    struct gl_mutex m = {0};
    gl_mutex_acquired(t1, &m, 0);
    uint32_t inside = segment(t1);
    gl_mutex_releasing(t1, &m);
    gl_mutex_acquired(t2, &m, 0);
    assert_answer(t2, inside, true, rule_hint);
    assert_answer(t2, segment(t1), false, rule_column);
}

/* algorithm.md, section 5: the lock belongs to the segment that ended while it was held, not to the thread. */
static void stale_lock(void **state)
{
    (void)state;
    struct gl_mutex m = {0};
    struct gl_sync s = {0};
    gl_mutex_acquired(t1, &m, 0);
    (void)segment(t1);
    gl_mutex_releasing(t1, &m);
    uint32_t later = segment(t1);
    gl_source(t1, &s, true, 0); /* ends without a lock */
    gl_mutex_acquired(t2, &m, 0);
    assert_int_equal(gl_core_segment(core, later).lock, 0);
    assert_answer(t2, later, false, rule_column);
}

/* The segment names the lock, which t1 has given up, and is ordered before who takes it next. */
static void assert_protected(uint32_t id, struct gl_mutex *m)
{
    assert_int_equal(gl_core_segment(core, id).lock, m->serial);
    pass_on(m);
    gl_mutex_acquired(t2, m, 0);
    assert_answer(t2, id, true, rule_lock_held);
}

/* A segment that begins outside and ends inside is protected: it is the end that counts.  One that begins inside an outer
 * lock and ends at the release of an inner one names that; any other source under locks names the innermost. */
static void which_lock(void **state)
{
    (void)state;
    struct gl_mutex outer = {0}, inner = {0};
    struct gl_sync s = {0};
    uint32_t id = segment(t1);
    gl_mutex_acquired(t1, &outer, 0);
    gl_mutex_acquired(t1, &inner, 0);
    gl_mutex_releasing(t1, &outer); /* not in the order of a nest */
    assert_protected(id, &outer);
    id = segment(t1);
    gl_mutex_acquired(t1, &(struct gl_mutex){0}, 0);
    gl_source(t1, &s, true, 0);
    assert_int_equal(gl_core_segment(core, id).lock, inner.serial + 1); /* the lock just taken */
}

/* The same for a thread that tells a lock as soon as it is held alone: reports ask for it while the segment is open, and it stays. */
static void lock_told_at_once(void **state)
{
    (void)state;
    struct gl_mutex outer = {0}, inner = {0};
    struct gl_sync s = {0};
    t1->lock_at_once = true;
    uint32_t id = segment(t1);
    gl_mutex_acquired(t1, &outer, 0);
    assert_int_equal(gl_core_segment(core, id).lock, outer.serial);
    gl_mutex_acquired(t1, &inner, 0);
    assert_int_equal(gl_core_segment(core, id).lock, outer.serial);
    gl_mutex_releasing(t1, &outer); /* not in the order of a nest */
    assert_protected(id, &outer);
    id = segment(t1);
    gl_mutex_acquired(t1, &(struct gl_mutex){0}, 0);
    gl_source(t1, &s, true, 0);
    assert_int_equal(gl_core_segment(core, id).lock, inner.serial); /* held alone when it began, and not the one just taken */
}

static void read_holds_protect_nothing(void **state)
{
    (void)state;
    struct gl_rwlock l = {0};
    struct gl_sync s = {0};
    gl_rwlock_read_acquired(t1, &l, 0);
    uint32_t a = segment(t1);
    gl_source(t1, &s, true, 0); /* ends under a read hold only */
    uint32_t b = segment(t1);
    gl_rwlock_read_releasing(t1, &l);
    assert_int_equal(gl_core_segment(core, a).lock, 0);
    assert_int_equal(gl_core_segment(core, b).lock, 0);
    gl_rwlock_read_acquired(other, &l, 0); /* a second reader: the sink says nothing by itself */
    gl_rwlock_read_releasing(other, &l);
    gl_rwlock_write_acquired(t2, &l, 0);
    assert_answer(t2, b, true, rule_column); /* ordered, but not by that rule */
    uint32_t c = segment(t2);
    gl_rwlock_write_releasing(t2, &l);
    assert_int_equal(gl_core_segment(core, c).lock, l.serial);
    gl_rwlock_write_acquired(other, &l, 0); /* and a second writer */
    gl_rwlock_write_releasing(other, &l);
    gl_rwlock_read_acquired(t3, &l, 0);
    assert_answer(t3, c, true, rule_lock_held); /* t3's hold is shared, but the segment's was not */
    gl_rwlock_read_releasing(t3, &l);
    assert_answer(t3, segment(other), false, rule_column);
}

/* A lock made anew in the same place is another lock. */
static void lock_made_anew(void **state)
{
    (void)state;
    struct gl_mutex m = {0};
    gl_mutex_acquired(t1, &m, 0);
    uint32_t serial = m.serial, id = segment(t1);
    gl_mutex_releasing(t1, &m);
    gl_mutex_free(core, &m);
    gl_mutex_acquired(t2, &m, 0);
    assert_int_not_equal(m.serial, serial);
    assert_answer(t2, id, false, rule_column);
    struct gl_rwlock l = {0};
    gl_rwlock_write_acquired(t1, &l, 0);
    serial = l.serial;
    id = segment(t1);
    gl_rwlock_write_releasing(t1, &l);
    gl_rwlock_free(core, &l);
    gl_rwlock_write_acquired(t3, &l, 0);
    assert_int_not_equal(l.serial, serial);
    assert_answer(t3, id, false, rule_column);
}

/* All locks that were held when the segment ended count, not only the one given up; beyond a list's length some do. */
static void nested_locks(void **state)
{
    (void)state;
    enum { LOCKS = GL_GROUP_MAX + 2 };
    struct gl_mutex m[LOCKS] = {0};
    bool small = gl_lock_serial_last(core) < 1u << GL_LOCKS_PAIR_BITS;
    for (int n = 2; n <= LOCKS; n++)
        for (int again = 0; again < 2; again++) { /* a set that is new, and one that is at hand */
            for (int i = 0; i < n; i++)
                gl_mutex_acquired(t1, &m[i], 0);
            uint32_t id = segment(t1);
            for (int i = n; i-- > 0;)
                gl_mutex_releasing(t1, &m[i]);
            for (int i = 0; i < LOCKS; i++)
                pass_on(&m[i]);
            for (int i = 0; i < LOCKS; i++) {
                bool listed = i < n && i >= n - (int)GL_GROUP_MAX;
                gl_mutex_acquired(t2, &m[i], 0);
                t2->hints_few[t1->slot % GL_HINTS_FEW] = (struct gl_hint){0};
                if (listed)
                    assert_answer(t2, id, true, rule_lock_held);
                else /* the order of t1 and t2 came with the first lock that both had */
                    assert_answer(t2, id, true, rule_column);
                gl_mutex_releasing(t2, &m[i]);
            }
        }
    int lists = LOCKS - 1 - small; /* a pair of small serials needs none */
    assert_in_range(gl_load_relaxed(&core->lock_sets), lists, 2 * LOCKS);
}

static void nested_locks_late(void **state)
{
    while (gl_lock_serial(core) >> GL_LOCKS_PAIR_BITS == 0)
        ;
    nested_locks(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        hb_test(lock_held), hb_test(taken_alone), hb_test(last_holder),
        hb_test(stale_lock), hb_test(which_lock), hb_test(lock_told_at_once),
        hb_test(read_holds_protect_nothing), hb_test(nested_locks), hb_test(nested_locks_late),
        hb_test(lock_made_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
