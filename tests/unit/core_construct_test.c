/* SPDX-License-Identifier: Apache-2.0
 *
 * Every row of the table of constructs (docs/algorithm.md, section 3): what it orders, and what it does not.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/construct.h"
#include "tests/unit/core_threads.h"

#define assert_after(t, id) assert_true(gl_ordered(t, id))
#define assert_not_after(t, id) assert_false(gl_ordered(t, id))

/* ---- mutexes ---- */

static void mutex(void **state)
{
    (void)state;
    struct gl_mutex m = {0}, other = {0};
    gl_mutex_acquired(t1, &m, 42);
    assert_int_equal(gl_held_find(t1, m.serial)->cookie, 42);
    assert_true(gl_held_find(t1, m.serial)->exclusive);
    uint32_t inside = segment(t1);
    assert_true(gl_mutex_releasing(t1, &m));
    assert_int_equal(t1->n_held, 0);
    uint32_t outside = segment(t1);
    gl_mutex_acquired(t2, &other, 0);
    assert_not_after(t2, inside);
    gl_mutex_acquired(t2, &m, 0);
    assert_after(t2, inside);
    assert_not_after(t2, outside);
    gl_mutex_releasing(t2, &m);
    gl_mutex_acquired(t3, &m, 0); /* through t2 */
    gl_mutex_releasing(t3, &m);
    assert_after(t3, inside);
    assert_not_after(t3, outside);
}

static void mutex_nests(void **state)
{
    (void)state;
    struct gl_mutex m = {0};
    for (uint32_t i = 1; i <= 3; i++) {
        gl_mutex_acquired(t1, &m, 0);
        assert_int_equal(gl_held_find(t1, m.serial)->depth, i);
        assert_int_equal(t1->n_held, 1);
    }
    uint32_t id = segment(t1);
    assert_true(gl_mutex_releasing(t1, &m));
    assert_true(gl_mutex_releasing(t1, &m));
    assert_int_equal(m.sync.version, 0); /* inner ones order nothing and end nothing */
    assert_int_equal(t1->segment, id);
    assert_true(gl_mutex_releasing(t1, &m));
    assert_int_equal(t1->segment, 0);
    assert_false(gl_mutex_releasing(t1, &m));
}

/* The same thread takes it again: the segment goes on (algorithm.md, fact 8b), and nothing is appended. */
static void mutex_again(void **state)
{
    (void)state;
    struct gl_mutex m = {0}, other = {0};
    uint32_t key = 1;
    gl_thread_set_key(t1, &key);
    gl_mutex_acquired(t1, &m, 0);
    uint32_t id = segment(t1);
    gl_mutex_releasing(t1, &m);
    assert_int_equal(key, 0);
    uint64_t tail = core->log.tail, version = m.sync.version;
    for (int i = 0; i < 3; i++) {
        gl_mutex_acquired(t1, &m, 0);
        assert_int_equal(t1->segment, id);
        assert_int_equal(key, gl_half(id, 0, 0));
        gl_mutex_acquired(t1, &m, 0); /* an inner one changes nothing */
        gl_mutex_releasing(t1, &m);
        assert_not_after(t2, id);
        gl_mutex_releasing(t1, &m);
        assert_int_equal(t1->segment, 0);
        assert_int_equal(key, 0);
    }
    assert_int_equal(core->log.tail, tail);
    assert_int_equal(m.sync.version, version);
    assert_int_equal(t1->count[GL_COUNT_resumed], 3);
    gl_mutex_acquired(t1, &other, 0); /* another lock: another segment */
    assert_int_not_equal(segment(t1), id);
    gl_mutex_releasing(t1, &other);
    gl_mutex_acquired(t2, &m, 0);
    assert_after(t2, id);
    gl_mutex_releasing(t2, &m);
    gl_thread_set_key(t1, &t1->own_key);
}

/* A segment of t1 under m, which has been given up. */
static uint32_t given_up(struct gl_mutex *m)
{
    gl_mutex_acquired(t2, m, 0); /* so that it is a new one */
    gl_mutex_releasing(t2, m);
    gl_mutex_acquired(t1, m, 0);
    assert_int_equal(t1->segment, 0);
    uint32_t id = segment(t1);
    gl_mutex_releasing(t1, m);
    return id;
}

/* Each of these keeps it from going on. */
static void mutex_not_again(void **state)
{
    (void)state;
    struct gl_mutex m = {0}, other = {0}, third = {0};
    struct gl_sync s = {0}, told = {0};
    given_up(&m);
    gl_mutex_acquired(t2, &m, 0); /* somebody had it */
    gl_mutex_releasing(t2, &m);
    gl_mutex_acquired(t1, &m, 0);
    assert_int_equal(t1->segment, 0);
    gl_mutex_releasing(t1, &m);

    given_up(&m);
    uint32_t between = segment(t1); /* an access */
    gl_mutex_acquired(t1, &m, 0);
    assert_int_equal(t1->segment, between);
    gl_mutex_releasing(t1, &m);

    given_up(&m);
    gl_source(t1, &s, false, 0); /* tells of the end */
    gl_mutex_acquired(t1, &m, 0);
    assert_int_equal(t1->segment, 0);
    gl_mutex_releasing(t1, &m);

    gl_source(t2, &told, false, 0);
    given_up(&m);
    gl_sink(t1, &told);
    gl_mutex_acquired(t1, &m, 0);
    assert_int_equal(t1->segment, 0);
    gl_mutex_releasing(t1, &m);

    gl_mutex_acquired(t1, &other, 0); /* told by the first of two */
    given_up(&m);
    gl_mutex_releasing(t1, &other);
    gl_mutex_acquired(t1, &other, 0);
    assert_int_equal(t1->segment, 0);
    gl_mutex_releasing(t1, &other);

    gl_mutex_acquired(t1, &m, 0); /* the outer one first: locks would not be held in the order that is told */
    gl_mutex_acquired(t1, &other, 0);
    segment(t1);
    gl_mutex_releasing(t1, &m);
    gl_mutex_acquired(t1, &m, 0);
    assert_int_equal(t1->segment, 0);
    gl_mutex_releasing(t1, &m);
    gl_mutex_releasing(t1, &other);

    given_up(&m);
    gl_mutex_acquired(t1, &other, 0); /* one more is held */
    gl_mutex_acquired(t1, &m, 0);
    assert_int_equal(t1->segment, 0);
    gl_mutex_releasing(t1, &m);
    gl_mutex_releasing(t1, &other);

    gl_mutex_acquired(t1, &m, 0);
    segment(t1);
    gl_mutex_wait_end(t1, &m, gl_mutex_wait_begin(t1, &m), 0); /* nobody woke it, as it happens */
    assert_int_equal(t1->segment, 0);
    gl_mutex_releasing(t1, &m);

    given_up(&m);
    gl_mutex_free(core, &m); /* another one, at the same place */
    gl_mutex_acquired(t1, &m, 0);
    assert_int_equal(t1->segment, 0);
    gl_mutex_releasing(t1, &m);

    segment(t1);
    gl_mutex_releasing(t1, &third); /* it was not held */
    for (int i = 0; i < 3; i++) {
        gl_mutex_acquired(t1, &third, 0);
        assert_int_equal(t1->segment, 0);
        segment(t1);
        gl_mutex_releasing(t1, &third);
    }
    assert_int_equal(t1->count[GL_COUNT_resumed], 0);
}

/* What ends it in the middle tells of both parts, and of nothing after. */
static void mutex_again_ends(void **state)
{
    (void)state;
    struct gl_mutex m = {0}, inner = {0};
    struct gl_sync s = {0}, end = {0};
    uint32_t id = given_up(&m);
    gl_mutex_acquired(t1, &m, 0);
    assert_int_equal(t1->segment, id);
    gl_source(t1, &s, false, 0);
    assert_int_equal(t1->segment, 0);
    uint32_t later = segment(t1);
    gl_sink(t2, &s);
    assert_after(t2, id);
    assert_not_after(t2, later);
    gl_mutex_releasing(t1, &m);
    assert_not_after(t2, later);
    gl_mutex_acquired(t2, &m, 0);
    assert_after(t2, later);
    gl_mutex_releasing(t2, &m);

    id = given_up(&m);
    gl_mutex_acquired(t1, &m, 0);
    gl_mutex_acquired(t1, &inner, 0);
    assert_int_equal(t1->segment, id);
    gl_mutex_releasing(t1, &inner);
    later = segment(t1);
    gl_mutex_acquired(t3, &inner, 0);
    assert_after(t3, id);
    assert_not_after(t3, later);
    gl_mutex_releasing(t3, &inner);
    gl_mutex_releasing(t1, &m);

    /* A fork and the thread's end. */
    id = given_up(&m);
    gl_mutex_acquired(t1, &m, 0);
    struct gl_thread *child = gl_thread_create(core, t1, 77, NULL);
    assert_after(child, id);
    assert_not_after(child, segment(t1));
    gl_mutex_releasing(t1, &m);
    id = given_up(&m);
    gl_mutex_acquired(t1, &m, 0);
    assert_int_equal(t1->segment, id);
    struct gl_sync child_end = {0};
    gl_thread_end(child, &child_end);
    uint32_t epoch = t1->epoch;
    gl_source_end(t1, &end);
    assert_int_equal(t1->epoch, epoch + 1); /* of its own, so that the slot goes to nobody who knows only the first part */
    assert_not_after(t2, id);
    gl_sink(t2, &end);
    assert_after(t2, id);
}

/* The locks that a segment tells are those of both parts. */
static void mutex_again_tells_locks(void **state)
{
    (void)state;
    struct gl_mutex m = {0}, inner = {0};
    for (int at_once = 0; at_once < 2; at_once++) {
        t1->lock_at_once = at_once;
        uint32_t id = given_up(&m);
        assert_int_equal(gl_core_segment(core, id).lock, m.serial);
        gl_mutex_acquired(t1, &m, 0);
        assert_int_equal(t1->segment, id);
        assert_int_equal(gl_core_segment(core, id).lock, m.serial);
        gl_mutex_acquired(t1, &inner, 0);
        gl_segment_tell_held(t1);
        uint32_t words[GL_HOLDS_MOST], n = gl_core_holds(core, id, words, GL_HOLDS_MOST);
        assert_int_equal(n, at_once ? 2 : 1);
        assert_int_equal(gl_hold_serial(words[0]), m.serial);
        gl_mutex_releasing(t1, &inner);
        gl_mutex_releasing(t1, &m);
        gl_mutex_acquired(t2, &m, 0);
        assert_true(gl_lock_says(t2, id));
        gl_mutex_releasing(t2, &m);
    }
    t1->lock_at_once = false;
}

/* By a thread that does not hold it: its own past is passed on, and the holder's is not hidden. */
static void mutex_released_by_another(void **state)
{
    (void)state;
    struct gl_mutex m = {0};
    gl_mutex_acquired(t1, &m, 0);
    uint32_t a = segment(t1);
    gl_mutex_releasing(t1, &m);
    uint32_t b = segment(t2);
    assert_false(gl_mutex_releasing(t2, &m));
    gl_mutex_acquired(t3, &m, 0);
    gl_mutex_releasing(t3, &m);
    assert_after(t3, a);
    assert_after(t3, b);
    /* while another still holds it: that one's hold is no hold any more, and protects nothing */
    struct gl_sync s = {0};
    gl_mutex_acquired(t1, &m, 0);
    gl_mutex_releasing(t2, &m);
    gl_mutex_acquired(t3, &m, 0);
    uint32_t c = segment(t3);
    gl_source(t3, &s, true, 0);
    assert_not_after(t1, c);
}

static void condition_wait(void **state)
{
    (void)state;
    struct gl_mutex m = {0};
    gl_mutex_acquired(t1, &m, 0);
    gl_mutex_acquired(t1, &m, 0);
    uint32_t a = segment(t1);
    assert_int_equal(gl_mutex_wait_begin(t1, &m), 2);
    assert_int_equal(t1->n_held, 0);
    gl_mutex_acquired(t2, &m, 0);
    assert_after(t2, a);
    uint32_t b = segment(t2);
    gl_mutex_releasing(t2, &m);
    assert_not_after(t1, b);
    gl_mutex_wait_end(t1, &m, 2, 77);
    assert_after(t1, b);
    assert_int_equal(gl_held_find(t1, m.serial)->depth, 2);
    assert_int_equal(gl_held_find(t1, m.serial)->cookie, 77);
    assert_true(gl_mutex_releasing(t1, &m));
    assert_true(gl_mutex_releasing(t1, &m));
    /* by one that does not hold it: a release, an acquire, and still not held */
    uint32_t c = segment(t3);
    assert_int_equal(gl_mutex_wait_begin(t3, &m), 0);
    gl_mutex_wait_end(t3, &m, 0, 0);
    assert_int_equal(t3->n_held, 0);
    assert_after(t3, a);
    gl_mutex_acquired(t2, &m, 0);
    assert_after(t2, c);
}

static void mutex_freed(void **state)
{
    (void)state;
    struct gl_mutex m = {0};
    gl_mutex_acquired(t1, &m, 0);
    uint32_t id = segment(t1);
    gl_mutex_releasing(t1, &m);
    gl_mutex_free(core, &m);
    assert_int_equal(m.serial, 0);
    assert_int_equal(m.sync.node, 0);
    gl_mutex_acquired(t2, &m, 0); /* a new one in the same place */
    assert_not_after(t2, id);
    gl_mutex_releasing(t2, &m);
    gl_mutex_acquired(t3, &m, 0);
    assert_not_after(t3, id);
}

/* ---- reader-writer locks ---- */

static void rwlock(void **state)
{
    (void)state;
    struct gl_rwlock l = {0};
    gl_rwlock_write_acquired(t1, &l, 5);
    assert_true(gl_held_find(t1, l.serial)->exclusive);
    uint32_t written = segment(t1);
    gl_rwlock_write_releasing(t1, &l);
    assert_int_equal(t1->n_held, 0);
    gl_rwlock_read_acquired(t2, &l, 6);
    assert_false(gl_held_find(t2, l.serial)->exclusive);
    assert_int_equal(gl_held_find(t2, l.serial)->cookie, 6);
    assert_after(t2, written);
    uint32_t read = segment(t2);
    gl_rwlock_read_releasing(t2, &l);
    assert_int_equal(t2->n_held, 0);
    gl_rwlock_read_acquired(t3, &l, 0);
    assert_after(t3, written);
    assert_not_after(t3, read); /* readers do not order readers */
    uint32_t read3 = segment(t3);
    gl_rwlock_read_releasing(t3, &l);
    gl_rwlock_write_acquired(t1, &l, 0);
    assert_after(t1, read); /* a writer is after all of them */
    assert_after(t1, read3);
    gl_rwlock_write_releasing(t1, &l);
    gl_rwlock_read_acquired(t2, &l, 0); /* what the writer knows, its readers know */
    assert_after(t2, read3);
    gl_rwlock_read_releasing(t2, &l);
    gl_rwlock_free(core, &l);
    assert_true(l.serial == 0 && l.written.node == 0 && l.read.node == 0);
}

/* ---- atomics ---- */

static const enum gl_order orders[] = {GL_RLX, GL_ACQ, GL_REL, GL_AR, GL_SC};

static void store_load(void **state)
{
    (void)state;
    for (int st = 0; st < 5; st++)
        for (int ld = 0; ld < 5; ld++) {
            struct gl_sync a = {0};
            uint32_t id = segment(t1);
            gl_atomic_store_part(t1, &a, orders[st]);
            gl_atomic_acquire_part(t2, &a, orders[ld]);
            assert_int_equal(gl_ordered(t2, id), gl_order_releases(orders[st]) && gl_order_acquires(orders[ld]));
            assert_int_equal(t1->segment == 0, gl_order_releases(orders[st]));
            gl_source(t1, &(struct gl_sync){0}, true, 0); /* a new segment for the next */
            gl_sync_free(core, &a);
        }
}

static void release_sequences(void **state)
{
    (void)state;
    for (int o = 0; o < 5; o++) {
        struct gl_sync a = {0}, b = {0};
        uint32_t x = segment(t1), y = segment(t3);
        gl_atomic_store_part(t1, &a, GL_REL);
        gl_atomic_store_part(t1, &b, GL_REL);
        gl_atomic_acquire_part(t3, &a, orders[o]);
        gl_atomic_rmw_part(t3, &a, orders[o]);   /* continues it */
        gl_atomic_store_part(t3, &b, orders[o]); /* ends it: anyone's */
        struct gl_thread *r = gl_thread_create(core, NULL, 10, NULL), *q = gl_thread_create(core, NULL, 11, NULL);
        gl_atomic_acquire_part(q, &b, GL_ACQ);
        /* the store hands x on only when t3 itself had become ordered after it */
        assert_int_equal(gl_ordered(q, x), gl_order_acquires(orders[o]) && gl_order_releases(orders[o]));
        assert_int_equal(gl_ordered(q, y), gl_order_releases(orders[o]));
        gl_atomic_acquire_part(r, &a, GL_ACQ);
        assert_after(r, x);
        assert_int_equal(gl_ordered(r, y), gl_order_releases(orders[o]));
        gl_source(t1, &(struct gl_sync){0}, true, 0);
        t3 = gl_thread_create(core, NULL, 12, NULL); /* one that knows nothing, for the next round */
    }
}

static void fences(void **state)
{
    (void)state;
    for (int rel = 0; rel < 5; rel++)
        for (int acq = 0; acq < 5; acq++) {
            struct gl_sync a = {0};
            uint32_t before = segment(t1);
            gl_fence(t1, orders[rel]);
            uint32_t after = segment(t1);
            gl_atomic_store_part(t1, &a, GL_RLX);
            struct gl_thread *r = gl_thread_create(core, NULL, 10, NULL);
            gl_atomic_acquire_part(r, &a, GL_RLX);
            assert_not_after(r, before);
            gl_fence(r, orders[acq]);
            assert_int_equal(gl_ordered(r, before), gl_order_releases(orders[rel]) && gl_order_acquires(orders[acq]));
            assert_not_after(r, after);
            gl_sync_free(core, &a);
            gl_source(t1, &(struct gl_sync){0}, true, 0);
            t1 = gl_thread_create(core, NULL, 11, NULL);
        }
}

static void fence_state(void **state)
{
    (void)state;
    struct gl_sync a = {0}, b = {0};
    /* F_t is what the last release fence said; it does not grow with what came after */
    uint32_t x = segment(t1);
    gl_fence(t1, GL_REL);
    uint32_t y = segment(t1);
    gl_source(t1, &(struct gl_sync){0}, true, 0);
    gl_atomic_store_part(t1, &a, GL_RLX);
    gl_fence(t1, GL_REL);
    gl_atomic_store_part(t1, &b, GL_RLX);
    gl_atomic_acquire_part(t2, &a, GL_ACQ);
    assert_after(t2, x);
    assert_not_after(t2, y);
    gl_atomic_acquire_part(t2, &b, GL_ACQ);
    assert_after(t2, y);
    /* A_t is claimed once: empty after the fence, and only loads before it count */
    uint32_t z = segment(t2);
    gl_atomic_store_part(t2, &a, GL_REL);
    gl_fence(t3, GL_ACQ); /* too early */
    gl_atomic_acquire_part(t3, &a, GL_RLX);
    assert_not_after(t3, z);
    gl_fence(t3, GL_REL); /* not this kind */
    assert_not_after(t3, z);
    gl_fence(t3, GL_ACQ);
    assert_after(t3, z);
    assert_int_equal(t3->fence_acquire.version, 0);
    uint64_t n = t3->count[GL_COUNT_sink_empty];
    gl_fence(t3, GL_ACQ);
    assert_int_equal(t3->count[GL_COUNT_sink_empty], n + 1);
    /* a relaxed store without a fence empties the object */
    struct gl_thread *t4 = gl_thread_create(core, NULL, 4, NULL);
    gl_atomic_store_part(t4, &a, GL_RLX);
    assert_int_equal(a.version, 0);
}

/* ---- one object, many threads ---- */

enum { CALLERS = 4, ROUNDS = 10000 };
static pthread_mutex_t real = PTHREAD_MUTEX_INITIALIZER;
static struct gl_mutex guarded_by; /* real is held over its calls */
static _Atomic uint64_t word, sites;

static void *count_up(void *arg)
{
    struct gl_thread *t = arg;
    struct gl_cell cell = {&word, &sites};
    uintptr_t raced = 0;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&real);
        gl_mutex_acquired(t, &guarded_by, 0);
        raced += gl_access(t, cell, 15, GL_ACCESS_READ, 1, NULL) != 0;
        raced += gl_access(t, cell, 15, GL_ACCESS_WRITE, 2, NULL) != 0;
        gl_mutex_releasing(t, &guarded_by);
        pthread_mutex_unlock(&real);
    }
    return (void *)raced;
}

static void concurrent_mutex(void **state)
{
    (void)state;
    pthread_t p[CALLERS];
    struct gl_thread *t[CALLERS];
    guarded_by = (struct gl_mutex){0};
    word = sites = 0;
    for (uint32_t i = 0; i < CALLERS; i++)
        t[i] = gl_thread_create(core, NULL, 10 + i, NULL);
    for (int i = 0; i < CALLERS; i++)
        assert_int_equal(pthread_create(&p[i], NULL, count_up, t[i]), 0);
    uint64_t epochs = 0;
    for (int i = 0; i < CALLERS; i++) {
        void *raced;
        pthread_join(p[i], &raced);
        assert_null(raced);
        epochs += t[i]->count[GL_COUNT_epochs] + t[i]->count[GL_COUNT_resumed];
    }
    assert_int_equal(epochs, CALLERS * ROUNDS);
    assert_int_equal(gl_access(t1, (struct gl_cell){&word, &sites}, 1, GL_ACCESS_READ, 3, NULL), 1); /* t1 took no lock */
}

#define construct_test(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        construct_test(mutex),          construct_test(mutex_nests), construct_test(mutex_released_by_another),
        construct_test(mutex_again),    construct_test(mutex_not_again), construct_test(mutex_again_ends),
        construct_test(mutex_again_tells_locks),
        construct_test(condition_wait), construct_test(mutex_freed), construct_test(rwlock),
        construct_test(store_load),     construct_test(release_sequences),
        construct_test(fences),         construct_test(fence_state), construct_test(concurrent_mutex),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
