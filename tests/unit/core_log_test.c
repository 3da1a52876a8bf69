/* SPDX-License-Identifier: Apache-2.0
 *
 * The log alone: what a record says, positions across chunk borders, reading what is not written yet, cutting,
 * chunks that come again, and the ways in which it stops.
 */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/log.h"
#include "tests/support/fake_env.h"

static struct fake_env env;
static struct gl_log log_;

static int begin(void **state)
{
    (void)state;
    fake_env_init(&env);
    memset(&log_, 0, sizeof log_);
    gl_log_init(&log_, &env.env);
    return 0;
}

static int end(void **state)
{
    (void)state;
    gl_log_fini(&log_);
    return fake_env_is_clean(&env) ? 0 : -1;
}

/* A record that tells its position. */
static uint64_t record_of(uint64_t i) { return gl_record((uint32_t)(i % GL_NODE_NONE), 7, 0); }

static void append(uint64_t from, uint64_t to)
{
    for (uint64_t i = from; i < to; i++)
        if (gl_log_append(&log_, record_of(i)) != i)
            fail_msg("record %llu stands elsewhere", (unsigned long long)i);
}

static void expect_read(uint64_t from, uint64_t to)
{
    for (uint64_t i = from; i < to; i++)
        if (gl_log_read(&log_, i) != record_of(i))
            fail_msg("position %llu holds something else", (unsigned long long)i);
}

static void record_fields(void **state)
{
    (void)state;
    static const uint32_t nodes[] = {0, 1, GL_NODE_OBJECTS - 1, GL_NODE_OBJECTS, GL_NODE_NONE - 1, GL_NODE_NONE};
    static const uint64_t flags[] = {0, GL_REC_BUMP, GL_REC_ASSIGN, GL_REC_BUMP | GL_REC_ASSIGN};
    for (size_t d = 0; d < 6; d++)
        for (size_t s = 0; s < 6; s++)
            for (size_t f = 0; f < 4; f++) {
                uint64_t r = gl_record(nodes[d], nodes[s], flags[f]);
                assert_int_equal(gl_record_dst(r), nodes[d]);
                assert_int_equal(gl_record_src(r), nodes[s]);
                assert_int_equal(r & (GL_REC_BUMP | GL_REC_ASSIGN), flags[f]);
                assert_true(r & GL_REC_VALID);
            }
}

static void across_chunks(void **state)
{
    (void)state;
    const uint64_t n = 3 * GL_LOG_CHUNK + 5;
    assert_null(gl_log_chunk_at(&log_, 0));
    append(0, n);
    assert_int_equal(log_.tail, n);
    assert_int_equal(env.maps, 4); /* a chunk when it is needed, not before */
    expect_read(0, n);
    assert_ptr_equal(gl_log_chunk_at(&log_, 0), gl_log_chunk_at(&log_, GL_LOG_CHUNK - 1));
    assert_ptr_not_equal(gl_log_chunk_at(&log_, GL_LOG_CHUNK - 1), gl_log_chunk_at(&log_, GL_LOG_CHUNK));
    assert_null(gl_log_chunk_at(&log_, 4 * GL_LOG_CHUNK));
}

static void trim_forgets_whole_chunks(void **state)
{
    (void)state;
    const uint64_t cut = 2 * GL_LOG_CHUNK + 9, n = 3 * GL_LOG_CHUNK + 5;
    append(0, n);
    gl_log_trim(&log_, GL_LOG_CHUNK - 1); /* not one whole chunk */
    assert_int_equal(log_.head, 0);
    assert_non_null(gl_log_chunk_at(&log_, 0));
    gl_log_trim(&log_, cut);
    assert_int_equal(log_.head, 2 * GL_LOG_CHUNK);
    assert_null(gl_log_chunk_at(&log_, 0));
    assert_null(gl_log_chunk_at(&log_, 2 * GL_LOG_CHUNK - 1));
    expect_read(2 * GL_LOG_CHUNK, n);
    gl_log_trim(&log_, cut); /* again: nothing to do */
    gl_log_trim(&log_, 0);   /* backwards: neither */
    assert_int_equal(log_.head, 2 * GL_LOG_CHUNK);
    expect_read(2 * GL_LOG_CHUNK, n);
    assert_int_equal(env.blocks, 4); /* kept for later, not given back */
}

/* A chunk that is used again is empty: no reader takes an old record for a new one. */
static void chunks_come_again(void **state)
{
    (void)state;
    append(0, 2 * GL_LOG_CHUNK);
    gl_log_trim(&log_, 2 * GL_LOG_CHUNK);
    assert_int_equal(env.maps, 2);
    append(2 * GL_LOG_CHUNK, 2 * GL_LOG_CHUNK + 1);
    struct gl_log_chunk *c = gl_log_chunk_at(&log_, 2 * GL_LOG_CHUNK);
    assert_non_null(c);
    for (unsigned i = 1; i < GL_LOG_CHUNK; i++)
        assert_int_equal(c->record[i], 0);
    append(2 * GL_LOG_CHUNK + 1, 4 * GL_LOG_CHUNK);
    assert_int_equal(env.maps, 2); /* both came from the free list */
    expect_read(2 * GL_LOG_CHUNK, 4 * GL_LOG_CHUNK);
    append(4 * GL_LOG_CHUNK, 4 * GL_LOG_CHUNK + 1);
    assert_int_equal(env.maps, 3);
}

/* The directory is a ring by chunk number. */
static void directory_goes_round(void **state)
{
    (void)state;
    const uint64_t later = (uint64_t)GL_LOG_DIR * GL_LOG_CHUNK;
    append(0, GL_LOG_CHUNK);
    gl_log_trim(&log_, GL_LOG_CHUNK);
    log_.tail = later; /* as if all chunks between had come and gone */
    append(later, later + 3);
    expect_read(later, later + 3);
    assert_null(gl_log_chunk_at(&log_, 0)); /* the same place, another number */
}

/* The ring is full of chunks that nobody cut: nothing is overwritten, the log stops. */
static void directory_full(void **state)
{
    (void)state;
    const uint64_t later = (uint64_t)GL_LOG_DIR * GL_LOG_CHUNK;
    append(0, 3);
    log_.tail = later;
    assert_int_equal(gl_log_append(&log_, record_of(0)), UINT64_MAX);
    assert_true(log_.stopped);
    expect_read(0, 3);
    assert_null(gl_log_chunk_at(&log_, later));
}

static void no_memory_stops(void **state)
{
    (void)state;
    append(0, GL_LOG_CHUNK);
    env.fail_at = 2;
    assert_false(log_.stopped);
    assert_int_equal(gl_log_append(&log_, record_of(1)), UINT64_MAX);
    assert_true(log_.stopped);
    assert_int_equal(gl_log_read(&log_, GL_LOG_CHUNK), 0); /* it does not wait for what never comes */
    expect_read(0, GL_LOG_CHUNK);                          /* what was written is still there */
}

/* ---- reading what is reserved, but not written ---- */

static unsigned waited;

/* The owner of the reserved position 0 goes on when the reader has waited five rounds. */
static void owner_goes_on(void *ctx, unsigned rounds)
{
    (void)ctx;
    assert_int_equal(rounds, waited++);
    if (waited == 5)
        gl_store_release(&gl_log_chunk_at(&log_, 1)->record[0], record_of(0));
}

/* As above, and even the chunk comes late. */
static void owner_makes_the_chunk(void *ctx, unsigned rounds)
{
    assert_int_equal(rounds, waited++);
    if (waited == 3)
        assert_int_equal(gl_log_append(&log_, record_of(1)), 1);
    if (waited == 5)
        gl_store_release(&gl_log_chunk_at(&log_, 0)->record[0], record_of(0));
    (void)ctx;
}

static void a_reader_waits(void **state)
{
    (void)state;
    waited = 0;
    gl_add_relaxed(&log_.tail, 1); /* reserved */
    assert_int_equal(gl_log_append(&log_, record_of(1)), 1);
    env.env.pause = owner_goes_on;
    expect_read(1, 2); /* a later one is there already */
    assert_int_equal(waited, 0);
    expect_read(0, 1);
    assert_int_equal(waited, 5);
}

static void a_reader_waits_for_the_chunk(void **state)
{
    (void)state;
    waited = 0;
    gl_add_relaxed(&log_.tail, 1);
    env.env.pause = owner_makes_the_chunk;
    expect_read(0, 2);
    assert_int_equal(waited, 5);
}

/* ---- many at once ---- */

enum { WRITERS = 4, EACH = 200000, PATIENCE = 2000000 };
static pthread_barrier_t together;

/* A record that never comes ends the test instead of holding it up. */
static void wait_some_time(void *ctx, unsigned rounds)
{
    (void)ctx;
    sched_yield();
    if (rounds > PATIENCE)
        gl_store_release(&log_.stopped, true); /* pairs with gl_log_read() */
}

static void *writer(void *arg)
{
    uint32_t me = (uint32_t)(uintptr_t)arg;
    uint64_t last = 0, disorder = 0;
    pthread_barrier_wait(&together);
    for (uint32_t i = 0; i < EACH; i++) {
        uint64_t pos = gl_log_append(&log_, gl_record(i, me, 0));
        disorder += i && pos <= last;
        last = pos;
    }
    return (void *)(uintptr_t)disorder;
}

/* Every record of every thread is there once, in the order of its thread; a reader runs beside. */
static void concurrent_appends(void **state)
{
    (void)state;
    pthread_t t[WRITERS];
    env.env.pause = wait_some_time;
    pthread_barrier_init(&together, NULL, WRITERS);
    for (uintptr_t i = 0; i < WRITERS; i++)
        assert_int_equal(pthread_create(&t[i], NULL, writer, (void *)i), 0);
    uint32_t next[WRITERS] = {0};
    for (uint64_t pos = 0; pos < WRITERS * EACH; pos++) {
        uint64_t r = gl_log_read(&log_, pos);
        uint32_t who = gl_record_src(r);
        assert_true(r & GL_REC_VALID && who < WRITERS);
        assert_int_equal(gl_record_dst(r), next[who]++);
    }
    for (int i = 0; i < WRITERS; i++) {
        void *disorder;
        pthread_join(t[i], &disorder);
        assert_null(disorder);
        assert_int_equal(next[i], EACH);
    }
    pthread_barrier_destroy(&together);
    assert_int_equal(log_.tail, WRITERS * EACH);
    /* a chunk that came second to its place is kept, not lost */
    assert_true(env.blocks >= WRITERS * EACH / GL_LOG_CHUNK + 1);
}

#define log_test(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(record_fields), log_test(across_chunks),   log_test(trim_forgets_whole_chunks),
        log_test(chunks_come_again),     log_test(directory_goes_round), log_test(directory_full),
        log_test(no_memory_stops),       log_test(a_reader_waits),  log_test(a_reader_waits_for_the_chunk),
        log_test(concurrent_appends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
