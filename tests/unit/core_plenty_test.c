/* SPDX-License-Identifier: Apache-2.0
 *
 * A cell that more than a thousand threads read, each of which may be ordered before a later one or not: with records that are looked through whole, or only
 * at their end (core/cell.c, plenty()), thinned out (core/side_thin.c) and asked about by a row (core/row.c).  The judge is a clock for each thread.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/cell_inl.h"
#include "core/parts.h"
#include "core/state.h"
#include "tests/support/check.h"
#include "tests/support/fake_env.h"

enum { R = GL_ACCESS_READ, W = GL_ACCESS_WRITE, AR = GL_ACCESS_ATOMIC };
enum { THREADS = 1300, OBJECTS = 24, ROUNDS = 12, READS = 4000 };

struct clock {
    uint16_t of[THREADS];
};

static struct {
    struct fake_env env;
    struct gl_core *core;
    struct gl_thread *t[THREADS];
    struct gl_sync object[OBJECTS];
    struct clock thread[THREADS], kept[OBJECTS]; /* thread[i].of[i]: the number of the source that ends what it does now */
    _Atomic uint64_t word[1], sites[1];
    struct {
        uint16_t who, when;
        uint8_t mask;
        bool atomic;
    } read[READS];
    unsigned reads, atomics; /* how many in a hundred are atomic */
} w;

static unsigned told[2]; /* writes without a race, and with one */
static const struct gl_cell cell = {&w.word[0], &w.sites[0]};

static void join(struct clock *to, const struct clock *from)
{
    for (unsigned i = 0; i < THREADS; i++)
        to->of[i] = to->of[i] < from->of[i] ? from->of[i] : to->of[i];
}

static void source(unsigned who, unsigned o, bool assign)
{
    gl_source(w.t[who], &w.object[o], assign, 0);
    if (assign)
        w.kept[o] = w.thread[who];
    else
        join(&w.kept[o], &w.thread[who]);
    w.thread[who].of[who]++;
}

static void sink(unsigned who, unsigned o)
{
    gl_sink(w.t[who], &w.object[o]);
    join(&w.thread[who], &w.kept[o]);
}

/* As a front end does: by the short ways, then by the long one. */
static void read_cell(unsigned who, uint32_t mask, bool atomic, uint32_t site)
{
    struct gl_thread *t = w.t[who];
    check(t->segment || gl_segment_begin(t), "no memory for a segment");
    uint64_t word = gl_load_acquire(&w.word[0]);
    if (atomic || !gl_access_reread(t, cell, word, gl_half(t->segment, 0, mask), site))
        assert_int_equal(gl_access(t, cell, mask, atomic ? AR : R, site, NULL), 0);
    w.read[w.reads].who = (uint16_t)who;
    w.read[w.reads].when = w.thread[who].of[who];
    w.read[w.reads].mask = (uint8_t)mask;
    w.read[w.reads++].atomic = atomic;
}

/* The bytes of which a read is not ordered before the thread. */
static uint32_t unordered(unsigned who, bool atomic)
{
    uint32_t bytes = 0;
    for (unsigned i = 0; i < w.reads; i++)
        if (w.read[i].who != who && w.thread[who].of[w.read[i].who] < w.read[i].when && !(atomic && w.read[i].atomic))
            bytes |= w.read[i].mask;
    return bytes;
}

/* The bytes that a thread reads: most often one, of its own. */
static uint32_t bytes_of(struct rng *rng, unsigned who)
{
    return rng_chance(rng, 90) ? 1u << who % 4 : rng_chance(rng, 50) ? 0x3u << who % 2 * 2 : 0xF;
}

/* Threads read, and some of what they did passes to others; then a writer comes after all but a few of them. */
static void one_round(struct rng *rng, unsigned keeps)
{
    unsigned first = rng_below(rng, THREADS), asks = rng_below(rng, 100), writer = rng_below(rng, THREADS);
    bool same_bytes = rng_chance(rng, 50), apart[THREADS] = {false};
    for (unsigned k = rng_below(rng, 5); k > 0; k--)
        apart[rng_below(rng, THREADS)] = true; /* nobody comes after these */
    w.reads = 0;
    w.atomics = rng_chance(rng, 50) ? 1 : rng_chance(rng, 50) ? 100 : 70;
    for (unsigned i = 0; i < READS; i++) {
        unsigned who = (first + (rng_chance(rng, 70) ? i / 3 : rng_below(rng, THREADS))) % THREADS, o = rng_below(rng, OBJECTS - 1);
        if (rng_chance(rng, asks))
            sink(who, o);
        read_cell(who, same_bytes ? 1u << who % 4 : bytes_of(rng, who), rng_chance(rng, w.atomics), 1 + who);
        if (!apart[who] && !rng_chance(rng, keeps))
            source(who, o, rng_chance(rng, 30));
        else if (rng_chance(rng, 50))
            source(who, OBJECTS - 1, true); /* a segment ends, and nobody learns of it */
        if (rng_below(rng, 2000) == 0)
            gl_columns_trim(&w.core->columns);
    }
    for (unsigned i = 0; i < THREADS; i++)
        if (!apart[i])
            source(i, 0, false);
    sink(writer, 0);
    check(w.t[writer]->segment || gl_segment_begin(w.t[writer]), "no memory for a segment");
    bool atomic = rng_chance(rng, 30);
    uint32_t expected = unordered(writer, atomic);
    struct gl_race race;
    assert_int_equal(gl_access(w.t[writer], cell, 0xF, W | (atomic ? AR : 0), 9999, &race), expected);
    told[expected != 0]++;
    gl_cell_fresh(w.core, cell, 0xF);
}

static void against_clocks(uint64_t seed, bool plenty)
{
    struct rng rng = rng_seed(seed);
    memset(&w, 0, sizeof w);
    fake_env_init(&w.env);
    if (!w.env.env.fence)
        skip(); /* a kernel without membarrier */
    w.core = gl_core_create(&w.env.env);
    gl_core_as_with_plenty(w.core, plenty);
    for (unsigned i = 0; i < THREADS; i++) {
        w.t[i] = gl_thread_create(w.core, NULL, 100 + i, NULL);
        w.thread[i].of[i] = 1;
    }
    for (unsigned round = 0; round < ROUNDS; round++)
        one_round(&rng, round % 3 * 30);
    for (unsigned o = 0; o < OBJECTS; o++)
        gl_sync_free(w.core, &w.object[o]);
    gl_core_destroy(w.core);
    assert_true(fake_env_is_clean(&w.env));
}

static void few_looked_through(void **state)
{
    (void)state;
    memset(told, 0, sizeof told);
    for (uint64_t seed = 1; seed <= 5; seed++)
        against_clocks(seed, true);
    assert_true(told[0] > 5 && told[1] > 20);
}

static void all_looked_through(void **state)
{
    (void)state;
    for (uint64_t seed = 11; seed <= 15; seed++)
        against_clocks(seed, false);
}

/* Of each thread's plain reads of a byte the last one stays, wherever it stands; and of its atomic ones. */
static void thinned(void **state)
{
    (void)state;
    memset(&w, 0, sizeof w);
    fake_env_init(&w.env);
    w.core = gl_core_create(&w.env.env);
    gl_core_as_with_plenty(w.core, true);
    uint32_t id[3][3]; /* of thread, and segment */
    for (unsigned i = 0; i < 3; i++) {
        w.t[i] = gl_thread_create(w.core, NULL, 100 + i, NULL);
        for (unsigned k = 0; k < 3; k++) {
            assert_true(gl_segment_begin(w.t[i]));
            id[i][k] = w.t[i]->segment;
            gl_source(w.t[i], &w.object[i], true, 0);
        }
    }
    struct gl_side *r = gl_side_alloc(gl_core_sides(w.core), 13);
    assert_non_null(r);
    const struct gl_entry all[] = {
        {gl_half(id[0][0], 0, 0xF), 1},                     /* a write, which stays */
        {gl_half(id[0][1], 0, 0xF), 2}, {gl_half(id[0][0], 0, 0x3), 3}, /* the later one first */
        {gl_half(id[1][0], 0, 0x3), 4}, {gl_half(id[1][1], 1, 0xF), 5}, {gl_half(id[1][1], 0, 0x7), 6},
        {gl_half(id[1][2], 0, 0x3), 7}, /* some bytes of the one before */
        {gl_half(id[2][1], 0, 0x1), 8}, {gl_half(id[2][0], 0, 0x3), 9}, /* the same, the later one first */
        {gl_half(id[2][1], 0, 0x1), 10}, /* twice */
        {gl_half(id[1][0], 1, 0x5), 11}, /* before the one above */
        {gl_half(id[2][2], 1, 0x5), 12}, {gl_half(id[2][1], 1, 0xC), 13},
    };
    memcpy(r->entry, all, sizeof all);
    gl_side_set_counts(r, 1, 12);
    assert_int_equal(gl_side_thin(w.core, r), 9);
    static const uint32_t left[] = {1, 2, 5, 6, 7, 8, 9, 12, 13}, bytes[] = {0xF, 0xF, 0xF, 0x4, 0x3, 0x1, 0x2, 0x5, 0x8};
    for (unsigned i = 0; i < 9; i++) {
        assert_int_equal(r->entry[i].site, left[i]);
        assert_int_equal(gl_half_mask(r->entry[i].half), bytes[i]);
    }
    assert_int_equal(r->n_writes, 1);
    assert_int_equal(r->n_reads, 8);
    gl_side_free(gl_core_sides(w.core), r);
    for (unsigned i = 0; i < 3; i++)
        gl_sync_free(w.core, &w.object[i]);
    gl_core_destroy(w.core);
    assert_true(fake_env_is_clean(&w.env));
}

/* A record that is full and cannot grow: a read is not recorded, which is said; a write finds the races, and what it covers goes. */
static void full(void **state)
{
    (void)state;
    memset(&w, 0, sizeof w);
    fake_env_init(&w.env);
    w.core = gl_core_create(&w.env.env);
    w.core->plenty_reads = UINT32_MAX; /* one thread's stand for those of as many threads, below */
    for (unsigned i = 0; i < 4; i++)
        w.t[i] = gl_thread_create(w.core, NULL, 100 + i, NULL);
    uint32_t most = gl_side_capacity(GL_SIDE_CLASSES - 1);
    assert_int_equal(gl_access(w.t[3], cell, 0x4, W, 4, NULL), 0);
    gl_source(w.t[3], &w.object[0], true, 0);
    gl_sink(w.t[1], &w.object[0]);
    assert_true(gl_segment_begin(w.t[0]));
    struct gl_side *r = gl_side_alloc(gl_core_sides(w.core), most);
    assert_non_null(r);
    r->entry[0] = (struct gl_entry){(uint32_t)(w.word[0] >> 32), 4};
    for (uint32_t i = 1; i < most; i++) /* as many as there may be of different threads */
        r->entry[i] = (struct gl_entry){gl_half(w.t[0]->segment, 0, 0x1), 5};
    gl_side_set_counts(r, 1, most - 1);
    w.word[0] = (uint64_t)GL_CELL_SIDE << 32 | (uint32_t)r->self << 4;
    for (int i = 0; i < 3; i++)
        assert_int_equal(gl_access(w.t[1], cell, 0x6, R, 7, NULL), GL_ACCESS_NOMEM);
    struct gl_race race;
    assert_int_equal(gl_access(w.t[2], cell, 0x6, R, 8, &race), 0x4); /* with t[3]'s write */
    assert_int_equal(race.then.site, 4);
    assert_int_equal(gl_access(w.t[1], cell, 0x1, W, 9, &race), 0x1);
    assert_int_equal(race.then.site, 5);
    assert_int_equal(gl_access(w.t[1], cell, 0xF, R, 10, &race), 0);
    assert_int_equal(gl_access(w.t[2], cell, 0x1, R, 11, &race), 0x1);
    assert_int_equal(race.then.site, 9);
    gl_sync_free(w.core, &w.object[0]);
    gl_core_destroy(w.core);
    assert_true(fake_env_is_clean(&w.env));
}

/* A full record that cannot grow, of which thinning out takes one read only: those that are ordered before go at once, or the next ones would find no room. */
static void nearly_full(void **state)
{
    (void)state;
    memset(&w, 0, sizeof w);
    fake_env_init(&w.env);
    w.core = gl_core_create(&w.env.env);
    w.core->plenty_reads = UINT32_MAX; /* as in full() */
    for (unsigned i = 0; i < 4; i++) {
        w.t[i] = gl_thread_create(w.core, NULL, 100 + i, NULL);
        assert_true(gl_segment_begin(w.t[i]));
    }
    uint32_t most = gl_side_capacity(GL_SIDE_CLASSES - 1), ordered = w.t[0]->segment, alone = w.t[3]->segment;
    struct gl_side *r = gl_side_alloc(gl_core_sides(w.core), most);
    assert_non_null(r);
    for (uint32_t i = 0; i < most; i++)
        r->entry[i] = (struct gl_entry){gl_half(i < most - 2 ? ordered : alone, 0, 0x1), 5};
    gl_side_set_counts(r, 0, most);
    w.word[0] = (uint64_t)GL_CELL_SIDE << 32 | (uint32_t)r->self << 4;
    gl_source(w.t[0], &w.object[0], true, 0);
    gl_sink(w.t[1], &w.object[0]);
    gl_thread_ends_alone(w.t[3], 0);
    gl_thread_end(w.t[3], &w.object[1]);
    assert_int_equal(gl_access(w.t[1], cell, 0x1, R, 7, NULL), 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(gl_access(w.t[2], cell, 0x1, R, 8, NULL), 0);
    struct gl_race race;
    assert_int_equal(gl_access(w.t[0], cell, 0x1, W, 9, &race), 0x1);
    for (unsigned i = 0; i < 2; i++)
        gl_sync_free(w.core, &w.object[i]);
    gl_core_destroy(w.core);
    assert_true(fake_env_is_clean(&w.env));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full),
        cmocka_unit_test(nearly_full),
        cmocka_unit_test(thinned),
        cmocka_unit_test(few_looked_through),
        cmocka_unit_test(all_looked_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
