/* SPDX-License-Identifier: Apache-2.0
 *
 * Birth and death of the engine, its counters, the end of checking, arrays that grow, and its short lock.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/construct.h"
#include "core/state.h"
#include "tests/support/fake_env.h"

static struct fake_env env;
static struct gl_core *core;

static int begin(void **state)
{
    (void)state;
    fake_env_init(&env);
    core = gl_core_create(&env.env);
    return core ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    gl_core_destroy(core);
    return fake_env_is_clean(&env) ? 0 : -1;
}

/* ---- memory ---- */

static void born_and_gone(void **state)
{
    (void)state;
    assert_int_equal(env.blocks, 1);
    assert_ptr_equal(gl_core_env(core)->ctx, &env);
    assert_ptr_not_equal(gl_core_env(core), &env.env); /* a copy: the caller's may go */
    struct fake_env none;
    fake_env_init(&none);
    none.fail_at = 1;
    assert_null(gl_core_create(&none.env));
}

/* One of everything that holds memory; end() sees that all is given back. */
static void all_is_given_back(void **state)
{
    (void)state;
    _Atomic uint64_t word = 0, sites = 0;
    struct gl_mutex m = {0};
    struct gl_sync end_ = {0};
    struct gl_thread *a = gl_thread_create(core, NULL, 1, NULL), *b = gl_thread_create(core, a, 2, NULL),
                     *c = gl_thread_create(core, a, 3, NULL);
    for (uint32_t i = 0; i < GL_BLOCK; i++)
        gl_thread_create(core, a, 4 + i, NULL);
    gl_mutex_acquired(a, &m, 0);
    gl_access(a, (struct gl_cell){&word, &sites}, 1, GL_ACCESS_WRITE, 1, NULL);
    gl_access(b, (struct gl_cell){&word, &sites}, 2, GL_ACCESS_WRITE, 2, NULL);
    assert_int_equal(gl_access(c, (struct gl_cell){&word, &sites}, 3, GL_ACCESS_WRITE, 3, NULL), 3);
    gl_mutex_releasing(a, &m);
    gl_thread_end(c, &end_);
    gl_mutex_free(core, &m);
    for (uint32_t i = 0; i < 2 * GL_LOG_CHUNK; i++)
        gl_source(a, &end_, false, 0);
    gl_columns_trim(&core->columns); /* chunks in the directory, and in stock */
    gl_source(a, &end_, false, 0);
    assert_non_null(core->log.free_list);
    assert_true(env.blocks > 15);
}

static void grow(void **state)
{
    (void)state;
    uint64_t *a = NULL;
    uint32_t cap = 0;
    for (uint32_t i = 0; i < 5000; i++) {
        assert_true(gl_grow(&env.env, (void **)&a, &cap, i, sizeof *a));
        assert_true(cap > i);
        a[i] = i * i;
    }
    for (uint64_t i = 0; i < 5000; i++)
        assert_int_equal(a[i], i * i);
    uint32_t was = cap;
    uint64_t *there = a;
    env.fail_at = env.maps + 1;
    assert_false(gl_grow(&env.env, (void **)&a, &cap, cap, sizeof *a));
    assert_int_equal(cap, was); /* as it was, and still usable */
    assert_ptr_equal(a, there);
    assert_int_equal(a[4999], 4999 * 4999);
    env.env.unmap(&env, a, cap * sizeof *a);
    cap = 1u << 31; /* twice as many cannot be counted */
    a = NULL;
    assert_false(gl_grow(&env.env, (void **)&a, &cap, cap, sizeof *a));
}

/* ---- counters ---- */

struct counts {
    uint64_t value[GL_COUNT_END];
    unsigned n;
};

static void collect(void *ctx, const char *name, const char *sentence, uint64_t value)
{
    static const char *const names[] = {
#define X(name, sentence) #name,
#include "core/counters.def"
#undef X
    };
    struct counts *c = ctx;
    assert_true(c->n < GL_COUNT_END);
    assert_string_equal(name, names[c->n]);
    assert_true(strlen(sentence) > 10);
    c->value[c->n++] = value;
}

static struct counts counts_now(void)
{
    struct counts c = {.n = 0};
    gl_core_counts(core, collect, &c);
    assert_int_equal(c.n, GL_COUNT_END);
    return c;
}

/* The sum over the living and the dead; each has a value of its own. */
static void counts_are_summed(void **state)
{
    (void)state;
    struct gl_thread *a = gl_thread_create(core, NULL, 1, NULL), *b = gl_thread_create(core, NULL, 2, NULL);
    for (int i = 0; i < GL_COUNT_END; i++) {
        a->count[i] = 1000 + 3u * (unsigned)i;
        b->count[i] = 7u * (unsigned)i;
    }
    gl_source(a, &(struct gl_sync){0}, true, 0);
    gl_columns_trim(&core->columns);
    for (int ended = 0; ended < 2; ended++) {
        struct counts c = counts_now();
        for (int i = 0; i < GL_COUNT_END; i++)
            if (i == GL_COUNT_log_trims || i == GL_COUNT_replayed_records)
                assert_int_equal(c.value[i], 1); /* the columns' own */
            else if (i == GL_COUNT_groups_lost || i == GL_COUNT_walked_records || i == GL_COUNT_sweeps || i == GL_COUNT_ids_freed)
                assert_int_equal(c.value[i], 0); /* the tables' and the columns' own */
            else
                assert_int_equal(c.value[i], 1000 + 10 * i + (i == GL_COUNT_sources ? 1 + ended : 0));
        if (!ended)
            gl_thread_end(b, &(struct gl_sync){0}); /* one more source */
    }
}

/* ---- the end of checking ---- */

static void pause_forever(void *ctx, unsigned rounds)
{
    (void)ctx;
    if (rounds > 1000)
        fail_msg("somebody waits for what never comes");
}

static void a_stop(void **state)
{
    (void)state;
    gl_core_destroy(core);
    env.env.pause = pause_forever;
    core = gl_core_create(&env.env);
    struct gl_sync s = {0}, end_ = {0};
    struct gl_thread *a = gl_thread_create(core, NULL, 1, NULL), *b = gl_thread_create(core, NULL, 2, NULL);
    assert_true(gl_segment_begin(a));
    uint32_t id = a->segment;
    gl_add_relaxed(&core->log.tail, 1); /* an appender that never comes back */
    assert_false(gl_core_stopped(core));
    gl_core_stop(core);
    assert_true(gl_core_stopped(core));
    gl_source(a, &s, true, 0); /* all goes on without waiting, and means nothing */
    gl_sink(b, &s);
    (void)gl_ordered(b, id);
    gl_columns_trim(&core->columns);
    gl_thread_end(a, &end_);
    assert_true(gl_core_stopped(core));
}

static void detector_says_so(void **state)
{
    (void)state;
    struct fake_env f;
    fake_env_init(&f);
    struct gl_state *s = gl_detector_goldilocks.create(&f.env);
    struct gl_event e = {.op = GL_OP_WRITE, .thread = 1, .object = 8, .size = 4};
    assert_int_equal(gl_detector_goldilocks.event(s, &e, NULL), GL_OK);
    f.fail_at = f.maps + 1;
    f.fail_from = true;
    struct gl_event post = {.op = GL_OP_POST, .thread = 1, .object = 1};
    assert_int_not_equal(gl_detector_goldilocks.event(s, &post, NULL), GL_RACE);
    f.fail_at = 0;
    f.fail_from = false;
    e.thread = 2;
    for (int i = 0; i < 2; i++) /* a race, if anybody still judged */
        assert_int_equal(gl_detector_goldilocks.event(s, &e, NULL), GL_NOMEM);
    gl_detector_goldilocks.destroy(s);
    assert_true(fake_env_is_clean(&f));
}

/* ---- small things ---- */

static void words(void **state)
{
    (void)state;
    for (int op = 0; op < GL_OP_COUNT; op++) {
        assert_true(strlen(gl_op_name((enum gl_op)op)) > 0 && strlen(gl_op_sentence((enum gl_op)op)) > 0);
        for (int other = 0; other < op; other++)
            assert_string_not_equal(gl_op_name((enum gl_op)op), gl_op_name((enum gl_op)other));
    }
    assert_string_equal(gl_op_name(GL_OP_CWAIT_END), "cwait_end");
    assert_string_equal(gl_op_name(GL_OP_COUNT), "?");
    assert_string_equal(gl_op_sentence(GL_OP_COUNT), "?");
    assert_string_equal(gl_op_name((enum gl_op) - 1), "?");
    assert_int_equal(gl_op_class(GL_OP_FREE), GL_CLASS_DATA);
    assert_int_equal(gl_op_class(GL_OP_JOIN), GL_CLASS_THREAD);
    assert_int_equal(gl_op_class(GL_OP_COUNT), GL_CLASS_NONE);
    assert_string_equal(gl_order_name(GL_RLX), "rlx");
    assert_string_equal(gl_order_name(GL_SC), "sc");
    assert_string_equal(gl_order_name((enum gl_order)5), "?");
    for (int a = GL_OK; a <= GL_LIMIT + 1; a++)
        for (int b = GL_OK; b < a; b++)
            assert_string_not_equal(gl_status_message((gl_status)a), gl_status_message((gl_status)b));
}

enum { CALLERS = 4, ROUNDS = 20000 };
static struct gl_lock lock;
static unsigned guarded; /* plain: the lock makes it safe */
static uint32_t serial[CALLERS][ROUNDS];

static void *contend(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        gl_lock_take(&lock, &env.env);
        guarded++;
        gl_lock_drop(&lock);
        ((uint32_t *)arg)[i] = gl_lock_serial(core);
    }
    return NULL;
}

static void concurrent_lock_and_serials(void **state)
{
    (void)state;
    static unsigned char seen[CALLERS * ROUNDS + 1];
    pthread_t p[CALLERS];
    guarded = 0;
    for (int i = 0; i < CALLERS; i++)
        assert_int_equal(pthread_create(&p[i], NULL, contend, serial[i]), 0);
    for (int i = 0; i < CALLERS; i++)
        pthread_join(p[i], NULL);
    assert_int_equal(guarded, CALLERS * ROUNDS);
    for (int i = 0; i < CALLERS; i++)
        for (int k = 0; k < ROUNDS; k++) {
            assert_in_range(serial[i][k], 1, CALLERS * ROUNDS); /* 0 means none */
            assert_int_equal(seen[serial[i][k]]++, 0);
        }
    assert_true(gl_lock_try(&lock));
    assert_false(gl_lock_try(&lock));
}

#define core_test(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        core_test(born_and_gone), core_test(all_is_given_back), core_test(grow),  core_test(counts_are_summed),
        core_test(a_stop),          cmocka_unit_test(detector_says_so), cmocka_unit_test(words),
        core_test(concurrent_lock_and_serials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
