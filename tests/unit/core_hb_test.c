/* SPDX-License-Identifier: Apache-2.0
 *
 * The question "is this segment ordered before what the thread does now?": which rule answers, that each short circuit
 * answers rightly, and that none of them answers for somebody else.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/construct.h"
#include "tests/unit/core_answers.h"

static void own_thread(void **state)
{
    (void)state;
    struct gl_sync s = {0};
    uint32_t now = segment(t1);
    assert_answer(t1, now, true, rule_own_thread);
    gl_source(t1, &s, true, 0);
    assert_answer(t1, now, true, rule_own_thread);
    assert_answer(t1, segment(t1), true, rule_own_thread);
}

/* The column answers once; a yes holds for good, for that epoch and all before. */
static void column_then_hint(void **state)
{
    (void)state;
    struct gl_sync s = {0};
    uint32_t first = segment(t1);
    publish(t1, &s);
    uint32_t second = segment(t1);
    publish(t1, &s);
    uint32_t third = segment(t1);
    gl_sink(t2, &s);
    assert_answer(t2, second, true, rule_column);
    assert_answer(t2, second, true, rule_hint);
    assert_answer(t2, first, true, rule_hint);
    assert_answer(t2, third, false, rule_no_sink); /* the column was read at this sink count: nothing more is known */
    assert_answer(t3, first, false, rule_column);  /* hints are each thread's own */
    publish(t1, &s);
    assert_answer(t2, third, false, rule_no_sink); /* t1's release is nothing to t2 without a sink */
    gl_sink(t2, &s);
    assert_answer(t2, third, true, rule_column);
    assert_answer(t2, third, true, rule_hint);
    assert_answer(t3, third, false, rule_no_sink);
}

static void no_sink_until_a_sink(void **state)
{
    (void)state;
    struct gl_sync s = {0}, stranger = {0};
    uint32_t id = segment(t1);
    assert_answer(t2, id, false, rule_column);
    assert_answer(t2, id, false, rule_no_sink);
    publish(t1, &s);
    publish(t3, &stranger);
    assert_answer(t2, id, false, rule_no_sink);
    gl_sink(t2, &stranger); /* any sink makes it ask again */
    assert_answer(t2, id, false, rule_column);
    gl_sink(t2, &s);
    assert_answer(t2, id, true, rule_column);
}

/* The access is in an epoch that is open: a release before it, taken in by t2, is not enough. */
static void open_epoch(void **state)
{
    (void)state;
    struct gl_sync s = {0};
    publish(t1, &s);
    uint32_t id = segment(t1);
    gl_sink(t2, &s);
    assert_answer(t2, id, false, rule_column);
    publish(t1, &s);
    gl_sink(t2, &s);
    assert_answer(t2, id, true, rule_column);
}

/* ---- what a sink says by itself ---- */

/* An object whose sources since its last assignment are one thread's: who sinks on it is ordered after the epochs that
 * this thread had ended at the last of them. */
static void sink_raises_hint(void **state)
{
    (void)state;
    struct gl_sync s = {0};
    uint32_t first = segment(t1);
    publish(t1, &s);
    uint32_t second = segment(t1);
    gl_source(t1, &s, true, 0);
    gl_sink(t2, &s);
    assert_answer(t2, second, true, rule_hint); /* nothing was replayed */
    assert_answer(t2, first, true, rule_hint);
    uint32_t third = segment(t1);
    assert_answer(t2, third, false, rule_column); /* it is a lower bound, not the whole truth */
    assert_answer(t3, first, false, rule_column); /* and t2's own */
    gl_source(t1, &s, false, 0);
    uint32_t open = segment(t1);
    gl_sink(t3, &s); /* the last of several sources counts */
    assert_answer(t3, third, true, rule_hint);
    assert_answer(t3, open, false, rule_column);
}

/* A source in an epoch in which nothing was recorded does not end it: the epoch is not in the object. */
static void hint_of_an_open_epoch(void **state)
{
    (void)state;
    struct gl_sync s = {0};
    uint32_t ended = segment(t1);
    gl_source(t1, &s, true, 0);
    gl_source(t1, &s, false, 0); /* no access since */
    uint32_t later = segment(t1);
    gl_sink(t2, &s);
    assert_answer(t2, later, false, rule_column);
    assert_answer(t2, ended, true, rule_hint);
}

/* Two source threads: the sink says nothing, the column all. */
static void no_hint_of_two_sources(void **state)
{
    (void)state;
    struct gl_sync s = {0};
    uint32_t a = segment(t1), b = segment(t3);
    gl_source(t1, &s, true, 0);
    gl_source(t3, &s, false, 0);
    gl_source(t1, &s, false, 0);
    assert_int_equal(s.own, 0);
    gl_sink(t2, &s);
    assert_answer(t2, a, true, rule_column);
    assert_answer(t2, b, true, rule_column);
    uint32_t c = segment(t3);
    gl_source(t3, &s, true, 0); /* an assignment makes it one thread's again */
    gl_sink(t2, &s);
    assert_answer(t2, c, true, rule_hint);
    assert_answer(t2, a, true, rule_hint); /* known from before: rows only grow */
}

/* What fences hand on keeps its source and its epoch; of two sources neither. */
static void hint_through_fences(void **state)
{
    (void)state;
    struct gl_sync a = {0};
    uint32_t before_fence = segment(t1);
    gl_fence(t1, GL_REL);
    uint32_t after_fence = segment(t1);
    gl_atomic_store_part(t1, &a, GL_RLX); /* a := F_t1 */
    gl_atomic_acquire_part(t2, &a, GL_RLX); /* A_t2 |= a */
    gl_fence(t2, GL_ACQ);
    assert_answer(t2, before_fence, true, rule_hint);
    assert_answer(t2, after_fence, false, rule_column);
    uint32_t in_t2 = segment(t2);
    gl_fence(t2, GL_REL);
    gl_atomic_rmw_part(t2, &a, GL_RLX); /* a |= F_t2 */
    assert_int_equal(a.own, 0);
    gl_atomic_acquire_part(t3, &a, GL_ACQ);
    assert_answer(t3, before_fence, true, rule_column);
    assert_answer(t3, after_fence, false, rule_no_sink);
    assert_answer(t3, in_t2, true, rule_column);
}

/* algorithm.md, fact 4: what lock-held knows now must not be passed on by a release that came before. */
static void answers_do_not_leak(void **state)
{
    (void)state;
    struct gl_mutex l = {0};
    struct gl_sync m = {0};
    gl_mutex_acquired(t1, &l, 0);
    uint32_t id = segment(t1);
    gl_mutex_releasing(t1, &l);
    gl_source(t2, &m, true, 0); /* before t2 becomes ordered after t1 */
    pass_on(&l);
    gl_mutex_acquired(t2, &l, 0);
    assert_answer(t2, id, true, rule_lock_held);
    gl_sink(t3, &m);
    assert_answer(t3, id, false, rule_column);
    gl_source(t2, &m, true, 0); /* and after: it is */
    gl_sink(t3, &m);
    assert_answer(t3, id, true, rule_column);
}

/* ---- segments ---- */

static void segment_begin(void **state)
{
    (void)state;
    uint32_t key = 7;
    struct gl_sync s = {0};
    gl_thread_set_key(t2, &key);
    assert_int_equal(key, 0);
    uint32_t last = 0;
    for (uint32_t i = 0; i < 3 * GL_SEGMENT_BATCH; i++) {
        uint32_t id = segment(t2);
        struct gl_segment g = gl_core_segment(core, id);
        assert_true(i % GL_SEGMENT_BATCH == 0 || id == last + 1); /* a batch at a time */
        last = id;
        assert_int_equal(key, gl_half(id, 0, 0));
        assert_int_equal(g.slot, t2->slot);
        assert_int_equal(g.epoch, i + 1);
        assert_int_equal(g.uid, 2);
        assert_int_equal(g.lock, 0);
        gl_source(t2, &s, true, 0);
        assert_int_equal(t2->segment, 0);
        assert_int_equal(key, 0);
        if (i % 5 == 0)
            (void)segment(t1), gl_source(t1, &s, true, 0);
    }
    assert_int_equal(t2->count[GL_COUNT_segments], 3 * GL_SEGMENT_BATCH);
    assert_int_equal(t2->count[GL_COUNT_epochs], 3 * GL_SEGMENT_BATCH);
}

static void no_segment_left(void **state)
{
    (void)state;
    env.fail_at = env.maps + 1; /* the first chunk of the table */
    assert_false(gl_segment_begin(t1));
    assert_int_equal(t1->segment, 0);
    assert_int_equal(t1->count[GL_COUNT_segments], 0);
    assert_true(gl_segment_begin(t1));
}

/* ---- more threads than places for hints ---- */

enum { MANY = 12 * GL_HINTS_FEW };

/* Threads, every second of which t2 is ordered after. */
static void make_many(uint32_t id[MANY])
{
    struct gl_sync s = {0};
    for (uint32_t i = 0; i < MANY; i++) {
        struct gl_thread *u = gl_thread_create(core, NULL, 10 + i, NULL);
        id[i] = segment(u);
        if (i % 2)
            gl_source(u, &s, false, 0);
    }
    gl_sink(t2, &s);
}

/* Places come while hints are lost; then none is. */
static void many_threads(void **state)
{
    (void)state;
    uint32_t id[MANY];
    make_many(id);
    for (int round = 0; round < 4; round++)
        for (uint32_t i = 0; i < MANY; i++)
            if (round < 3)
                assert_int_equal(gl_ordered(t2, id[i]), i % 2);
            else if (i % 2)
                assert_answer(t2, id[i], true, rule_hint);
            else
                assert_answer(t2, id[i], false, rule_no_sink);
    assert_true(t2->hint_mask + 1 >= MANY);
}

/* Hints that lose their places to others: slower, not wrong. */
static void no_memory_for_hints(void **state)
{
    (void)state;
    uint32_t id[MANY];
    make_many(id);
    for (uint32_t i = 0; i < MANY; i += GL_BLOCK_FIRST)
        (void)gl_ordered(t3, id[i]);
    for (uint32_t i = 0; i < MANY; i++)
        (void)gl_column_value(&core->columns, t2->slot, t2->slot + i, t2->sink_pos); /* no row is missing */
    env.fail_at = env.maps + 1;
    env.fail_from = true;
    for (int round = 0; round < 3; round++)
        for (uint32_t i = 0; i < MANY; i++)
            assert_int_equal(gl_ordered(t2, id[i]), i % 2);
    assert_int_equal(t2->hint_mask + 1, GL_HINTS_FEW);
    assert_true(t2->count[GL_COUNT_rule_column] > 2 * MANY);
    assert_false(gl_core_stopped(core));
}

/* The replay of the answer itself runs out of memory: no "no" is given, since it could be wrong. */
static void memory_runs_out_in_the_replay(void **state)
{
    (void)state;
    struct gl_sync s = {0};
    uint32_t id = segment(t1);
    publish(t1, &s);
    gl_sink(t2, &s);
    env.fail_at = env.maps + 1; /* a row */
    assert_true(gl_ordered(t2, id));
    assert_true(gl_core_stopped(core));
}

/* ---- one block, many askers ---- */

enum { CALLERS = 4, ROUNDS = 5000 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct gl_sync object;                      /* guarded by mutex */
static uint32_t ended[CALLERS], open_[CALLERS];    /* segments; guarded by mutex */
static struct gl_thread *caller[CALLERS];

static void *call(void *arg)
{
    uint32_t me = (uint32_t)(uintptr_t)arg;
    struct gl_thread *t = caller[me];
    uintptr_t wrong = 0;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        uint32_t was[CALLERS];
        pthread_mutex_lock(&mutex);
        gl_sink(t, &object);
        for (uint32_t k = 0; k < CALLERS; k++) {
            was[k] = ended[k];
            /* an epoch that is open - its owner waits for the mutex - is in nobody else's row */
            wrong += k != me && open_[k] && gl_ordered(t, open_[k]);
        }
        pthread_mutex_unlock(&mutex);
        for (uint32_t k = 0; k < CALLERS; k++) /* outside, together with the others */
            wrong += was[k] && !gl_ordered(t, was[k]);
        if (!t->segment)
            wrong += !gl_segment_begin(t);
        pthread_mutex_lock(&mutex);
        if (i % 3 == 0) {
            ended[me] = t->segment;
            open_[me] = 0;
            gl_source(t, &object, false, 0);
        } else {
            open_[me] = t->segment;
        }
        pthread_mutex_unlock(&mutex);
    }
    return (void *)wrong;
}

static void concurrent_questions(void **state)
{
    (void)state;
    pthread_t p[CALLERS];
    object = (struct gl_sync){0};
    for (uint32_t i = 0; i < CALLERS; i++) {
        ended[i] = open_[i] = 0;
        caller[i] = gl_thread_create(core, NULL, 10 + i, NULL);
    }
    for (uintptr_t i = 0; i < CALLERS; i++)
        assert_int_equal(pthread_create(&p[i], NULL, call, (void *)i), 0);
    uint64_t replays = 0;
    for (int i = 0; i < CALLERS; i++) {
        void *wrong;
        pthread_join(p[i], &wrong);
        assert_null(wrong);
        replays += caller[i]->count[GL_COUNT_rule_column];
    }
    assert_true(replays > 0);
}

/* gl_sync_before() says of a mutex what gl_ordered() says of the last segment before its release, whoever asks and whatever was asked before. */
static void before_a_release(void **state)
{
    (void)state;
    enum { MUTEXES = 4, STEPS = 20000 };
    struct gl_thread *const t[] = {t1, t2, t3, other};
    struct gl_mutex m[MUTEXES] = {0};
    uint32_t last[MUTEXES] = {0}, holder[MUTEXES] = {0};
    unsigned ordered[2] = {0};
    uint64_t random = 1;
    assert_true(gl_sync_before(t1, &m[0].sync)); /* nobody has released it */
    for (int i = 0; i < STEPS; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        uint32_t who = random >> 33 & 3, which = random >> 40 & 3, what = random >> 50 & 7;
        if (what < 5 && last[which]) {
            bool is = gl_sync_before(t[who], &m[which].sync);
            assert_int_equal(is, gl_ordered(t[who], last[which]));
            ordered[is]++;
        } else if (holder[which]) {
            last[which] = segment(t[holder[which] - 1]);
            assert_true(gl_mutex_releasing(t[holder[which] - 1], &m[which]));
            holder[which] = 0;
        } else {
            gl_mutex_acquired(t[who], &m[which], 0);
            holder[which] = who + 1;
            if (what == 7)
                (void)segment(t[who]); /* in a section, which nobody knows of yet */
        }
    }
    assert_true(ordered[0] > STEPS / 100 && ordered[1] > STEPS / 100);
    gl_source(t1, &m[0].sync, false, 0);
    gl_source(t2, &m[0].sync, false, 0);
    assert_true(gl_sync_before(t3, &m[0].sync)); /* of two: nobody is asked for */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        hb_test(own_thread), hb_test(column_then_hint), hb_test(no_sink_until_a_sink),
        hb_test(open_epoch), hb_test(sink_raises_hint), hb_test(hint_of_an_open_epoch),
        hb_test(no_hint_of_two_sources), hb_test(hint_through_fences), hb_test(answers_do_not_leak),
        hb_test(before_a_release), hb_test(segment_begin), hb_test(no_segment_left),
        hb_test(many_threads), hb_test(no_memory_for_hints), hb_test(memory_runs_out_in_the_replay),
        hb_test(concurrent_questions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
