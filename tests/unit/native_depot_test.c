/* SPDX-License-Identifier: Apache-2.0
 *
 * The depot (native/depot.h) against a list that is searched from end to end, on random paths, places and pairs: what is the same has
 * one number, what differs has another, and a number gives back what it stands for.  Then with four threads at once, and without memory.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "native/depot.c"

/* Of the runtime and of the platform. */
static _Atomic uint64_t counted;
static _Atomic bool no_memory;
void rt_count(enum rt_counter c)
{
    assert_int_equal(c, RT_COUNT_site_no_memory);
    counted++;
}
void *gl_os_map(size_t bytes) { return no_memory ? NULL : calloc(1, bytes); }
static atomic_uint populated;
void gl_os_populate(uintptr_t p, size_t bytes)
{
    if (p % sizeof(uint64_t) == 0 && bytes == STEP)
        populated++;
}
void gl_os_unmap(void *p, size_t bytes)
{
    (void)bytes;
    free(p);
}

enum { CALL, PLACE, PAIR_KIND, KINDS };
struct entry {
    uint32_t kind, parent;
    uint64_t word; /* of a call: its pc */
    uint32_t number;
};

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
    return *seed >> 33;
}

static void hand_new(struct rt_depot_hand *hand)
{
    *hand = (struct rt_depot_hand){0};
    rt_depot_hand_begin(hand);
}

static uint32_t look_up(struct rt_depot_hand *hand, const struct entry *e)
{
    return e->kind == CALL    ? rt_depot_call(hand, e->parent, e->word)
           : e->kind == PLACE ? rt_depot_place(hand, e->parent, e->word)
                              : rt_depot_pair(hand, e->parent, e->word);
}

/* Pcs that differ only where a call's word does not have them, and some that are far from one another. */
static uint64_t random_pc(uint64_t *seed)
{
    uint64_t pc = 0x400000 + next_random(seed) % 50;
    return next_random(seed) % 4 == 0 ? pc | (next_random(seed) % 3 << 40) : pc;
}

/* The next thing to look up, on one of `paths`; path 0 and another have so much on them that the tree is needed. */
static struct entry random_entry(uint64_t *seed, const uint32_t *paths, uint32_t n)
{
    uint32_t path =
        next_random(seed) % 2 ? paths[next_random(seed) % n] : paths[next_random(seed) % (n < 2 ? n : 2)];
    uint64_t pc = random_pc(seed);
    switch (next_random(seed) % KINDS) {
    case CALL:
        return (struct entry){.kind = CALL, .parent = path, .word = pc};
    case PLACE:
        return (struct entry){.kind = PLACE,
                              .parent = path,
                              .word = rt_depot_word(next_random(seed) % 2 ? RT_DEPOT_ACCESS : RT_DEPOT_STACK,
                                                    next_random(seed) % 3 << 48 | pc)};
    default:
        return (struct entry){.kind = PAIR_KIND,
                              .parent = path,
                              .word =
                                  rt_depot_word(next_random(seed) % 2 ? RT_DEPOT_JOIN : RT_DEPOT_LOCK, pc)};
    }
}

enum { TRIES = 6000, PATHS = 40, HANDS = 2 };
static struct entry all[TRIES];

static void test_one_number_each(void **state)
{
    (void)state;
    struct rt_depot_hand hand[HANDS];
    for (unsigned i = 0; i < HANDS; i++)
        hand_new(&hand[i]);
    uint32_t paths[PATHS] = {0}, n_paths = 2, n = 1;
    all[0] = (struct entry){.kind = CALL, .parent = 0, .word = 0x1234};
    paths[1] = all[0].number = look_up(&hand[0], &all[0]); /* the other crowded one */
    uint64_t seed = 1;
    for (unsigned i = 1; i < TRIES; i++) {
        struct entry e = random_entry(&seed, paths, n_paths);
        e.number = look_up(&hand[next_random(&seed) % HANDS], &e);
        assert_true(e.number != 0 && e.number < RT_DEPOT_NUMBERS && rt_depot_exists(e.number));
        assert_int_equal(rt_depot_parent_of(e.number), e.parent);
        assert_true(rt_depot_word_of(e.number) ==
                    (e.kind == CALL ? rt_depot_word(RT_DEPOT_PATH, e.word) : e.word));
        bool met = false;
        for (uint32_t k = 0; k < n; k++) {
            bool same = all[k].kind == e.kind && all[k].parent == e.parent && all[k].word == e.word;
            assert_int_equal(all[k].number == e.number, same);
            met = met || same;
        }
        if (met)
            continue;
        all[n++] = e;
        if (e.kind == CALL && n_paths < PATHS)
            paths[n_paths++] = e.number;
    }
    assert_true(n > 1000 && n < TRIES - 1000); /* some were new, some were not */
    /* None moved. */
    for (uint32_t k = 0; k < n; k++)
        for (unsigned i = 0; i < HANDS; i++)
            assert_int_equal(look_up(&hand[i], &all[k]), all[k].number);
    for (unsigned i = 0; i < HANDS; i++)
        rt_depot_hand_end(&hand[i]);
}

enum { THREADS = 4, EACH = 4000 };
static uint32_t numbers[THREADS][EACH];
static pthread_barrier_t start;

static void *together(void *self)
{
    uint32_t *mine = numbers[(size_t)self];
    struct rt_depot_hand hand;
    hand_new(&hand);
    uint32_t paths[PATHS] = {0}, n_paths = 1;
    uint64_t seed = 99; /* of all threads */
    pthread_barrier_wait(&start);
    for (unsigned i = 0; i < EACH; i++) {
        struct entry e = random_entry(&seed, paths, n_paths);
        e.word ^= 1u << 28; /* not those of the test above */
        mine[i] = look_up(&hand, &e);
        if (e.kind == CALL && n_paths < PATHS)
            paths[n_paths++] = mine[i];
    }
    rt_depot_hand_end(&hand);
    return NULL;
}

static void test_threads_agree(void **state)
{
    (void)state;
    pthread_t thread[THREADS];
    assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, together, (void *)i), 0);
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    for (size_t i = 1; i < THREADS; i++)
        assert_memory_equal(numbers[i], numbers[0], sizeof numbers[0]);
}

static void test_no_memory(void **state)
{
    (void)state;
    struct rt_depot_hand hand;
    hand_new(&hand);
    uint32_t path = 0, depth = 0;
    no_memory = true;
    counted = 0;
    for (uint32_t next; (next = rt_depot_call(&hand, path, 0x777000 + depth)) && depth < 2 * CHUNK;
         path = next)
        depth++;
    assert_true(depth > 0 && depth <= CHUNK / UNITS); /* what the chunk had left */
    assert_int_equal(counted, 1);
    assert_int_equal(rt_depot_call(&hand, path, 0x777000 + depth), 0);
    assert_int_equal(counted, 2);
    no_memory = false;
    uint32_t more = rt_depot_call(&hand, path, 0x777000 + depth);
    assert_true(more != 0);
    assert_int_equal(rt_depot_parent_of(more), path);
    rt_depot_hand_end(&hand);
}

/* Each step of lines but the first is said to be wanted, once. */
static void test_steps(void **state)
{
    (void)state;
    struct rt_depot_hand hand;
    hand_new(&hand);
    const uint32_t per_step = STEP / (UNITS * sizeof(uint64_t));
    uint32_t lines = depot.lines, before = populated;
    for (uint32_t path = 0; depot.lines < lines + 3 * per_step;)
        path = rt_depot_call(&hand, path, 0x888000);
    assert_int_equal(populated - before, (depot.lines - 1) / per_step - (lines - 1) / per_step);
    rt_depot_hand_end(&hand);
}

static int begin(void **state)
{
    (void)state;
    return rt_depot_init() ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_number_each),
        cmocka_unit_test(test_threads_agree),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_steps),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
