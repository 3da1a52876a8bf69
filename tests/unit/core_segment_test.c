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

/* Every batch of three chunks is its own, and stays what it was; its ids are successive epochs. */
static void batches(void **state)
{
    (void)state;
    enum { IDS = 3 * GL_SEGMENT_CHUNK };
    for (uint32_t ids = 0; ids < IDS; ids += GL_SEGMENT_BATCH) {
        uint32_t first = gl_segments_batch(&segments, ids + 1, ~ids, ids * 2 + 1, ids % 2);
        assert_int_equal(first, ids + GL_SEGMENT_BATCH); /* 0 means none: its batch is not handed out */
        for (uint32_t i = 0; i < GL_SEGMENT_BATCH; i++) {
            assert_int_equal(*gl_segment_lock(&segments, first + i), 0);
            *gl_segment_lock(&segments, first + i) = first + i;
        }
    }
    assert_int_equal(env.maps, 4);
    for (uint32_t id = GL_SEGMENT_BATCH; id < IDS; id++) {
        const struct gl_batch *b = gl_batch_of(&segments, id);
        uint32_t was = (id / GL_SEGMENT_BATCH - 1) * GL_SEGMENT_BATCH;
        assert_int_equal(b->slot, was + 1);
        assert_int_equal(b->uid, ~was);
        assert_int_equal(gl_segment_epoch(b, id), was * 2 + 1 + id % GL_SEGMENT_BATCH);
        assert_int_equal(*gl_segment_lock(&segments, id), id);
    }
}

static void exhausted(void **state)
{
    (void)state;
    uint32_t last = 0, batches = 0;
    segments.next = GL_SEGMENT_MAX / GL_SEGMENT_BATCH * GL_SEGMENT_BATCH - 3 * GL_SEGMENT_BATCH;
    for (uint32_t first; (first = gl_segments_batch(&segments, 3, 4, 5, false)) != 0; batches++)
        last = first + GL_SEGMENT_BATCH - 1;
    assert_int_equal(batches, 3);
    assert_true(last < GL_SEGMENT_MAX);
    /* no half of a cell with such an id looks like a tag, whatever its bytes */
    assert_true(gl_half(last, 1, 15) < GL_CELL_LOCKED >> 32);
    assert_true(gl_half(last, 1, 15) < GL_CELL_SIDE);
    assert_int_equal(gl_half_segment(gl_half(last, 1, 15)), last);
    for (int i = 0; i < 100; i++) /* and it stays so: the counter does not run over */
        assert_int_equal(gl_segments_batch(&segments, 3, 4, 5, false), 0);
}

static void no_memory(void **state)
{
    (void)state;
    env.fail_at = 1;
    assert_int_equal(gl_segments_batch(&segments, 3, 4, 5, false), 0);
    uint32_t first = gl_segments_batch(&segments, 3, 4, 5, false); /* there is memory again */
    assert_true(first >= GL_SEGMENT_BATCH);
    assert_int_equal(gl_batch_of(&segments, first + GL_SEGMENT_BATCH - 1)->uid, 4);
}

enum { THREADS = 4, BATCHES = 1000 };
static uint32_t got[THREADS][BATCHES];

static void *take(void *arg)
{
    for (int i = 0; i < BATCHES; i++) {
        uint32_t first = ((uint32_t *)arg)[i] = gl_segments_batch(&segments, 3, 4, 5, false);
        *gl_segment_lock(&segments, first) = first;
    }
    return NULL;
}

static void concurrent_batches(void **state)
{
    (void)state;
    static unsigned char taken[THREADS * BATCHES + 1];
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&t[i], NULL, take, got[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < THREADS; i++)
        for (int k = 0; k < BATCHES; k++) {
            uint32_t number = got[i][k] / GL_SEGMENT_BATCH;
            assert_int_equal(got[i][k] % GL_SEGMENT_BATCH, 0);
            assert_in_range(number, 1, THREADS * BATCHES);
            assert_int_equal(taken[number]++, 0);
            assert_int_equal(*gl_segment_lock(&segments, got[i][k]), got[i][k]);
        }
    /* two that made the same chunk at once: one was given back */
    assert_int_equal(env.blocks, (THREADS * BATCHES + 1) * GL_SEGMENT_BATCH / GL_SEGMENT_CHUNK + 1);
}

#define segment_test(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        segment_test(batches),
        segment_test(exhausted),
        segment_test(no_memory),
        segment_test(concurrent_batches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
