/* SPDX-License-Identifier: Apache-2.0
 *
 * Columns over a log written by hand: what each kind of record does to a row, when it is replayed, blocks that come
 * late, cutting, memory that runs out; and random records against a matrix that is kept eagerly.
 */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/column.h"
#include "core/segment.h"
#include "tests/support/check.h"
#include "tests/support/fake_env.h"

static struct fake_env env;
static struct gl_log log_;
static struct gl_columns columns;

#define O(n) (GL_NODE_OBJECTS + (n))
enum { BUMP = 1, ASSIGN = 2 };

static int begin(void **state)
{
    (void)state;
    fake_env_init(&env);
    memset(&log_, 0, sizeof log_);
    memset(&columns, 0, sizeof columns);
    gl_log_init(&log_, &env.env);
    gl_columns_init(&columns, &log_);
    return 0;
}

static int end(void **state)
{
    (void)state;
    gl_columns_fini(&columns);
    gl_log_fini(&log_);
    return fake_env_is_clean(&env) ? 0 : -1;
}

static void record(uint32_t dst, uint32_t src, unsigned flags)
{
    gl_log_append(&log_, gl_record(dst, src, (flags & BUMP ? GL_REC_BUMP : 0) | (flags & ASSIGN ? GL_REC_ASSIGN : 0)));
}

static void slots(uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        assert_true(gl_columns_add(&columns, i));
}

/* M[t][u] at the log's end. */
static uint32_t value(uint32_t t, uint32_t u) { return gl_column_value(&columns, t, u, log_.tail); }

/* ---- what records do ---- */

static void merge_keeps_assign_replaces(void **state)
{
    (void)state;
    slots(4);
    record(O(0), 0, BUMP); /* o holds epoch 1 of thread 0 */
    record(2, O(0), 0);
    assert_int_equal(value(2, 0), 1);
    assert_int_equal(value(2, 1), 0);
    assert_int_equal(value(3, 0), 0);
    record(O(0), 1, BUMP); /* merge: both */
    record(3, O(0), 0);
    assert_int_equal(value(3, 0), 1);
    assert_int_equal(value(3, 1), 1);
    record(O(1), 0, BUMP);
    record(O(1), 1, BUMP | ASSIGN); /* assign: what thread 1 knows, which is nothing of 0 */
    record(2, O(1), 0);
    assert_int_equal(value(2, 0), 1); /* as before, not 2 */
    assert_int_equal(value(2, 1), 2);
    record(O(1), 0, 0); /* the older knowledge does not lower the newer */
    record(O(1), 3, 0);
    record(3, O(1), 0);
    assert_int_equal(value(3, 0), 2);
    assert_int_equal(value(3, 1), 2);
}

/* Where the source's row is zero - perhaps it was never made - assign clears and merge does nothing. */
static void zero_rows(void **state)
{
    (void)state;
    slots(2 * GL_BLOCK);
    record(O(0), 0, BUMP);
    record(O(1), 0, 0);
    record(O(2), 0, 0);
    record(O(0), GL_BLOCK, BUMP | ASSIGN); /* a thread of the other block: its row is zero in the first */
    record(O(1), GL_BLOCK, 0);
    record(O(2), O(9), ASSIGN); /* nothing at all */
    record(1, O(0), 0);
    assert_int_equal(value(1, 0), 0);
    assert_int_equal(value(1, GL_BLOCK), 1);
    record(2, O(1), 0);
    assert_int_equal(value(2, 0), 1);
    assert_int_equal(value(2, GL_BLOCK), 1);
    record(3, O(2), 0);
    assert_int_equal(value(3, 0), 0);
}

/* The epoch ends before the row is copied; a bump alone copies nothing. */
static void bump_comes_first(void **state)
{
    (void)state;
    slots(3);
    record(GL_NODE_NONE, 0, BUMP);
    record(GL_NODE_NONE, 0, BUMP);
    record(1, 0, BUMP);
    assert_int_equal(value(1, 0), 3);
    record(2, 1, 0); /* through 1, which has no epoch of its own */
    assert_int_equal(value(2, 0), 3);
    assert_int_equal(value(2, 1), 0);
    record(O(0), 0, 0); /* no bump: the last ended epoch is passed on, not the open one */
    record(2, O(0), 0);
    assert_int_equal(value(2, 0), 3);
}

/* ---- when ---- */

static uint64_t position(uint32_t block) { return columns.block[block]->pos; }

static void lazily(void **state)
{
    (void)state;
    slots(2 * GL_BLOCK);
    for (int i = 0; i < 10; i++)
        record(O(0), 0, BUMP);
    record(1, O(0), 0); /* position 10 */
    for (int i = 0; i < 10; i++)
        record(O(0), 0, BUMP);
    assert_int_equal(position(0), 0);
    assert_int_equal(gl_columns_replayed(&columns), 0);
    assert_int_equal(gl_column_value(&columns, 1, 0, 11), 10); /* as far as needed */
    assert_int_equal(position(0), 11);
    assert_int_equal(position(1), 0); /* and nobody else */
    assert_int_equal(gl_columns_replayed(&columns), 11);
    assert_int_equal(gl_column_value(&columns, 1, 0, 5), 10); /* backwards is nothing to do */
    assert_int_equal(gl_columns_replayed(&columns), 11);
    assert_int_equal(value(1, 0), 10); /* the future adds nothing to row 1 */
    assert_int_equal(position(0), 21);
    assert_int_equal(gl_columns_replayed(&columns), 21);
}

static void late_blocks(void **state)
{
    (void)state;
    slots(GL_BLOCK_FIRST);
    for (int i = 0; i < 100; i++)
        record(O(0), 0, BUMP);
    unsigned long maps = env.maps;
    assert_true(gl_columns_add(&columns, 2 * GL_BLOCK + 8)); /* the third block before the second */
    assert_int_equal(env.maps, maps + 1);
    assert_int_equal(columns.blocks, 3);
    assert_null(columns.block[1]);
    assert_int_equal(position(2), 100); /* what came before left it zero */
    assert_true(gl_columns_add(&columns, 2 * GL_BLOCK)); /* is there */
    assert_int_equal(env.maps, maps + 1);
    record(O(0), 2 * GL_BLOCK + 8, BUMP);
    record(5, O(0), 0);
    assert_int_equal(value(5, 2 * GL_BLOCK + 8), 1);
    assert_int_equal(gl_columns_replayed(&columns), 2);
    assert_int_equal(value(5, 0), 100);
    gl_columns_trim(&columns); /* steps over the hole */
    assert_true(gl_columns_add(&columns, GL_BLOCK));
    assert_int_equal(columns.blocks, 3);
    record(O(0), GL_BLOCK, BUMP);
    record(6, O(0), 0);
    assert_int_equal(value(6, GL_BLOCK), 1);
    assert_int_equal(value(6, 2 * GL_BLOCK + 8), 1);
    assert_int_equal(value(6, 0), 100);
}

/* More threads and objects than one chunk of rows holds, in every block. */
static void many_threads(void **state)
{
    (void)state;
    enum { THREADS = 32 * GL_ROWS + 5 };
    static const uint32_t objects[] = {0, GL_ROWS - 1, GL_PIECE_NODES, GL_MAX_OBJECTS - 1};
    slots(THREADS);
    assert_int_equal(columns.blocks, (THREADS + GL_BLOCK - 1) / GL_BLOCK);
    for (uint32_t t = 0; t + 2 < THREADS; t++)
        for (uint32_t k = 0; k <= t % 3; k++)
            record(O(objects[t % 4]), t, BUMP);
    for (int k = 0; k < 4; k++)
        record(THREADS - 2, O(objects[k]), 0);
    for (int k = 0; k < 2; k++)
        record(THREADS - 1, O(objects[k]), 0);
    for (uint32_t t = 0; t + 2 < THREADS; t++) {
        assert_int_equal(value(THREADS - 2, t), 1 + t % 3);
        assert_int_equal(value(THREADS - 1, t), t % 4 < 2 ? 1 + t % 3 : 0);
    }
}

static void trim(void **state)
{
    (void)state;
    slots(2 * GL_BLOCK);
    record(O(0), 1, BUMP);
    record(2, O(0), 0);
    for (uint32_t i = 0; i < 3 * GL_LOG_CHUNK; i++)
        record(O(1), GL_BLOCK, BUMP);
    gl_columns_trim(&columns);
    assert_int_equal(columns.trims, 1);
    assert_int_equal(log_.head, 3 * GL_LOG_CHUNK);
    assert_int_equal(position(0), 3 * GL_LOG_CHUNK + 2);
    assert_int_equal(position(1), 3 * GL_LOG_CHUNK + 2);
    assert_int_equal(value(2, 1), 1); /* what was known stays known */
    assert_int_equal(value(2, GL_BLOCK), 0);
    record(3, O(0), 0); /* so does what objects hold */
    record(3, O(1), 0);
    assert_int_equal(value(3, 1), 1);
    assert_int_equal(value(3, GL_BLOCK), 3 * GL_LOG_CHUNK);
    columns.trim_lock.held = 1; /* another one is at it */
    gl_columns_trim(&columns);
    assert_int_equal(columns.trims, 1);
    assert_int_equal(position(1), log_.tail);
    record(4, O(1), 0);
    gl_columns_trim(&columns);
    assert_true(position(1) < log_.tail);
    columns.trim_lock.held = 0;
}

static void poke(void **state)
{
    (void)state;
    slots(2);
    gl_column_poke(&columns, 0, 1, 5);
    assert_int_equal(value(0, 1), 5);
    gl_column_poke(&columns, 0, 1, 3);
    assert_int_equal(value(0, 1), 5);
}

/* ---- memory ---- */

/* A short run with every kind of growth; true: all values were as they must be, or the log has stopped. */
static bool short_run(void)
{
    if (!gl_columns_add(&columns, 0) || !gl_columns_add(&columns, GL_BLOCK))
        return true; /* the caller was told */
    record(O(0), 0, BUMP);
    record(O(GL_ROWS), GL_BLOCK, BUMP);
    record(O(GL_ROWS), O(0), 0);
    record(GL_ROWS, O(GL_ROWS), 0);
    uint32_t a = value(GL_ROWS, 0), b = value(GL_ROWS, GL_BLOCK);
    return log_.stopped || (a == 1 && b == 1);
}

static void no_memory(void **state)
{
    (void)state;
    unsigned long at = 1;
    for (bool failed = true; failed; at++) {
        begin(NULL);
        env.fail_at = at;
        assert_true(short_run());
        failed = env.maps >= at;
        uint64_t head = log_.head;
        if (log_.stopped) {
            gl_columns_trim(&columns);
            assert_int_equal(log_.head, head); /* nothing is cut that was not replayed */
        }
        assert_int_equal(end(NULL), 0);
    }
    assert_true(at > 4);
    begin(NULL);
}

/* ---- against a matrix ---- */

enum { N = 40, OBJECTS = 12, STEPS = 30000 };

/* first: the log's first position. */
static void random_records_from(uint64_t first)
{
    log_.tail = first;
    log_.head = first / GL_LOG_CHUNK * GL_LOG_CHUNK;
    static uint32_t m[N + OBJECTS][N]; /* threads, then objects */
    static uint32_t end[N][STEPS];     /* where each epoch ended */
    uint64_t last_sink[N] = {0};
    struct rng rng = rng_seed(2);
    memset(m, 0, sizeof m);
    memset(end, 0, sizeof end);
    slots(N);
    columns.objects = OBJECTS;
    unsigned asked = 0, nonzero = 0, yes = 0, no = 0;
    for (int step = 0; step < STEPS; step++) {
        uint32_t t = rng_below(&rng, N), o = rng_below(&rng, OBJECTS), u = rng_below(&rng, N);
        bool bump = rng_chance(&rng, 50), assign = rng_chance(&rng, 30);
        if (step == STEPS / 2)
            columns.objects = 3000; /* more than a walker has bits for at first */
        switch (rng_below(&rng, 4)) {
        case 0: /* source */
            record(O(o), t, (bump ? BUMP : 0) | (assign ? ASSIGN : 0));
            m[t][t] += bump;
            if (bump)
                end[t][m[t][t]] = gl_end_of(log_.tail - 1);
            for (int i = 0; i < N; i++)
                if (assign || m[N + o][i] < m[t][i])
                    m[N + o][i] = m[t][i];
            break;
        case 1: /* sink */
            record(t, O(o), 0);
            last_sink[t] = log_.tail;
            for (int i = 0; i < N; i++)
                if (m[t][i] < m[N + o][i])
                    m[t][i] = m[N + o][i];
            break;
        case 2: { /* object to object, as fences do */
            uint32_t p = rng_below(&rng, OBJECTS);
            record(O(o), O(p), assign ? ASSIGN : 0);
            for (int i = 0; i < N; i++)
                if (assign || m[N + o][i] < m[N + p][i])
                    m[N + o][i] = m[N + p][i];
            break;
        }
        default: /* the question; no need to go beyond t's own last sink */
            if (t == u)
                break;
            asked++;
            nonzero += m[t][u] != 0;
            if (rng_chance(&rng, 80)) {
                uint32_t epoch = 1 + m[u][u] - rng_below(&rng, m[u][u] < 20 ? m[u][u] + 1 : 20);
                struct gl_question q = {t, u, epoch, last_sink[t], rng_chance(&rng, 95) ? (_Atomic uint32_t *)&end[u][epoch] : NULL, rng_chance(&rng, 50)};
                struct gl_answer a = gl_column_ask(&columns, &q);
                assert_int_equal(a.least >= epoch, m[t][u] >= epoch);
                assert_true(a.least <= m[t][u] && (!a.below || a.below > m[t][u]));
                assert_true(a.least >= epoch || (a.below && a.below <= epoch));
                yes += a.least >= epoch;
                no += a.least < epoch;
                break;
            }
            assert_int_equal(gl_column_value(&columns, t, u, last_sink[t]), m[t][u]);
            break;
        }
        if (rng_below(&rng, 3000) == 0)
            gl_columns_trim(&columns);
    }
    for (uint32_t t = 0; t < N; t++)
        for (uint32_t u = 0; u < N; u++)
            assert_int_equal(value(t, u), m[t][u]);
    assert_true(asked > STEPS / 5 && nonzero > asked / 2 && columns.trims > 0);
    assert_true(yes > asked / 5 && no > asked / 10 && gl_columns_walked(&columns) > STEPS / 16);
}

static void random_records(void **state)
{
    (void)state;
    random_records_from(0);
}

/* Positions that the end of a segment does not tell any more, and those from which on rows (core/row.c) do not answer. */
static void random_records_late(void **state)
{
    (void)state;
    random_records_from(GL_END_WRAP / 2 - STEPS / 4);
}

static void random_records_wrapped(void **state)
{
    (void)state;
    random_records_from(GL_END_WRAP - STEPS / 4);
}

/* The same where there is no AVX2. */
static void random_records_narrow(void **state)
{
    columns.wide = false;
    random_records(state);
}

/* ---- one block, many askers ---- */

enum { ASKERS = 3, ASKED = 20000 };
static _Atomic uint32_t told; /* epochs of thread 0 whose record is written */
static _Atomic int running;

static void *tell(void *arg)
{
    (void)arg;
    for (uint32_t i = 1; gl_load_relaxed(&running); i++) {
        while (gl_load_relaxed(&running) && gl_load_relaxed(&log_.tail) > gl_load_relaxed(&columns.block[0]->pos) + 1000)
            sched_yield(); /* appending is faster than replaying */
        record(O(0), 0, BUMP);
        gl_store_release(&told, i); /* pairs with ask() */
    }
    return NULL;
}

static void *ask(void *arg)
{
    uint32_t t = (uint32_t)(uintptr_t)arg, last = 0;
    uintptr_t wrong = 0;
    for (int i = 0; i < ASKED; i++) {
        uint32_t least = gl_load_acquire(&told); /* pairs with tell() */
        uint64_t pos = gl_log_append(&log_, gl_record(t, O(0), 0));
        uint32_t got = gl_column_value(&columns, t, 0, pos + 1), again = gl_column_value(&columns, t, 0, pos + 1);
        wrong += got < least || got < last || got > pos || again != got;
        last = got;
    }
    gl_add_relaxed(&running, -1);
    return (void *)wrong;
}

/* What was appended before t's sink is in t's answer; nothing that came after is, however far others replayed. */
static void concurrent_askers(void **state)
{
    (void)state;
    pthread_t teller, asker[ASKERS];
    slots(ASKERS + 1);
    told = 0;
    running = ASKERS;
    assert_int_equal(pthread_create(&teller, NULL, tell, NULL), 0);
    while (!gl_load_acquire(&told)) /* else the askers may be through before there is anything to ask */
        sched_yield();
    for (uintptr_t i = 0; i < ASKERS; i++)
        assert_int_equal(pthread_create(&asker[i], NULL, ask, (void *)(i + 1)), 0);
    for (int i = 0; i < ASKERS; i++) {
        void *wrong;
        pthread_join(asker[i], &wrong);
        assert_null(wrong);
    }
    pthread_join(teller, NULL);
    assert_true(gl_columns_replayed(&columns) <= log_.tail);
    gl_columns_trim(&columns);
    assert_int_equal(gl_columns_replayed(&columns), log_.tail); /* every record once */
    assert_int_equal(columns.block[0]->threads[0]->piece[0][0], told);
}

#define column_test(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        column_test(merge_keeps_assign_replaces), column_test(zero_rows),    column_test(bump_comes_first),
        column_test(lazily),                      column_test(late_blocks),  column_test(many_threads),
        column_test(trim),                        column_test(poke),         column_test(no_memory),
        column_test(random_records),              column_test(random_records_narrow), column_test(concurrent_askers),
        column_test(random_records_late),         column_test(random_records_wrapped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
