/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups: the table of lists, when groups are made, what becomes of them, races found in them.
 */
#include "tests/unit/core_world.h"

/* ---- the table of lists ---- */

static struct gl_lists lists;
static struct fake_env env;

static int lists_begin(void **state)
{
    (void)state;
    fake_env_init(&env);
    memset(&lists, 0, sizeof lists);
    gl_lists_init(&lists, &env.env);
    return 0;
}

static int lists_end(void **state)
{
    (void)state;
    gl_lists_fini(&lists);
    return fake_env_is_clean(&env) ? 0 : -1;
}

static void lists_are_unique(void **state)
{
    (void)state;
    enum { MANY = 2 * GL_LIST_CHUNK + 3 }; /* more than one chunk */
    static uint32_t number[MANY];
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < MANY; i++) {
            uint32_t value[GL_GROUP_MAX] = {1 + i % 7, 1 + i / 7, i};
            bool made = false;
            uint32_t n = gl_list_intern(&lists, value, &made);
            assert_int_equal(made, round == 0);
            assert_in_range(n, 1, MANY);
            if (round == 0)
                number[i] = n;
            assert_int_equal(n, number[i]);
            assert_memory_equal(gl_list_at(&lists, n)->value, value, sizeof value);
        }
    assert_int_equal(lists.used, MANY + 1);
    uint32_t one[GL_GROUP_MAX] = {5, 6}, other[GL_GROUP_MAX] = {6, 5}, last[GL_GROUP_MAX] = {5, 6, 0, 0, 0, 0, 1};
    uint32_t a = gl_list_intern(&lists, one, NULL), b = gl_list_intern(&lists, other, NULL), c = gl_list_intern(&lists, last, NULL);
    assert_true(a && b && c && a != b && a != c && b != c); /* every place of it counts */
}

/* Lists that fall into the same bucket are told apart, in each table. */
static void expect_shared(uint32_t from, uint32_t buckets)
{
    static uint32_t first[1u << 20]; /* the list that was there, + 1 */
    unsigned shared = 0;
    memset(first, 0, sizeof first);
    for (uint32_t i = from; shared < 5; i++) {
        uint32_t value[GL_GROUP_MAX] = {32 + i, 64 + i}, *was = &first[gl_list_hash(value) % buckets];
        if (*was) {
            uint32_t other[GL_GROUP_MAX] = {31 + *was, 63 + *was};
            uint32_t a = gl_list_intern(&lists, other, NULL), b = gl_list_intern(&lists, value, NULL);
            assert_true(a && b && a != b);
            assert_int_equal(gl_list_intern(&lists, other, NULL), a);
            assert_int_equal(gl_list_intern(&lists, value, NULL), b);
            shared++;
        }
        *was = i + 1;
    }
}

static void buckets_shared(void **state)
{
    (void)state;
    uint32_t made = 0;
    for (uint32_t k = 0; k < GL_LIST_TABLES; k++) {
        expect_shared(k << 28, gl_list_buckets(k));
        for (; lists.used <= gl_list_buckets(k); made++) {
            uint32_t value[GL_GROUP_MAX] = {7, made};
            assert_int_not_equal(gl_list_intern(&lists, value, NULL), 0);
        }
    }
    for (uint32_t i = 0; i < made; i += 97) { /* what is in older tables stays there */
        uint32_t value[GL_GROUP_MAX] = {7, i};
        bool fresh = false;
        uint32_t n = gl_list_intern(&lists, value, &fresh);
        assert_int_not_equal(n, 0);
        assert_false(fresh);
        assert_memory_equal(gl_list_at(&lists, n)->value, value, sizeof value);
    }
}

/* Without memory for the next table no list is made; those that are there are found. */
static void no_memory_for_a_table(void **state)
{
    (void)state;
    uint32_t made = 0;
    for (; lists.used <= gl_list_buckets(0); made++) {
        uint32_t value[GL_GROUP_MAX] = {7, made};
        assert_int_not_equal(gl_list_intern(&lists, value, NULL), 0);
    }
    uint32_t value[GL_GROUP_MAX] = {7, made}, old[GL_GROUP_MAX] = {7, 0};
    env.fail_at = env.maps + 1;
    assert_int_equal(gl_list_intern(&lists, value, NULL), 0);
    assert_int_equal(gl_list_intern(&lists, old, NULL), 1);
    uint32_t next = lists.used;
    assert_int_equal(gl_list_intern(&lists, value, NULL), next); /* there is memory again */
}

static void lists_without_memory(void **state)
{
    (void)state;
    uint32_t value[GL_GROUP_MAX] = {33, 66};
    bool made = false;
    for (unsigned long k = 1; k <= 2; k++) { /* the buckets, then a chunk of lists */
        env.fail_at = env.maps + k;
        assert_int_equal(gl_list_intern(&lists, value, &made), 0);
        assert_int_equal(gl_group_intern(&lists, value, &made), gl_half(GL_GROUP_FIRST + 1, 0, 3)); /* there is memory again */
        assert_true(made);
        lists_end(NULL), lists_begin(NULL);
        made = false;
    }
    uint32_t n = gl_list_intern(&lists, value, NULL), another[GL_GROUP_MAX] = {34, 66};
    lists.used = GL_LISTS; /* as after so many lists */
    assert_int_equal(gl_list_intern(&lists, another, &made), 0);
    assert_int_equal(gl_group_intern(&lists, another, &made), 0);
    assert_false(made);
    assert_int_equal(gl_list_intern(&lists, value, NULL), n); /* those that are there stay */
}

/* The id of a group is no segment's, and no tag of a cell; its bytes are those of all. */
static void ids(void **state)
{
    (void)state;
    uint32_t value[GL_GROUP_MAX] = {gl_half(7, 0, 0x1), gl_half(9, 0, 0x9), gl_half(11, 0, 0x8)};
    uint32_t half = gl_group_intern(&lists, value, NULL), alone[2];
    assert_true(gl_half_is_group(half));
    assert_int_equal(gl_half_mask(half), 0x9);
    assert_memory_equal(gl_group_halves(&lists, half), value, sizeof value);
    assert_ptr_equal(gl_halves_of(&lists, half, alone), gl_group_halves(&lists, half));
    assert_int_equal(gl_group_count(gl_group_halves(&lists, half)), 3);
    assert_int_equal(*gl_halves_of(&lists, value[1], alone), value[1]);
    assert_int_equal(gl_group_count(alone), 1);
    assert_false(gl_half_is_group(gl_half(GL_SEGMENT_MAX - 1, 0, 0xF)));
    assert_true(gl_half(GL_GROUP_FIRST + GL_LISTS - 1, 0, 0xF) < GL_CELL_LOCKED >> 32);
    /* what a filter asks */
    assert_int_equal(gl_group_member(&lists, half, gl_half(9, 0, 0)), value[1]);
    assert_int_equal(gl_group_member(&lists, half, gl_half(8, 0, 0)), 0);
}

/* ---- when there is one ---- */

/* The second time a thread wants it; another thread's wish is not this one's. */
static void at_the_second_wish(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(access(1, i, 1, W, 11), 0);
    assert_int_equal(access(2, 0, 2, W, 22), 0);
    assert_true(cell_is_side(cell(0)));
    assert_int_equal(count(2, GL_COUNT_groups), 0);
    assert_int_equal(access(2, 1, 2, W, 22), 0);
    assert_true(cell_has_group(cell(1)));
    assert_int_equal(count(2, GL_COUNT_groups), 1);
    assert_int_equal(access(2, 2, 2, W, 22), 0);
    assert_int_equal(here.word[2], here.word[1]);
    assert_int_equal(here.sites[2], here.sites[1]);
    assert_int_equal(count(2, GL_COUNT_stepped), 1);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(kept(i, 1, W, 11), 1);
        assert_int_equal(kept(i, 2, W, 22), 2);
    }
    assert_int_equal(access(3, 0, 4, W, 33), 0); /* of a side record a group is made in the same way */
    assert_true(cell_is_side(cell(0)));
    assert_int_equal(access(3, 1, 4, W, 33), 0);
    assert_true(cell_has_group(cell(1)));
}

/* A side record that was found again often becomes a word, at once, and has all that it had. */
static void folded(void **state)
{
    (void)state;
    for (int who = 1; who <= 3; who++)
        assert_int_equal(access(who, 0, 0xF, R, 10u * (unsigned)who), 0);
    assert_true(cell_is_side(cell(0)));
    gl_cell_fold(here.t[2], cell(0));
    assert_true(cell_has_group(cell(0)));
    for (int who = 1; who <= 3; who++)
        assert_int_equal(kept(0, who, R, 10u * (unsigned)who), 0xF);
    uint64_t word = here.word[0];
    gl_cell_fold(here.t[2], cell(0)); /* nothing is to be done */
    assert_int_equal(here.word[0], word);
    assert_int_equal(access(4, 0, 0xF, W, 44), 0xF); /* races with them */
    access(1, 1, 1, AW, 11); /* atomic ones are in no group */
    access(2, 1, 2, W, 22);
    gl_cell_fold(here.t[2], cell(1));
    assert_true(cell_is_side(cell(1)));
    assert_int_equal(kept(1, 1, AW, 11), 1);
    assert_int_equal(kept(1, 2, W, 22), 2);
    for (int who = 1; who <= (int)GL_GROUP_MAX + 1; who++) /* one more than a group holds */
        access(who, 2, 0xF, R, 10u * (unsigned)who);
    gl_cell_fold(here.t[1], cell(2));
    assert_true(cell_is_side(cell(2)));
    for (int who = 1; who <= (int)GL_GROUP_MAX + 1; who++)
        assert_int_equal(kept(2, who, R, 10u * (unsigned)who), 0xF);
    access(1, 3, 1, W, 11); /* a word: stays one */
    word = here.word[3];
    gl_cell_fold(here.t[1], cell(3));
    assert_int_equal(here.word[3], word);
}

static void at_once(void **state)
{
    (void)state;
    for (int who = 1; who <= (int)GL_GROUP_MAX; who++) {
        assert_int_equal(access(who, 0, 0xF, R, 10u * (unsigned)who), 0);
        assert_int_equal(cell_has_group(cell(0)), who > 1);
    }
    for (int who = 1; who <= (int)GL_GROUP_MAX; who++)
        assert_int_equal(kept(0, who, R, 10u * (unsigned)who), 0xF);
    assert_int_equal(access(8, 0, 0xF, R, 80), 0); /* one more than a group holds */
    assert_true(cell_is_side(cell(0)));
    for (int who = 1; who <= (int)GL_GROUP_MAX + 1; who++)
        assert_int_equal(kept(0, who, R, 10u * (unsigned)who), 0xF);
    access(1, 1, 1, AW, 11); /* atomic ones are in none */
    access(2, 1, 2, W, 22);
    assert_true(cell_is_side(cell(1)));
    access(1, 2, 1, W, 11); /* both halves */
    access(2, 2, 2, W, 22);
    access(3, 2, 4, R, 33);
    access(4, 2, 4, R, 44);
    assert_true(gl_half_is_group((uint32_t)(here.word[2] >> 32)) && gl_half_is_group((uint32_t)here.word[2]));
    assert_int_equal(kept(2, 2, W, 22), 2);
    assert_int_equal(kept(2, 4, R, 44), 4);
}

/* No memory, or no more lists: a side record, as if there were no groups. */
static void no_lists_left(void **state)
{
    (void)state;
    gl_core_lists(here.core)->used = GL_LISTS;
    access(1, 0, 1, W, 11);
    assert_int_equal(access(2, 0, 2, W, 22), 0);
    assert_true(cell_is_side(cell(0)));
    gl_core_lists(here.core)->used = 1;
    here.env.fail_at = here.env.maps + 1;
    access(1, 1, 1, W, 11);
    assert_int_equal(access(2, 1, 2, W, 22), 0);
    assert_true(cell_is_side(cell(1)));
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(kept(i, 1, W, 11), 1);
        assert_int_equal(kept(i, 2, W, 22), 2);
    }
}

/* ---- fresh memory ---- */

static uint64_t groups_lost;
static void find_lost(void *ctx, const char *name, const char *sentence, uint64_t value)
{
    (void)ctx;
    (void)sentence;
    if (strcmp(name, "groups_lost") == 0)
        groups_lost = value;
}

static void parts_become_fresh(void **state)
{
    (void)state;
    for (unsigned kind = R; kind <= W; kind++) {
        access(1, 0, 1, kind, 11);
        access(2, 0, 6, kind, 22);
        access(3, 0, 8, kind, 33);
        uint64_t was = here.word[0];
        access(4, 0, 1, kind == R ? R : AR, 44); /* the group grows, or the other half is not empty */
        gl_cell_fresh(here.core, cell(0), 2);
        assert_int_not_equal(here.word[0], was);
        assert_int_equal(kept(0, 1, kind, 11), 1);
        assert_int_equal(kept(0, 2, kind, 22), 4);
        assert_int_equal(kept(0, 3, kind, 33), 8);
        assert_int_equal(access(5, 0, 2, W, 55), 0);
        gl_cell_fresh(here.core, cell(0), 2);
        gl_cell_fresh(here.core, cell(0), 0xC);
        assert_int_equal(kept(0, 2, kind, 22) | kept(0, 3, kind, 33), 0);
        assert_int_equal(kept(0, 1, kind, 11), 1);
        assert_int_equal(access(5, 0, 1, W, 55), 1);
        gl_cell_fresh(here.core, cell(0), 15);
        assert_int_equal(here.word[0], 0);
    }
}

/* What remains of a group is one access: no group, and the same word as if the others had never been. */
static void one_remains(void **state)
{
    (void)state;
    access(2, 1, 2, W, 22);
    access(1, 0, 1, W, 11);
    access(2, 0, 2, W, 22);
    gl_core_lists(here.core)->used = GL_LISTS; /* it needs no list */
    gl_cell_fresh(here.core, cell(0), 1);
    assert_int_equal(here.word[0], here.word[1]);
    assert_int_equal(here.sites[0] >> 32, 22);
    gl_core_counts(here.core, find_lost, NULL);
    assert_int_equal(groups_lost, 0);
}

static void groups_are_lost(void **state)
{
    (void)state;
    access(1, 0, 1, W, 11);
    access(2, 0, 2, W, 22);
    access(3, 0, 4, W, 33);
    access(4, 0, 8, R, 44);
    gl_core_lists(here.core)->used = GL_LISTS;
    gl_cell_fresh(here.core, cell(0), 8); /* no byte of the group */
    gl_core_counts(here.core, find_lost, NULL);
    assert_int_equal(groups_lost, 0);
    assert_int_equal(kept(0, 3, W, 33), 4);
    access(4, 0, 8, R, 44);
    gl_cell_fresh(here.core, cell(0), 1);
    gl_core_counts(here.core, find_lost, NULL);
    assert_int_equal(groups_lost, 1);
    assert_int_equal(kept(0, 2, W, 22) | kept(0, 3, W, 33), 0);
    assert_int_equal(kept(0, 4, R, 44), 8); /* the other half is as it was */
}

/* ---- races ---- */

static void races_in_groups(void **state)
{
    (void)state;
    struct gl_race r;
    for (uint32_t i = 0; i < 3; i++) {
        access(3, i, 1, W, 31); /* not in the order of the bytes */
        access(1, i, 2, W, 11);
        access(2, i, 0xC, W, 21);
    }
    assert_true(cell_has_group(cell(0)));
    assert_int_equal(gl_access(here.t[4], cell(0), 0xC, R, 41, &r), 0xC);
    assert_int_equal(r.then.thread, 102);
    assert_int_equal(r.then.site, 21);
    assert_true(r.then.write);
    assert_false(r.then.atomic);
    assert_int_equal(r.then_bytes, 0xC);
    assert_int_equal(gl_access(here.t[4], cell(0), 0xF, W, 42, &r), 0xF);
    assert_int_equal(r.then.thread, 103);
    assert_int_equal(r.then.site, 31);
    assert_int_equal(r.then_bytes, 0x1);
    order(&here, 3, 4);
    assert_int_equal(gl_access(here.t[4], cell(1), 0x7, AW, 43, &r), 0x6); /* one of the group is ordered */
    assert_int_equal(r.then.thread, 101);
    assert_int_equal(r.then.site, 11);
    order(&here, 1, 4);
    order(&here, 2, 4);
    uint64_t was = count(4, GL_COUNT_quick);
    assert_int_equal(gl_access(here.t[4], cell(2), 0xF, W, 44, &r), 0); /* all of them */
    assert_int_equal(count(4, GL_COUNT_quick), was + 1);
    assert_false(cell_has_group(cell(2)));
    for (int who = 1; who <= 3; who++)
        access(who, 3, 0xF, R, 10u * (unsigned)who);
    assert_true(cell_has_group(cell(3)));
    order(&here, 1, 5);
    assert_int_equal(gl_access(here.t[5], cell(3), 0x9, W, 51, &r), 0x9);
    assert_in_range(r.then.thread, 102, 103); /* not the one that is ordered */
    assert_int_equal(r.then.site, (r.then.thread - 100) * 10);
    assert_false(r.then.write);
}

#define list_test(f) cmocka_unit_test_setup_teardown(f, lists_begin, lists_end)
#define usual_test(f) cmocka_unit_test_setup_teardown(f, begin, end)
#define group_test(f) cmocka_unit_test_setup_teardown(f, begin_at_once, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        list_test(lists_are_unique),    list_test(buckets_shared), list_test(no_memory_for_a_table),
        list_test(lists_without_memory), list_test(ids),
        usual_test(at_the_second_wish), usual_test(folded),        group_test(at_once),         group_test(no_lists_left),
        group_test(parts_become_fresh),
        group_test(one_remains),        group_test(groups_are_lost), group_test(races_in_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
