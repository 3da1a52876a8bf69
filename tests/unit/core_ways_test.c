/* SPDX-License-Identifier: Apache-2.0
 *
 * The ways past the slow path (a cell that is the caller's alone, a read again, spread reads) against gl_access(), on random sequences.
 */
#include "tests/unit/core_world.h"

enum way { SLOW, ALONE, PARTS, SIDES, LOCKED, LOCKED_SIDES, REREAD, PLENTY, SPREAD }; /* SIDES: with side records and no groups */

static uint64_t parts_alone; /* accesses that gl_access_parts_alone() did, or gl_access_parts() */
static uint64_t seen_alone;  /* those of them that gl_side_seen_alone() knew */
static uint32_t told[CELLS]; /* bytes of which a race was told */

/* An access (a half) that was seen is passed over; does the slow path more?  A race of its bytes that was told is told again (docs/concurrency.md,
 * F.1), in a full record it makes room, and a write drops reads of its own segment that came after an earlier one. */
static bool more_happens(struct world *w, uint32_t i, uint32_t mine, bool write)
{
    const struct gl_side *r =
        gl_side_at(gl_core_sides(w->core), gl_cell_side(gl_load_relaxed(cell_of(w, i).word)));
    uint32_t total = r->n_writes + r->n_reads;
    bool more = (told[i] & mine) || total >= gl_side_capacity(r->cls);
    for (uint32_t k = r->n_writes; k < total && write; k++)
        more |= (r->entry[k].half ^ mine) <= 0xF && (r->entry[k].half & mine & 0xF);
    return more;
}

/* Has the record as many accesses as the slow path asks about, for those that can go?  The other ways leave that to it. */
static bool thrift_happens(struct world *w, uint32_t i)
{
    const struct gl_side *r =
        gl_side_at(gl_core_sides(w->core), gl_cell_side(gl_load_relaxed(cell_of(w, i).word)));
    uint32_t total = (uint32_t)r->n_writes + r->n_reads;
    return (total & (total + 2)) == 0;
}

/* One access to all bytes of the two cells from `i` on, or to `mask` of one of them.  The bytes that race, a byte of result for each cell. */
static uint32_t access_by(struct world *w, enum way way, uint32_t who, uint32_t i, bool pair, uint32_t mask, unsigned kind,
                          uint32_t site, struct gl_race *race)
{
    struct gl_thread *t = w->t[who];
    uint32_t raced = 0;
    check(t->segment || gl_segment_begin(t), "no memory for a segment");
    bool plain = !(kind & AR), write = (kind & W) != 0, parts = way == PARTS || way == SIDES;
    uint32_t mine = gl_half(t->segment, 0, mask);
    if (pair && plain && way == ALONE && gl_access_alone_pair(t, cell_of(w, i), mine, write, site))
        return 0;
    if (pair && plain && way >= REREAD && gl_access_quick_pair(t, cell_of(w, i), write, site))
        return 0;
    for (uint32_t k = 0; k <= pair; k++) {
        struct gl_cell c = cell_of(w, i + k);
        bool side = gl_load_relaxed(c.word) >> 32 == GL_CELL_SIDE;
        if (plain && (way == ALONE || (parts && !side)) && gl_access_alone(t, c, mine, write, site))
            continue;
        bool seen = side && gl_side_seen_alone(c, mine, write);
        if (plain && parts && !(side && thrift_happens(w, i + k)) && !(seen && more_happens(w, i + k, mine, write)) &&
            gl_access_parts_alone(t, c, mine, write, site)) {
            parts_alone++;
            seen_alone += seen;
            continue;
        }
        if (plain && (way == LOCKED || way == LOCKED_SIDES)) {
            if (gl_access_quick(t, c, mask, write, site))
                continue;
            side = gl_load_relaxed(c.word) >> 32 == GL_CELL_SIDE;
            if (!(side && thrift_happens(w, i + k)) && gl_access_parts(t, c, mine, write, site)) {
                parts_alone++;
                continue;
            }
        }
        if (kind == R && way >= REREAD && gl_access_reread(t, c, *c.word, mine, site))
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
    world_begin(&b, way != SPREAD && way != PLENTY && way != SIDES && way != LOCKED_SIDES); /* groups leave no side records to be spread */
    gl_core_spread_at_once(b.core, way == SPREAD);
    gl_core_as_with_plenty(b.core, way == PLENTY);
    uint32_t threads = 2 + rng_below(&rng, 4), n_sites = 1 + rng_below(&rng, 3), atomic = rng_chance(&rng, 50) ? 0 : 10;
    uint32_t sync = 2 + rng_below(&rng, 20), reads = 20 + rng_below(&rng, 70);
    for (uint32_t i = 1; rng_chance(&rng, 50) && i <= THREADS; i++)
        a.t[i]->join_sites = b.t[i]->join_sites = join;
    for (uint32_t i = 1; (way == SIDES || way == LOCKED_SIDES) && i <= THREADS; i++)
        a.t[i]->credit = b.t[i]->credit = INT32_MIN / 2;
    memset(told, 0, sizeof told);
    for (unsigned step = 0; step < 150; step++) {
        uint32_t who = 1 + rng_below(&rng, threads), i = rng_below(&rng, CELLS);
        if ((way == SIDES || way == LOCKED_SIDES) && rng_chance(&rng, 80))
            who = 1; /* else most bytes' races are told */
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
            told[i] &= ~mask;
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
            told[i] |= raced & 0xF;
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

/* gl_access_parts_alone(): the same, with groups at once and without. */
static void alone_in_parts(void **state)
{
    (void)state;
    uint64_t taken[GL_COUNT_END] = {0};
    parts_alone = 0;
    for (uint64_t seed = 251; seed <= 500; seed++)
        compare_ways(PARTS, true, true, seed, taken);
    assert_true(parts_alone > 5000);
    for (uint64_t seed = 751; seed <= 1000; seed++)
        compare_ways(PARTS, false, false, seed, taken);
    assert_true(taken[GL_COUNT_cells_split] > 1000);
    seen_alone = 0;
    for (uint64_t seed = 1251; seed <= 1500; seed++)
        compare_ways(SIDES, false, true, seed, taken);
    assert_true(seen_alone > 1000);
}

/* gl_access_parts(): the same again, with the cell locked. */
static void in_parts(void **state)
{
    (void)state;
    uint64_t taken[GL_COUNT_END] = {0};
    parts_alone = 0;
    for (uint64_t seed = 1501; seed <= 1750; seed++)
        compare_ways(LOCKED, true, true, seed, taken);
    assert_true(parts_alone > 5000);
    parts_alone = 0;
    for (uint64_t seed = 1751; seed <= 2000; seed++)
        compare_ways(LOCKED_SIDES, false, true, seed, taken);
    assert_true(parts_alone > 5000);
    assert_true(taken[GL_COUNT_cells_split] > 1000);
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

/* With only the newest reads looked through for a thread's own, so that it may have several. */
static void plenty_or_not(void **state)
{
    (void)state;
    uint64_t taken[GL_COUNT_END] = {0};
    for (uint64_t seed = 4001; seed <= 4500; seed++)
        compare_ways(PLENTY, seed % 2, false, seed, taken);
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
}

/* Where its read was found the last time is where it is looked for, and no more than that. */
static void reread_where_it_was(void **state)
{
    (void)state;
    for (int who = 1; who <= 8; who++)
        access(who, 0, 0xF, R, 10u * (unsigned)who);
    order(&here, 3, 1);
    access(3, 1, 0xF, W, 1); /* a new segment */
    assert_true(again(3, 0));
    struct gl_side *r = gl_side_at(gl_core_sides(here.core), gl_cell_side(here.word[0]));
    uint32_t own = r->n_writes;
    while (r->entry[own].site != 99)
        own++;
    uint32_t other = own == r->n_writes ? own + 1 : own - 1;
    struct gl_entry moved = r->entry[own]; /* another's access has moved it */
    r->entry[own] = r->entry[other];
    r->entry[other] = moved;
    order(&here, 3, 1);
    assert_true(gl_segment_begin(here.t[3]));
    assert_true(again(3, 0));
    assert_int_equal(kept(0, 3, R, 99), 0xF);
    assert_int_equal(gl_half_segment(r->entry[other].half), here.t[3]->segment);
    for (int who = 1; who <= 8; who++)
        if (who != 3)
            assert_int_equal(kept(0, who, R, 10u * (unsigned)who), 0xF);
    /* A second one of its own, of another kind: they are not one. */
    order(&here, 3, 1);
    access(3, 0, 0xF, AR, 32);
    order(&here, 3, 1);
    assert_true(gl_segment_begin(here.t[3]));
    assert_false(again(3, 0));
    assert_int_equal(kept(0, 3, R, 99), 0);
}
#undef again

/* What a cell with a side record says of its owner's segment is gone with the next change that is not the owner's. */
static void seen_alone_no_longer(void **state)
{
    (void)state;
    assert_true(gl_segment_begin(here.t[1]));
    uint32_t mine = gl_half(here.t[1]->segment, 0, 0x4);
    access(2, 0, 0x1, W, mine); /* a site that looks like it */
    order(&here, 2, 1);
    access(2, 0, 0x2, W, mine);
    assert_true(cell_is_side(cell(0)));
    assert_false(gl_side_seen_alone(cell(0), mine, true));
    order(&here, 2, 1);
#define make(s) gl_access_parts_alone(here.t[1], cell(0), mine, true, s)
    assert_true(make(11));
    assert_true(cell_is_side(cell(0)));
    assert_true(gl_side_seen_alone(cell(0), mine, true));
    assert_true(gl_side_seen_alone(cell(0), mine, false));
    assert_false(gl_side_seen_alone(cell(0), mine | 0x8, false));
    access(3, 0, 0x8, R, 31);
    assert_false(gl_side_seen_alone(cell(0), mine, false));
    assert_true(make(12)); /* it is there: nothing changes */
    assert_true(gl_side_seen_alone(cell(0), mine, true));
    assert_int_equal(kept(0, 1, W, 11), 0x4);
    assert_true(gl_access_parts(here.t[1], cell(0), (mine & ~0xFu) | 0x8, false, 14)); /* with the cell locked, so it may be nobody's */
    assert_int_equal(kept(0, 1, R, 14), 0x8);
    assert_false(gl_side_seen_alone(cell(0), mine, true));
    assert_true(cell_is_side(cell(0)));
    assert_true(make(13));
    gl_cell_fresh(here.core, cell(0), 0x4);
    assert_true(cell_is_side(cell(0)));
    assert_false(gl_side_seen_alone(cell(0), mine, false));
    assert_true(make(13));
    assert_int_equal(kept(0, 1, W, 13), 0x4);
#undef make
}

#define group_test(f) cmocka_unit_test_setup_teardown(f, begin_at_once, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        group_test(reread),
        group_test(reread_where_it_was),
        cmocka_unit_test(alone),
        cmocka_unit_test(alone_in_parts),
        cmocka_unit_test(in_parts),
        cmocka_unit_test_setup_teardown(seen_alone_no_longer, begin, end),
        group_test(alone_pair),
        cmocka_unit_test(alone_pair_or_not),
        cmocka_unit_test(groups_or_not),
        cmocka_unit_test(reread_or_not),
        cmocka_unit_test(plenty_or_not),
        cmocka_unit_test(spread_or_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
