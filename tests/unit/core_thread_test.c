/* SPDX-License-Identifier: Apache-2.0
 *
 * Logical threads: what creation and end order, when a slot may be taken over and what its new owner inherits, the locks
 * that a thread holds, and memory that runs out.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/construct.h"
#include "core/state.h"
#include "tests/support/fake_env.h"

static struct fake_env env;
static struct gl_core *core;
static struct gl_thread *main_;

static int begin(void **state)
{
    (void)state;
    fake_env_init(&env);
    core = gl_core_create(&env.env);
    main_ = gl_thread_create(core, NULL, 100, NULL);
    return main_ ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    gl_core_destroy(core);
    return fake_env_is_clean(&env) ? 0 : -1;
}

static struct gl_thread *create(struct gl_thread *creator, uint32_t uid)
{
    struct gl_thread *t = gl_thread_create(core, creator, uid, NULL);
    assert_non_null(t);
    return t;
}

/* The segment of an access that t makes now. */
static uint32_t segment(struct gl_thread *t)
{
    assert_true(t->segment || gl_segment_begin(t));
    return t->segment;
}

/* ---- order ---- */

static void creation(void **state)
{
    (void)state;
    uint32_t key = 9;
    uint32_t before = segment(main_);
    struct gl_thread *child = gl_thread_create(core, main_, 101, &key);
    assert_int_equal(main_->segment, 0); /* the creator's epoch has ended */
    assert_int_equal(main_->epoch, 2);
    assert_int_equal(main_->count[GL_COUNT_sources], 1);
    uint32_t after = segment(main_);
    assert_true(gl_ordered(child, before));
    assert_false(gl_ordered(child, after));
    assert_false(gl_ordered(main_, segment(child)));
    assert_int_equal(child->uid, 101);
    assert_int_equal(child->epoch, 1);
    assert_int_equal(key, gl_half(child->segment, 0, 0));
    /* through generations, and without an access between */
    struct gl_thread *grandchild = create(child, 102);
    assert_true(gl_ordered(grandchild, before));
    assert_false(gl_ordered(grandchild, after));
    /* nobody's child is after nothing */
    assert_false(gl_ordered(create(NULL, 103), before));
}

static void slots_in_turn(void **state)
{
    (void)state;
    for (uint32_t i = 1; i < 50; i++)
        assert_int_equal(create(i % 2 ? main_ : NULL, 100 + i)->slot, i);
    assert_int_equal(core->slots, 50);
}

static void end_and_join(void **state)
{
    (void)state;
    struct gl_sync end_ = {0};
    struct gl_thread *child = create(main_, 101), *other = create(main_, 102);
    uint32_t id = segment(child);
    gl_thread_end(child, &end_);
    assert_false(gl_ordered(main_, id));
    gl_sink(main_, &end_);
    assert_true(gl_ordered(main_, id));
    assert_false(gl_ordered(other, id));
    gl_sink(other, &end_); /* a second one may join too */
    assert_true(gl_ordered(other, id));
}

/* ---- slots ---- */

static void taken_over_when_ordered(void **state)
{
    (void)state;
    struct gl_sync end_ = {0};
    struct gl_thread *stranger = create(main_, 102), *child = create(main_, 101);
    uint32_t slot = child->slot;
    uint32_t first = segment(child);
    gl_source(child, &(struct gl_sync){0}, true, 0);
    uint32_t last = segment(child);
    gl_thread_end(child, &end_); /* ends epoch 2 */
    struct gl_thread *early = create(main_, 103);
    assert_int_not_equal(early->slot, slot); /* not joined */
    assert_int_equal(main_->count[GL_COUNT_slots_reused], 0);
    gl_sink(main_, &end_);
    struct gl_thread *heir = create(main_, 104);
    assert_int_equal(heir->slot, slot);
    assert_int_equal(heir->epoch, 3); /* epochs go on */
    assert_int_equal(main_->count[GL_COUNT_slots_reused], 1);
    assert_int_equal(core->n_dead, 0);
    /* "own thread" is a true statement about its former owner */
    assert_true(gl_ordered(heir, first) && gl_ordered(heir, last));
    assert_int_equal(heir->count[GL_COUNT_rule_own_thread], 2);
    assert_int_equal(gl_core_segment(core, last).uid, 101); /* reports still name the right one */
    /* others: what they know of the former owner says nothing about the heir */
    gl_sink(stranger, &end_);
    assert_true(gl_ordered(stranger, last));
    uint32_t new_ = segment(heir);
    assert_int_equal(gl_core_segment(core, new_).epoch, 3);
    assert_int_equal(gl_core_segment(core, new_).uid, 104);
    assert_false(gl_ordered(stranger, new_));
    assert_false(gl_ordered(main_, new_));
    /* and the heir knows what its creator knew, not more */
    assert_false(gl_ordered(heir, segment(stranger)));
}

/* Who comes after the last release of a thread comes after all of it, if it neither accessed nor learned anything since: a detached
 * thread's slot is used again, though nobody joins it. */
static void last_release_is_enough(void **state)
{
    (void)state;
    for (int more = 0; more < 3; more++) { /* 1: an access after it, 2: an acquire */
        struct gl_sync done = {0}, end_ = {0}, v = {0};
        struct gl_thread *writer = create(main_, 101), *child = create(main_, 102);
        uint32_t slot = child->slot, id = segment(child), late = 0, theirs = segment(writer);
        gl_source(writer, &v, true, 0);
        gl_source(child, &done, true, 0);
        gl_source(child, &done, true, 0); /* ends no epoch */
        if (more == 1)
            late = segment(child);
        else if (more == 2)
            gl_sink(child, &v);
        gl_thread_end(child, &end_);
        struct gl_thread *early = create(main_, 103);
        assert_int_not_equal(early->slot, slot); /* main does not know of the release */
        gl_sink(main_, &done);
        assert_true(gl_ordered(main_, id));
        struct gl_thread *heir = create(main_, 104);
        assert_int_equal(heir->slot == slot, more == 0);
        if (more == 0)
            assert_int_equal(heir->epoch, 2); /* the one in which nothing happened */
        if (more == 1)
            assert_false(gl_ordered(heir, late));
        assert_false(gl_ordered(heir, theirs));
        assert_false(gl_ordered(early, segment(heir)));
        gl_sink(early, &end_); /* what joins it learns all that it did */
        assert_true(gl_ordered(early, id));
        assert_false(gl_ordered(early, segment(heir)));
    }
}

/* A thread that made no access still knew something: its slot is not for strangers. */
static void knowledge_without_access(void **state)
{
    (void)state;
    struct gl_sync v = {0}, end_ = {0};
    struct gl_thread *writer = create(main_, 101), *child = create(main_, 102);
    uint32_t slot = child->slot, id = segment(writer);
    gl_source(writer, &v, true, 0);
    gl_sink(child, &v); /* child is after writer's access; main is not */
    gl_thread_end(child, &end_);
    struct gl_thread *next = create(main_, 103);
    assert_int_not_equal(next->slot, slot);
    assert_false(gl_ordered(next, id));
    gl_sink(main_, &end_);
    next = create(main_, 104);
    assert_int_equal(next->slot, slot);
    assert_true(gl_ordered(next, id));
}

/* The thread that nobody forked takes over nothing: it is after nothing. */
static void orphans_take_new_slots(void **state)
{
    (void)state;
    struct gl_sync end_ = {0};
    gl_thread_end(create(main_, 101), &end_);
    gl_sink(main_, &end_);
    assert_int_equal(create(NULL, 102)->slot, 2);
    assert_int_equal(create(main_, 103)->slot, 1);
}

/* A creation looks at some of the dead, and the next one goes on from there. */
static void among_many_dead(void **state)
{
    (void)state;
    enum { DEAD = 40, KNOWN = 29 };
    struct gl_sync end_[DEAD] = {{0}};
    struct gl_thread *t[DEAD];
    for (uint32_t i = 0; i < DEAD; i++)
        t[i] = create(main_, 200 + i);
    uint32_t slot = t[KNOWN]->slot, slots = core->slots;
    for (uint32_t i = 0; i < DEAD; i++)
        gl_thread_end(t[i], &end_[i]);
    gl_sink(main_, &end_[KNOWN]);
    bool found = false;
    int creations = 0;
    for (; !found && creations < DEAD; creations++)
        found = create(main_, 300 + (uint32_t)creations)->slot == slot;
    assert_true(found);
    assert_true(creations < DEAD / 4);
    assert_int_equal(core->slots, slots + (uint32_t)creations - 1);
    assert_int_equal(core->n_dead, DEAD - 1);
}

/* Fork and join, again and again, use two slots. */
static void generations(void **state)
{
    (void)state;
    uint32_t last = 0;
    for (uint32_t i = 0; i < 3000; i++) {
        struct gl_sync end_ = {0};
        struct gl_thread *child = create(main_, 200 + i);
        assert_int_equal(child->slot, 1);
        assert_int_equal(child->epoch, i + 1);
        if (last)
            assert_true(gl_ordered(child, last));
        if (i % 3)
            last = segment(child);
        gl_thread_end(child, &end_);
        gl_sink(main_, &end_);
        gl_sync_free(core, &end_);
    }
    assert_int_equal(core->slots, 2);
    assert_int_equal(main_->count[GL_COUNT_slots_reused], 2999);
    assert_true(core->nodes <= 1); /* neither do the ends' objects pile up */
}

static void no_slot_left(void **state)
{
    (void)state;
    struct gl_sync end_ = {0};
    gl_thread_end(create(main_, 101), &end_);
    core->slots = GL_MAX_SLOTS;
    unsigned long blocks = env.blocks;
    assert_null(gl_thread_create(core, NULL, 102, NULL));
    assert_null(gl_thread_create(core, main_, 102, NULL));
    assert_int_equal(env.blocks, blocks);
    assert_int_equal(core->slots, GL_MAX_SLOTS);
    gl_sink(main_, &end_);
    assert_int_equal(create(main_, 103)->slot, 1); /* one that is free can be had */
}

/* ---- what a thread leaves behind ---- */

static void end_gives_back(void **state)
{
    (void)state;
    struct gl_sync a = {0}, end_ = {0};
    struct gl_thread *child = create(main_, 101);
    gl_atomic_store_part(main_, &a, GL_REL);
    gl_fence(child, GL_REL);
    gl_atomic_acquire_part(child, &a, GL_RLX);
    assert_true(child->fence_release.node && child->fence_acquire.node);
    (void)gl_ordered(child, segment(main_)); /* a hint */
    for (uint32_t i = 1; i <= 300; i++)
        assert_true(gl_held_push(child, i, true, 0));
    segment(child);
    uint64_t segments = child->count[GL_COUNT_segments] + main_->count[GL_COUNT_segments];
    unsigned long blocks = env.blocks;
    gl_thread_end(child, &end_);
    assert_int_equal(core->n_free_nodes, 2);
    assert_int_equal(env.blocks, blocks - 2 + 4); /* held, seen_a; and now free_nodes[], dead[], the set of its locks.  Its own is kept */
    assert_int_equal(core->count[GL_COUNT_segments] + main_->count[GL_COUNT_segments], segments); /* what it counted stays */
    assert_ptr_equal(core->threads, main_);
    assert_null(main_->next);
}

/* A thread's memory becomes another's, as if it were new; of very many threads most is given back. */
static void handed_on(void **state)
{
    (void)state;
    enum { MANY = 1060, KEPT = 1024 };
    struct gl_thread *t[MANY];
    struct gl_sync end_[MANY] = {{0}};
    for (uint32_t i = 0; i < MANY; i++)
        segment(t[i] = create(main_, 101 + i));
    void *last = t[MANY - 1]->place;
    unsigned long blocks = env.blocks;
    for (uint32_t i = 0; i < KEPT; i++)
        gl_thread_end(t[MANY - 1 - i], &end_[i]);
    unsigned long grown = env.blocks - blocks; /* dead[] */
    for (uint32_t i = KEPT; i < MANY; i++)
        gl_thread_end(t[MANY - 1 - i], &end_[i]);
    assert_in_range(blocks + grown - env.blocks, MANY - KEPT - 1, MANY - KEPT); /* dead[] may have become two */
    for (uint32_t i = 0; i < KEPT; i++) {
        t[i] = create(main_, 201 + i);
        assert_int_equal(t[i]->segment, 0);
        assert_int_equal(t[i]->count[GL_COUNT_segments], 0);
        assert_int_equal(t[i]->n_held, 0);
        for (uint32_t k = 0; k < GL_BEFORE; k++)
            assert_int_equal(t[i]->before[k], 0);
    }
    assert_ptr_equal(t[KEPT - 1]->place, last);
}

/* Who waits for many threads asks no column about what they did. */
static void ends_are_remembered(void **state)
{
    (void)state;
    enum { MANY = 1000 };
    static struct gl_thread *t[MANY];
    static struct gl_sync end_[MANY];
    static uint32_t id[MANY];
    for (uint32_t i = 0; i < MANY; i++)
        id[i] = segment(t[i] = create(main_, 101 + i));
    assert_true(core->slots > core->many);
    for (uint32_t i = 0; i < MANY; i++) {
        gl_thread_end(t[i], &end_[i]);
        gl_sink_end(main_, &end_[i]);
    }
    for (uint32_t i = 0; i < MANY; i++)
        assert_true(gl_ordered(main_, id[i]));
    assert_in_range(main_->count[GL_COUNT_rule_column], 0, MANY / 16); /* but a few, whose place was another's */
}

/* The list of the living, in any order of ends. */
static void living(void **state)
{
    (void)state;
    struct gl_sync end_[3] = {{0}};
    struct gl_thread *a = create(main_, 101), *b = create(main_, 102), *c = create(main_, 103);
    gl_thread_end(b, &end_[0]);
    assert_ptr_equal(core->threads, c);
    assert_ptr_equal(c->next, a);
    assert_ptr_equal(a->prev, c);
    gl_thread_end(c, &end_[1]);
    assert_ptr_equal(core->threads, a);
    assert_null(a->prev);
    gl_thread_end(main_, &end_[2]);
    assert_ptr_equal(core->threads, a);
    assert_null(a->next);
}

static void key_moves(void **state)
{
    (void)state;
    uint32_t key = 5;
    segment(main_);
    gl_thread_set_key(main_, &key); /* in the middle of a segment */
    assert_int_equal(key, gl_half(main_->segment, 0, 0));
    gl_source(main_, &(struct gl_sync){0}, true, 0);
    assert_int_equal(key, 0);
}

/* ---- locks held ---- */

static void held(void **state)
{
    (void)state;
    enum { MANY = 600 };
    assert_null(gl_held_find(main_, 1));
    for (uint32_t i = 1; i <= MANY; i++) {
        assert_true(gl_held_push(main_, i, i % 3 == 0, 1000 + i));
        assert_int_equal(main_->n_held, i);
    }
    for (uint32_t i = 1; i <= MANY; i++) {
        struct gl_held *h = gl_held_find(main_, i);
        assert_non_null(h);
        assert_int_equal(h->serial, i);
        assert_int_equal(h->depth, 1);
        assert_int_equal(h->cookie, 1000 + i);
        assert_int_equal(h->exclusive, i % 3 == 0);
    }
    gl_held_drop(main_, MANY + 1); /* not held */
    assert_int_equal(main_->n_held, MANY);
    for (uint32_t i = 2; i <= MANY; i += 2)
        gl_held_drop(main_, i);
    assert_int_equal(main_->n_held, MANY / 2);
    for (uint32_t i = 0; i < MANY / 2; i++) /* the others, in their order */
        assert_int_equal(main_->held[i].serial, 2 * i + 1);
    assert_null(gl_held_find(main_, 2));
    gl_held_push(main_, 1, false, 7); /* twice: the inner one is found and dropped first */
    assert_int_equal(gl_held_find(main_, 1)->cookie, 7);
    gl_held_drop(main_, 1);
    assert_int_equal(gl_held_find(main_, 1)->cookie, 1001);
}

static void no_memory_for_held(void **state)
{
    (void)state;
    struct gl_mutex m = {0};
    struct gl_thread *t = create(NULL, 101);
    env.fail_at = env.maps + 1;
    env.fail_from = true;
    for (uint32_t i = 1; i <= GL_HELD_FEW; i++)
        assert_true(gl_held_push(main_, 1000 + i, true, 0)); /* for those there is always room */
    assert_false(gl_held_push(main_, 1, true, 0));
    assert_int_equal(main_->n_held, GL_HELD_FEW);
    env.fail_at = 0;
    env.fail_from = false;
    gl_source(main_, &m.sync, true, 0);
    env.fail_at = env.maps + 1;
    gl_mutex_acquired(main_, &m, 0); /* the hold is not known ... */
    env.fail_at = 0;
    uint32_t id = segment(main_);
    assert_false(gl_mutex_releasing(main_, &m)); /* ... and the release counts all the same */
    gl_mutex_acquired(t, &m, 0);
    assert_true(gl_ordered(t, id));
    assert_false(gl_core_stopped(core));
}

/* ---- memory ---- */

static void no_memory(void **state)
{
    (void)state;
    while (core->slots < GL_BLOCK_FIRST) {
        unsigned long blocks = env.blocks;
        uint32_t slots = core->slots;
        env.fail_at = env.maps + 1;
        assert_null(gl_thread_create(core, NULL, 101, NULL));
        assert_int_equal(env.blocks, blocks);
        assert_int_equal(core->slots, slots);
        create(NULL, 101);
    }
    env.fail_at = env.maps + 2; /* the thread is there, its block is not */
    unsigned long blocks = env.blocks;
    assert_null(gl_thread_create(core, main_, 101, NULL));
    assert_int_equal(env.blocks, blocks + 1); /* which is kept for the next one */
    assert_null(core->columns.block[1]);
    assert_false(gl_core_stopped(core)); /* nothing that others did was lost; the caller was told */
    struct gl_thread *t = create(main_, 101);
    uint32_t id = segment(t);
    assert_in_range(t->slot, GL_BLOCK_FIRST, GL_BLOCK);
    assert_non_null(core->columns.block[1]);
    assert_false(gl_ordered(main_, id));
}

/* The creator's record is lost: nobody can be judged any more. */
static void no_memory_for_the_record(void **state)
{
    (void)state;
    env.fail_at = env.maps + 2; /* the log's first chunk */
    struct gl_thread *t = gl_thread_create(core, main_, 101, NULL);
    assert_true(gl_core_stopped(core));
    if (t)
        gl_thread_end(t, &(struct gl_sync){0}); /* it can still end */
}

static void *(*map)(void *ctx, size_t bytes);
static unsigned looked;
static void *map_and_look(void *ctx, size_t bytes)
{
    if (bytes == GL_REGION_FIRST) { /* a row made by the question whether a slot is free */
        assert_true(core->lock.held);
        assert_true(core->columns.block[0]->lock.held);
        looked++;
    }
    return map(ctx, bytes);
}

/* Nobody else gives the same slot away meanwhile. */
static void locked_while_it_looks(void **state)
{
    (void)state;
    struct gl_sync end_ = {0};
    gl_core_destroy(core);
    map = env.env.map;
    env.env.map = map_and_look;
    core = gl_core_create(&env.env);
    main_ = create(NULL, 100);
    struct gl_sync both = {0};
    gl_thread_end(create(main_, 101), &end_);
    struct gl_thread *joiner = create(NULL, 102), *other = create(NULL, 103);
    gl_sink(joiner, &end_);
    gl_source(other, &both, true, 0);
    gl_source(joiner, &both, false, 0);
    gl_sink(main_, &both); /* says nothing of slot 1 by itself */
    looked = 0;
    assert_int_equal(create(main_, 104)->slot, 1);
    assert_true(looked > 0);
}

/* ---- many at once ---- */

enum { CALLERS = 4, ROUNDS = 1000 };
static _Atomic uint32_t owner[CALLERS * 8]; /* of each slot, now */

static void *fork_and_join(void *arg)
{
    struct gl_thread *me = arg;
    uintptr_t wrong = 0;
    uint32_t last = 0;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        struct gl_sync end_ = {0};
        struct gl_thread *child = gl_thread_create(core, me, me->uid * 10000 + i, NULL);
        uint32_t slot = child->slot, nobody = 0;
        if (slot >= CALLERS * 8 || !gl_cas_acquire(&owner[slot], &nobody, child->uid))
            return (void *)-1; /* two owners of one slot */
        wrong += last && !gl_ordered(child, last);
        last = gl_segment_begin(child) ? child->segment : 0;
        gl_store_release(&owner[slot], 0); /* before the slot can be given away */
        gl_thread_end(child, &end_);
        wrong += gl_ordered(me, last);
        gl_sink(me, &end_);
        wrong += !gl_ordered(me, last);
        gl_sync_free(core, &end_);
    }
    return (void *)wrong;
}

static void concurrent_forks(void **state)
{
    (void)state;
    pthread_t p[CALLERS];
    struct gl_thread *t[CALLERS];
    for (uint32_t i = 0; i < CALLERS; i++)
        t[i] = create(main_, 1 + i);
    for (uint32_t i = 0; i < CALLERS; i++)
        assert_int_equal(pthread_create(&p[i], NULL, fork_and_join, t[i]), 0);
    uint64_t reused = 0;
    for (uint32_t i = 0; i < CALLERS; i++) {
        void *wrong;
        pthread_join(p[i], &wrong);
        assert_null(wrong);
        reused += t[i]->count[GL_COUNT_slots_reused];
    }
    /* each caller's dead are ordered before itself alone: a slot each, at most, was new once */
    assert_int_equal(core->slots, 1 + 2 * CALLERS);
    assert_int_equal(reused, CALLERS * (ROUNDS - 1));
    assert_int_equal(core->n_dead, CALLERS);
}

#define thread_test(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        thread_test(creation),
        thread_test(slots_in_turn),
        thread_test(end_and_join),
        thread_test(taken_over_when_ordered),
        thread_test(last_release_is_enough),
        thread_test(knowledge_without_access),
        thread_test(orphans_take_new_slots),
        thread_test(among_many_dead),
        thread_test(generations),
        thread_test(no_slot_left),
        thread_test(end_gives_back),
        thread_test(handed_on),
        thread_test(ends_are_remembered),
        thread_test(living),
        thread_test(key_moves),
        thread_test(held),
        thread_test(no_memory_for_held),
        thread_test(no_memory),
        thread_test(no_memory_for_the_record),
        thread_test(locked_while_it_looks),
        thread_test(concurrent_forks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
