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
#include "tests/unit/core_threads.h"

static struct gl_thread *other; /* after nothing; of this one nobody asks */

static int begin_with_other(void **state)
{
    int failed = begin(state);
    other = gl_thread_create(core, NULL, 4, NULL);
    return failed || !other ? -1 : 0;
}

/* All that t did, as the content of an object with a second source: a sink on it tells nothing by itself, the column
 * has to be asked. */
static void publish(struct gl_thread *t, struct gl_sync *s)
{
    gl_source(other, s, true, 0);
    gl_source(t, s, false, 0);
}

/* t's answer about the segment, by that rule. */
#define assert_answer(t, id, answer, rule)                                                        \
    do {                                                                                          \
        uint64_t was_ = (t)->count[GL_COUNT_##rule];                                              \
        uint64_t sum_ = answers(t);                                                               \
        assert_int_equal(gl_ordered(t, id), answer);                                              \
        assert_int_equal((t)->count[GL_COUNT_##rule], was_ + 1);                                  \
        assert_int_equal(answers(t), sum_ + 1);                                                   \
    } while (0)

static uint64_t answers(const struct gl_thread *t)
{
    return t->count[GL_COUNT_rule_own_thread] + t->count[GL_COUNT_rule_hint] + t->count[GL_COUNT_rule_lock_held] +
           t->count[GL_COUNT_rule_no_sink] + t->count[GL_COUNT_rule_column];
}

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

/* ---- lock-held ---- */

/* Somebody else holds the mutex in between: what a sink on it says by itself is about that thread. */
static void pass_on(struct gl_mutex *m)
{
    gl_mutex_acquired(other, m, 0);
    gl_mutex_releasing(other, m);
}

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
    assert_int_equal(gl_core_segment(core, id).lock, outer.serial);
    pass_on(&outer);
    gl_mutex_acquired(t2, &outer, 0);
    assert_answer(t2, id, true, rule_lock_held);
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
    assert_int_equal(gl_core_segment(core, id).lock, outer.serial);
    pass_on(&outer);
    gl_mutex_acquired(t2, &outer, 0);
    assert_answer(t2, id, true, rule_lock_held);
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

#define hb_test(f) cmocka_unit_test_setup_teardown(f, begin_with_other, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        hb_test(own_thread),          hb_test(column_then_hint), hb_test(no_sink_until_a_sink),
        hb_test(open_epoch),          hb_test(sink_raises_hint),  hb_test(hint_of_an_open_epoch),
        hb_test(no_hint_of_two_sources), hb_test(hint_through_fences), hb_test(lock_held), hb_test(taken_alone), hb_test(last_holder),
        hb_test(stale_lock),
        hb_test(which_lock),          hb_test(lock_told_at_once),         hb_test(read_holds_protect_nothing),
        hb_test(nested_locks),        hb_test(nested_locks_late),        hb_test(lock_made_anew),      hb_test(answers_do_not_leak),
        hb_test(before_a_release),    hb_test(segment_begin),       hb_test(no_segment_left),  hb_test(many_threads),
        hb_test(no_memory_for_hints), hb_test(memory_runs_out_in_the_replay),
        hb_test(concurrent_questions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
