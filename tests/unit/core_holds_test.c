/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of locks held alone: each says what was put in for good, one that is repeated is found again, and want of memory is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/holds.h"
#include "tests/support/fake_env.h"

static struct fake_env env;
static struct gl_holds holds;
static struct gl_holds_hand hand[2];

static int begin(void **state)
{
    (void)state;
    fake_env_init(&env);
    memset(&holds, 0, sizeof holds);
    memset(hand, 0, sizeof hand);
    gl_holds_init(&holds, &env.env);
    return 0;
}

static int end(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++)
        gl_holds_hand_free(&holds, &hand[i]);
    gl_holds_fini(&holds);
    return fake_env_is_clean(&env) ? 0 : -1;
}

/* The i-th list: some are the beginning of others. */
static uint32_t words_of(uint32_t i, uint32_t *words)
{
    uint32_t n = 1 + i % GL_HOLDS_MOST;
    for (uint32_t k = 0; k < n; k++)
        words[k] = gl_hold_word(1 + (i / 60 + k) % 1000, (i + k) % 3 != 0);
    return n;
}

static void assert_says(uint32_t number, uint32_t i)
{
    uint32_t want[GL_HOLDS_MOST], words[GL_HOLDS_MOST], n = words_of(i, want);
    for (uint32_t most = 0; most <= GL_HOLDS_MOST; most++) {
        uint32_t told = most < n ? most : n;
        assert_int_equal(gl_holds_read(&holds, number, words, most), told);
        assert_memory_equal(words, want, told * sizeof *words);
    }
}

/* Lists of two threads, more than a chunk has room for and more than a thread finds again. */
static void lists_stay(void **state)
{
    (void)state;
    enum { LISTS = 20000 };
    static uint32_t number[LISTS];
    uint32_t words[GL_HOLDS_MOST];
    for (uint32_t i = 0; i < LISTS; i++) {
        uint32_t n = words_of(i, words);
        number[i] = gl_holds_list(&holds, &hand[i % 2], words, n);
        assert_int_not_equal(number[i], 0);
        assert_int_equal(gl_holds_list(&holds, &hand[i % 2], words, n), number[i]);
    }
    assert_non_null(holds.chunk[1]);
    for (uint32_t i = 0; i < LISTS; i++)
        assert_says(number[i], i);
}

/* What few lists repeat takes no more memory. */
static void repeated(void **state)
{
    (void)state;
    uint32_t words[GL_HOLDS_MOST], number[10];
    for (uint32_t i = 0; i < 10; i++)
        number[i] = gl_holds_list(&holds, &hand[0], words, words_of(60 * i, words));
    uint32_t room = hand[0].room;
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(gl_holds_list(&holds, &hand[0], words, words_of(60 * (i % 10), words)),
                         number[i % 10]);
    assert_int_equal(hand[0].room, room);
}

static void without_memory(void **state)
{
    (void)state;
    uint32_t words[GL_HOLDS_MOST], n = words_of(3, words);
    env.fail_at = 1;
    env.fail_from = true;
    assert_int_equal(gl_holds_list(&holds, &hand[0], words, n), 0);
    env.fail_from = false;
    env.fail_at = env.maps + 1; /* no memory for finding it again: it is made twice */
    uint32_t number = gl_holds_list(&holds, &hand[0], words, n);
    assert_says(number, 3);
    assert_int_not_equal(gl_holds_list(&holds, &hand[0], words, n), number);
}

/* Batches in which nothing is used any more are taken again, empty, and nobody finds what was there. */
static void freed(void **state)
{
    (void)state;
    enum { LISTS = 5000 };
    static uint32_t number[LISTS];
    static uint64_t used[GL_HOLDS_BATCHES / 64];
    uint32_t words[GL_HOLDS_MOST];
    for (uint32_t round = 0; round < 20; round++) {
        for (uint32_t i = 0; i < LISTS; i++) {
            uint32_t n = words_of(i * 20 + round, words);
            number[i] = gl_holds_list(&holds, &hand[i % 2], words, n);
            assert_int_not_equal(number[i], 0);
        }
        for (uint32_t i = 0; i < LISTS; i++)
            assert_says(number[i], i * 20 + round);
        memset(used, 0, sizeof used);
        for (uint32_t i = 0; i < LISTS / 10; i++) /* they stay whole */
            gl_holds_use(used, number[i]);
        for (int i = 0; i < 2; i++)
            gl_holds_use_hand(&hand[i], used);
        for (int i = 0; i < 2; i++)
            gl_holds_hand_forget(&hand[i], used);
        assert_true(gl_holds_free(&holds, used) > 0);
        for (uint32_t i = 0; i < LISTS / 10; i++)
            assert_says(number[i], i * 20 + round);
    }
    assert_true(holds.next < 2u * LISTS * (GL_HOLDS_MOST / 2 + 2)); /* and not 20 times as much */
    memset(used, 0, sizeof used);                                   /* all threads are gone */
    uint32_t all = holds.next / GL_HOLDS_BATCH - 1;
    assert_int_equal(gl_holds_free(&holds, used), all);
    for (int i = 0; i < 2; i++)
        gl_holds_hand_forget(&hand[i], used), hand[i].room = 0;
    for (uint32_t i = 0; i < all; i++) {
        uint32_t first = gl_holds_list(&holds, &hand[0], words, words_of(0, words));
        assert_int_equal(first, (i + 1) * GL_HOLDS_BATCH);
        assert_says(first, 0);
        hand[0].room = 0;
        memset(hand[0].known, 0, GL_HOLDS_KNOWN * sizeof *hand[0].known);
    }
    assert_int_equal(holds.next, (all + 1) * GL_HOLDS_BATCH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lists_stay, begin, end),
        cmocka_unit_test_setup_teardown(repeated, begin, end),
        cmocka_unit_test_setup_teardown(freed, begin, end),
        cmocka_unit_test_setup_teardown(without_memory, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
