/* SPDX-License-Identifier: Apache-2.0
 *
 * The arena: zeroed, disjoint, aligned, reused, from many threads, across fork.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "platform/platform.h"

static bool all_zero(const unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i])
            return false;
    return true;
}

/* Every size around every class border: zeroed, aligned, and overlapping no other block. */
static void blocks_are_zeroed_aligned_and_disjoint(void **state)
{
    (void)state;
    enum { MAX = 512 };
    unsigned char *p[MAX];
    size_t size[MAX];
    int n = 0;
    for (size_t base = 16; base <= 3u << 20; base *= 2)
        for (int half = 0; half < 2; half++)
            for (int d = -1; d <= 1; d++) {
                size[n] = base + half * base / 2 + (size_t)d;
                p[n] = gl_arena_alloc(size[n]);
                assert_non_null(p[n]);
                assert_int_equal((uintptr_t)p[n] % (size[n] > 24 ? 16 : 8), 0);
                assert_true(all_zero(p[n], size[n]));
                memset(p[n], n + 1, size[n]);
                n++;
            }
    for (int i = 0; i < n; i++)
        for (size_t k = 0; k < size[i]; k++)
            if (p[i][k] != (unsigned char)(i + 1))
                fail_msg("block %d of %zu bytes was overwritten at byte %zu", i, size[i], k);
    for (int i = 0; i < n; i++)
        gl_arena_free(p[i], size[i]);
    for (int i = 0; i < n; i++) {
        unsigned char *q = gl_arena_alloc(size[i]);
        assert_true(all_zero(q, size[i])); /* reused blocks too */
        gl_arena_free(q, size[i]);
    }
}

static void freed_blocks_are_reused(void **state)
{
    (void)state;
    for (size_t size = 1; size <= 1u << 20; size = size * 3 + 1) {
        void *p = gl_arena_alloc(size);
        gl_arena_free(p, size);
        size_t before = gl_arena_bytes();
        for (int i = 0; i < 1000; i++) {
            void *q = gl_arena_alloc(size);
            assert_ptr_equal(p, q);
            gl_arena_free(q, size);
        }
        assert_int_equal(gl_arena_bytes(), before);
    }
}

static void large_blocks_go_back(void **state)
{
    (void)state;
    size_t before = gl_arena_bytes(), size = (1u << 20) + 1;
    void *p = gl_arena_alloc(size);
    assert_int_equal(gl_arena_bytes() - before, (1u << 20) + gl_os_page_size());
    gl_arena_free(p, size);
    assert_int_equal(gl_arena_bytes(), before);
}

static void impossible_sizes_are_refused(void **state)
{
    (void)state;
    size_t before = gl_arena_bytes();
    assert_null(gl_arena_alloc(SIZE_MAX));
    assert_null(gl_arena_alloc(SIZE_MAX / 2 + 1));
    assert_null(gl_arena_alloc(SIZE_MAX / 4));
    assert_int_equal(gl_arena_bytes(), before);
    gl_arena_free(NULL, 16);
}

enum { THREADS = 4, LIVE = 64, ROUNDS = 20000 };

static void *worker(void *arg)
{
    unsigned char id = (unsigned char)(uintptr_t)arg;
    unsigned seed = id;
    unsigned char *p[LIVE] = {0};
    size_t size[LIVE] = {0};
    for (int i = 0; i < ROUNDS; i++) {
        int k = rand_r(&seed) % LIVE;
        for (size_t j = 0; j < size[k]; j++)
            if (p[k][j] != id)
                return "a block was handed to two threads";
        gl_arena_free(p[k], size[k]);
        size[k] = 1 + (size_t)rand_r(&seed) % 300;
        p[k] = gl_arena_alloc(size[k]);
        if (!p[k] || !all_zero(p[k], size[k]))
            return "a block was not zero";
        memset(p[k], id, size[k]);
    }
    for (int k = 0; k < LIVE; k++)
        gl_arena_free(p[k], size[k]);
    return NULL;
}

static void threads_do_not_disturb_each_other(void **state)
{
    (void)state;
    pthread_t t[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&t[i], NULL, worker, (void *)(i + 1)), 0);
    for (int i = 0; i < THREADS; i++) {
        void *error;
        pthread_join(t[i], &error);
        if (error)
            fail_msg("%s", (char *)error);
    }
}

static _Atomic int stop;

static void *churn(void *arg)
{
    (void)arg;
    while (!stop)
        gl_arena_free(gl_arena_alloc(64), 64);
    return NULL;
}

/* Forks while another thread is in and out of the arena: the child can always allocate. */
static void children_of_fork_can_allocate(void **state)
{
    (void)state;
    pthread_t t;
    assert_int_equal(pthread_create(&t, NULL, churn, NULL), 0);
    for (int i = 0; i < 50; i++) {
        gl_arena_fork_before();
        pid_t child = fork();
        gl_arena_fork_after();
        if (child == 0) {
            alarm(10);
            _exit(gl_arena_alloc(64) ? 0 : 1);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
    stop = 1;
    pthread_join(t, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_zeroed_aligned_and_disjoint),
        cmocka_unit_test(freed_blocks_are_reused),
        cmocka_unit_test(large_blocks_go_back),
        cmocka_unit_test(impossible_sizes_are_refused),
        cmocka_unit_test(threads_do_not_disturb_each_other),
        cmocka_unit_test(children_of_fork_can_allocate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
