/* SPDX-License-Identifier: Apache-2.0
 *
 * GL_TRY and GL_CATCH against a runtime made here, which finds a race whenever it is told to: which block
 * gets it, what leaves a block, and that threads do not see each other's blocks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>

#include "goldilocks/annotate.h"
#include "goldilocks/race.h"

static goldilocks_race_handler handler;
static void *handler_ctx;
static __thread int unhandled; /* races after which the program went on */

goldilocks_race_handler goldilocks_set_race_handler(goldilocks_race_handler h, void *ctx)
{
    handler_ctx = ctx;
    return __atomic_exchange_n(&handler, h, __ATOMIC_ACQ_REL);
}

static __attribute__((noinline)) void race(unsigned size)
{
    struct goldilocks_race r = {.struct_size = sizeof r, .addr = &handler, .size = size, .is_write = 1};
    goldilocks_race_handler h = __atomic_load_n(&handler, __ATOMIC_ACQUIRE);
    if (h) h(&r, handler_ctx);
    unhandled++;
}

static int begin(void **state)
{
    (void)state;
    unhandled = 0;
    return 0;
}

static void caught(void **state)
{
    (void)state;
    volatile unsigned size = 0;
    volatile int after = 0;
    GL_TRY {
        race(5);
        after = 1;
    }
    GL_CATCH(r) {
        size = r->size;
        assert_ptr_equal(r->addr, &handler);
        assert_int_equal(r->struct_size, sizeof *r);
    }
    GL_END_TRY;
    assert_int_equal(size, 5);
    assert_int_equal(after, 0);
    assert_null(goldilocks_try_top);
    race(6); /* no block any more: the program goes on */
    assert_int_equal(unhandled, 1);
}

static void no_race(void **state)
{
    (void)state;
    volatile int body = 0;
    GL_TRY {
        body = 1;
    }
    GL_CATCH(r) {
        fail();
    }
    GL_END_TRY;
    assert_int_equal(body, 1);
    assert_null(goldilocks_try_top);
}

static void nested(void **state)
{
    (void)state;
    volatile unsigned inner = 0, outer = 0;
    GL_TRY {
        GL_TRY {
            race(1);
        }
        GL_CATCH(r) {
            inner = r->size;
            race(2); /* outside of its own block */
        }
        GL_END_TRY;
        fail();
    }
    GL_CATCH(r) {
        outer = r->size;
    }
    GL_END_TRY;
    assert_int_equal(inner, 1);
    assert_int_equal(outer, 2);
    assert_int_equal(unhandled, 0);
    assert_null(goldilocks_try_top);
}

static __attribute__((noinline)) int leaves_by_return(int early)
{
    GL_TRY {
        if (early) return 1;
        race(3);
    }
    GL_CATCH(r) {
        return (int)r->size;
    }
    GL_END_TRY;
    return 0;
}

static void left_early(void **state)
{
    (void)state;
    volatile int rounds = 0;
    assert_int_equal(leaves_by_return(1), 1);
    assert_null(goldilocks_try_top);
    assert_int_equal(leaves_by_return(0), 3);
    assert_null(goldilocks_try_top);
    while (rounds < 5) {
        GL_TRY {
            if (rounds == 2) break;
            rounds = rounds + 1;
            continue;
        }
        GL_CATCH(r) {
            fail();
        }
        GL_END_TRY;
    }
    assert_int_equal(rounds, 2);
    assert_null(goldilocks_try_top);
}

static void *other_thread(void *arg)
{
    race(7); /* this thread is in no block */
    *(int *)arg = unhandled;
    return NULL;
}

static void per_thread(void **state)
{
    (void)state;
    int in_other = 0;
    pthread_t t;
    GL_TRY {
        assert_int_equal(pthread_create(&t, NULL, other_thread, &in_other), 0);
        pthread_join(t, NULL);
    }
    GL_CATCH(r) {
        fail();
    }
    GL_END_TRY;
    assert_int_equal(in_other, 1);
}

static void annotations_without_runtime(void **state)
{
    (void)state;
    int x = 0;
    GOLDILOCKS_HAPPENS_BEFORE(&x);
    GOLDILOCKS_HAPPENS_AFTER(&x);
    assert_true(!__tsan_acquire && !__tsan_release); /* else the two lines above showed nothing */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(caught, begin),     cmocka_unit_test_setup(no_race, begin),
        cmocka_unit_test_setup(nested, begin),     cmocka_unit_test_setup(left_early, begin),
        cmocka_unit_test_setup(per_thread, begin), cmocka_unit_test_setup(annotations_without_runtime, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
