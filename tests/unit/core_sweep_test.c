/* SPDX-License-Identifier: Apache-2.0
 *
 * The sweep: an engine whose ids are swept as often as can be finds what its twin finds that is never swept, whatever the
 * threads do; ids that are in use stay, and freed ones come back as new.
 */
#include "core/construct.h"
#include "core/state.h"
#include "core/sweep.h"
#include "tests/unit/core_world.h"

enum { OBJECTS = 4, STEPS = 60000, UIDS = 8192 };

/* An engine and what its threads synchronize on. */
struct twin {
    struct world w;
    struct {
        uint32_t slot, epoch;
    } began[UIDS]; /* of each thread, by its uid: a sweep changes which slots are used again */
    struct gl_sync object[OBJECTS];
    struct gl_mutex mutex[OBJECTS];
};

static struct twin swept, other;

static void sweep(struct world *w)
{
    struct gl_sweep *s = gl_sweep_begin(w->core);
    assert_non_null(s);
    for (uint32_t i = 0; i < CELLS; i++)
        gl_sweep_word(s, w->word[i]);
    gl_sweep_end(s, CELLS);
}

static uint64_t random_next(uint64_t *x) /* xorshift64* */
{
    *x ^= *x >> 12, *x ^= *x << 25, *x ^= *x >> 27;
    return *x * 0x2545F4914F6CDD1Dull >> 32;
}

/* What happens next, the same in both. */
struct step {
    enum { ACCESS, SOURCE, SINK, LOCK, FRESH, END } what;
    uint32_t who, by, i, mask, site;
    unsigned kind;
};

static struct step step_random(uint64_t *x)
{
    static const unsigned kinds[] = {R, R, R, R, W, W, W, AR, AW};
    uint64_t r = random_next(x);
    struct step s = {.what = ACCESS,
                     .who = 1 + r % THREADS,
                     .i = (uint32_t)(r >> 8) % CELLS,
                     .kind = kinds[(r >> 12) % (sizeof kinds / sizeof *kinds)],
                     .mask = 1 + (r >> 17) % 15,
                     .site = 1 + (r >> 21) % 5};
    if (r >> 30 & 1)
        s.mask = 0xF;
    uint64_t pick = random_next(x) % 1000;
    s.what = pick < 600   ? ACCESS
             : pick < 700 ? SOURCE
             : pick < 790 ? SINK
             : pick < 970 ? LOCK
             : pick < 998 ? FRESH
                          : END;
    s.by = 1 + (s.who + random_next(x) % (THREADS - 1)) % THREADS;
    return s;
}

/* 0: nobody. */
static uint32_t holder(const struct twin *e, const struct gl_mutex *m)
{
    for (uint32_t k = 1; k <= THREADS; k++)
        if (m->serial && gl_held_find(e->w.t[k], m->serial))
            return k;
    return 0;
}

static void began(struct twin *e, const struct gl_thread *t)
{
    assert_true(t->uid < UIDS);
    e->began[t->uid].slot = t->slot;
    e->began[t->uid].epoch = t->epoch;
}

static int step_take(struct twin *e, const struct step *s, struct gl_race *race)
{
    struct gl_thread *t = e->w.t[s->who];
    struct gl_mutex *m = &e->mutex[s->i];
    switch (s->what) {
    case ACCESS: /* a read first in the way of front ends, so that some reads are spread */
        if (s->kind == R && s->mask == 0xF && t->segment &&
            gl_access_reread(t, cell_of(&e->w, s->i), e->w.word[s->i], gl_half(t->segment, 0, 0xF), s->site))
            return 0;
        return gl_access(t, cell_of(&e->w, s->i), s->mask, s->kind, s->site, race);
    case SOURCE:
        gl_source(t, &e->object[s->i], s->site % 2, 0);
        break;
    case SINK:
        gl_sink(t, &e->object[s->i]);
        break;
    case LOCK:
        if (holder(e, m) == s->who)
            (void)gl_mutex_releasing(t, m);
        else if (!holder(e, m))
            gl_mutex_acquired(t, m, s->i);
        break;
    case FRESH:
        gl_cell_fresh(e->w.core, cell_of(&e->w, s->i), s->mask);
        break;
    case END: {
        struct gl_sync gone = {0};
        while (t->n_held)
            for (int k = 0; k < OBJECTS; k++)
                if (e->mutex[k].serial && gl_held_find(t, e->mutex[k].serial))
                    (void)gl_mutex_releasing(t, &e->mutex[k]);
        uint32_t uid = t->uid + THREADS;
        bool at_once = t->lock_at_once;
        if (s->site % 2 == 0 && e == &swept)
            gl_thread_ends_alone(t, 0);
        gl_thread_end(t, &gone);
        if (s->site % 2) /* joined */
            gl_sink(e->w.t[s->by], &gone);
        gl_sync_free(e->w.core, &gone);
        e->w.t[s->who] = gl_thread_create(e->w.core, e->w.t[s->by], uid, NULL);
        e->w.t[s->who]->lock_at_once = at_once;
        began(e, e->w.t[s->who]);
        break;
    }
    }
    return 0;
}

static struct gl_sweep_bits before;

/* Some steps after it began: what is told is of now. */
static void sweep_slowly_end(struct world *w, struct gl_sweep *s)
{
    for (int i = 0; i < CELLS; i++)
        gl_sweep_word(s, w->word[i]);
    gl_sweep_end(s, CELLS);
}

static void twin_begin(struct twin *e, unsigned how)
{
    memset(e, 0, sizeof *e);
    world_begin(&e->w, how & 1);
    gl_core_as_with_many(e->w.core, how & 2);
    gl_core_spread_at_once(e->w.core, how & 4);
    for (int i = 1; i <= THREADS; i++) {
        e->w.t[i]->lock_at_once = how & 8;
        began(e, e->w.t[i]);
    }
}

/* What a thread remembers of ids, after a sweep: of its present segment at most. */
static bool remembers_nothing(const struct gl_thread *t)
{
    static const struct gl_step none[2][GL_STEPS];
    for (uint32_t i = 0; i < GL_BEFORE; i++)
        if (t->before[i] && t->before[i] != t->segment)
            return false;
    return memcmp(t->steps->step, none, sizeof none) == 0;
}

static void same_verdicts(void **state)
{
    (void)state;
    uint64_t races = 0, calm = 0, freed = 0, spread = 0, slots = 0, slots_other = 0;
    for (unsigned how = 0; how < 32; how++) {
        uint64_t x = 88172645463325252ull + how;
        bool slowly = how & 16; /* in two parts, others between them; and ids go when two sweeps have not found them */
        struct gl_sweep *begun = NULL;
        memset(&before, 0, sizeof before);
        twin_begin(&swept, how);
        twin_begin(&other, how);
        gl_core_sweep_every(swept.w.core, 1, 0);
        for (int n = 0; n < STEPS; n++) {
            struct step s = step_random(&x);
            struct gl_race now = {0};
            int a = step_take(&swept, &s, &now), b = step_take(&other, &s, NULL);
            if (a != b || a < 0)
                fail_msg("way %u, step %d: %x, and %x without a sweep", how, n, a, b);
            races += a > 0;
            calm += s.what == ACCESS && a == 0;
            if (a >
                0) { /* with one of several accesses: what its id stands for is not ordered before, says the twin */
                struct gl_thread *t = other.w.t[s.who];
                struct gl_segment seg = gl_core_segment(swept.w.core, now.then_segment);
                assert_int_equal(seg.uid, now.then.thread);
                assert_int_equal(seg.slot, swept.began[seg.uid].slot);
                uint32_t epoch = seg.epoch - swept.began[seg.uid].epoch + other.began[seg.uid].epoch;
                assert_true(gl_column_value(&other.w.core->columns, t->slot, other.began[seg.uid].slot,
                                            t->sink_pos) < epoch);
            }
            if (begun && x % 4 == 0) {
                sweep_slowly_end(&swept.w, begun);
                begun = NULL;
            } else if (!begun && gl_core_sweep_due(swept.w.core)) {
                if (slowly)
                    assert_non_null(begun = gl_sweep_begin_slowly(swept.w.core, &before));
                else
                    sweep(&swept.w);
            }
        }
        if (begun)
            sweep_slowly_end(&swept.w, begun);
        freed += swept.w.core->segments.freed;
        slots += swept.w.core->slots;
        slots_other += other.w.core->slots;
        spread += swept.w.core->count[GL_COUNT_spread]; /* of threads that ended */
        sweep(&swept.w);
        for (int i = 1; i <= THREADS; i++) {
            spread += swept.w.t[i]->count[GL_COUNT_spread];
            assert_true(remembers_nothing(swept.w.t[i]));
        }
        assert_int_equal(swept.w.core->segments.chunks, 2); /* the first is none */
        assert_true(world_end(&swept.w));
        assert_true(world_end(&other.w));
    }
    assert_true(races * 10 > calm && calm > races / 10);
    assert_true(spread > 20);
    assert_true(freed > 32 * 1000);       /* each id was used many times */
    assert_true(slots * 2 < slots_other); /* and slots of threads that nobody waited for */
}

/* ---- the table ---- */

static struct gl_segments *table(void) { return &here.core->segments; }

static uint32_t batch(uint32_t slot, uint64_t taken, bool ends)
{
    return gl_segments_batch(table(), slot, slot, 1, taken, ends);
}

static uint64_t used[(1u << GL_SEGMENT_BITS) / GL_SEGMENT_BATCH / 64];

static void use(uint32_t id) { used[id / GL_SEGMENT_BATCH / 64] |= 1ull << id / GL_SEGMENT_BATCH % 64; }

/* A batch of 32 is freed, and comes back without what was told of it; one that is in use does not. */
static void small_batches(void **state)
{
    (void)state;
    memset(used, 0, sizeof used);
    uint32_t a = batch(1, 0, true), b = batch(2, 0, true), c = batch(3, 0, false);
    for (uint32_t i = 0; i < GL_SEGMENT_BATCH; i++) {
        *gl_segment_lock(table(), a + i) = *gl_segment_lock(table(), b + i) = 7;
        *gl_segment_end(table(), a + i) = *gl_segment_end(table(), b + i) = 9;
    }
    use(b + 5);
    use(c);
    gl_segments_free(table(), used, 0);
    assert_int_equal(table()->freed, GL_SEGMENT_BATCH);
    gl_segments_free(table(), used, 0); /* what is free is freed once */
    assert_int_equal(table()->freed, GL_SEGMENT_BATCH);
    uint32_t again = batch(4, 0, true), fresh = batch(5, 0, true);
    assert_int_equal(again, a);
    assert_int_equal(fresh, c + GL_SEGMENT_BATCH);
    assert_int_equal(gl_batch_of(table(), again)->slot, 4);
    for (uint32_t i = 0; i < GL_SEGMENT_BATCH; i++) {
        assert_int_equal(*gl_segment_lock(table(), a + i), 0);
        assert_int_equal(*gl_segment_end(table(), a + i), 0);
        assert_int_equal(*gl_segment_lock(table(), b + i), 7);
        assert_int_equal(gl_segment_epoch(gl_batch_of(table(), b + i), b + i), 1 + i);
    }
}

/* Chunks that one thread had whole, or in batches of 1,024: split when enough of them is free, and what is used stays what it was. */
static void large_batches(void **state)
{
    (void)state;
    static const struct {
        uint64_t taken;
        uint32_t size;
    } kinds[] = {{1024, 1024}, {GL_SEGMENT_CHUNK, GL_SEGMENT_CHUNK}};
    for (unsigned k = 0; k < 2; k++) {
        memset(used, 0, sizeof used);
        uint32_t first = batch(1, kinds[k].taken, false), id = first;
        for (uint32_t got = kinds[k].size; got < GL_SEGMENT_CHUNK; got += kinds[k].size)
            (void)batch(1, kinds[k].taken, false);
        assert_int_equal(gl_batch_of(table(), first)->last + 1, kinds[k].size);
        for (; id < first + GL_SEGMENT_CHUNK; id++)
            *gl_segment_lock(table(), id) = id;
        for (id = first + 40; id < first + GL_SEGMENT_CHUNK; id += 1000)
            use(id);
        gl_segments_free(table(), used, 0);
        for (id = first; id < first + GL_SEGMENT_CHUNK; id++) {
            bool stays = used[id / GL_SEGMENT_BATCH / 64] >> id / GL_SEGMENT_BATCH % 64 & 1;
            assert_int_equal(*gl_segment_lock(table(), id), stays ? id : 0);
            if (stays) {
                assert_int_equal(gl_batch_of(table(), id)->slot, 1);
                assert_int_equal(gl_segment_epoch(gl_batch_of(table(), id), id),
                                 1 + (id - first) % kinds[k].size);
            }
        }
        uint32_t chunks = table()->chunks;
        memset(used, 0, sizeof used);
        gl_segments_free(table(), used, 0);
        assert_int_equal(batch(2, GL_SEGMENT_CHUNK, false), GL_SEGMENT_CHUNK); /* whole again; the lowest is the first one */
        assert_int_equal(gl_batch_of(table(), 2 * GL_SEGMENT_CHUNK - 1)->slot, 2);
        assert_int_equal(table()->chunks, chunks);
    }
}

/* Where others go on: all of the batch that a thread takes ids from stays, also when a sweep has split it; once it has another one, nothing. */
static void batches_at_hand_stay(void **state)
{
    (void)state;
    static struct gl_sweep_bits before;
    struct gl_thread *t = here.t[1];
    memset(&before, 0, sizeof before);
    t->count[GL_COUNT_segments] = 1024;
    assert_int_equal(access(1, 0, 0xF, W, 1), 0);
    uint32_t first = t->segment, last = first + 1023;
    assert_int_equal(gl_batch_of(table(), first)->last, 1023);
    for (uint32_t got = 1024; got < GL_SEGMENT_CHUNK; got += 1024) /* else the chunk is not looked at yet */
        (void)batch(7, 1024, false);
    gl_cell_fresh(here.core, cell(0), 0xF);
    for (int i = 0; i < 100; i++) /* ids that nothing names any more, before its present one */
        order(&here, 1, 2), access(1, 0, 0xF, W, 1);
    for (int round = 0; round < 8; round++) {
        memset(used, 0, sizeof used);
        if (round == 6) { /* the next batch */
            t->batch_left = 0;
            order(&here, 1, 2), access(1, 0, 0xF, W, 1);
            assert_true(t->segment < first || t->segment > last);
        }
        struct gl_sweep *s = gl_sweep_begin_slowly(here.core, &before);
        assert_non_null(s);
        gl_sweep_word(s, here.word[0]);
        gl_sweep_end(s, CELLS);
        gl_segments_handed_out(table(), used);
        for (uint32_t id = first; round < 6 && id <= last; id += GL_SEGMENT_BATCH)
            assert_true(used[id / GL_SEGMENT_BATCH / 64] >> id / GL_SEGMENT_BATCH % 64 & 1);
        if (round == 5)
            assert_int_equal(gl_batch_of(table(), first)->last, GL_SEGMENT_BATCH - 1); /* it was split: the test is about something */
    }
    assert_false(used[first / GL_SEGMENT_BATCH / 64] >> first / GL_SEGMENT_BATCH % 64 & 1);
}

static void dense_chunks_stay_whole(void **state)
{
    (void)state;
    memset(used, 0, sizeof used);
    uint32_t first = batch(1, GL_SEGMENT_CHUNK, false);
    for (uint32_t id = first; id < first + GL_SEGMENT_CHUNK; id += GL_SEGMENT_BATCH)
        if (id % 1024)
            use(id);
    gl_segments_free(table(), used, 0);
    assert_int_equal(gl_batch_of(table(), first)->last + 1, GL_SEGMENT_CHUNK);
    assert_int_equal(table()->freed, 0);
    table()->limit = 3; /* few are left: then each counts */
    gl_segments_free(table(), used, 0);
    assert_int_equal(table()->freed, GL_SEGMENT_CHUNK / 1024 * GL_SEGMENT_BATCH);
}

/* When it is due, and what it does when hardly anything can be freed. */
static void due(void **state)
{
    (void)state;
    memset(used, 0, sizeof used);
    gl_core_sweep_every(here.core, 0, 2 * GL_SEGMENT_CHUNK);
    assert_false(gl_core_sweep_due(here.core));
    gl_segments_free(table(), used, 0);
    assert_int_equal(table()->every, GL_SEGMENT_CHUNK); /* half of what there is */
    for (uint32_t n = 0; n < 2; n++) {
        assert_int_equal(gl_core_sweep_due(here.core), n > 0);
        use(batch(1, GL_SEGMENT_CHUNK, false));
    }
    for (uint32_t id = GL_SEGMENT_CHUNK; id < 3 * GL_SEGMENT_CHUNK; id++)
        use(id);
    assert_int_equal(batch(1, 0, false), 0);
    assert_true(gl_core_sweep_due(here.core));
    gl_segments_free(table(), used, 1600);
    assert_int_equal(table()->every, 101);
    assert_false(gl_core_sweep_due(here.core));
    for (int i = 0; i < 101; i++)
        assert_int_equal(batch(1, 0, false), 0); /* asking in vain counts too */
    assert_true(gl_core_sweep_due(here.core));
    gl_segments_free(table(), used, 1600);
    gl_core_sweep_sooner(here.core, 100 * GL_SWEEP_ID_BYTES);
    assert_false(gl_core_sweep_due(here.core));
    gl_core_sweep_sooner(here.core, GL_SWEEP_ID_BYTES);
    assert_true(gl_core_sweep_due(here.core));
    gl_core_sweep_put_off(here.core);
    assert_false(gl_core_sweep_due(here.core));
}

/* A cell that is locked says nothing: nothing is freed. */
static void locked_cell(void **state)
{
    (void)state;
    assert_int_equal(access(1, 0, 0xF, W, 1), 0);
    here.word[0] = GL_CELL_LOCKED;
    for (int i = 0; i < 40; i++) /* so that the batch would be free */
        order(&here, 1, 2), access(1, 1, 0xF, W, 1);
    gl_cell_fresh(here.core, cell(1), 0xF);
    sweep(&here);
    assert_int_equal(table()->freed, 0);
    here.word[0] = 0;
    sweep(&here);
    assert_int_equal(table()->freed, GL_SEGMENT_BATCH);
}

/* ---- what a sweep tells of ---- */

static struct {
    uint32_t threads[64], n_threads, locks[64], n_locks;
} told;

static void note(uint32_t *list, uint32_t *n, uint32_t x)
{
    for (uint32_t i = 0; i < *n; i++)
        if (list[i] == x)
            return;
    assert_true(*n < 64);
    list[(*n)++] = x;
}
static void note_thread(void *ctx, uint32_t uid) { (void)ctx, note(told.threads, &told.n_threads, uid); }
static void note_lock(void *ctx, uint32_t serial) { (void)ctx, note(told.locks, &told.n_locks, serial); }

static bool in(const uint32_t *list, uint32_t n, uint32_t x)
{
    for (uint32_t i = 0; i < n; i++)
        if (list[i] == x)
            return true;
    return false;
}

static void uses_now(void)
{
    memset(&told, 0, sizeof told);
    struct gl_sweep *s = gl_sweep_begin(here.core);
    assert_non_null(s);
    for (uint32_t i = 0; i < CELLS; i++)
        gl_sweep_word(s, here.word[i]);
    gl_sweep_uses(s, note_thread, note_lock, NULL);
    gl_sweep_end(s, CELLS);
}

/* One access of thread 1 under these locks, then no lock. */
static void access_under(const uint32_t *serials, uint32_t n, uint32_t exclusive, uint32_t i)
{
    struct gl_thread *t = here.t[1];
    for (uint32_t k = 0; k < n; k++)
        assert_true(gl_held_push(t, serials[k], exclusive >> k & 1, k));
    gl_segment_tell_held(t);
    assert_int_equal(access(1, i, 0xF, W, 1), 0);
    for (uint32_t k = n; k-- > 0;) {
        struct gl_sync s = {0};
        gl_source(t, &s, true, exclusive >> k & 1 ? serials[k] : 0);
        gl_held_drop(t, serials[k]);
        gl_sync_free(here.core, &s);
    }
}

/* The locks of a segment in each form (gl_segment_lock()): one, one for reading, a list of serials, a list of holds. */
static void locks_in_use(void **state)
{
    (void)state;
    static const uint32_t one[] = {10}, read[] = {20}, serials[] = {30, 31, 32}, holds[] = {40, 41, 42};
    gl_core_sweep_every(here.core, 1, 0); /* a batch for each segment */
    access_under(one, 1, 1, 0);
    access_under(serials, 3, 7, 2);
    here.t[1]->lock_at_once = true;
    access_under(read, 1, 0, 1);
    access_under(holds, 3, 5, 3);
    uses_now();
    assert_int_equal(told.n_threads, 1);
    assert_int_equal(told.threads[0], here.t[1]->uid);
    assert_int_equal(told.n_locks, 8);
    for (uint32_t i = 0; i < 3; i++)
        assert_true(in(told.locks, told.n_locks, serials[i]) && in(told.locks, told.n_locks, holds[i]));
    assert_true(in(told.locks, told.n_locks, one[0]) && in(told.locks, told.n_locks, read[0]));
    for (uint32_t i = 0; i < CELLS; i++) { /* another thread's come in their place */
        order(&here, 1, 2);
        assert_int_equal(access(2, i, 0xF, W, 1), 0);
    }
    uses_now(); /* but for the last segment of the thread */
    assert_int_equal(told.n_threads, 2);
    assert_int_equal(told.n_locks, 3);
    assert_true(in(told.locks, told.n_locks, 40) && in(told.locks, told.n_locks, 41) &&
                in(told.locks, told.n_locks, 42));
}

/* Two locks that are told without a list. */
static void pair_in_use(void **state)
{
    (void)state;
    static const uint32_t pair[] = {50, 51};
    uint32_t words[GL_HOLDS_MOST];
    gl_core_sweep_every(here.core, 1, 0);
    access_under(pair, 2, 3, 0);
    uint32_t locks = gl_load_relaxed(gl_segment_lock(table(), gl_half_segment((uint32_t)(here.word[0] >> 32))));
    assert_true(gl_locks_are_pair(locks));
    assert_int_equal(gl_core_holds(here.core, gl_half_segment((uint32_t)(here.word[0] >> 32)), words, GL_HOLDS_MOST), 1);
    assert_true(words[0] == gl_hold_word(pair[0], true) || words[0] == gl_hold_word(pair[1], true));
    uses_now();
    assert_int_equal(told.n_locks, 2);
    assert_true(in(told.locks, told.n_locks, pair[0]) && in(told.locks, told.n_locks, pair[1]));
}

/* Locks that are new each time: their lists go with the segments, and those of accesses in cells stay. */
static void lists_of_holds(void **state)
{
    (void)state;
    gl_core_sweep_every(here.core, 1, 0);
    here.t[1]->lock_at_once = true;
    for (uint32_t n = 0; n < 5000; n++) {
        uint32_t serials[] = {1000 + 3 * n, 1001 + 3 * n, 1002 + 3 * n}, words[GL_HOLDS_MOST];
        access_under(serials, 3, 5, n % CELLS);
        sweep(&here);
        for (uint32_t k = n < CELLS ? 0 : n - CELLS + 1; k <= n; k++) { /* the last of each cell */
            uint32_t id = gl_half_segment((uint32_t)(here.word[k % CELLS] >> 32));
            assert_int_equal(gl_core_holds(here.core, id, words, GL_HOLDS_MOST), 3);
            for (uint32_t i = 0; i < 3; i++)
                assert_int_equal(words[i], gl_hold_word(1000 + 3 * k + i, 5 >> i & 1));
        }
    }
    assert_true(here.core->holds.next <= (CELLS + 4) * GL_HOLDS_BATCH);
}

/* A thread's last segment stays until it begins another, also when there are no ids for one; an id that the front end keeps stays too. */
static void last_segment(void **state)
{
    (void)state;
    gl_core_sweep_every(here.core, 1, GL_SEGMENT_CHUNK);
    assert_int_equal(gl_thread_last_id(here.t[1]), 0);
    assert_int_equal(access(1, 0, 0xF, W, 1), 0);
    uint32_t first = here.t[1]->segment;
    assert_int_equal(gl_thread_last_id(here.t[1]), first);
    order(&here, 1, 2);
    assert_int_equal(here.t[1]->segment, 0);
    gl_cell_fresh(here.core, cell(0), 0xF);
    sweep(&here);
    assert_int_equal(gl_thread_last_id(here.t[1]), first);
    assert_int_equal(table()->freed, 0);
    while (batch(3, 0, false)) /* the rest */
        ;
    assert_int_equal(access(1, 0, 0xF, W, 1), GL_ACCESS_NOMEM);
    assert_int_equal(gl_thread_last_id(here.t[1]), first);
    sweep(&here);
    assert_int_equal(table()->freed, GL_SEGMENT_CHUNK - GL_SEGMENT_BATCH);
    assert_int_equal(access(1, 0, 0xF, W, 1), 0);
    assert_int_not_equal(here.t[1]->segment, first);
    order(&here, 1, 2);
    struct gl_sweep *s = gl_sweep_begin(here.core);
    gl_sweep_word(s, here.word[0]);
    gl_sweep_id(s, 0);
    gl_sweep_id(s, first);
    gl_sweep_end(s, CELLS);
    assert_int_equal(table()->freed, GL_SEGMENT_CHUNK - GL_SEGMENT_BATCH);
    sweep(&here);
    assert_int_equal(table()->freed, GL_SEGMENT_CHUNK);
}

static void no_memory(void **state)
{
    (void)state;
    here.env.fail_at = here.env.maps + 1;
    assert_null(gl_sweep_begin(here.core));
}

#define sweep_test(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_verdicts),
        sweep_test(small_batches),
        sweep_test(large_batches),
        sweep_test(batches_at_hand_stay),
        sweep_test(dense_chunks_stay_whole),
        sweep_test(due),
        sweep_test(locked_cell),
        sweep_test(locks_in_use),
        sweep_test(pair_in_use),
        sweep_test(lists_of_holds),
        sweep_test(last_segment),
        sweep_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
