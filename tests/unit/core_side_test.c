/* SPDX-License-Identifier: Apache-2.0
 *
 * Side records alone: sizes, where they lie, what happens to freed ones, and where they end.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/side.h"
#include "tests/support/check.h"
#include "tests/support/fake_env.h"

static struct fake_env env;
static struct gl_sides sides;

static int begin(void **state)
{
    (void)state;
    fake_env_init(&env);
    memset(&sides, 0, sizeof sides);
    gl_sides_init(&sides, &env.env);
    return 0;
}

static int end(void **state)
{
    (void)state;
    gl_sides_fini(&sides);
    return fake_env_is_clean(&env) ? 0 : -1;
}

/* Fills a record to its last entry; a later neighbour that overlaps is noticed by is_marked(). */
static void mark(struct gl_side *r, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        r->entry[i] = (struct gl_entry){r->self + i, ~r->self};
}
static bool is_marked(const struct gl_side *r, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (r->entry[i].half != r->self + i || r->entry[i].site != ~(uint32_t)r->self)
            return false;
    return true;
}

/* At every border of the size classes: the smallest that fits, and its whole capacity is there. */
static void size_classes(void **state)
{
    (void)state;
    struct gl_side *r[GL_SIDE_CLASSES][2];
    for (uint32_t c = 0; c < GL_SIDE_CLASSES; c++) {
        uint32_t capacity = gl_side_capacity(c);
        assert_int_equal(sizeof(struct gl_side) + capacity * sizeof(struct gl_entry), GL_SIDE_UNIT << c);
        r[c][0] = gl_side_alloc(&sides, c ? gl_side_capacity(c - 1) + 1 : 1);
        r[c][1] = gl_side_alloc(&sides, capacity);
        for (int k = 0; k < 2; k++) {
            assert_non_null(r[c][k]);
            assert_int_equal(r[c][k]->cls, c);
            assert_ptr_equal(gl_side_at(&sides, r[c][k]->self), r[c][k]);
            assert_int_equal((uintptr_t)r[c][k] % GL_SIDE_UNIT, 0);
            mark(r[c][k], capacity);
        }
    }
    for (uint32_t c = 0; c < GL_SIDE_CLASSES; c++)
        for (int k = 0; k < 2; k++)
            assert_true(is_marked(r[c][k], gl_side_capacity(c)));
    assert_true(gl_side_capacity(GL_SIDE_CLASSES - 1) <= UINT16_MAX); /* what n_reads can count */
    assert_null(gl_side_alloc(&sides, gl_side_capacity(GL_SIDE_CLASSES - 1) + 1));
    assert_int_equal(sides.live, 2 * GL_SIDE_CLASSES);
}

static void freed_ones_come_again(void **state)
{
    (void)state;
    struct gl_side *a = gl_side_alloc(&sides, 3), *b = gl_side_alloc(&sides, 3), *big = gl_side_alloc(&sides, 100);
    uint32_t used = sides.next;
    gl_side_free(&sides, a);
    gl_side_free(&sides, big);
    gl_side_free(&sides, b);
    assert_int_equal(sides.live, 0);
    assert_int_equal(sides.most, 3);
    assert_ptr_equal(gl_side_alloc(&sides, gl_side_capacity(0)), b); /* per size, the last freed first */
    assert_ptr_equal(gl_side_alloc(&sides, 120), big);
    assert_ptr_equal(gl_side_alloc(&sides, 1), a);
    assert_int_equal(sides.next, used);
    struct gl_side *more = gl_side_alloc(&sides, 1); /* none left of that size */
    assert_int_equal(more->self, used);
    assert_int_equal(sides.live, 4);
    assert_int_equal(sides.most, 4);
}

/* A record lies in one chunk; number 0 belongs to none. */
static void chunk_borders(void **state)
{
    (void)state;
    const uint32_t units = 1u << (GL_SIDE_CLASSES - 1), capacity = gl_side_capacity(GL_SIDE_CLASSES - 1);
    struct gl_side *a = gl_side_alloc(&sides, capacity), *b = gl_side_alloc(&sides, capacity),
                   *c = gl_side_alloc(&sides, capacity);
    assert_int_equal(a->self, 1);
    assert_int_equal(b->self, GL_SIDE_CHUNK); /* 1 + 2 * units would not fit */
    assert_int_equal(c->self, GL_SIDE_CHUNK + units); /* fits to the last unit */
    mark(a, capacity);
    mark(b, capacity);
    mark(c, capacity);
    struct gl_side *d = gl_side_alloc(&sides, 1);
    assert_int_equal(d->self, 2 * GL_SIDE_CHUNK);
    assert_true(is_marked(a, capacity) && is_marked(b, capacity) && is_marked(c, capacity));
    assert_int_equal(env.maps, 3);
}

static void the_last_unit(void **state)
{
    (void)state;
    sides.next = GL_SIDE_CHUNKS * GL_SIDE_CHUNK - 1;
    struct gl_side *r = gl_side_alloc(&sides, gl_side_capacity(0));
    assert_non_null(r);
    assert_int_equal(r->self, GL_SIDE_CHUNKS * GL_SIDE_CHUNK - 1);
    assert_ptr_equal(gl_side_at(&sides, r->self), r);
    assert_null(gl_side_alloc(&sides, gl_side_capacity(0)));
    gl_side_free(&sides, r);
    assert_ptr_equal(gl_side_alloc(&sides, gl_side_capacity(0)), r); /* what is freed can still be had */
    assert_int_equal(sides.live, 1);
}

static void no_memory(void **state)
{
    (void)state;
    env.fail_at = 1;
    assert_null(gl_side_alloc(&sides, 3));
    assert_int_equal(sides.live, 0);
    assert_false(sides.lock.held);
    struct gl_side *r = gl_side_alloc(&sides, 3);
    assert_non_null(r);
    assert_int_equal(r->self, 1);
}

static void *(*map)(void *ctx, size_t bytes);
static unsigned looked;
static void *map_and_look(void *ctx, size_t bytes)
{
    looked += sides.lock.held;
    return map(ctx, bytes);
}

static void locked_while_it_grows(void **state)
{
    (void)state;
    struct gl_side *r[3];
    map = env.env.map;
    env.env.map = map_and_look;
    looked = 0;
    assert_non_null(gl_side_alloc(&sides, 100));
    assert_int_equal(looked, 1);
    sides.next = GL_SIDE_CHUNK - 1; /* the last of this chunk, and two of the next */
    assert_int_equal(gl_side_alloc_many(&sides, r, 3), 3);
    assert_int_equal(looked, 2);
    assert_false(sides.lock.held);
}

/* Several at once: as many as there are. */
static void many_at_once(void **state)
{
    (void)state;
    struct gl_side *r[40], *again[40];
    assert_int_equal(gl_side_alloc_many(&sides, r, 40), 40);
    assert_int_equal(sides.live, 40);
    for (int i = 0; i < 40; i++)
        mark(r[i], gl_side_capacity(0));
    for (int i = 0; i < 40; i++)
        assert_true(r[i]->cls == 0 && is_marked(r[i], gl_side_capacity(0)));
    uint32_t used = sides.next;
    gl_side_free_many(&sides, r, 30);
    assert_int_equal(sides.live, 10);
    assert_int_equal(gl_side_alloc_many(&sides, again, 30), 30);
    assert_int_equal(sides.next, used);
    sides.next = GL_SIDE_CHUNK - 2; /* room for two, and no more memory */
    env.fail_at = env.maps + 1;
    assert_int_equal(gl_side_alloc_many(&sides, again, 40), 2);
    assert_int_equal(sides.live, 42);
}

enum { THREADS = 4, ROUNDS = 4000, HELD = 16 };

/* Holds up to HELD marked records of random sizes; counts those that somebody else wrote to. */
static void *churn(void *arg)
{
    struct rng rng = rng_seed((uintptr_t)arg);
    struct gl_side *r[HELD] = {0};
    uint32_t n[HELD];
    uintptr_t wrong = 0;
    for (int i = 0; i < ROUNDS; i++) {
        uint32_t k = rng_below(&rng, HELD);
        if (r[k]) {
            wrong += !is_marked(r[k], n[k]);
            gl_side_free(&sides, r[k]);
            r[k] = NULL;
        } else {
            n[k] = 1 + rng_below(&rng, 60);
            r[k] = gl_side_alloc(&sides, n[k]);
            mark(r[k], n[k]);
        }
    }
    for (int k = 0; k < HELD; k++)
        if (r[k]) {
            wrong += !is_marked(r[k], n[k]);
            gl_side_free(&sides, r[k]);
        }
    return (void *)wrong;
}

static void concurrent_churn(void **state)
{
    (void)state;
    pthread_t t[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&t[i], NULL, churn, (void *)(i + 1)), 0);
    for (int i = 0; i < THREADS; i++) {
        void *wrong;
        pthread_join(t[i], &wrong);
        assert_null(wrong);
    }
    assert_int_equal(sides.live, 0);
    assert_in_range(sides.most, 1, THREADS * HELD);
    /* freed records were used again: at most all that can be held at once, in every of the four sizes */
    assert_true(sides.next <= 1 + THREADS * HELD * (1 + 2 + 4 + 8));
}

#define side_test(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        side_test(size_classes),  side_test(freed_ones_come_again), side_test(chunk_borders),
        side_test(the_last_unit), side_test(no_memory),             side_test(concurrent_churn),
        side_test(many_at_once),  side_test(locked_while_it_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
