/* SPDX-License-Identifier: Apache-2.0
 *
 * The command's memory for detectors and readers (cli/env.c): pieces of any size, large ones and small ones out of blocks, are zeroed, aligned, nobody else's,
 * and counted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/env.h"
#include "tests/support/check.h"

enum { PIECES = 200, STEPS = 20000, PAGE = 4096 };

struct piece {
    unsigned char *at;
    size_t bytes;
    unsigned char mark;
};

static void take(struct gl_counted_env *e, struct piece *p, size_t bytes, unsigned char mark)
{
    *p = (struct piece){.at = e->env.map(e->env.ctx, bytes), .bytes = bytes, .mark = mark};
    assert_non_null(p->at);
    assert_int_equal((uintptr_t)p->at % PAGE, 0);
    e->env.soon(e->env.ctx, p->at, bytes);
    for (size_t i = 0; i < bytes; i++) {
        assert_int_equal(p->at[i], 0);
        p->at[i] = mark;
    }
}

static void give(struct gl_counted_env *e, struct piece *p)
{
    for (size_t i = 0; i < p->bytes; i++)
        assert_int_equal(p->at[i], p->mark);
    e->env.unmap(e->env.ctx, p->at, p->bytes);
    *p = (struct piece){0};
}

static void pieces(void **state)
{
    (void)state;
    struct gl_counted_env e;
    struct piece all[PIECES] = {0};
    struct rng r = rng_seed(3);
    gl_counted_env_init(&e);
    for (int round = 0; round < 3; round++) {
        size_t bytes = 0, most = 0;
        for (unsigned n = 0; n < STEPS / (round ? 10 : 1); n++) {
            struct piece *p = &all[rng_below(&r, PIECES)];
            if (p->at) {
                bytes -= p->bytes;
                give(&e, p);
            } else {
                take(&e, p, 1 + rng_below(&r, rng_chance(&r, 90) ? 20000 : 100000), (unsigned char)(1 + n % 255));
                bytes += p->bytes;
            }
            most = bytes > most ? bytes : most;
            assert_int_equal(e.bytes, bytes);
        }
        assert_true(e.peak >= most);
        for (unsigned i = 0; i < PIECES; i++)
            if (all[i].at)
                give(&e, &all[i]);
        assert_int_equal(e.bytes, 0);
        assert_null(e.pool.blocks); /* all went back to the system */
    }
}

static void the_limit(void **state)
{
    (void)state;
    struct gl_counted_env e;
    struct piece few[3];
    gl_counted_env_init(&e);
    e.limit = 3 * PAGE;
    for (unsigned i = 0; i < 3; i++)
        take(&e, &few[i], PAGE, 7);
    assert_null(e.env.map(e.env.ctx, 1));
    give(&e, &few[1]);
    take(&e, &few[1], PAGE, 8);
    assert_null(e.env.map(e.env.ctx, 1));
    for (unsigned i = 0; i < 3; i++)
        give(&e, &few[i]);
    assert_int_equal(e.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pieces), cmocka_unit_test(the_limit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
