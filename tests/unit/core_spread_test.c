/* SPDX-License-Identifier: Apache-2.0
 *
 * Spread records: reads that each thread keeps in a line of its own, and what becomes of them when they are gathered
 * (docs/concurrency.md, C.8).  Held against the slow twin on random sequences: core_group_test.c.
 */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/cell_inl.h"
#include "core/state.h"
#include "tests/support/fake_env.h"

enum { R = GL_ACCESS_READ, W = GL_ACCESS_WRITE, AR = GL_ACCESS_ATOMIC, READERS = 4, MANY = 16 };

static struct fake_env env;
static struct gl_core *core;
static struct gl_thread *t[MANY]; /* after nothing, each; t[0] wrote first, before all others.  As many as the smallest spread record is for */
static _Atomic uint64_t word[1], sites[1];
static const struct gl_cell cell = {&word[0], &sites[0]};
static struct gl_sync written;

static int make(void)
{
    core = gl_core_create(&env.env);
    word[0] = sites[0] = 0;
    memset(&written, 0, sizeof written);
    for (uint32_t i = 0; i < MANY; i++)
        t[i] = gl_thread_create(core, NULL, 100 + i, NULL);
    gl_access(t[0], cell, 0xF, W, 1, NULL);
    gl_source(t[0], &written, true, 0);
    for (uint32_t i = 1; i < MANY; i++)
        gl_sink(t[i], &written);
    return t[MANY - 1] ? 0 : -1;
}

static int begin(void **state)
{
    (void)state;
    fake_env_init(&env);
    return env.env.fence ? make() : -1; /* a kernel without membarrier */
}

static int begin_without_fence(void **state)
{
    (void)state;
    fake_env_init(&env);
    env.env.fence = NULL;
    return make();
}

static int end(void **state)
{
    (void)state;
    gl_core_destroy(core);
    return fake_env_is_clean(&env) ? 0 : -1;
}

static struct gl_side *side(void)
{
    assert_int_equal(word[0] >> 32, GL_CELL_SIDE);
    return gl_side_at(gl_core_sides(core), gl_cell_side(word[0]));
}

/* The thread's accesses from here on are in a new segment, after which nobody is ordered. */
static uint32_t new_segment(struct gl_thread *who)
{
    struct gl_sync s = {0};
    gl_source(who, &s, true, 0);
    gl_sync_free(core, &s);
    assert_true(gl_segment_begin(who));
    return who->segment;
}

/* As a front end reads: by the short ways, then by the long one. */
static int read_cell(struct gl_thread *who, uint32_t mask, uint32_t site)
{
    uint64_t w = gl_load_acquire(&word[0]);
    if (gl_access_reread(who, cell, w, gl_half(who->segment, 0, mask), site))
        return 0;
    return gl_access(who, cell, mask, R, site, NULL);
}

/* All threads up to READERS read, so often that their reads are spread. */
static void spread_now(void)
{
    for (uint32_t k = 0; k <= GL_SPREAD_AFTER / READERS + 1; k++)
        for (uint32_t i = 1; i <= READERS; i++) {
            new_segment(t[i]);
            assert_int_equal(read_cell(t[i], 0xF, 10 * i), 0);
        }
    assert_int_not_equal(side()->spread, 0);
}

/* Reads that recur together become a group sooner or later (cell.c): it says the same as a side record. */
static bool group_remembers(uint32_t half, uint32_t site)
{
    const uint32_t *halves = gl_group_halves(&core->lists, (uint32_t)word[0]);
    const uint32_t *at = gl_list_at(&core->lists, (uint32_t)sites[0])->value;
    for (uint32_t i = 0; i < gl_group_count(halves); i++)
        if (halves[i] == half && at[i] == site)
            return true;
    return false;
}

static bool remembers(uint32_t segment, uint32_t mask, uint32_t site)
{
    if (word[0] >> 32 != GL_CELL_SIDE)
        return gl_half_is_group((uint32_t)word[0]) && group_remembers(gl_half(segment, 0, mask), site);
    struct gl_side *r = side();
    for (uint32_t i = r->n_writes; i < (uint32_t)r->n_writes + r->n_reads; i++)
        if (r->entry[i].half == gl_half(segment, 0, mask) && r->entry[i].site == site)
            return true;
    return false;
}

/* Not before it pays; then the last reads are kept, each by its thread, and a write races with those it is not after. */
static void spread_and_gathered(void **state)
{
    (void)state;
    for (uint32_t i = 1; i <= READERS; i++)
        read_cell(t[i], 0xF, 5);
    for (uint32_t k = 0; k < GL_SPREAD_AFTER - 1; k++) {
        new_segment(t[1]);
        read_cell(t[1], 0xF, 5);
    }
    assert_int_equal(side()->spread, 0);
    spread_now();
    uint64_t was = word[0];
    uint32_t last = new_segment(t[2]);
    assert_int_equal(read_cell(t[2], 0xF, 77), 0);
    assert_int_equal(word[0], was);
    assert_int_equal(side()->n_reads, 0); /* they are in the lines */
    struct gl_sync s = {0};
    for (uint32_t i = 1; i <= READERS; i++)
        if (i != 2) {
            gl_source(t[i], &s, false, 0);
            gl_sink(t[5], &s);
        }
    struct gl_race race;
    assert_int_equal(gl_access(t[5], cell, 0xF, W, 50, &race), 0xF);
    assert_int_equal(race.then.thread, 102);
    assert_int_equal(race.then.site, 77);
    assert_int_equal(race.then_segment, last);
    assert_true(word[0] >> 32 != GL_CELL_SIDE);
    gl_sync_free(core, &s);
}

/* The first read of a thread asks about the write; later ones need not. */
static void first_read(void **state)
{
    (void)state;
    spread_now();
    uint32_t number = side()->spread, segment = new_segment(t[READERS + 1]);
    assert_false(gl_spread_read(&(struct gl_spreads){0}, &(struct gl_side){0}, cell, word[0], 1, 0, 0)); /* not spread */
    assert_false(gl_access_reread(t[READERS + 1], cell, word[0], gl_half(segment, 0, 0xF), 60));
    assert_int_equal(read_cell(t[READERS + 1], 0xF, 60), 0);
    assert_int_equal(side()->spread, number);
    assert_true(gl_access_reread(t[READERS + 1], cell, word[0], gl_half(segment, 0, 0x3), 61)); /* seen: keeps its site */
    struct gl_thread *stranger = gl_thread_create(core, NULL, 200, NULL);
    assert_true(gl_segment_begin(stranger));
    assert_int_equal(gl_access(stranger, cell, 0x1, R, 62, NULL), 1); /* races with the write */
    assert_int_equal(side()->spread, 0);
    assert_true(remembers(segment, 0xF, 60));
}

/* Reads of different bytes: each is kept, of older ones what later ones leave. */
static void several_in_a_line(void **state)
{
    (void)state;
    enum { KINDS = 15, ROUNDS = 400 };
    for (uint32_t round = 0, random = 1; round < ROUNDS; round++) {
        spread_now();
        uint32_t number = side()->spread, segment[4], site[4]; /* of each byte's last read */
        for (uint32_t k = 0; k < 4; k++)
            segment[k] = t[1]->segment, site[k] = 10;
        for (uint32_t n = 0; n < 1 + round % 7; n++) {
            random = random * 1103515245 + 12345;
            uint32_t mask = 1 + (random >> 16) % KINDS, first = (uint32_t)__builtin_ctz(mask);
            if ((random >> 8) % 3)
                new_segment(t[1]);
            assert_true(gl_access_reread(t[1], cell, word[0], gl_half(t[1]->segment, 0, mask), 100 + n));
            bool seen = true; /* all by one read of this segment */
            for (uint32_t k = 0; k < 4; k++)
                seen = seen && (!(mask >> k & 1) || (segment[k] == t[1]->segment && site[k] == site[first]));
            for (uint32_t k = 0; k < 4 && !seen; k++)
                if (mask >> k & 1)
                    segment[k] = t[1]->segment, site[k] = 100 + n;
        }
        assert_int_equal(side()->spread, number);
        gl_cell_fresh(core, cell, 0); /* gathers, and forgets nothing */
        struct gl_side *r = side();
        uint32_t own = 0;
        for (uint32_t i = r->n_writes; i < (uint32_t)r->n_writes + r->n_reads; i++) {
            struct gl_entry e = r->entry[i];
            if (e.site / 10 != 1 && e.site < 100)
                continue; /* another thread's */
            assert_int_not_equal(e.half & 0xF, 0);
            assert_int_equal(own & e.half & 0xF, 0);
            own |= e.half & 0xF;
            for (uint32_t k = 0; k < 4; k++)
                if (e.half >> k & 1) {
                    assert_int_equal(gl_half_segment(e.half), segment[k]);
                    assert_int_equal(e.site, site[k]);
                }
        }
        assert_int_equal(own, 0xF);
        gl_core_spread_at_once(core, round & 1); /* what has several is spread again */
    }
    gl_core_spread_at_once(core, false);
}

/* An atomic read, fresh bytes: the reads are gathered. */
static void gathered_by(void **state)
{
    (void)state;
    for (int what = 1; what < 3; what++) {
        spread_now();
        if (what == 2) {
            gl_cell_fresh(core, cell, 0x8);
            assert_true(remembers(t[1]->segment, 0x7, 10));
            gl_cell_fresh(core, cell, 0xF);
            gl_access(t[0], cell, 0xF, W, 1, NULL);
            gl_source(t[0], &written, true, 0);
            for (uint32_t i = 1; i < MANY; i++)
                gl_sink(t[i], &written);
            continue;
        }
        assert_int_equal(gl_access(t[1], cell, 0xF, AR, 30, NULL), 0);
        assert_int_equal(side()->spread, 0);
        for (uint32_t i = 2; i <= READERS; i++)
            assert_true(remembers(t[i]->segment, 0xF, 10 * i));
        gl_cell_fresh(core, cell, 0xF);
    }
}

/* A thread that comes after what began. */
static struct gl_thread *newcomer(uint32_t uid)
{
    struct gl_thread *who = gl_thread_create(core, NULL, uid, NULL);
    assert_non_null(who);
    gl_sink(who, &written);
    assert_true(gl_segment_begin(who));
    return who;
}

/* The reads of as many as READERS, so often that they are spread if they can be. */
static void read_on(void)
{
    for (uint32_t k = 0; k <= GL_SPREAD_AFTER / READERS + 1; k++)
        for (uint32_t i = 1; i <= READERS; i++) {
            new_segment(t[i]);
            assert_int_equal(read_cell(t[i], 0xF, 10 * i), 0);
        }
}

static uint32_t lines(void) { return gl_spread_lines(&core->spreads, side()); }

/* Who has no line has the reads gathered, and next time there are more lines; who has none even then has them stay together. */
static void more_lines(void **state)
{
    (void)state;
    spread_now();
    assert_int_equal(lines(), 16);
    uint32_t uid = 1000, size[] = {128, 1024, GL_SPREAD_THREADS_MOST};
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t before = lines();
        struct gl_thread *who;
        while ((who = newcomer(uid++))->slot < before)
            continue;
        assert_false(gl_access_reread(who, cell, word[0], gl_half(who->segment, 0, 0xF), 60));
        assert_int_equal(read_cell(who, 0xF, 60), 0);
        assert_int_equal(side()->spread, 0);
        assert_true(remembers(who->segment, 0xF, 60));
        read_on();
        assert_int_equal(lines(), size[i]);
        assert_int_equal(read_cell(who, 0xF, 61), 0); /* asks about the write; then the line is enough */
        assert_true(gl_access_reread(who, cell, word[0], gl_half(who->segment, 0, 0xF), 61));
        uint32_t again = new_segment(who);
        assert_int_equal(read_cell(who, 0xF, 62), 0);
        assert_int_equal(read_cell(who, 0xF, 63), 0);
        gl_cell_fresh(core, cell, 0); /* gathers */
        assert_int_equal(lines(), 0);
        assert_true(remembers(again, 0xF, 62));
        for (uint32_t k = 1; k <= READERS; k++)
            assert_true(remembers(t[k]->segment, 0xF, 10 * k));
        read_on();
        assert_int_equal(lines(), size[i]);
    }
    struct gl_thread *last;
    while ((last = newcomer(uid++))->slot < GL_SPREAD_THREADS_MOST)
        continue;
    assert_int_equal(read_cell(last, 0xF, 64), 0);
    assert_true(remembers(last->segment, 0xF, 64));
    read_on();
    assert_int_equal(lines(), 0);
    struct gl_race race;
    assert_int_equal(gl_access(t[0], cell, 0xF, W, 1, &race), 0xF); /* after no read */
    gl_cell_fresh(core, cell, 0xF);
    for (uint32_t i = 1; i < MANY; i++) /* the slots of others are still there: as many lines as can be */
        read_cell(t[i], 0xF, 10 * i);
    read_on();
    assert_int_equal(lines(), GL_SPREAD_THREADS_MOST);
}

/* When no more lines are to be had, reads stay in their records. */
static void no_lines(void **state)
{
    (void)state;
    enum { CELLS = GL_SPREADS + 3 };
    static _Atomic uint64_t words[CELLS], its_sites[CELLS];
    while (newcomer(2000)->slot < 16)
        continue;
    uint32_t spread = 0;
    for (uint32_t c = 0; c < CELLS; c++) {
        struct gl_cell one = {&words[c], &its_sites[c]};
        for (uint32_t i = 1; i < MANY; i++)
            gl_access(t[i], one, 0xF, R, i, NULL);
        uint64_t w = words[c];
        assert_int_equal(w >> 32, GL_CELL_SIDE);
        uint32_t number = gl_spread_make(&core->spreads, gl_side_at(gl_core_sides(core), gl_cell_side(w)), &core->segments, 128);
        spread += number != 0;
        assert_int_equal(number != 0, c + 1 < GL_SPREADS);
    }
    assert_int_equal(spread, GL_SPREADS - 1);
    gl_spread_drop(&core->spreads, 5);
    struct gl_side *r = gl_side_at(gl_core_sides(core), gl_cell_side(words[0]));
    assert_int_equal(gl_spread_make(&core->spreads, r, &core->segments, 16), 0); /* another size */
    assert_int_equal(gl_spread_make(&core->spreads, r, &core->segments, 128), 5);
    assert_int_equal(gl_spread_make(&core->spreads, r, &core->segments, 128), 0);
}

/* Nor are those spread of which one slot has two of a byte, as it may where there are plenty. */
static void twice_in_a_record(void **state)
{
    (void)state;
    for (uint32_t i = 1; i <= READERS; i++)
        read_cell(t[i], 0x3, 5);
    struct gl_side *r = side();
    assert_in_range(r->n_writes + r->n_reads, 2, gl_side_capacity(r->cls) - 1);
    uint32_t number = gl_spread_make(&core->spreads, r, &core->segments, 16);
    assert_int_not_equal(number, 0);
    gl_spread_drop(&core->spreads, number);
    struct gl_entry *more = &r->entry[r->n_writes + r->n_reads];
    *more = more[-1];
    gl_side_set_counts(r, r->n_writes, r->n_reads + 1u);
    assert_int_equal(gl_spread_make(&core->spreads, r, &core->segments, 16), 0);
    more->half ^= 0xF; /* the other bytes */
    assert_int_equal(gl_spread_make(&core->spreads, r, &core->segments, 16), number);
    gl_side_set_counts(r, r->n_writes, r->n_reads - 1u);
}

/* No memory for the records: the reads stay where they are. */
static void no_memory(void **state)
{
    (void)state;
    for (uint32_t i = 1; i <= READERS; i++)
        read_cell(t[i], 0xF, 5);
    env.fail_at = env.maps + 1;
    env.fail_from = true;
    for (uint32_t k = 0; k < GL_SPREAD_AFTER + 1; k++)
        read_cell(t[1], 0xF, 5), t[1]->segment && (gl_source(t[1], &written, true, 0), gl_segment_begin(t[1]));
    assert_int_equal(side()->spread, 0);
    env.fail_from = false;
    env.fail_at = 0;
    spread_now();
}

/* Without a fence, as traces are judged: reads of more threads than a group holds are spread by the slow path, and lines change with
 * the cell locked. */
static void without_fence(void **state)
{
    (void)state;
    uint32_t segment[MANY], n = 0;
    for (; n < 2 * GL_SPREAD_AFTER && !(word[0] >> 32 == GL_CELL_SIDE && side()->spread); n++) {
        uint32_t i = 1 + n % (MANY - 1);
        segment[i] = new_segment(t[i]);
        assert_int_equal(gl_access(t[i], cell, 0xF, R, 10 * i, NULL), 0);
    }
    assert_in_range(n, MANY, GL_SPREAD_AFTER);
    segment[1] = new_segment(t[1]);
    assert_true(gl_access_reread(t[1], cell, word[0], gl_half(segment[1], 0, 0xF), 76));
    assert_int_not_equal(side()->spread, 0);
    segment[1] = new_segment(t[1]);
    assert_true(gl_access_read_alone(t[1], cell, gl_half(segment[1], 0, 0xF), 77));
    segment[2] = new_segment(t[2]);
    assert_int_equal(gl_access(t[2], cell, 0xF, R, 78, NULL), 0);
    assert_int_not_equal(side()->spread, 0);
    uint32_t later = new_segment(t[3]);
    assert_true(gl_access_read_alone(t[3], cell, gl_half(later, 0, 0x3), 79)); /* it has read other bytes, too */
    assert_int_not_equal(side()->spread, 0);
    gl_cell_fresh(core, cell, 0); /* gathers */
    assert_int_equal(side()->spread, 0);
    assert_true(remembers(segment[1], 0xF, 77));
    assert_true(remembers(segment[2], 0xF, 78));
    assert_true(remembers(later, 0x3, 79));
    assert_true(remembers(segment[3], 0xC, 30));
    for (uint32_t i = 4; i < MANY; i++)
        assert_true(remembers(segment[i], 0xF, 10 * i));
    assert_int_equal(gl_access(t[0], cell, 0xF, W, 2, NULL), 0xF); /* after none of them */
}

/* A reader in the middle of its change is awaited, and what it does then is not lost. */
static unsigned waited;
static void reader_ends(void *ctx, unsigned rounds)
{
    (void)ctx;
    struct gl_spread_line *line = &core->spreads.all[1].line[2];
    assert_int_equal(word[0], GL_CELL_LOCKED);
    assert_int_equal(rounds, waited++);
    gl_store_relaxed(&line->read[0].site, 78);
    if (waited == 3)
        gl_store_release(&line->busy, 0);
}

static void gather_waits(void **state)
{
    (void)end(state);
    fake_env_init(&env);
    env.env.pause = reader_ends;
    core = gl_core_create(&env.env);
    word[0] = 0;
    for (uint32_t i = 0; i < MANY; i++)
        t[i] = gl_thread_create(core, NULL, 100 + i, NULL);
    spread_now();
    assert_int_equal(side()->spread, 1);
    assert_int_equal(core->spreads.all[1].line[2].read[0].half, gl_half(t[2]->segment, 0, 0xF));
    core->spreads.all[1].line[2].busy = 1;
    waited = 0;
    struct gl_race race;
    gl_access(t[0], cell, 0xF, W, 1, &race);
    assert_int_equal(waited, 3);
    gl_cell_fresh(core, cell, 0xF);
    spread_now();
    core->spreads.all[1].line[2].busy = 1;
    waited = 0;
    gl_cell_fresh(core, cell, 0x8);
    assert_int_equal(waited, 3);
    assert_true(remembers(t[2]->segment, 0x7, 78));
}

enum { ROUNDS = 600, READS = 400, GATHERS = 20 };
static _Atomic uint32_t go, done;
static _Atomic bool enough; /* reads were gathered while others read, GATHERS times: however busy the machine is, the first round lasts until then */
static uint32_t last_segment[READERS + 1][4], last_site[READERS + 1][4]; /* of each byte */

static void *reader(void *arg)
{
    uint32_t i = (uint32_t)(uintptr_t)arg;
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        while (gl_load_acquire(&go) < round)
            sched_yield();
        for (uint32_t k = 0; k < READS || !gl_load_relaxed(&enough); k++) {
            static const uint32_t masks[] = {0xF, 0x1, 0x6, 0x3, 0xF, 0xC, 0x8};
            uint32_t segment = new_segment(t[i]), site = READS * round + k, mask = masks[k % 7];
            for (uint32_t byte = 0; byte < 4; byte++)
                if (mask >> byte & 1)
                    last_segment[i][byte] = segment, last_site[i][byte] = site;
            if (read_cell(t[i], mask, site) != 0)
                return arg;
        }
        atomic_fetch_add(&done, 1);
    }
    return NULL;
}

/* Is it said that the byte was read in this segment, at this site? */
static bool says(uint32_t segment, uint32_t byte, uint32_t site)
{
    for (uint32_t mask = 1; mask <= 0xF; mask++)
        if (mask >> byte & 1 && remembers(segment, mask, site))
            return true;
    return false;
}

/* Threads read on while another gathers their reads again and again: the last read of each is there in the end. */
static void read_and_gather(void **state)
{
    (void)state;
    pthread_t id[READERS + 1];
    gl_core_spread_at_once(core, true);
    go = done = 0;
    gl_store_relaxed(&enough, false);
    for (uint32_t i = 1; i <= READERS; i++)
        assert_int_equal(pthread_create(&id[i], NULL, reader, (void *)(uintptr_t)i), 0);
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        gl_store_release(&go, round);
        while (gl_load_acquire(&done) < round * READERS) {
            new_segment(t[READERS + 1]);
            assert_int_equal(gl_access(t[READERS + 1], cell, 0xF, AR, 2, NULL), 0); /* gathers, being atomic */
            new_segment(t[READERS + 1]);
            assert_int_equal(gl_access(t[READERS + 1], cell, 0xF, R, 2, NULL), 0);
            if (t[READERS + 1]->count[GL_COUNT_gathered] >= GATHERS)
                gl_store_relaxed(&enough, true);
            sched_yield();
        }
        if (word[0] >> 32 == GL_CELL_SIDE && side()->spread)
            gl_cell_fresh(core, cell, 0); /* gathers, and forgets nothing */
        for (uint32_t i = 1; i <= READERS; i++)
            for (uint32_t byte = 0; byte < 4; byte++)
                if (!says(last_segment[i][byte], byte, last_site[i][byte]))
                    fail_msg("round %u: the last read of byte %u by thread %u is lost", round, byte, i);
    }
    for (uint32_t i = 1; i <= READERS; i++) {
        void *failed;
        pthread_join(id[i], &failed);
        assert_null(failed);
    }
    uint64_t spread = 0;
    for (uint32_t i = 1; i <= READERS; i++)
        spread += t[i]->count[GL_COUNT_spread];
    assert_true(spread >= GATHERS);
}

#define spread_test(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        spread_test(spread_and_gathered), spread_test(first_read),      spread_test(gathered_by),
        spread_test(no_memory),           spread_test(gather_waits),    spread_test(read_and_gather),
        spread_test(more_lines),          spread_test(no_lines),         spread_test(several_in_a_line), spread_test(twice_in_a_record),
        cmocka_unit_test_setup_teardown(without_fence, begin_without_fence, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
