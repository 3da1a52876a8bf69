/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of segments alone: ids come in batches, each once, never one that a cell uses as a tag; they end.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/cell.h"
#include "core/segment.h"
#include "tests/support/fake_env.h"

static struct fake_env env;
static struct gl_segments segments;

static int begin(void **state)
{
    (void)state;
    fake_env_init(&env);
    memset(&segments, 0, sizeof segments);
    gl_segments_init(&segments, &env.env);
    return 0;
}

static int end(void **state)
{
    (void)state;
    gl_segments_fini(&segments);
    return fake_env_is_clean(&env) ? 0 : -1;
}

/* Takes a batch, checks that its ids are fresh and sets their locks; returns its size. */
static uint32_t take_batch(uint32_t n, uint64_t taken, uint32_t *first)
{
    *first = gl_segments_batch(&segments, n + 1, ~n, n * 2 + 1, taken, n % 2);
    assert_int_not_equal(*first, 0);
    uint32_t size = gl_batch_of(&segments, *first)->last + 1;
    assert_int_equal(*first % size, 0);
    for (uint32_t i = 0; i < size; i++) {
        assert_int_equal(*gl_segment_lock(&segments, *first + i), 0);
        *gl_segment_lock(&segments, *first + i) = n + 1;
        _Atomic uint32_t *end = gl_segment_end(&segments, *first + i);
        assert_int_equal(end != NULL, n % 2); /* kept for every second batch */
        if (end) {
            assert_int_equal(*end, 0);
            *end = *first + i;
        }
    }
    return size;
}

/* Batches of all sizes, of two threads in turns and of one that takes none of the large: each is its own, and stays what it
 * was; its ids are successive epochs. */
static void batches(void **state)
{
    (void)state;
    enum { BATCHES = 400 };
    static uint32_t first[BATCHES], size[BATCHES];
    uint64_t taken[3] = {0};
    for (uint32_t n = 0; n < BATCHES; n++) {
        unsigned who = n % 3;
        size[n] = take_batch(n, who < 2 ? taken[who] : 0, &first[n]);
        assert_int_equal(size[n], who == 2 || taken[who] < 1024 ? 32 : taken[who] < 32768 ? 1024 : 32768);
        taken[who] += size[n];
    }
    assert_true(taken[0] > 3 * GL_SEGMENT_CHUNK);
    for (uint32_t n = 0; n < BATCHES; n++)
        for (uint32_t id = first[n]; id < first[n] + size[n]; id++) {
            const struct gl_batch *b = gl_batch_of(&segments, id);
            assert_int_equal(b->slot, n + 1);
            assert_int_equal(b->uid, ~n);
            assert_int_equal(gl_segment_epoch(b, id), n * 2 + 1 + (id - first[n]));
            assert_int_equal(*gl_segment_lock(&segments, id), n + 1);
            if (n % 2)
                assert_int_equal(*gl_segment_end(&segments, id), id);
        }
}

/* The last ids: what is left of smaller batches is taken when there are no large ones. */
static void exhausted(void **state)
{
    (void)state;
    uint32_t last = 0, ids = 0;
    segments.chunks = GL_SEGMENT_MAX / GL_SEGMENT_CHUNK - 3;
    assert_int_not_equal(gl_segments_batch(&segments, 3, 4, 5, 0, false), 0);    /* a chunk of small ones */
    assert_int_not_equal(gl_segments_batch(&segments, 3, 4, 5, 1024, false), 0); /* and of middle ones */
    for (uint32_t first; (first = gl_segments_batch(&segments, 3, 4, 5, GL_SEGMENT_CHUNK, false)) != 0;) {
        uint32_t size = gl_batch_of(&segments, first)->last + 1;
        ids += size;
        last = first + size - 1 > last ? first + size - 1 : last;
    }
    assert_int_equal(ids, 3 * GL_SEGMENT_CHUNK - 32 - 1024);
    assert_true(last < GL_SEGMENT_MAX);
    /* no half of a cell with such an id looks like a tag, whatever its bytes */
    assert_true(gl_half(last, 1, 15) < GL_CELL_LOCKED >> 32);
    assert_true(gl_half(last, 1, 15) < GL_CELL_SIDE);
    assert_int_equal(gl_half_segment(gl_half(last, 1, 15)), last);
    for (int i = 0; i < 100; i++) /* and it stays so */
        assert_int_equal(gl_segments_batch(&segments, 3, 4, 5, i * 1000, false), 0);
}

static void no_memory(void **state)
{
    (void)state;
    env.fail_at = 1;
    assert_int_equal(gl_segments_batch(&segments, 3, 4, 5, 0, false), 0);
    uint32_t first = gl_segments_batch(&segments, 3, 4, 5, 0, false); /* there is memory again */
    assert_true(first >= GL_SEGMENT_BATCH);
    assert_int_equal(gl_batch_of(&segments, first + GL_SEGMENT_BATCH - 1)->uid, 4);
    env.fail_at = env.maps + 1;
    first = gl_segments_batch(&segments, 3, 4, 5, 0, true); /* ids, but not their ends */
    assert_int_not_equal(first, 0);
    assert_null(gl_segment_end(&segments, first));
    assert_non_null(gl_segment_end(&segments, gl_segments_batch(&segments, 3, 4, 5, 0, true)));
}

enum { THREADS = 4, BATCHES = 1000 };
static uint32_t got[THREADS][BATCHES];

static void *take(void *arg)
{
    for (int i = 0; i < BATCHES; i++) {
        uint32_t first = ((uint32_t *)arg)[i] = gl_segments_batch(&segments, 3, 4, 5, 0, false);
        *gl_segment_lock(&segments, first) = first;
    }
    return NULL;
}

static void concurrent_batches(void **state)
{
    (void)state;
    static unsigned char taken[THREADS * BATCHES];
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&t[i], NULL, take, got[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < THREADS; i++)
        for (int k = 0; k < BATCHES; k++) {
            assert_int_equal(got[i][k] % GL_SEGMENT_BATCH, 0);
            assert_in_range(got[i][k], GL_SEGMENT_CHUNK, GL_SEGMENT_CHUNK + (THREADS * BATCHES - 1) * GL_SEGMENT_BATCH);
            uint32_t number = got[i][k] / GL_SEGMENT_BATCH - GL_SEGMENT_CHUNK / GL_SEGMENT_BATCH;
            assert_int_equal(taken[number]++, 0);
            assert_int_equal(*gl_segment_lock(&segments, got[i][k]), got[i][k]);
        }
    assert_int_equal(env.blocks, (THREADS * BATCHES * GL_SEGMENT_BATCH + GL_SEGMENT_CHUNK - 1) / GL_SEGMENT_CHUNK + 1); /* and one made ahead */
}

/* The next chunk that threads will share is made when three quarters of the present one are handed out, with places for ends where those are kept;
 * without memory, it is made when it is needed. */
static void made_ahead(void **state)
{
    (void)state;
    const uint32_t in_chunk = GL_SEGMENT_CHUNK / GL_SEGMENT_BATCH, before = in_chunk / 4 * 3;
    for (uint32_t i = 0; i < in_chunk; i++)
        assert_int_not_equal(gl_segments_batch(&segments, 3, 4, 5, 0, true), 0);
    assert_int_equal(env.maps, 2); /* beside the first none: a short run does not use that up */
    for (uint32_t i = 0; i < before; i++)
        assert_int_not_equal(gl_segments_batch(&segments, 3, 4, 5, 0, true), 0);
    assert_int_equal(env.maps, 2 * 2);
    assert_int_not_equal(gl_segments_batch(&segments, 3, 4, 5, 0, true), 0);
    assert_int_equal(env.maps, 3 * 2);
    for (uint32_t i = before + 1; i < in_chunk; i++)
        assert_int_not_equal(gl_segments_batch(&segments, 3, 4, 5, 0, true), 0);
    uint32_t first = gl_segments_batch(&segments, 3, 4, 5, 0, true);
    assert_int_equal(first, 3 * GL_SEGMENT_CHUNK);
    assert_non_null(gl_segment_end(&segments, first));
    assert_int_equal(env.maps, 3 * 2);
    env.fail_at = env.maps + 1;
    for (uint32_t i = 1; i < in_chunk; i++)
        assert_int_not_equal(gl_segments_batch(&segments, 3, 4, 5, 0, true), 0);
    assert_int_equal(env.maps, 3 * 2 + 1);
    assert_int_equal(gl_segments_batch(&segments, 3, 4, 5, 0, true), 4 * GL_SEGMENT_CHUNK);
    assert_int_equal(env.maps, 4 * 2 + 1);
}

#define segment_test(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        segment_test(batches),
        segment_test(exhausted),
        segment_test(made_ahead),
        segment_test(no_memory),
        segment_test(concurrent_batches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
