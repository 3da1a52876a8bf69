/* SPDX-License-Identifier: Apache-2.0
 *
 * Sources, sinks and transfers: what they order, when a record is needed and when it is spared, nodes that are used again,
 * cutting the log, and what happens when a record is lost.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/core_threads.h"

/* Records one behind the other, so that they can be counted. */
static int begin_counting(void **state)
{
    int failed = begin(state);
    core->log.most = 1;
    return failed;
}

/* A sink, and by which of its ways. */
#define assert_sink(t, s, way)                                          \
    do {                                                                \
        uint64_t was_ = (t)->count[GL_COUNT_##way], tail_ = core->log.tail; \
        gl_sink(t, s);                                                  \
        assert_int_equal((t)->count[GL_COUNT_##way], was_ + 1);         \
        assert_int_equal(core->log.tail - tail_, GL_COUNT_##way == GL_COUNT_sinks); \
    } while (0)

static void sinks(void **state)
{
    (void)state;
    struct gl_sync s = {0};
    assert_sink(t1, &s, sink_empty);
    gl_source(t1, &s, false, 0);
    assert_sink(t1, &s, sink_own);
    assert_sink(t2, &s, sinks);
    assert_sink(t2, &s, sink_seen);
    assert_sink(t3, &s, sinks); /* each thread's own memory */
    gl_source(t1, &s, false, 0); /* adds nothing */
    assert_int_equal(t1->count[GL_COUNT_source_again], 1);
    assert_sink(t2, &s, sink_seen);
    segment(t1);
    gl_source(t1, &s, false, 0);
    assert_sink(t1, &s, sink_own);
    assert_sink(t2, &s, sinks);
    gl_source(t2, &s, false, 0); /* t2 knows all, but t2's is not t1's */
    assert_sink(t1, &s, sinks);
    assert_sink(t2, &s, sink_seen); /* two owners, but it knew the other's part, and the rest is its own */
    segment(t3);
    gl_source(t3, &s, false, 0);
    assert_sink(t3, &s, sinks); /* it did not */
    assert_sink(t2, &s, sinks);
    segment(t2);
    gl_source(t2, &s, false, 0);
    assert_sink(t2, &s, sink_seen);
    assert_sink(t3, &s, sinks);
    gl_source(t2, &s, true, 0); /* assigned: t2's alone again */
    assert_sink(t2, &s, sink_own);
    assert_int_equal(t2->sink_count, 1 + t2->count[GL_COUNT_sinks]);
    assert_int_equal(t1->count[GL_COUNT_sources], 2);
    assert_int_equal(t2->count[GL_COUNT_sources], 3);
}

/* What is spared is what would have had no effect. */
static void spared_sinks_lose_nothing(void **state)
{
    (void)state;
    struct gl_sync a = {0}, b = {0};
    uint32_t id = segment(t1);
    gl_source(t1, &a, true, 0);
    gl_sink(t2, &a);
    gl_source(t2, &b, true, 0);
    gl_sink(t2, &b); /* own */
    gl_sink(t2, &a); /* seen */
    assert_true(gl_ordered(t2, id));
    gl_sink(t3, &b); /* through t2, which made no access */
    assert_true(gl_ordered(t3, id));
}

/* More objects than the cache of seen ones holds: forgetting one costs a record, nothing else. */
static void many_objects(void **state)
{
    (void)state;
    enum { MANY = 3 * GL_SEEN };
    static struct gl_sync s[MANY];
    for (int i = 0; i < MANY; i++) {
        s[i] = (struct gl_sync){0};
        gl_source(t1, &s[i], true, 0);
    }
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < MANY; i++)
            assert_sink(t2, &s[i], sinks);
    for (int i = MANY - (int)GL_SEEN; i < MANY; i++)
        assert_sink(t2, &s[i], sink_seen);
}

static void merge_and_assign(void **state)
{
    (void)state;
    struct gl_sync merged = {0}, assigned = {0};
    uint32_t a = segment(t1), b = segment(t2);
    gl_source(t1, &merged, false, 0);
    gl_source(t1, &assigned, false, 0);
    gl_source(t2, &merged, false, 0);
    gl_source(t2, &assigned, true, 0);
    gl_sink(t3, &assigned);
    assert_false(gl_ordered(t3, a));
    assert_true(gl_ordered(t3, b));
    gl_sink(t3, &merged);
    assert_true(gl_ordered(t3, a));
}

/* ---- epochs ---- */

static void epochs(void **state)
{
    (void)state;
    struct gl_sync s = {0}, later = {0};
    uint32_t a = segment(t1);
    gl_source(t1, &s, true, 0);
    assert_int_equal(t1->epoch, 2);
    assert_int_equal(t1->count[GL_COUNT_epochs], 1);
    gl_source(t1, &later, true, 0); /* no access since: the epoch goes on, and all before is passed on */
    assert_int_equal(t1->epoch, 2);
    assert_int_equal(t1->count[GL_COUNT_epochs], 1);
    uint32_t b = segment(t1); /* in the epoch of a release that came before it */
    assert_int_equal(gl_core_segment(core, b).epoch, 2);
    gl_sink(t2, &later);
    assert_true(gl_ordered(t2, a));
    assert_false(gl_ordered(t2, b));
    assert_int_equal(gl_epoch_end(t3, 0), 0);
    segment(t3);
    assert_int_equal(gl_epoch_end(t3, 0), GL_REC_BUMP);
    assert_int_equal(t3->segment, 0);
}

static void lock_of_a_segment(void **state)
{
    (void)state;
    struct gl_sync s = {0};
    uint32_t id = segment(t1);
    gl_held_push(t1, 5, true, 0);
    gl_held_push(t1, 6, true, 0);
    gl_held_push(t1, 7, false, 0); /* a read hold */
    gl_source(t1, &s, false, 0);
    assert_int_equal(gl_core_segment(core, id).lock, 6);
    id = segment(t1);
    gl_source(t1, &s, true, 5); /* the one being given up */
    assert_int_equal(gl_core_segment(core, id).lock, 5);
    gl_held_drop(t1, 5);
    gl_held_drop(t1, 6);
    id = segment(t1);
    gl_source(t1, &s, false, 0);
    assert_int_equal(gl_core_segment(core, id).lock, 0);
}

static uint32_t hold(uint32_t serial) { return gl_hold_word(serial, true); }

/* The locks that the segment tells, whole and in part. */
static void assert_told(uint32_t id, uint32_t n, const uint32_t *words)
{
    uint32_t told[GL_HOLDS_MOST];
    for (uint32_t most = 0; most <= GL_HOLDS_MOST; most++) {
        uint32_t want = most < n ? most : n;
        assert_int_equal(gl_core_holds(core, id, told, most), want);
        assert_memory_equal(told, words, want * sizeof *words);
    }
}

static void lock_told_at_once(void **state)
{
    (void)state;
    struct gl_sync s = {0};
    t1->lock_at_once = true;
    uint32_t id = segment(t1);
    gl_held_push(t1, 5, true, 0);
    gl_held_push(t1, 6, true, 0);
    gl_held_push(t1, 7, false, 0); /* a read hold */
    gl_source(t1, &s, false, 0);
    assert_int_equal(gl_core_segment(core, id).lock, 5); /* the one that was held alone in it */
    assert_told(id, 1, (uint32_t[]){hold(5)});
    id = segment(t1); /* by three at its beginning */
    assert_int_equal(gl_core_segment(core, id).lock, 5);
    assert_told(id, 3, (uint32_t[]){hold(5), hold(6), gl_hold_word(7, false)});
    gl_held_push(t1, 8, true, 0);
    assert_told(id, 3, (uint32_t[]){hold(5), hold(6), gl_hold_word(7, false)}); /* until there is an access under it */
    gl_segment_tell_held(t1);
    assert_told(id, 4, (uint32_t[]){hold(5), hold(6), gl_hold_word(7, false), hold(8)});
    gl_source(t1, &s, true, 5);
    gl_held_drop(t1, 5);
    gl_segment_tell_held(t1); /* no segment is open: nothing */
    assert_told(id, 4, (uint32_t[]){hold(5), hold(6), gl_hold_word(7, false), hold(8)});
    gl_held_drop(t1, 6);
    gl_held_drop(t1, 8);
    id = segment(t1);
    assert_told(id, 1, (uint32_t[]){gl_hold_word(7, false)}); /* one, for reading */
    gl_source(t1, &s, false, 0);
    assert_int_equal(gl_core_segment(core, id).lock, 0);
    gl_held_drop(t1, 7);
    id = segment(t1);
    gl_source(t1, &s, false, 0);
    assert_int_equal(gl_core_segment(core, id).lock, 0);
}

/* The end of a thread ends an epoch even when it is empty. */
static void source_end(void **state)
{
    (void)state;
    struct gl_sync s = {0}, e = {0};
    gl_source_end(t1, &e);
    assert_int_equal(t1->epoch, 2);
    gl_sink(t2, &e);
    assert_int_equal(gl_column_value(&core->columns, t2->slot, t1->slot, t2->sink_pos), 1);
    uint32_t id = segment(t3);
    gl_source(t1, &s, true, 0);
    gl_source_end(t3, &s); /* assigns */
    assert_int_equal(t3->epoch, 2);
    gl_sink(t2, &s);
    assert_true(gl_ordered(t2, id));
    assert_int_equal(t3->count[GL_COUNT_epochs], 1);
}

/* ---- nodes ---- */

/* In the place of a freed object: nothing of the old one is inherited, in no block, by no cache. */
static void node_used_again(void **state)
{
    (void)state;
    struct gl_thread *far = NULL; /* a thread of another block */
    for (uint32_t i = 0; i < GL_BLOCK; i++)
        far = gl_thread_create(core, NULL, 10 + i, NULL);
    assert_int_not_equal(far->slot / GL_BLOCK, t1->slot / GL_BLOCK);
    struct gl_sync old = {0}, new_ = {0};
    uint32_t a = segment(t1), b = segment(far);
    gl_source(t1, &old, false, 0);
    gl_sink(t2, &old); /* replayed below: the row is there, and t2 has seen the node */
    assert_true(gl_ordered(t2, a));
    uint32_t node = old.node;
    assert_true(node >= GL_NODE_OBJECTS);
    gl_sync_free(core, &old);
    assert_int_equal(old.node, 0);
    assert_int_equal(old.version, 0);
    gl_sync_free(core, &old); /* again: it is nobody's now */
    assert_int_equal(core->n_free_nodes, 1);
    assert_sink(t3, &old, sink_empty);
    gl_source(far, &new_, false, 0); /* a merge into a new object */
    assert_int_equal(new_.node, node);
    assert_int_equal(core->n_free_nodes, 0);
    assert_sink(t3, &new_, sinks);
    assert_true(gl_ordered(t3, b));
    assert_false(gl_ordered(t3, a)); /* the stale row in t1's block */
    assert_sink(t2, &new_, sinks);   /* not taken for seen */
    assert_true(gl_ordered(t2, b));
    /* the same through a transfer */
    struct gl_sync f = {0}, x = {0};
    uint32_t c = segment(t2);
    gl_source(t2, &f, true, 0);
    gl_sync_free(core, &new_);
    gl_transfer(t2, &x, &f, false);
    assert_int_equal(x.node, node);
    struct gl_thread *t4 = gl_thread_create(core, NULL, 50, NULL);
    assert_sink(t4, &x, sinks);
    assert_true(gl_ordered(t4, c));
    assert_true(gl_ordered(t4, b)); /* t2 knew it */
    struct gl_sync y = {0};
    gl_sync_free(core, &x);
    gl_source(t1, &y, false, 0);
    struct gl_thread *t5 = gl_thread_create(core, NULL, 51, NULL);
    gl_sink(t5, &y);
    assert_true(gl_ordered(t5, a));
    assert_false(gl_ordered(t5, b));
    assert_false(gl_ordered(t5, c));
}

static void many_freed_nodes(void **state)
{
    (void)state;
    enum { MANY = 3000 };
    static struct gl_sync s[MANY];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < MANY; i++) {
            gl_source(t1, &s[i], true, 0);
            assert_true(i == 0 || s[i].node != s[i - 1].node);
        }
        assert_int_equal(core->nodes, MANY);
        for (int i = 0; i < MANY; i++)
            gl_sync_free(core, &s[i]);
        assert_int_equal(core->n_free_nodes, MANY);
    }
}

static void no_node_left(void **state)
{
    (void)state;
    struct gl_sync a = {0}, b = {0};
    core->nodes = GL_MAX_OBJECTS - 1;
    gl_source(t1, &a, true, 0);
    assert_int_equal(a.node, GL_NODE_OBJECTS + GL_MAX_OBJECTS - 1);
    assert_false(gl_core_stopped(core));
    gl_source(t1, &b, true, 0);
    assert_int_equal(b.node, 0);
    assert_true(gl_core_stopped(core));
}

static void no_memory_for_the_free_list(void **state)
{
    (void)state;
    struct gl_sync a = {0};
    gl_source(t1, &a, true, 0);
    uint32_t node = a.node;
    env.fail_at = env.maps + 1;
    gl_sync_free(core, &a); /* the number is lost, nothing more */
    assert_int_equal(a.node, 0);
    gl_source(t1, &a, true, 0);
    assert_int_not_equal(a.node, node);
    assert_false(gl_core_stopped(core));
}

/* ---- transfers ---- */

static void transfers(void **state)
{
    (void)state;
    struct gl_sync a = {0}, b = {0}, c = {0}, empty = {0};
    uint32_t x = segment(t1), y = segment(t2);
    gl_source(t1, &a, true, 0);
    gl_source(t2, &b, true, 0);
    gl_transfer(t3, &c, &a, false); /* c holds what a holds; t3 itself learns nothing */
    assert_int_equal(c.own, t1->slot + 1);
    assert_false(gl_ordered(t3, x));
    gl_transfer(t3, &c, &b, false); /* merged: both */
    assert_int_equal(c.own, 0);
    gl_sink(t3, &c);
    assert_true(gl_ordered(t3, x) && gl_ordered(t3, y));
    struct gl_thread *t4 = gl_thread_create(core, NULL, 4, NULL);
    gl_transfer(t3, &c, &a, true); /* replaced */
    assert_sink(t1, &c, sink_own);
    gl_sink(t4, &c);
    assert_true(gl_ordered(t4, x));
    assert_false(gl_ordered(t4, y));
    uint64_t tail = core->log.tail;
    gl_transfer(t3, &c, &empty, false); /* nothing to add */
    assert_int_not_equal(c.version, 0);
    gl_transfer(t3, &c, NULL, false);
    assert_int_not_equal(c.version, 0);
    gl_transfer(t3, &c, &empty, true); /* nothing replaces what was there */
    assert_int_equal(c.version, 0);
    assert_int_equal(core->log.tail, tail);
    struct gl_thread *t5 = gl_thread_create(core, NULL, 5, NULL);
    assert_sink(t5, &c, sink_empty);
    gl_source(t2, &c, false, 0); /* the first source of an empty object assigns */
    gl_sink(t5, &c);
    assert_false(gl_ordered(t5, x));
    gl_transfer(t3, &c, NULL, true);
    assert_int_equal(c.version, 0);
}

/* A relaxed load in a spin loop appends once per change of what it reads. */
static void spinning(void **state)
{
    (void)state;
    struct gl_sync a = {0};
    uint32_t id = segment(t1);
    gl_source(t1, &a, true, 0);
    uint64_t tail = core->log.tail;
    for (int i = 0; i < 100; i++)
        gl_transfer(t2, &t2->fence_acquire, &a, false);
    assert_int_equal(core->log.tail, tail + 1);
    gl_transfer(t1, &t1->fence_acquire, &a, false); /* its own: nothing */
    assert_int_equal(core->log.tail, tail + 1);
    segment(t1);
    gl_source(t1, &a, true, 0);
    gl_transfer(t2, &t2->fence_acquire, &a, false);
    assert_int_equal(core->log.tail, tail + 3);
    assert_false(gl_ordered(t2, id)); /* not claimed yet */
    gl_sink(t2, &t2->fence_acquire);
    assert_true(gl_ordered(t2, id));
    gl_sink(t3, &a);
    tail = core->log.tail;
    gl_transfer(t3, &t3->fence_acquire, &a, false); /* t3 has it already */
    assert_int_equal(core->log.tail, tail);
}

/* ---- the log ---- */

static void trims(void **state)
{
    (void)state;
    enum { EVERY = 16 * GL_LOG_CHUNK };
    struct gl_sync a = {0}, b[2] = {0}; /* two: the same source again would add nothing */
    uint32_t id = segment(t1);
    gl_source(t1, &a, true, 0);
    for (int i = 1; i < EVERY - 1; i++)
        gl_source(t2, &b[i % 2], true, 0);
    assert_int_equal(core->columns.trims, 0);
    unsigned long bytes = env.bytes;
    gl_source(t2, &b[1], true, 0);
    assert_int_equal(core->columns.trims, 1);
    assert_int_equal(core->log.head, EVERY);
    gl_sink(t3, &a); /* what objects hold is not in the log any more, but is known */
    assert_true(gl_ordered(t3, id));
    for (int i = 0; i < 3 * EVERY; i++)
        gl_source(t2, &b[i % 2], true, 0);
    assert_int_equal(core->columns.trims, 4);
    assert_in_range(env.bytes, bytes, bytes + GL_REGION_FIRST); /* rows, and no more chunks */
    assert_true(gl_ordered(t3, id));
}

static void lost_records_stop(void **state)
{
    (void)state;
    struct gl_sync s = {0};
    segment(t1);
    env.fail_at = env.maps + 1; /* the log's first chunk */
    gl_source(t1, &s, true, 0);
    assert_true(gl_core_stopped(core));
    assert_int_equal(s.version, 0); /* it does not say that it holds something */
    assert_int_equal(t1->count[GL_COUNT_sources], 0);
}

#define sync_test(f) cmocka_unit_test_setup_teardown(f, begin_counting, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        sync_test(sinks),       sync_test(spared_sinks_lose_nothing), sync_test(many_objects),
        sync_test(merge_and_assign), sync_test(epochs),               sync_test(lock_of_a_segment), sync_test(lock_told_at_once),
        sync_test(source_end),  sync_test(node_used_again),           sync_test(many_freed_nodes),
        sync_test(no_node_left), sync_test(no_memory_for_the_free_list),
        sync_test(transfers),   sync_test(spinning),                  sync_test(trims),
        sync_test(lost_records_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
