/* SPDX-License-Identifier: Apache-2.0
 *
 * One cell, several threads: an access waits for a transition under way and is not seen half made; whatever the interleaving, no
 * race is lost and none is invented (docs/concurrency.md, C).
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/cell_inl.h"
#include "tests/unit/core_cell.h"

/* ---- a locked cell ---- */

static uint64_t unlocked_word;
static unsigned waited;
static void owner_unlocks(void *ctx, unsigned rounds)
{
    (void)ctx;
    assert_int_equal(rounds, waited++);
    assert_int_equal(word[0], GL_CELL_LOCKED);
    if (waited == 4)
        word[0] = unlocked_word;
}

static void an_access_waits(void **state)
{
    (void)state;
    gl_core_destroy(core);
    env.env.pause = owner_unlocks;
    core = gl_core_create(&env.env);
    t[1] = gl_thread_create(core, NULL, 101, NULL);
    t[2] = gl_thread_create(core, NULL, 102, NULL);
    access(1, 15, W, 1);
    unlocked_word = word[0];
    waited = 0;
    word[0] = GL_CELL_LOCKED;
    assert_int_equal(access(2, 1, R, 2), 1);
    assert_int_equal(waited, 4);
    unlocked_word = word[0];
    waited = 0;
    word[0] = GL_CELL_LOCKED;
    forget_all();
    assert_int_equal(waited, 4);
    assert_int_equal(word[0], 0);
}

static void *(*map)(void *ctx, size_t bytes);
static unsigned looked;
static void *map_and_look(void *ctx, size_t bytes)
{
    if (core && word[0]) { /* a map in the middle of a transition: others find the cell and the side records locked */
        assert_int_equal(word[0], GL_CELL_LOCKED);
        assert_true(gl_core_sides(core)->lock.held);
        looked++;
    }
    return map(ctx, bytes);
}

static void locked_while_it_changes(void **state)
{
    (void)state;
    gl_core_destroy(core);
    core = NULL;
    map = env.env.map;
    env.env.map = map_and_look;
    core = gl_core_create(&env.env);
    t[1] = gl_thread_create(core, NULL, 101, NULL);
    t[2] = gl_thread_create(core, NULL, 102, NULL);
    gl_segment_begin(t[1]);
    gl_segment_begin(t[2]);
    looked = 0;
    access(1, 1, W, 1);
    access(2, 2, W, 2); /* needs the first chunk of side records */
    assert_true(is_side());
    assert_int_equal(looked, 1);
    forget_all();
}

/* ---- many at once ---- */

static const unsigned kinds[4] = {W, R, AW, AR};

enum { THREADS = 4, CELLS = 4000 };
static _Atomic uint64_t words[CELLS], wsites[CELLS];
static pthread_barrier_t together;

/* gl_access(), or what of it is done in place. */
static int either(struct gl_thread *me, struct gl_cell c, uint32_t mask, unsigned kind, uint32_t site, bool parts)
{
    if (parts && !(kind & AR) && (me->segment || gl_segment_begin(me)) &&
        gl_access_parts(me, c, gl_half(me->segment, 0, mask), (kind & W) != 0, site))
        return 0;
    return gl_access(me, c, mask, kind, site, NULL);
}

struct hammer {
    struct gl_thread *t;
    uint32_t mask, kind; /* mask 0: a byte of its own, and by turns all kinds */
    uint8_t raced[CELLS];
    int failed;
};

static void *pound(void *arg)
{
    struct hammer *h = arg;
    pthread_barrier_wait(&together);
    for (uint32_t i = 0; i < CELLS; i++) {
        struct gl_cell c = {&words[i], &wsites[i]};
        if (!h->mask) {
            for (unsigned k = 0; k < 4; k++)
                h->raced[i] |= either(h->t, c, 1u << (h->t->uid % 4), kinds[(k + i) % 4], k, i / 4 % 2) != 0;
            continue;
        }
        int raced = either(h->t, c, h->mask, h->kind, h->t->uid, i % 2);
        h->raced[i] = raced > 0;
        h->failed |= raced < 0;
    }
    return NULL;
}

/* Runs the four hammers; result[k]: cells on which exactly k accesses raced. */
static void run(const uint32_t mask[THREADS], const uint32_t kind[THREADS], unsigned result[THREADS + 1])
{
    static struct hammer h[THREADS];
    pthread_t p[THREADS];
    memset(words, 0, sizeof words);
    memset(result, 0, (THREADS + 1) * sizeof *result);
    pthread_barrier_init(&together, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        h[i] = (struct hammer){.t = t[1 + i], .mask = mask[i], .kind = kind[i]};
        assert_int_equal(pthread_create(&p[i], NULL, pound, &h[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(p[i], NULL);
        assert_int_equal(h[i].failed, 0);
    }
    pthread_barrier_destroy(&together);
    for (int c = 0; c < CELLS; c++)
        result[h[0].raced[c] + h[1].raced[c] + h[2].raced[c] + h[3].raced[c]]++;
}

static void concurrent_cells(void **state)
{
    (void)state;
    unsigned n[THREADS + 1];
    /* four unordered writes: each but the first finds its predecessor, whatever the order */
    run((const uint32_t[]){15, 15, 15, 15}, (const uint32_t[]){W, W, W, W}, n);
    assert_int_equal(n[THREADS - 1], CELLS);
    /* one write among reads: at least one race on every cell (C.2), and every reader after the write finds it */
    run((const uint32_t[]){15, 15, 15, 15}, (const uint32_t[]){R, W, R, R}, n);
    assert_int_equal(n[0], 0);
    assert_int_equal(n[1] + n[2] + n[3], CELLS);
    /* atomic ones among themselves, and reads: none */
    run((const uint32_t[]){15, 15, 15, 15}, (const uint32_t[]){AW, AR, AW, AW}, n);
    assert_int_equal(n[0], CELLS);
    run((const uint32_t[]){15, 15, 15, 15}, (const uint32_t[]){R, AR, R, R}, n);
    assert_int_equal(n[0], CELLS);
    /* neighbours in one word: none */
    run((const uint32_t[]){0, 0, 0, 0}, (const uint32_t[]){0, 0, 0, 0}, n);
    assert_int_equal(n[0], CELLS);
    /* two and two share bytes */
    run((const uint32_t[]){3, 12, 3, 12}, (const uint32_t[]){W, W, W, W}, n);
    assert_int_equal(n[2], CELLS);
}

enum { POUNDED = 20000 };

/* Each has a byte of one cell, and begins a new segment now and then. */
static void *pound_one(void *arg)
{
    struct gl_thread *me = arg;
    uintptr_t raced = 0;
    pthread_barrier_wait(&together);
    for (uint32_t i = 0; i < POUNDED; i++) {
        raced += either(me, cell, 1u << (me->uid % 4), kinds[i / 64 % 2 * 2 + i % 2], me->uid, true) != 0;
        if (i % 16 == 15)
            gl_source(me, &(struct gl_sync){0}, true, 0);
    }
    raced += either(me, cell, 1u << (me->uid % 4), W, me->uid, true) != 0;
    return (void *)raced;
}

static void concurrent_bytes(void **state)
{
    (void)state;
    pthread_t p[THREADS];
    pthread_barrier_init(&together, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&p[i], NULL, pound_one, t[1 + i]), 0);
    for (int i = 0; i < THREADS; i++) {
        void *raced;
        pthread_join(p[i], &raced);
        assert_null(raced);
    }
    pthread_barrier_destroy(&together);
    for (uint32_t i = 1; i <= 4; i++) /* nobody's entry got lost, nobody's older one stayed */
        assert_int_equal(kept(t[i]->segment, W, 100 + i), 1u << ((100 + i) % 4));
    assert_int_equal(gl_side_at(gl_core_sides(core), gl_cell_side(word[0]))->n_writes, THREADS);
    assert_int_equal(gl_side_at(gl_core_sides(core), gl_cell_side(word[0]))->n_reads, 0);
}

/* ---- a look without the lock ---- */

static _Atomic bool over;

/* It has read bytes that it never wrote. */
static void *looks_for_a_write(void *arg)
{
    struct gl_thread *me = arg;
    uint32_t key = gl_half(me->segment, 0, 0);
    uintptr_t found = 0;
    pthread_barrier_wait(&together);
    while (!atomic_load(&over)) {
        uint64_t now = gl_load_acquire(cell.word);
        found += now >> 32 == GL_CELL_SIDE && gl_side_hit(gl_core_sides(core), cell.word, now, key, 12, true);
    }
    return (void *)found;
}

enum { TURNS = 200000 };

/* A read is never taken for a write while the cell's writes are put in order (F.3): alone, or with the cell locked. */
enum way { ALONE, IN_PARTS, SLOW };
static void look_while_it_changes(enum way way)
{
    pthread_t p;
    void *found;
    struct gl_sync s = {0};
    assert_int_equal(access(2, 2, W, 2), 0);
    assert_int_equal(access(3, 12, R, 3), 0);
    assert_int_equal(access(1, 1, W, 1), 0);
    assert_true(is_side());
    atomic_store(&over, false);
    pthread_barrier_init(&together, NULL, 2);
    assert_int_equal(pthread_create(&p, NULL, looks_for_a_write, t[3]), 0);
    pthread_barrier_wait(&together);
    for (uint32_t i = 0; i < TURNS; i++) {
        gl_source(t[1], &s, true, 0);
        assert_true(gl_segment_begin(t[1]));
        uint32_t mine = gl_half(t[1]->segment, 0, 1);
        if (way != SLOW)
            assert_true((way == ALONE ? gl_access_parts_alone : gl_access_parts)(t[1], cell, mine, true, 1));
        else
            assert_int_equal(access(1, 1, W, 1), 0);
    }
    atomic_store(&over, true);
    pthread_join(p, &found);
    pthread_barrier_destroy(&together);
    gl_sync_free(core, &s);
    assert_true(is_side());
    assert_int_equal((uintptr_t)found, 0);
}

static void look_while_its_owner_changes_it(void **state)
{
    (void)state;
    look_while_it_changes(ALONE);
}

static void look_while_another_locks_it(void **state)
{
    (void)state;
    look_while_it_changes(SLOW);
}

static void look_while_another_changes_it_in_place(void **state)
{
    (void)state;
    look_while_it_changes(IN_PARTS);
}

#define cell_test(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cell_test(an_access_waits),
        cell_test(locked_while_it_changes),
        cell_test(concurrent_cells),
        cell_test(concurrent_bytes),
        cell_test(look_while_its_owner_changes_it),
        cell_test(look_while_another_locks_it),
        cell_test(look_while_another_changes_it_in_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
