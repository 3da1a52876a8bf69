/* SPDX-License-Identifier: Apache-2.0
 *
 * Cells: the table of core/cell.h row by row, how entries lie in a word and in a side record, what a race says, growth to
 * a thousand readers, fresh memory, the quick transitions against the slow ones, and many threads at one cell.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/cell_inl.h"
#include "core/core.h"
#include "core/state.h"
#include "tests/unit/core_cell.h"

static uint32_t side_class(void) { return gl_side_at(gl_core_sides(core), gl_cell_side(word[0]))->cls; }

/* ---- the table ---- */

enum fate { NO, WHEN_ORDERED, ALWAYS };
static const unsigned kinds[4] = {W, R, AW, AR};
static const enum fate table[4][4] = {
    /* e \ n             plain write  plain read     atomic write   atomic read */
    /* plain write   */ {ALWAYS,      NO,            NO,            NO},
    /* plain read    */ {ALWAYS,      WHEN_ORDERED,  NO,            NO},
    /* atomic write  */ {ALWAYS,      NO,            WHEN_ORDERED,  NO},
    /* atomic read   */ {ALWAYS,      WHEN_ORDERED,  WHEN_ORDERED,  WHEN_ORDERED},
};

/* An access e of t1, then n of t2: is their race told, and is e remembered where n does not stand for it? */
static void cover_table(void **state)
{
    (void)state;
    for (int e = 0; e < 4; e++)
        for (int n = 0; n < 4; n++)
            for (int ordered = 0; ordered < 2; ordered++) {
                assert_int_equal(word[0], 0);
                assert_int_equal(access(1, 15, kinds[e], 11), 0);
                uint32_t first = t[1]->segment;
                if (ordered)
                    order(t[1], t[2]);
                bool conflict = ((kinds[e] | kinds[n]) & W) && !(kinds[e] & kinds[n] & AR);
                assert_int_equal(access(2, 15, kinds[n], 22), conflict && !ordered ? 15 : 0);
                assert_int_equal(kept(t[2]->segment, kinds[n], 22), 15);
                uint32_t still = kept(first, kinds[e], 11);
                if (table[e][n] == ALWAYS)
                    assert_int_equal(still, 0);
                else if (table[e][n] == NO || !ordered)
                    assert_int_equal(still, 15); /* "when ordered" it may go, now or later */
                forget_all();
                gl_source(t[1], &(struct gl_sync){0}, true, 0);
                gl_source(t[2], &(struct gl_sync){0}, true, 0);
            }
}

/* Two accesses of one segment, where e may stand for n as well: whatever is remembered, a stranger's access races if it
 * conflicts with either. */
static void cover_table_same_segment(void **state)
{
    (void)state;
    for (int e = 0; e < 4; e++)
        for (int n = 0; n < 4; n++)
            for (int x = 0; x < 4; x++) {
                bool conflict = false;
                access(1, 15, kinds[e], 11);
                uint32_t segment = t[1]->segment;
                assert_int_equal(access(1, 15, kinds[n], 22), 0);
                assert_int_equal(t[1]->segment, segment);
                for (int k = 0; k < 2; k++) {
                    unsigned a = kinds[k ? e : n];
                    conflict |= ((a | kinds[x]) & W) && !(a & kinds[x] & AR);
                }
                assert_int_equal(access(2, 15, kinds[x], 33), conflict ? 15 : 0);
                forget_all();
            }
}

/* Through the slow path, which counts: the rule same-segment. */
static void same_segment_counts(void **state)
{
    (void)state;
    access(1, 15, AW, 11);
    uint64_t was = t[1]->count[GL_COUNT_rule_same_segment], w = word[0];
    access(1, 15, AW, 22);
    access(1, 3, AR, 22);
    assert_int_equal(t[1]->count[GL_COUNT_rule_same_segment], was + 2);
    assert_int_equal(word[0], w);
    assert_int_equal(kept(0, AW, 11), 15); /* the first site stays */
    assert_int_equal(t[1]->count[GL_COUNT_reads], 1);
    assert_int_equal(t[1]->count[GL_COUNT_writes], 2);
    assert_int_equal(t[1]->count[GL_COUNT_rule_fresh], 1);
    assert_int_equal(t[1]->count[GL_COUNT_segments], 1);
}

/* ---- how it lies in memory ---- */

static void word_layout(void **state)
{
    (void)state;
    access(1, 0xF, W, 7);
    assert_int_equal(word[0], (uint64_t)gl_half(t[1]->segment, 0, 0xF) << 32);
    assert_int_equal(sites[0] >> 32, 7);
    assert_int_equal(access(2, 0x3, AR, 8), 0x3);
    assert_int_equal(word[0], (uint64_t)gl_half(t[1]->segment, 0, 0xF) << 32 | gl_half(t[2]->segment, 1, 0x3));
    assert_int_equal(sites[0], 7ull << 32 | 8);
    assert_int_equal(gl_half_segment((uint32_t)word[0]), t[2]->segment);
    assert_int_equal(gl_half_mask((uint32_t)word[0]), 0x3);
}

static void bytes_of_one_word(void **state)
{
    (void)state;
    assert_int_equal(access(1, 1, W, 7), 0);
    assert_int_equal(access(1, 2, W, 7), 0); /* the same segment and site: one entry */
    assert_false(is_side());
    assert_int_equal(kept(t[1]->segment, W, 7), 3);
    assert_int_equal(access(2, 4, W, 8), 0); /* a neighbour: never widened, never dropped */
    assert_true(is_side());
    assert_int_equal(t[2]->count[GL_COUNT_cells_split], 1);
    assert_int_equal(kept(t[1]->segment, W, 7), 3);
    assert_int_equal(kept(t[2]->segment, W, 8), 4);
    assert_int_equal(access(3, 2, R, 9), 2);
    assert_int_equal(access(3, 8, R, 9), 0);
    assert_int_equal(access(2, 0xE, W, 10), 0xA); /* 2: t1's write and t3's read; 4: its own; 8: t3's read */
    assert_int_equal(kept(t[1]->segment, W, 7), 1);
    assert_int_equal(kept(0, R, 9), 0);
    assert_int_equal(kept(t[2]->segment, W, 8) | kept(t[2]->segment, W, 10), 0xE);
    assert_int_equal(access(4, 0xF, W, 11), 0xF);
    assert_false(is_side()); /* one entry again */
    assert_int_equal(t[4]->count[GL_COUNT_cells_joined], 1);
    assert_int_equal(kept(t[4]->segment, W, 11), 0xF);
}

/* Without a way to join sites, each byte keeps the site that was there. */
static void sites_of_one_segment(void **state)
{
    (void)state;
    for (unsigned kind = R; kind <= W; kind++) {
        access(1, 1, kind, 7);
        access(1, 6, kind, 8);
        access(1, 8, kind, 7);
        assert_int_equal(kept(t[1]->segment, kind, 7), 9);
        assert_int_equal(kept(t[1]->segment, kind, 8), 6);
        forget_all();
    }
}

static uint32_t joined_calls;
static uint32_t join(void *ctx, uint32_t old, uint32_t old_bytes, uint32_t fresh, uint32_t fresh_bytes)
{
    assert_ptr_equal(ctx, &joined_calls);
    assert_int_equal(old_bytes & fresh_bytes, 0);
    joined_calls++;
    return old >= 100 ? 0 : 100 * fresh + 10 * fresh_bytes + old;
}

static void sites_are_joined(void **state)
{
    (void)state;
    t[1]->join_sites = join;
    t[1]->join_ctx = &joined_calls;
    for (unsigned kind = R; kind <= AW; kind++) {
        joined_calls = 0;
        access(1, 1, kind, 7);
        access(1, 2, kind, 7); /* nothing to join */
        assert_int_equal(joined_calls, 0);
        access(1, 4, kind, 8);
        assert_int_equal(joined_calls, 1);
        assert_int_equal(kept(t[1]->segment, kind, 847), 7);
        assert_false(is_side());
        access(1, 8, kind, 9); /* refused: a side record keeps both */
        assert_in_range(joined_calls, 2, 3);
        assert_int_equal(kept(t[1]->segment, kind, 847), 7);
        assert_int_equal(kept(t[1]->segment, kind, 9), 8);
        forget_all();
    }
}

/* ---- what a race says ---- */

static void race_fields(void **state)
{
    (void)state;
    struct gl_race r;
    access(1, 0x8, W, 11);
    access(2, 0x6, AW, 12);
    access(3, 0x6, AW, 13);
    memset(&r, 0xEE, sizeof r);
    assert_int_equal(gl_access(t[4], cell, 0x9, R, 14, &r), 0x8);
    assert_int_equal(r.then.thread, 101);
    assert_int_equal(r.then.site, 11);
    assert_true(r.then.write);
    assert_false(r.then.atomic);
    assert_int_equal(r.then_bytes, 0x8);
    assert_int_equal(r.now.thread, 104);
    assert_int_equal(r.now.site, 14);
    assert_false(r.now.write);
    assert_false(r.now.atomic);
    /* several: the one on the lowest byte, wherever it stands in the record */
    assert_int_equal(gl_access(t[3], cell, 0xF, W, 15, &r), 0xF);
    assert_int_equal(r.then.thread, 104);
    assert_int_equal(r.then.site, 14);
    assert_false(r.then.write);
    assert_int_equal(r.then_bytes, 0x9);
    assert_true(r.now.write);
    assert_int_equal(t[4]->count[GL_COUNT_rule_race], 1);
    assert_int_equal(t[3]->count[GL_COUNT_rule_race], 1);
    forget_all();
    access(1, 0x8, W, 21);
    access(2, 0x4, AW, 22);
    access(3, 0x2, W, 23);
    assert_int_equal(gl_access(t[4], cell, 0xE, R, 24, &r), 0xE);
    assert_int_equal(r.then.site, 23);
    assert_int_equal(gl_access(t[4], cell, 0xC, W, 25, &r), 0xC);
    assert_int_equal(r.then.site, 22);
    assert_true(r.then.atomic);
    forget_all();
    access(1, 0x1, W, 31);
    access(2, 0x2, W, 32);
    access(3, 0x4, R, 33);
    assert_int_equal(gl_access(t[4], cell, 0xF, W, 34, &r), 0x7);
    assert_int_equal(r.then.site, 31);
}

/* ---- readers ---- */

/* One unordered reader among many; every one is kept. */
static void a_thousand_readers(void **state)
{
    (void)state;
    enum { READERS = 1100 };
    struct gl_sync s = {0};
    uint32_t most = 0;
    for (uint32_t i = 0; i < READERS; i++) {
        struct gl_thread *u = gl_thread_create(core, NULL, 1000 + i, NULL);
        assert_int_equal(gl_access(u, cell, 15, R, 5000 + i, NULL), 0);
        if (i != 777)
            gl_source(u, &s, false, 0);
        if (i) {
            assert_true(side_class() >= most); /* it grows by classes, and holds what was in it */
            most = side_class();
            assert_true(gl_side_capacity(most) >= i + 1);
        }
    }
    struct gl_side *r = gl_side_at(gl_core_sides(core), gl_cell_side(word[0]));
    assert_int_equal(r->n_writes, 0);
    assert_int_equal(r->n_reads, READERS);
    assert_int_equal(most, 10); /* as many as their lines may hold, since they were spread: 4,101; else 8, for 1023 do not suffice */
    for (uint32_t i = 0; i < READERS; i++)
        assert_int_equal(kept(0, R, 5000 + i), 15);
    struct gl_race race;
    gl_sink(t[1], &s);
    assert_int_equal(gl_access(t[1], cell, 15, W, 1, &race), 15);
    assert_int_equal(race.then.thread, 1777);
    assert_int_equal(race.then.site, 5777);
    assert_false(is_side());
    assert_int_equal(t[1]->count[GL_COUNT_cells_joined], 1);
    assert_int_equal(kept(t[1]->segment, W, 1), 15);
}

/* Readers that are ordered one after another do not pile up (as long as they are not many, GL_MANY), and the one that is not is never among those that go. */
static void readers_in_turn(void **state)
{
    (void)state;
    enum { READERS = GL_MANY - 16 };
    struct gl_sync s = {0};
    uint32_t was = 0, grown = 0;
    assert_int_equal(access(1, 15, R, 4999), 0);
    for (uint32_t i = 0; i < READERS; i++) {
        struct gl_thread *u = gl_thread_create(core, NULL, 1000 + i, NULL);
        gl_sink(u, &s);
        assert_int_equal(gl_access(u, cell, 15, R, 5000 + i, NULL), 0);
        gl_source(u, &s, true, 0);
        assert_int_equal(kept(t[1]->segment, R, 4999), 15);
        assert_int_equal(kept(0, R, 5000 + i), 15);
        if (side_class() > was) { /* it was full: all but two were dropped on the way */
            assert_int_equal(gl_side_at(gl_core_sides(core), gl_cell_side(word[0]))->n_reads, 2);
            was = side_class();
            grown++;
        }
    }
    assert_true(grown > 0);
    struct gl_race r;
    gl_sink(t[2], &s);
    assert_int_equal(gl_access(t[2], cell, 15, W, 1, &r), 15);
    assert_int_equal(r.then.site, 4999);
}

/* Nor do those of many threads that take turns again and again, whatever room the record has from a time when they were not ordered. */
static void readers_in_turn_among_many(void **state)
{
    (void)state;
    if (!env.env.fence) /* a kernel without membarrier */
        skip();
    enum { READERS = GL_MANY + 64, TURNS = 3 };
    struct gl_sync s = {0};
    struct gl_thread *u[READERS];
    for (uint32_t i = 0; i < READERS; i++)
        u[i] = gl_thread_create(core, NULL, 1000 + i, NULL);
    for (uint32_t i = 0; i < READERS; i++) { /* none is before another */
        assert_int_equal(gl_access(u[i], cell, 15, R, 3000 + i, NULL), 0);
        gl_source(u[i], &s, false, 0);
    }
    assert_int_equal(gl_side_at(gl_core_sides(core), gl_cell_side(word[0]))->n_reads, READERS);
    gl_sink(t[2], &s);
    assert_int_equal(access(2, 15, W, 4998), 0); /* forgets them */
    gl_source(t[2], &s, true, 0);
    assert_int_equal(access(1, 15, AR, 4999), 15);
    for (uint32_t i = 0; i < READERS * TURNS; i++) {
        struct gl_thread *now = u[i % READERS];
        gl_sink(now, &s);
        assert_int_equal(gl_access(now, cell, 15, R, 5000 + i, NULL), 0);
        gl_source(now, &s, true, 0);
        assert_int_equal(kept(t[1]->segment, AR, 4999), 15);
        assert_int_equal(kept(0, R, 5000 + i), 15);
        assert_true(!is_side() || gl_side_at(gl_core_sides(core), gl_cell_side(word[0]))->n_reads <= 7);
    }
}

/* The largest record: one more is refused, and the record is as it was. */
static void record_full(void **state)
{
    (void)state;
    const uint32_t full_count = gl_side_capacity(GL_SIDE_CLASSES - 1);
    assert_true(full_count <= UINT16_MAX); /* the width of n_reads */
    core->plenty_reads = UINT32_MAX; /* one thread's stand for those of as many threads */
    access(1, 15, R, 11);
    struct gl_side *r = gl_side_alloc(gl_core_sides(core), full_count);
    for (uint32_t i = 0; i < full_count; i++)
        r->entry[i] = (struct gl_entry){(uint32_t)word[0], 11};
    r->n_writes = 0;
    r->n_reads = full_count & UINT16_MAX;
    const uint64_t full = (uint64_t)GL_CELL_SIDE << 32 | (uint32_t)r->self << 4;
    word[0] = full;
    assert_int_equal(gl_cell_side(full), r->self);
    assert_int_equal(access(2, 15, R, 22), GL_ACCESS_NOMEM);
    assert_int_equal(word[0], full);
    assert_int_equal(r->n_reads, full_count);
    forget_all();
    assert_int_equal(word[0], 0);
    assert_int_equal(access(2, 15, R, 22), 0);
}

/* ---- fresh memory ---- */

static void fresh(void **state)
{
    (void)state;
    forget_all(); /* nothing is there */
    assert_int_equal(word[0], 0);
    access(1, 0xF, W, 11);
    access(1, 0x3, AR, 12);
    gl_cell_fresh(core, cell, 0x3); /* a part of a word; a half without bytes has no segment either */
    assert_int_equal(kept(t[1]->segment, W, 11), 0xC);
    assert_int_equal((uint32_t)word[0], 0);
    assert_int_equal(access(2, 0x3, W, 13), 0);
    assert_true(is_side());
    gl_cell_fresh(core, cell, 0x9); /* a part of a side record */
    assert_int_equal(kept(t[1]->segment, W, 11), 0x4);
    assert_int_equal(kept(t[2]->segment, W, 13), 0x2);
    gl_cell_fresh(core, cell, 0x4);
    assert_int_equal(access(3, 0xD, W, 14), 0);
    assert_int_equal(access(3, 0x2, R, 14), 0x2);
    forget_all(); /* all of a side record */
    assert_int_equal(word[0], 0);
    assert_int_equal(access(4, 0xF, W, 15), 0);
}

/* Side records that came and went are there for the next: their number does not grow. */
static void side_records_come_back(void **state)
{
    (void)state;
    uint32_t used = 0;
    for (int i = 0; i < 1000; i++) {
        access(1, 1, AW, 1); /* atomic ones are in no group */
        access(2, 2, AW, 2);
        access(3, 4, AW, 3);
        assert_true(is_side());
        if (i % 2)
            forget_all();
        else
            access(4, 15, W, 4);
        assert_false(is_side());
        forget_all();
        if (i == 200)
            used = gl_core_sides(core)->next;
    }
    assert_int_equal(gl_core_sides(core)->next, used);
}

/* ---- memory ---- */

static void no_memory(void **state)
{
    (void)state;
    env.fail_at = env.maps + 1; /* the table of segments */
    assert_int_equal(access(1, 1, W, 1), GL_ACCESS_NOMEM);
    assert_int_equal(word[0], 0);
    assert_int_equal(access(1, 1, W, 1), 0);
    assert_int_equal(access(2, 2, AR, 2), 0);
    uint64_t was = word[0], was_sites = sites[0];
    env.fail_at = env.maps + 1; /* the side record: atomic accesses are in no group */
    assert_int_equal(access(3, 4, AW, 3), GL_ACCESS_NOMEM);
    assert_int_equal(word[0], was); /* unlocked, and nothing lost */
    assert_int_equal(sites[0], was_sites);
    assert_int_equal(access(3, 4, AW, 3), 0);
    assert_true(is_side());
    assert_int_equal(kept(t[1]->segment, W, 1), 1);
    assert_int_equal(kept(t[2]->segment, AR, 2), 2);
    assert_int_equal(kept(t[3]->segment, AW, 3), 4);
}

#define cell_test(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cell_test(cover_table),
        cell_test(cover_table_same_segment),
        cell_test(same_segment_counts),
        cell_test(word_layout),
        cell_test(bytes_of_one_word),
        cell_test(sites_of_one_segment),
        cell_test(sites_are_joined),
        cell_test(race_fields),
        cell_test(a_thousand_readers),
        cell_test(readers_in_turn),
        cell_test(readers_in_turn_among_many),
        cell_test(record_full),
        cell_test(fresh),
        cell_test(side_records_come_back),
        cell_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
