/* SPDX-License-Identifier: Apache-2.0
 *
 * Slots of threads that nobody waited for (core/slots.c): a sweep makes them anybody's when no cell names them, and what their
 * threads knew, did or were known for is not taken for the next owner's.
 */
#include "core/state.h"
#include "core/sweep.h"
#include "tests/unit/core_world.h"

static void sweep(void)
{
    struct gl_sweep *s = gl_sweep_begin(here.core);
    assert_non_null(s);
    for (uint32_t i = 0; i < CELLS; i++)
        gl_sweep_word(s, here.word[i]);
    gl_sweep_end(s, CELLS);
}

static int begin_swept(void **state)
{
    int failed = begin(state);
    gl_core_sweep_every(here.core, 1, 0);
    return failed;
}

/* A thread that t[creator] makes. */
static struct gl_thread *child(int creator, uint32_t uid)
{
    struct gl_thread *t = gl_thread_create(here.core, here.t[creator], uid, NULL);
    assert_non_null(t);
    return t;
}

/* Ends, and nobody comes after it. */
static void end_alone(struct gl_thread *t)
{
    struct gl_sync gone = {0};
    gl_thread_end(t, &gone);
    gl_sync_free(here.core, &gone);
}

static int write(struct gl_thread *t, uint32_t i) { return gl_access(t, cell(i), 0xF, W, 1, NULL); }

static void source(struct gl_thread *t, struct gl_sync *s) { gl_source(t, s, true, 0); }

/* However many there were, a few slots serve all; each is used again as soon as memory names it no more. */
static void few_slots(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < 3000; n++) {
        struct gl_thread *t = child(1, 1000 + n);
        gl_cell_fresh(here.core, cell(n % CELLS), 0xF);
        assert_int_equal(write(t, n % CELLS), 0);
        end_alone(t);
        sweep();
    }
    assert_true(here.core->slots <= THREADS + CELLS + 1);
    assert_int_equal(here.core->n_dead, CELLS);
}

/* Not worth it for a few: the slots stay as they are, without a test that wants it. */
static void enough_of_them(void **state)
{
    (void)state;
    gl_core_sweep_every(here.core, 0, 0);
    here.core->segments.fixed = 0;
    for (uint32_t n = 0; n < 600; n++) {
        struct gl_thread *t = child(1, 1000 + n);
        gl_cell_fresh(here.core, cell(0), 0xF);
        assert_int_equal(write(t, 0), 0);
        end_alone(t);
        if (n == 100) {
            sweep();
            assert_int_equal(here.core->n_retired, 0);
            assert_int_equal(here.core->n_dead, 101);
        }
    }
    sweep();
    assert_int_equal(here.core->n_retired, 599); /* one is in the cell */
    assert_int_equal(here.core->n_dead, 1);
    uint32_t slots = here.core->slots;
    for (uint32_t n = 0; n < 599; n++) /* the lowest first */
        assert_int_equal(child(1, 2000 + n)->slot, THREADS + n);
    assert_int_equal(here.core->slots, slots);
}

/* Its last access is still there: another thread is not taken for it. */
static void remembered(void **state)
{
    (void)state;
    struct gl_thread *t = child(1, 1000);
    uint32_t slot = t->slot;
    assert_int_equal(write(t, 0), 0);
    end_alone(t);
    sweep();
    assert_int_equal(here.core->n_retired, 0);
    struct gl_thread *next = child(1, 1001);
    assert_int_not_equal(next->slot, slot);
    assert_true(write(next, 0) > 0); /* a race */
}

/* An ended thread that came after t[2]'s write, and its slot's next owner, which does not. */
static uint32_t knew_of_write(struct gl_sync *told)
{
    struct gl_sync s = {0};
    struct gl_thread *t = child(1, 1000);
    uint32_t slot = t->slot;
    assert_int_equal(write(here.t[2], 0), 0);
    source(here.t[2], &s);
    gl_sink(t, &s);
    assert_int_equal(write(t, 1), 0);
    source(t, told);
    gl_cell_fresh(here.core, cell(1), 0xF);
    assert_int_equal(write(t, 1), 0); /* nobody comes after this */
    end_alone(t);
    gl_cell_fresh(here.core, cell(1), 0xF);
    gl_sync_free(here.core, &s);
    return slot;
}

static void knows_nothing(void **state)
{
    (void)state;
    struct gl_sync told = {0};
    uint32_t slot = knew_of_write(&told);
    (void)gl_column_value(&here.core->columns, slot, here.t[2]->slot,
                          here.core->log.tail); /* replayed before, too */
    sweep();
    struct gl_thread *next = child(3, 1001);
    assert_int_equal(next->slot, slot);
    assert_int_equal(count(3, GL_COUNT_slots_reused), 1);
    assert_true(write(next, 0) > 0);
    gl_sync_free(here.core, &told);
}

/* What an object had from the former owner is not the new one's own past. */
static void object_of_former_owner(void **state)
{
    (void)state;
    for (int merged = 0; merged < 2; merged++) {
        struct gl_sync told = {0};
        gl_cell_fresh(here.core, cell(0), 0xF);
        uint32_t slot = knew_of_write(&told);
        sweep();
        struct gl_thread *next = child(3, 1001);
        assert_int_equal(next->slot, slot);
        if (merged) {
            assert_int_equal(write(next, 1), 0);
            gl_source(next, &told, false, 0);
        }
        gl_sink(next, &told);
        assert_int_equal(write(next, 0), 0); /* after t[2]'s write, by way of the former owner */
        end_alone(next);
        gl_cell_fresh(here.core, cell(0), 0xF);
        gl_cell_fresh(here.core, cell(1), 0xF);
        gl_sync_free(here.core, &told);
        sweep();
    }
}

/* Who came after the former owner does not come after the new one, nor the other way round. */
static void epochs_go_on(void **state)
{
    (void)state;
    struct gl_sync told = {0};
    uint32_t slot = knew_of_write(&told);
    gl_sink(here.t[4], &told);
    gl_thread_end(here.t[2], &(struct gl_sync){0});
    here.t[2] = child(1, 102);
    sweep();
    struct gl_thread *next = child(3, 1001);
    assert_int_equal(next->slot, slot);
    gl_sink(here.t[5], &told); /* only now */
    for (int i = 4; i <= 5; i++) {
        gl_cell_fresh(here.core, cell(1), 0xF);
        assert_int_equal(write(next, 1), 0);
        struct gl_sync end = {0};
        source(next, &end);
        assert_true(write(here.t[i], 1) > 0);
        gl_sink(here.t[i], &end);
        assert_int_equal(write(here.t[i], 1), 0);
        gl_sync_free(here.core, &end);
    }
    gl_sync_free(here.core, &told);
}

/* Blocks of columns that are nobody's any more are emptied and not replayed; there, too, epochs go on. */
static void whole_blocks(void **state)
{
    (void)state;
    enum { MANY = 3 * GL_BLOCK };
    struct gl_thread *t[MANY];
    uint32_t epoch[MANY];
    for (int round = 0; round < 3; round++) {
        for (uint32_t n = 0; n < MANY; n++) {
            struct gl_sync s = {0};
            t[n] = child(1, 1000 + n);
            gl_cell_fresh(here.core, cell(0), 0xF);
            assert_int_equal(write(t[n], 0), 0);
            source(t[n], &s);
            gl_sink(here.t[1], &s); /* what the next ones know */
            gl_sync_free(here.core, &s);
            assert_int_equal(write(t[n], 1), 0);
            gl_cell_fresh(here.core, cell(1), 0xF);
        }
        for (uint32_t n = 0; n < MANY; n++) {
            if (round)
                assert_true(t[n]->epoch > epoch[t[n]->slot - THREADS]);
            epoch[t[n]->slot - THREADS] = t[n]->epoch;
            end_alone(t[n]);
        }
        gl_cell_fresh(here.core, cell(0), 0xF);
        uint64_t replayed = gl_columns_replayed(&here.core->columns);
        sweep();
        assert_int_equal(here.core->slots, THREADS + MANY);
        assert_int_equal(here.core->n_retired, MANY);
        assert_true(gl_columns_replayed(&here.core->columns) - replayed <=
                    10 * MANY); /* the first block only */
        for (uint32_t slot = THREADS; slot < THREADS + MANY; slot++) {
            uint64_t upto = here.core->log.tail;
            assert_int_equal(gl_column_value(&here.core->columns, slot, slot, upto), epoch[slot - THREADS]);
            assert_int_equal(gl_column_value(&here.core->columns, slot, here.t[1]->slot, upto), 0);
        }
    }
}

/* A slot that was retired as often as its objects can tell apart is lost. */
static void often(void **state)
{
    (void)state;
    uint32_t last = 0;
    for (uint32_t n = 0; n < 3 * (UINT32_MAX / GL_OWN_NEXT); n++) {
        struct gl_thread *t = child(1, 1000);
        assert_int_not_equal(t->own, last);
        assert_int_equal(gl_own_slot(t->own), t->slot);
        last = t->own;
        gl_cell_fresh(here.core, cell(0), 0xF);
        assert_int_equal(write(t, 0), 0);
        end_alone(t);
        gl_cell_fresh(here.core, cell(0), 0xF);
        sweep();
    }
    assert_int_equal(here.core->slots, THREADS + 3);
}

static int read_of(struct gl_thread *t, uint32_t mask, unsigned kind)
{
    return gl_access(t, cell(0), mask, kind, 1, NULL);
}

/* Reads that nobody comes after, more than a record has room for: one stays for each byte and kind, and each write races still, also after others. */
static void reads_alone(void **state)
{
    (void)state;
    static const struct {
        uint32_t mask;
        unsigned kind, by;
        bool races;
    } then[] = {{8, W, 1, false}, {1, AW, 1, true}, {2, AW, 2, false},
                {2, W, 3, true},  {4, AW, 4, true}, {4, W, 5, true}};
    for (uint32_t n = 0; n < 70000; n++) {
        struct gl_thread *t = child(1, 1000 + n);
        assert_int_equal(read_of(t, 5, R), 0);
        if (n % 2)
            assert_int_equal(read_of(t, 2, AR), 0);
        gl_thread_ends_alone(t, 0);
        end_alone(t);
        if (n % 500 == 499)
            sweep();
    }
    assert_int_equal(here.word[0] >> 32, GL_CELL_SIDE);
    const struct gl_side *r = gl_side_at(&here.core->sides, gl_cell_side(here.word[0]));
    assert_true(r->n_reads < 32);
    assert_true(here.core->slots < 2000);
    for (uint32_t i = 0; i < sizeof then / sizeof *then; i++) {
        int raced = gl_access(here.t[then[i].by], cell(0), then[i].mask, then[i].kind, 1, NULL);
        if ((raced > 0) != then[i].races)
            fail_msg("write %u of bytes %x: %x", i, then[i].mask, raced);
    }
}

/* Threads that read, end, and are come after by who asks, with all that ended before it did: a group.  Who asked between the others' ends races with those that
 * ended later, and with nobody else. */
static void reads_of_groups(void **state)
{
    (void)state;
    enum { GROUPS = 12, ASKS = 3000 }; /* more groups than gl_side_thin() tells apart */
    struct gl_sync ended = {0};
    for (uint32_t n = 0; n < GROUPS * ASKS; n++) {
        struct gl_thread *t = child(1, 1000 + n);
        assert_int_equal(read_of(t, 1u << n / ASKS % 2, n % 3 ? AR : R), 0);
        gl_thread_ends_alone(t, n / ASKS);
        gl_source(t, &ended, false, 0);
        end_alone(t);
        if (n % ASKS == ASKS - 1)
            gl_sink(here.t[n / ASKS == GROUPS - 1 ? 2 : n / ASKS == GROUPS - 2 ? 3 : 4], &ended);
        if (n % 500 == 499)
            sweep();
    }
    gl_sync_free(here.core, &ended);
    const struct gl_side *r = gl_side_at(&here.core->sides, gl_cell_side(here.word[0]));
    assert_true(r->n_reads < 128);
    struct gl_race race; /* 3 comes after all but those of the last group, which read byte 1, and 4 also not after those of the one before, which read byte 0 */
    assert_int_equal(gl_access(here.t[4], cell(0), 1, W, 1, &race), 1);
    assert_int_equal((race.then.thread - 1000) / ASKS, GROUPS - 2);
    assert_int_equal(gl_access(here.t[3], cell(0), 2, W, 1, &race), 2);
    assert_int_equal((race.then.thread - 1000) / ASKS, GROUPS - 1);
    gl_cell_fresh(here.core, cell(0), 0xF);
}

/* Under a lock, or with one held: others' reads stay, for who holds it later counts as ordered after this one. */
static void locked_alone(void **state)
{
    (void)state;
    uint32_t group;
    for (int i = 0; i < 2; i++) {
        struct gl_thread *t = child(1, 1000);
        t->lock_at_once = true;
        assert_true(gl_held_push(t, 7, true, 7));
        assert_int_equal(read_of(t, 1, R), 0);
        uint32_t id = t->segment;
        if (i)
            gl_held_drop(t, 7);
        gl_thread_ends_alone(t, 0);
        assert_false(gl_slot_ended_alone(here.core, id, &group));
        end_alone(t);
        assert_false(gl_slot_ended_alone(here.core, id, &group));
    }
    struct gl_thread *t = child(1, 1000);
    gl_thread_ends_alone(t, 0); /* nothing was read */
    assert_int_equal(read_of(t, 1, R), 0);
    assert_false(gl_slot_ended_alone(here.core, t->segment, &group));
    gl_thread_ends_alone(t, 7);
    assert_true(gl_slot_ended_alone(here.core, t->segment, &group));
    assert_int_equal(group, 7);
    end_alone(t);
}

/* Without memory slots stay as they were; or checking is over. */
static void no_memory(void **state)
{
    (void)state;
    bool stopped = false;
    unsigned failed = 0;
    for (uint64_t nth = 1; nth < 12 && !stopped; nth++) {
        struct gl_sync told = {0};
        (void)knew_of_write(&told);
        gl_sync_free(here.core, &told);
        here.env.fail_at = here.env.maps + 1 + nth; /* the sweep's own is there */
        sweep();
        here.env.fail_at = 0;
        stopped = gl_core_stopped(here.core);
        assert_int_equal(here.core->n_dead + here.core->n_retired,
                         here.core->slots - THREADS); /* none is lost */
        failed += here.core->n_dead > 0;
    }
    assert_in_range(failed, 3, 8); /* three of retiring's own, and then the columns' */
}

#define slots_test(f) cmocka_unit_test_setup_teardown(f, begin_swept, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        slots_test(few_slots),
        slots_test(enough_of_them),
        slots_test(remembered),
        slots_test(knows_nothing),
        slots_test(object_of_former_owner),
        slots_test(epochs_go_on),
        slots_test(whole_blocks),
        slots_test(often),
        slots_test(reads_alone),
        slots_test(reads_of_groups),
        slots_test(locked_alone),
        slots_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
