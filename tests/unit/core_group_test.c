/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups: the table of lists, when groups are made, what becomes of them, races found in them; steps, which repeat a change of a
 * cell; and the ways past the slow path (a cell that is the caller's alone, a read again) against gl_access() on random sequences.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/cell_inl.h"
#include "tests/support/cells.h"
#include "tests/support/check.h"
#include "tests/support/fake_env.h"

enum { R = GL_ACCESS_READ, W = GL_ACCESS_WRITE, AR = GL_ACCESS_ATOMIC, AW = GL_ACCESS_ATOMIC | GL_ACCESS_WRITE };
enum { THREADS = 8, CELLS = 4 };

/* An engine with threads that nothing orders and with cells side by side. */
struct world {
    struct fake_env env;
    struct gl_core *core;
    struct gl_thread *t[THREADS + 1]; /* from 1 */
    _Alignas(16) _Atomic uint64_t word[CELLS];
    _Atomic uint64_t sites[CELLS];
};

static struct world here;

static void world_begin(struct world *w, bool at_once)
{
    fake_env_init(&w->env);
    w->core = gl_core_create(&w->env.env);
    gl_core_group_at_once(w->core, at_once);
    for (uint32_t i = 1; i <= THREADS; i++)
        w->t[i] = gl_thread_create(w->core, NULL, 100 + i, NULL);
    for (uint32_t i = 0; i < CELLS; i++)
        w->word[i] = w->sites[i] = 0;
}

static bool world_end(struct world *w)
{
    gl_core_destroy(w->core);
    return fake_env_is_clean(&w->env);
}

static int begin(void **state)
{
    (void)state;
    world_begin(&here, false);
    return here.t[THREADS] ? 0 : -1;
}

static int begin_at_once(void **state)
{
    (void)state;
    world_begin(&here, true);
    return here.t[THREADS] ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    return world_end(&here) ? 0 : -1;
}

static struct gl_cell cell_of(struct world *w, uint32_t i) { return (struct gl_cell){&w->word[i], &w->sites[i]}; }
static struct gl_cell cell(uint32_t i) { return cell_of(&here, i); }

static int access(int who, uint32_t i, uint32_t mask, unsigned kind, uint32_t site)
{
    return gl_access(here.t[who], cell(i), mask, kind, site, NULL);
}

static uint32_t kept(uint32_t i, int who, unsigned kind, uint32_t site)
{
    return cell_kept(here.core, cell(i), here.t[who]->segment, kind, site);
}

/* The site of one half, or the number of its list. */
static uint32_t site_of(uint32_t i, unsigned kind) { return *gl_site_half(&here.sites[i], kind & W); }

static uint64_t count(int who, enum gl_counter c) { return here.t[who]->count[c]; }

/* All that `from` did is before what `to` does next. */
static void order(struct world *w, uint32_t from, uint32_t to)
{
    struct gl_sync s = {0};
    gl_source(w->t[from], &s, true, 0);
    gl_sink(w->t[to], &s);
    gl_sync_free(w->core, &s);
}

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

/* Lists that fall into the same bucket are told apart. */
static void buckets_shared(void **state)
{
    (void)state;
    static uint32_t first[GL_LIST_BUCKETS]; /* the list that was there, + 1 */
    unsigned shared = 0;
    for (uint32_t i = 0; shared < 5; i++) {
        uint32_t value[GL_GROUP_MAX] = {32 + i, 64 + i}, *was = &first[gl_list_hash(value) % GL_LIST_BUCKETS];
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

/* ---- steps ---- */

/* The same history in the next cell takes a step, and gives the same word and the same list of sites as another order does. */
static void steps(void **state)
{
    (void)state;
    for (unsigned kind = R; kind <= W; kind++)
        for (uint32_t other = 0; other < 2; other++) { /* sites that the step meets the first time, and again */
            uint64_t was = count(2, GL_COUNT_stepped) + count(3, GL_COUNT_stepped);
            for (uint32_t i = 0; i < 2; i++) {
                access(1, i, 1, kind, 11);
                access(2, i, 2, kind, 22 + other * i);
                access(3, i, 4, kind, 33);
            }
            assert_int_equal(count(2, GL_COUNT_stepped) + count(3, GL_COUNT_stepped), was + 2 + 2 * other);
            access(3, 2, 4, kind, 33);
            access(1, 2, 1, kind, 11);
            access(2, 2, 2, kind, 22 + other);
            assert_int_equal(here.word[1], here.word[0]);
            assert_int_equal(here.word[2], here.word[0]);
            assert_int_equal(site_of(2, kind), site_of(1, kind));
            assert_int_equal(site_of(1, kind) == site_of(0, kind), !other);
            assert_int_equal(kept(1, 1, kind, 11), 1);
            assert_int_equal(kept(1, 2, kind, 22 + other), 2);
            assert_int_equal(kept(1, 3, kind, 33), 4);
            for (uint32_t i = 0; i < 3; i++)
                gl_cell_fresh(here.core, cell(i), 15);
        }
}

/* A step is not taken where it would hide a race: the other half is asked every time. */
static void steps_ask(void **state)
{
    (void)state;
    access(1, 0, 0xF, R, 11);
    access(1, 1, 0xF, R, 11);
    access(2, 0, 0xF, R, 22);
    access(3, 2, 0x4, W, 33);
    access(1, 2, 0x3, R, 11);
    assert_int_equal(access(2, 2, 0xF, R, 22), 0x4); /* an unordered write, here only */
    assert_int_equal(access(2, 1, 0xF, R, 22), 0);
    assert_int_equal(count(2, GL_COUNT_stepped), 1);
    access(1, 3, 0x1, W, 11);
    gl_cell_fresh(here.core, cell(0), 15);
    access(1, 0, 0x1, W, 11);
    access(2, 0, 0x2, W, 22); /* kept as a step */
    access(4, 3, 0x2, R, 44);
    assert_int_equal(access(2, 3, 0x2, W, 22), 0x2); /* an unordered read, here only */
    assert_int_equal(kept(3, 1, W, 11), 1);
    assert_int_equal(kept(3, 2, W, 22), 2);
    assert_int_equal(count(2, GL_COUNT_stepped), 1);
}

static void steps_of_pairs(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CELLS; i++)
        access(1, i, 0xF, R, 11 + i / 3); /* the last one's is another */
    access(2, 0, 0xF, R, 22);
    uint64_t was = here.word[0];
    uint32_t was_site = site_of(0, R);
    gl_cell_fresh(here.core, cell(0), 15);
    access(1, 0, 0xF, R, 11);
    for (uint32_t i = 0; i < CELLS; i += 2) {
        bool there = gl_access_quick_pair(here.t[2], cell(i), false, 22);
#if defined(__x86_64__)
        assert_true(there);
#endif
        if (!there)
            return; /* no double-width compare-and-swap on this machine */
    }
    for (uint32_t i = 0; i < CELLS; i++) {
        assert_int_equal(here.word[i], was);
        assert_int_equal(site_of(i, R) == was_site, i < 3);
        assert_int_equal(kept(i, 1, R, 11 + i / 3), 0xF);
        assert_int_equal(kept(i, 2, R, 22), 0xF);
    }
    assert_int_equal(count(2, GL_COUNT_stepped), 2);
}

static uint32_t joined_calls;
static uint32_t join(void *ctx, uint32_t old, uint32_t old_bytes, uint32_t fresh, uint32_t fresh_bytes)
{
    (void)ctx;
    check((old_bytes & fresh_bytes) == 0 && old_bytes && fresh_bytes, "sites are joined for disjoint bytes");
    joined_calls++;
    return old >= 100 ? 0 : 100 * fresh + 10 * fresh_bytes + old;
}

/* Bytes added to a thread's own access in a group: its site becomes a joined one, by a step too. */
static void steps_join_sites(void **state)
{
    (void)state;
    here.t[2]->join_sites = join;
    for (unsigned kind = R; kind <= W; kind++) {
        uint64_t was = count(2, GL_COUNT_stepped);
        joined_calls = 0;
        for (uint32_t i = 0; i < 3; i++) {
            access(1, i, 1, kind, 7);
            access(2, i, 2, kind, 8);
            access(2, i, 4, kind, i < 2 ? 9 : 5);
            assert_true(cell_has_group(cell(i)));
            assert_int_equal(kept(i, 1, kind, 7), 1);
            assert_int_equal(kept(i, 2, kind, i < 2 ? 948 : 548), 6);
        }
        assert_int_equal(count(2, GL_COUNT_stepped), was + 4);
        assert_in_range(joined_calls, 1, 3); /* a step remembers what it made of sites, for both kinds */
        assert_int_equal(here.word[1], here.word[0]);
        assert_int_equal(site_of(1, kind), site_of(0, kind));
        assert_int_equal(here.word[2], here.word[0]);
        assert_int_not_equal(site_of(2, kind), site_of(0, kind));
        access(2, 0, 8, kind, 6); /* refused: two accesses of one segment in a group */
        assert_int_equal(kept(0, 2, kind, 948), 6);
        assert_int_equal(kept(0, 2, kind, 6), 8);
        access(1, 3, 1, kind, 7); /* a step's sites that cannot be joined: the slow path keeps both */
        access(2, 3, 2, kind, 100);
        access(2, 3, 4, kind, 9);
        assert_int_equal(kept(3, 2, kind, 100), 2);
        assert_int_equal(kept(3, 2, kind, 9), 4);
        for (uint32_t i = 0; i < CELLS; i++)
            gl_cell_fresh(here.core, cell(i), 15);
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

/* ---- the ways past the slow path, on random sequences ---- */

enum way { SLOW, ALONE, REREAD, SPREAD };

/* One access to all bytes of the two cells from `i` on, or to `mask` of one of them.  The bytes that race, a byte of result for each cell. */
static uint32_t access_by(struct world *w, enum way way, uint32_t who, uint32_t i, bool pair, uint32_t mask, unsigned kind,
                          uint32_t site, struct gl_race *race)
{
    struct gl_thread *t = w->t[who];
    uint32_t raced = 0;
    check(t->segment || gl_segment_begin(t), "no memory for a segment");
    bool plain = !(kind & AR), write = (kind & W) != 0;
    uint32_t mine = gl_half(t->segment, 0, mask);
    if (pair && plain && way == ALONE && gl_access_alone_pair(t, cell_of(w, i), mine, write, site))
        return 0;
    if (pair && plain && way >= REREAD && gl_access_quick_pair(t, cell_of(w, i), write, site))
        return 0;
    for (uint32_t k = 0; k <= pair; k++) {
        struct gl_cell c = cell_of(w, i + k);
        if (plain && way == ALONE && gl_access_alone(t, c, mine, write, site))
            continue;
        if (kind == R && (way == SPREAD || (way == REREAD && mask == 0xF)) && gl_access_reread(t, c, *c.word, mine, site))
            continue;
        int result = gl_access(t, c, mask, kind, site, race);
        check(result >= 0, "no memory for an access");
        raced |= (uint32_t)result << 8 * k;
    }
    return raced;
}

static void same_memory(struct world *a, struct world *b, uint64_t seed, unsigned step)
{
    enum { MOST = 64 };
    struct remembered x[MOST], y[MOST];
    for (uint32_t i = 0; i < CELLS; i++) {
        uint32_t n = cell_remembers(a->core, cell_of(a, i), x, MOST), m = cell_remembers(b->core, cell_of(b, i), y, MOST);
        check(n <= MOST && m <= MOST, "a cell with more accesses than this test looks through");
        bool same = n == m;
        for (uint32_t k = 0; same && k < n; k++)
            same = x[k].half == y[k].half && x[k].write == y[k].write && x[k].site == y[k].site;
        if (!same)
            fail_msg("seed %llu, step %u: cell %u remembers other accesses (%u and %u)", (unsigned long long)seed, step, i, n, m);
    }
}

/* The same random sequence of accesses, orders and fresh memory in two worlds.  The same bytes race; exact: with the
 * same accesses, and the same ones are remembered, at the same sites.  (Otherwise thrift may differ: which reads go that nobody
 * needs any more.) */
static void compare_ways(enum way way, bool at_once_a, bool exact, uint64_t seed, uint64_t taken[GL_COUNT_END])
{
    static struct world a, b;
    struct rng rng = rng_seed(seed);
    world_begin(&a, at_once_a);
    world_begin(&b, way != SPREAD); /* groups leave no side records to be spread */
    gl_core_spread_at_once(b.core, way == SPREAD);
    uint32_t threads = 2 + rng_below(&rng, 4), n_sites = 1 + rng_below(&rng, 3), atomic = rng_chance(&rng, 50) ? 0 : 10;
    uint32_t sync = 2 + rng_below(&rng, 20), reads = 20 + rng_below(&rng, 70);
    for (uint32_t i = 1; rng_chance(&rng, 50) && i <= THREADS; i++)
        a.t[i]->join_sites = b.t[i]->join_sites = join;
    for (unsigned step = 0; step < 150; step++) {
        uint32_t who = 1 + rng_below(&rng, threads), i = rng_below(&rng, CELLS);
        if (rng_chance(&rng, sync)) {
            uint32_t to = 1 + rng_below(&rng, threads);
            order(&a, who, to);
            order(&b, who, to);
            continue;
        }
        if (rng_chance(&rng, 3)) {
            uint32_t mask = 1 + rng_below(&rng, 15);
            gl_cell_fresh(a.core, cell_of(&a, i), mask);
            gl_cell_fresh(b.core, cell_of(&b, i), mask);
            continue;
        }
        bool pair = !exact && i % 2 == 0 && rng_chance(&rng, 40); /* a pair's site is the last access's */
        static const uint8_t masks[] = {0xF, 0xF, 0x3, 0xC, 0x1, 0x2, 0x8, 0x6};
        uint32_t mask = pair ? 0xF : masks[rng_below(&rng, sizeof masks)], site = 1 + rng_below(&rng, n_sites);
        unsigned kind = (rng_chance(&rng, reads) ? R : W) | (rng_chance(&rng, atomic) ? AR : 0);
        uint32_t first = i, last = i;
        if (rng_chance(&rng, 60))
            first = 0, last = CELLS - 1; /* as a loop does: for steps */
        for (i = first; i <= last; i += 1 + pair) {
            struct gl_race x = {0}, y = {0};
            uint32_t raced = access_by(&a, SLOW, who, i, pair, mask, kind, site, &x);
            if (raced != access_by(&b, way, who, i, pair, mask, kind, site, &y))
                fail_msg("seed %llu, step %u: another verdict", (unsigned long long)seed, step);
            if (exact && memcmp(&x, &y, sizeof x) != 0)
                fail_msg("seed %llu, step %u: the race is told otherwise", (unsigned long long)seed, step);
            if (exact)
                same_memory(&a, &b, seed, step);
        }
    }
    for (uint32_t t = 1; t <= THREADS; t++)
        for (unsigned c = 0; c < GL_COUNT_END; c++)
            taken[c] += b.t[t]->count[c];
    assert_true(world_end(&a));
    assert_true(world_end(&b));
}

/* gl_access_alone(): the same verdicts, and the same accesses remembered at the same sites. */
static void alone(void **state)
{
    (void)state;
    uint64_t taken[GL_COUNT_END] = {0};
    for (uint64_t seed = 1; seed <= 250; seed++)
        compare_ways(ALONE, true, true, seed, taken);
    assert_true(taken[GL_COUNT_stepped] > 500);
}

static void alone_pair(void **state)
{
    (void)state;
    access(1, 0, 0xF, W, 11);
    access(1, 1, 0xF, R, 12);
    access(2, 2, 0xF, R, 21);
    order(&here, 1, 3);
    access(3, 3, 0xF, R, 31); /* a segment */
    uint32_t mine = gl_half(here.t[3]->segment, 0, 0xF);
    assert_true(gl_access_alone_pair(here.t[3], cell(0), mine, false, 32));
    assert_int_equal(kept(0, 1, W, 11), 0xF); /* a read keeps the write, and covers the read before it */
    assert_int_equal(here.word[1], mine);
    assert_int_equal(kept(0, 3, R, 32) & kept(1, 3, R, 32), 0xF);
    assert_true(gl_access_alone_pair(here.t[3], cell(0), mine, true, 33));
    assert_int_equal(here.word[0], (uint64_t)mine << 32);
    assert_int_equal(here.word[1], (uint64_t)mine << 32);
    assert_int_equal(kept(0, 3, W, 33) & kept(1, 3, W, 33), 0xF);
    uint64_t was[2] = {here.word[2], here.word[3]}, was_sites = here.sites[3];
    assert_false(gl_access_alone_pair(here.t[3], cell(2), mine, true, 34)); /* an unordered read in the first: nothing is done */
    assert_int_equal(here.word[2], was[0]);
    assert_int_equal(here.word[3], was[1]);
    assert_int_equal(here.sites[3], was_sites);
}

static void alone_pair_or_not(void **state)
{
    (void)state;
    uint64_t taken[GL_COUNT_END] = {0};
    for (uint64_t seed = 501; seed <= 750; seed++)
        compare_ways(ALONE, true, false, seed, taken);
    assert_true(taken[GL_COUNT_stepped] > 300);
}

/* With groups at once, and as a program has them: the same verdicts. */
static void groups_or_not(void **state)
{
    (void)state;
    uint64_t taken[GL_COUNT_END] = {0};
    for (uint64_t seed = 1001; seed <= 1250; seed++)
        compare_ways(ALONE, false, false, seed, taken);
    assert_true(taken[GL_COUNT_groups] > 1000);
}

static void reread_or_not(void **state)
{
    (void)state;
    uint64_t taken[GL_COUNT_END] = {0};
    for (uint64_t seed = 2001; seed <= 2250; seed++)
        compare_ways(REREAD, true, false, seed, taken);
}

/* With each thread's last read in a line of its own as soon as may be, and gathered when anything else happens. */
static void spread_or_not(void **state)
{
    (void)state;
    uint64_t taken[GL_COUNT_END] = {0};
    for (uint64_t seed = 3001; seed <= 3500; seed++)
        compare_ways(SPREAD, seed % 2, false, seed, taken);
    assert_true(taken[GL_COUNT_spread] > 500);
    assert_true(taken[GL_COUNT_gathered] > 300);
}

/* Data that more threads read in every epoch than a group holds. */
static void reread(void **state)
{
    (void)state;
    for (int who = 1; who <= 8; who++)
        access(who, 0, 0xF, R, 10u * (unsigned)who);
    assert_true(cell_is_side(cell(0)));
#define again(who, i) gl_access_reread(here.t[who], cell(i), here.word[i], gl_half(here.t[who]->segment, 0, 0xF), 99)
    uint32_t older = here.t[3]->segment;
    order(&here, 3, 1);
    access(3, 1, 0xF, W, 1); /* a new segment */
    assert_int_not_equal(here.t[3]->segment, older);
    assert_true(again(3, 0));
    assert_int_equal(kept(0, 3, R, 99), 0xF);
    assert_int_equal(cell_kept(here.core, cell(0), older, R, 30), 0);
    for (int who = 1; who <= 8; who++)
        if (who != 3)
            assert_int_equal(kept(0, who, R, 10u * (unsigned)who), 0xF);
    struct gl_race r;
    gl_access(here.t[3], cell(0), 0xF, W, 31, &r);
    assert_int_equal(r.then.thread, 101); /* the first of the others, not itself */

    /* refused, and nothing is done: no record; nothing of its own; an unordered write; an atomic one */
    assert_false(again(3, 1));
    for (int who = 1; who <= 8; who++)
        access(who, 2, 0xF, R, 10u * (unsigned)who);
    gl_cell_fresh(here.core, cell(2), 0xE);
    struct gl_thread *stranger = gl_thread_create(here.core, NULL, 200, NULL);
    assert_true(gl_segment_begin(stranger));
    uint64_t word = here.word[2];
    assert_false(gl_access_reread(stranger, cell(2), word, gl_half(stranger->segment, 0, 0xF), 99));
    gl_access(stranger, cell(2), 0x8, W, 201, NULL);
    word = here.word[2];
    assert_false(again(3, 2));
    gl_cell_fresh(here.core, cell(2), 0x8);
    assert_true(again(3, 2));
    gl_access(stranger, cell(2), 0x8, AW, 202, NULL);
    assert_false(again(4, 2));
    assert_int_equal(here.word[2], word);
    assert_int_equal(kept(2, 4, R, 40), 1);
#undef again
}

#define list_test(f) cmocka_unit_test_setup_teardown(f, lists_begin, lists_end)
#define usual_test(f) cmocka_unit_test_setup_teardown(f, begin, end)
#define group_test(f) cmocka_unit_test_setup_teardown(f, begin_at_once, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        list_test(lists_are_unique), list_test(buckets_shared),      list_test(lists_without_memory), list_test(ids),
        usual_test(at_the_second_wish), group_test(at_once),         group_test(no_lists_left),       group_test(steps),
        group_test(steps_ask),       group_test(steps_of_pairs),     group_test(steps_join_sites),
        group_test(parts_become_fresh), group_test(one_remains),     group_test(groups_are_lost),
        group_test(races_in_groups), group_test(reread),             cmocka_unit_test(alone),
        group_test(alone_pair),      cmocka_unit_test(alone_pair_or_not),
        cmocka_unit_test(groups_or_not), cmocka_unit_test(reread_or_not),
        cmocka_unit_test(groups_or_not), cmocka_unit_test(spread_or_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
