/* SPDX-License-Identifier: Apache-2.0
 *
 * The set of pairs of stacks: order does not matter, kinds do, counts are exact, and it goes on when
 * memory runs out, whichever allocation fails.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/dedup.h"
#include "tests/support/fake_env.h"

struct memory {
    int calls;
    int fail_from; /* the first call that fails; 0: none */
    size_t mapped;
};

static void *map(void *ctx, size_t bytes)
{
    struct memory *m = ctx;
    if (m->fail_from && ++m->calls >= m->fail_from)
        return NULL;
    m->mapped += bytes;
    return calloc(1, bytes);
}

static void unmap(void *ctx, void *p, size_t bytes)
{
    struct memory *m = ctx;
    memset(p, 0xdd, bytes); /* whoever looks again, notices */
    m->mapped -= bytes;
    free(p);
}

static void wait(void *ctx, unsigned rounds) { (void)ctx, (void)rounds; }

static struct gl_dedup_side side(uint64_t stack, enum gl_report_kind kind)
{
    return (struct gl_dedup_side){stack, kind};
}

static void pairs_are_unordered_and_kinds_matter(void **state)
{
    (void)state;
    struct memory m = {0};
    struct gl_env env = {.ctx = &m, .map = map, .unmap = unmap, .pause = wait};
    struct gl_dedup d;
    gl_dedup_init(&d, &env);
    assert_int_equal(gl_dedup_add(&d, side(1, GL_REPORT_READ), side(2, GL_REPORT_WRITE)), 1);
    assert_int_equal(gl_dedup_add(&d, side(2, GL_REPORT_WRITE), side(1, GL_REPORT_READ)), 2);
    assert_int_equal(gl_dedup_add(&d, side(1, GL_REPORT_WRITE), side(2, GL_REPORT_READ)), 1);
    assert_int_equal(gl_dedup_add(&d, side(1, GL_REPORT_WRITE), side(2, GL_REPORT_WRITE)), 1);
    assert_int_equal(gl_dedup_add(&d, side(1, GL_REPORT_READ), side(1, GL_REPORT_WRITE)), 1);
    assert_int_equal(gl_dedup_add(&d, side(1, GL_REPORT_WRITE), side(1, GL_REPORT_READ)), 2);
    assert_int_equal(gl_dedup_add(&d, side(0, GL_REPORT_READ), side(0, GL_REPORT_READ)), 1); /* all zero is a pair too */
    assert_int_equal(gl_dedup_add(&d, side(0, GL_REPORT_READ), side(0, GL_REPORT_READ)), 2);
    assert_int_equal(gl_dedup_add(&d, side(1, GL_REPORT_READ), side(2, GL_REPORT_WRITE)), 3);
    gl_dedup_fini(&d);
    assert_int_equal(m.mapped, 0);
}

enum { STACKS = 60 };

static uint64_t model[STACKS][STACKS]; /* [smaller][larger] */

static void forget(void *ctx, const struct gl_dedup_entry *e)
{
    uint64_t a = e->side[0].stack / 4096, b = e->side[1].stack / 4096;
    assert_int_equal(model[a][b], e->count);
    model[a][b] = 0;
    ++*(size_t *)ctx;
}

/* Against a plain table, through several growths. */
static void counts_are_exact(void **state)
{
    (void)state;
    struct memory m = {0};
    struct gl_env env = {.ctx = &m, .map = map, .unmap = unmap, .pause = wait};
    struct gl_dedup d;
    gl_dedup_init(&d, &env);
    unsigned seed = 42;
    for (int i = 0; i < 20000; i++) {
        uint64_t a = (uint64_t)rand_r(&seed) % STACKS, b = (uint64_t)rand_r(&seed) % STACKS;
        uint64_t *count = a < b ? &model[a][b] : &model[b][a];
        uint64_t n = gl_dedup_add(&d, side(a * 4096, GL_REPORT_WRITE), side(b * 4096, GL_REPORT_WRITE));
        assert_int_equal(n, ++*count);
    }
    size_t visited = 0;
    gl_dedup_each(&d, forget, &visited);
    assert_int_equal(visited, d.used);
    for (int i = 0; i < STACKS; i++)
        for (int j = 0; j < STACKS; j++)
            assert_int_equal(model[i][j], 0); /* each was visited, once */
    gl_dedup_fini(&d);
    assert_int_equal(m.mapped, 0);
}

static void memory_runs_out(void **state)
{
    (void)state;
    for (int fail_from = 1; fail_from <= 4; fail_from++) {
        struct memory m = {.fail_from = fail_from};
        struct gl_env env = {.ctx = &m, .map = map, .unmap = unmap, .pause = wait};
        struct gl_dedup d;
        gl_dedup_init(&d, &env);
        uint64_t known = 0;
        for (uint64_t i = 0; i < 3000; i++) {
            uint64_t n = gl_dedup_add(&d, side(i, GL_REPORT_READ), side(i + 1, GL_REPORT_READ));
            assert_true(n <= 1);
            assert_true(n == 0 || known == i); /* once full it stays full */
            known += n;
        }
        assert_int_equal(known, fail_from == 1 ? 0 : (128u << (fail_from - 2)) - 1);
        for (uint64_t i = 0; i < known; i++) /* what it knows it goes on counting */
            assert_int_equal(gl_dedup_add(&d, side(i + 1, GL_REPORT_READ), side(i, GL_REPORT_READ)), 2);
        gl_dedup_fini(&d);
        assert_int_equal(m.mapped, 0);
    }
}

/* The entry is found again from either side, and keeps what the caller put into it while the table grows. */
static void entries_keep_their_mark(void **state)
{
    (void)state;
    struct fake_env f;
    fake_env_init(&f);
    struct gl_dedup d;
    gl_dedup_init(&d, &f.env);
    struct gl_dedup_side a = {7, GL_REPORT_READ}, b = {9, GL_REPORT_WRITE};
    struct gl_dedup_entry *e = gl_dedup_get(&d, a, b);
    assert_int_equal(e->count, 1);
    assert_false(e->quiet);
    e->quiet = true;
    for (uint64_t i = 100; i < 2000; i++)
        assert_int_equal(gl_dedup_get(&d, (struct gl_dedup_side){i, GL_REPORT_READ}, b)->count, 1);
    e = gl_dedup_get(&d, b, a);
    assert_int_equal(e->count, 2);
    assert_true(e->quiet);
    gl_dedup_fini(&d);
    f.fail_at = f.maps + 1;
    assert_null(gl_dedup_get(&d, a, b));
    gl_dedup_fini(&d);
    assert_true(fake_env_is_clean(&f));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_unordered_and_kinds_matter),
        cmocka_unit_test(counts_are_exact),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(entries_keep_their_mark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
