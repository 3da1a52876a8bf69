/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory in pieces of every size, arrays that grow, and the table of numbers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "peers/pool.h"
#include "tests/support/fake_env.h"

static struct fake_env env;

static struct gl_pool begin(void)
{
    struct gl_pool p;
    fake_env_init(&env);
    gl_pool_init(&p, &env.env);
    return p;
}

/* Pieces are zeroed, aligned and apart, and given back ones are used again. */
static void pieces(void **state)
{
    (void)state;
    struct gl_pool p = begin();
    enum { SIZES = 700 };
    unsigned char *first[SIZES + 1];
    for (int round = 0; round < 2; round++) {
        for (size_t size = 1; size <= SIZES; size++) {
            unsigned char *m = gl_pool_take(&p, size);
            assert_int_equal((uintptr_t)m % 16, 0);
            for (size_t i = 0; i < size; i++)
                assert_int_equal(m[i], 0);
            memset(m, (int)(size % 251) + 1, size);
            first[size] = m;
        }
        for (size_t size = 1; size <= SIZES; size++) {
            for (size_t i = 0; i < size; i++)
                assert_int_equal(first[size][i], size % 251 + 1);
            gl_pool_give(&p, first[size], size);
        }
        static unsigned long maps;
        if (round == 1)
            assert_int_equal(atomic_load(&env.maps), maps);
        maps = atomic_load(&env.maps);
    }
    assert_non_null(gl_pool_take(&p, (size_t)5 << 20));
    assert_null(gl_pool_take(&p, SIZE_MAX));
    gl_pool_end(&p);
    assert_true(fake_env_is_clean(&env));
}

static void arrays(void **state)
{
    (void)state;
    struct gl_pool p = begin();
    uint32_t *a = NULL, capacity = 0;
    for (uint32_t i = 0; i < 5000; i++) {
        a = gl_pool_grow(&p, a, sizeof *a, &capacity, i + 1);
        assert_true(a && capacity > i);
        assert_int_equal(a[capacity - 1], 0);
        a[i] = i + 1;
    }
    for (uint32_t i = 0; i < 5000; i++)
        assert_int_equal(a[i], i + 1);
    env.fail_at = atomic_load(&env.maps) + 1;
    env.fail_from = true;
    uint32_t before = capacity;
    assert_null(gl_pool_grow(&p, a, sizeof *a, &capacity, 1 << 30));
    assert_int_equal(capacity, before);
    assert_int_equal(a[4999], 5000);
    gl_pool_end(&p);
    assert_true(fake_env_is_clean(&env));
}

static void table(void **state)
{
    (void)state;
    struct gl_pool p = begin();
    struct gl_map m = {0};
    assert_int_equal(gl_map_find(&m, 0), 0);
    enum { KEYS = 50000 };
    for (uint64_t i = 0; i < KEYS; i++) {
        uint64_t key = i % 2 ? i << 40 : i; /* 0 among them */
        assert_int_equal(gl_map_find(&m, key), 0);
        assert_true(gl_map_add(&m, &p, key, i + 1));
    }
    for (uint64_t i = 0; i < KEYS; i++)
        assert_int_equal(gl_map_find(&m, i % 2 ? i << 40 : i), i + 1);
    assert_int_equal(gl_map_find(&m, UINT64_MAX), 0);
    env.fail_at = atomic_load(&env.maps) + 1;
    env.fail_from = true;
    uint64_t more = 1;
    while (gl_map_add(&m, &p, UINT64_MAX - more, more))
        more++;
    for (uint64_t i = 1; i < more; i++)
        assert_int_equal(gl_map_find(&m, UINT64_MAX - i), i);
    assert_int_equal(gl_map_find(&m, UINT64_MAX - more), 0);
    gl_pool_end(&p);
    assert_true(fake_env_is_clean(&env));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pieces), cmocka_unit_test(arrays), cmocka_unit_test(table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
