/* SPDX-License-Identifier: Apache-2.0
 *
 * The log alone: what a record says, positions across chunk borders, room that a thread takes, reading what is not written yet, cutting,
 * chunks that come again, and the ways in which it stops.
 */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/log.h"
#include "tests/support/fake_env.h"

static struct fake_env env;
static struct gl_log log_;

static int begin(void **state)
{
    (void)state;
    fake_env_init(&env);
    memset(&log_, 0, sizeof log_);
    gl_log_init(&log_, &env.env);
    return 0;
}

static int end(void **state)
{
    (void)state;
    gl_log_fini(&log_);
    return fake_env_is_clean(&env) ? 0 : -1;
}

/* A record that tells its position. */
static uint64_t record_of(uint64_t i) { return gl_record((uint32_t)(i % GL_NODE_NONE), 7, 0); }

static void append(uint64_t from, uint64_t to)
{
    for (uint64_t i = from; i < to; i++)
        if (gl_log_append(&log_, record_of(i)) != i)
            fail_msg("record %llu stands elsewhere", (unsigned long long)i);
}

static void expect_read(uint64_t from, uint64_t to)
{
    for (uint64_t i = from; i < to; i++)
        if (gl_log_read(&log_, i) != record_of(i))
            fail_msg("position %llu holds something else", (unsigned long long)i);
}

static void record_fields(void **state)
{
    (void)state;
    static const uint32_t nodes[] = {0, 1, GL_NODE_OBJECTS - 1, GL_NODE_OBJECTS, GL_NODE_NONE - 1, GL_NODE_NONE};
    static const uint64_t flags[] = {0, GL_REC_BUMP, GL_REC_ASSIGN, GL_REC_BUMP | GL_REC_ASSIGN};
    for (size_t d = 0; d < 6; d++)
        for (size_t s = 0; s < 6; s++)
            for (size_t f = 0; f < 4; f++) {
                uint64_t r = gl_record(nodes[d], nodes[s], flags[f]);
                assert_int_equal(gl_record_dst(r), nodes[d]);
                assert_int_equal(gl_record_src(r), nodes[s]);
                assert_int_equal(r & (GL_REC_BUMP | GL_REC_ASSIGN), flags[f]);
                assert_true(r & GL_REC_VALID);
            }
}

static void across_chunks(void **state)
{
    (void)state;
    const uint64_t n = 3 * GL_LOG_CHUNK + 5;
    assert_null(gl_log_chunk_at(&log_, 0));
    append(0, n);
    assert_int_equal(log_.tail, n);
    assert_int_equal(env.maps, 4); /* a chunk when it is needed, not before */
    expect_read(0, n);
    assert_ptr_equal(gl_log_chunk_at(&log_, 0), gl_log_chunk_at(&log_, GL_LOG_CHUNK - 1));
    assert_ptr_not_equal(gl_log_chunk_at(&log_, GL_LOG_CHUNK - 1), gl_log_chunk_at(&log_, GL_LOG_CHUNK));
    assert_null(gl_log_chunk_at(&log_, 4 * GL_LOG_CHUNK));
}

static void trim_forgets_whole_chunks(void **state)
{
    (void)state;
    const uint64_t cut = 2 * GL_LOG_CHUNK + 9, n = 3 * GL_LOG_CHUNK + 5;
    append(0, n);
    gl_log_trim(&log_, GL_LOG_CHUNK - 1); /* not one whole chunk */
    assert_int_equal(log_.head, 0);
    assert_non_null(gl_log_chunk_at(&log_, 0));
    gl_log_trim(&log_, cut);
    assert_int_equal(log_.head, 2 * GL_LOG_CHUNK);
    assert_null(gl_log_chunk_at(&log_, 0));
    assert_null(gl_log_chunk_at(&log_, 2 * GL_LOG_CHUNK - 1));
    expect_read(2 * GL_LOG_CHUNK, n);
    gl_log_trim(&log_, cut); /* again: nothing to do */
    gl_log_trim(&log_, 0);   /* backwards: neither */
    assert_int_equal(log_.head, 2 * GL_LOG_CHUNK);
    expect_read(2 * GL_LOG_CHUNK, n);
    assert_int_equal(env.blocks, 4); /* kept for later, not given back */
}

/* A chunk that is used again is empty: no reader takes an old record for a new one. */
static void chunks_come_again(void **state)
{
    (void)state;
    append(0, 3 * GL_LOG_CHUNK);
    gl_log_trim(&log_, 3 * GL_LOG_CHUNK);
    assert_int_equal(env.maps, 4); /* the fourth is made ahead */
    append(3 * GL_LOG_CHUNK, 4 * GL_LOG_CHUNK);
    struct gl_log_chunk *c = gl_log_chunk_at(&log_, 4 * GL_LOG_CHUNK);
    assert_non_null(c);
    for (unsigned i = 0; i < GL_LOG_CHUNK; i++)
        assert_false(gl_record_is(c->record[i]));
    append(4 * GL_LOG_CHUNK, 6 * GL_LOG_CHUNK);
    assert_int_equal(env.maps, 4); /* all three came from the free list */
    expect_read(4 * GL_LOG_CHUNK, 6 * GL_LOG_CHUNK);
    append(6 * GL_LOG_CHUNK, 7 * GL_LOG_CHUNK);
    assert_int_equal(env.maps, 5);
}

#define AHEAD (GL_LOG_CHUNK / 4 * 3)

/* The next chunk is there before anybody needs it, and made by one only; without memory, nothing is lost yet. */
static void made_ahead(void **state)
{
    (void)state;
    append(0, AHEAD - 1);
    assert_null(gl_log_chunk_at(&log_, GL_LOG_CHUNK));
    append(AHEAD - 1, AHEAD);
    assert_int_equal(env.maps, 2);
    struct gl_log_chunk *next = gl_log_chunk_at(&log_, GL_LOG_CHUNK);
    assert_non_null(next);
    append(AHEAD, GL_LOG_CHUNK + AHEAD - 1);
    assert_int_equal(env.maps, 2);
    assert_ptr_equal(gl_log_chunk_at(&log_, GL_LOG_CHUNK), next);
    env.fail_at = 3;
    append(GL_LOG_CHUNK + AHEAD - 1, 2 * GL_LOG_CHUNK);
    assert_int_equal(env.maps, 3);
    assert_false(log_.stopped);
    assert_null(gl_log_chunk_at(&log_, 2 * GL_LOG_CHUNK));
    append(2 * GL_LOG_CHUNK, 2 * GL_LOG_CHUNK + 1);
    expect_read(0, 2 * GL_LOG_CHUNK + 1);
    struct gl_room room = {.size = 16}; /* whose positions go past the place, not to it */
    log_.tail = 2 * GL_LOG_CHUNK + AHEAD - 3;
    assert_true(gl_log_room(&log_, &room));
    assert_non_null(gl_log_chunk_at(&log_, 3 * GL_LOG_CHUNK));
}

/* A reader may have made it. */
static void made_by_a_reader_ahead(void **state)
{
    (void)state;
    assert_int_equal(gl_log_read(&log_, GL_LOG_CHUNK + 1), GL_REC_NOTHING);
    append(0, GL_LOG_CHUNK);
    assert_int_equal(env.maps, 2);
    expect_read(0, GL_LOG_CHUNK);
}

/* The directory is a ring by chunk number. */
static void directory_goes_round(void **state)
{
    (void)state;
    const uint64_t later = (uint64_t)GL_LOG_DIR * GL_LOG_CHUNK;
    append(0, GL_LOG_CHUNK);
    gl_log_trim(&log_, GL_LOG_CHUNK);
    log_.tail = later; /* as if all chunks between had come and gone */
    append(later, later + 3);
    expect_read(later, later + 3);
    assert_null(gl_log_chunk_at(&log_, 0)); /* the same place, another number */
}

/* The ring is full of chunks that nobody cut: nothing is overwritten, the log stops. */
static void directory_full(void **state)
{
    (void)state;
    const uint64_t later = (uint64_t)GL_LOG_DIR * GL_LOG_CHUNK;
    append(0, 3);
    log_.tail = later;
    assert_int_equal(gl_log_append(&log_, record_of(0)), UINT64_MAX);
    assert_true(log_.stopped);
    expect_read(0, 3);
    assert_null(gl_log_chunk_at(&log_, later));
}

static void no_memory_stops(void **state)
{
    (void)state;
    env.fail_at = 2;
    env.fail_from = true;
    append(0, GL_LOG_CHUNK);
    assert_false(log_.stopped);
    assert_int_equal(gl_log_append(&log_, record_of(1)), UINT64_MAX);
    assert_true(log_.stopped);
    assert_int_equal(gl_log_read(&log_, GL_LOG_CHUNK), 0); /* it does not wait for what never comes */
    expect_read(0, GL_LOG_CHUNK);                          /* what was written is still there */
}

/* ---- room ---- */

/* The next record of a thread with this room, behind `least`; its position. */
static uint64_t put(struct gl_room *room, uint64_t least, uint64_t record)
{
    uint64_t pos = gl_log_append_inl(&log_, room, record, least, false);
    assert_true(pos >= least || least == UINT64_MAX);
    assert_true(gl_log_read(&log_, pos) == record);
    return pos;
}

/* Who uses all of it gets more, up to a limit, and meets the tail seldom. */
static void room_grows_and_shrinks(void **state)
{
    (void)state;
    struct gl_room a = {0}, b = {0};
    uint64_t last = put(&a, 0, record_of(0));
    assert_int_equal(last, 0);
    for (uint64_t i = 1; i < 6 * GL_ROOM_MOST; i++) {
        uint64_t pos = put(&a, 0, record_of(i));
        assert_int_equal(pos, last + 1); /* nobody else is here */
        last = pos;
    }
    assert_int_equal(a.size, GL_ROOM_MOST);
    assert_true(log_.tail < 8 * GL_ROOM_MOST);
    uint64_t other = put(&b, 0, record_of(1));
    assert_int_equal(other, a.end);
    /* What must stand behind that does not go into the room before it, which is given up; the next is half as large. */
    last = put(&a, other + 1, record_of(2));
    assert_int_equal(last, other + 1);
    assert_int_equal(a.end - a.next, GL_ROOM_MOST / 2 - 1);
    last = put(&a, UINT64_MAX, record_of(3));
    assert_int_equal(last, other + 1 + GL_ROOM_MOST / 2);
    gl_room_drop(&a);
    last = put(&b, 0, record_of(4)); /* b's own room is used up */
    assert_int_equal(put(&a, 0, record_of(5)), last + 2);
}

/* A reader does not wait for a record that is not there: there never will be one. */
static void a_reader_closes(void **state)
{
    (void)state;
    struct gl_room a = {0};
    uint64_t pos = 0;
    while (pos < 3) /* the third in a room of four */
        pos = put(&a, 0, record_of(pos)) + 1;
    assert_int_equal(a.next, 3);
    assert_int_equal(a.end, 3);
    pos = put(&a, 0, record_of(3));
    assert_int_equal(a.end - a.next, 3);
    assert_true(gl_log_read(&log_, pos + 2) == GL_REC_NOTHING); /* the second of those */
    uint64_t kept = put(&a, 0, record_of(4));
    assert_int_equal(kept, pos + 1);
    uint64_t later = put(&a, 0, record_of(5)); /* finds the place taken */
    assert_int_equal(later, pos + 4);
    assert_true(gl_log_read(&log_, pos + 2) == GL_REC_NOTHING);
    assert_true(gl_log_read(&log_, pos + 3) == GL_REC_NOTHING); /* given up with it */
    assert_true(gl_log_read(&log_, kept) == record_of(4));
}

/* The same before even the chunk is there. */
static void a_reader_makes_the_chunk(void **state)
{
    (void)state;
    gl_add_relaxed(&log_.tail, 1); /* somebody is about to make it */
    assert_true(gl_log_read(&log_, 0) == GL_REC_NOTHING);
    assert_int_equal(gl_log_append(&log_, record_of(1)), 1);
    assert_int_equal(env.maps, 1);
}

/* Room in a chunk that is cut off, or has become another one, is no room. */
static void room_goes_with_its_chunk(void **state)
{
    (void)state;
    struct gl_room a = {0}, b = {0};
    while (a.size < 8)
        put(&a, 0, record_of(1));
    assert_true(a.end - a.next >= 2);
    b = a;
    log_.tail = GL_LOG_CHUNK;
    for (uint64_t pos = 0; pos < GL_LOG_CHUNK; pos++)
        assert_true(gl_record_is(gl_log_read(&log_, pos)));
    gl_log_trim(&log_, GL_LOG_CHUNK);
    assert_int_equal(put(&a, 0, record_of(2)), GL_LOG_CHUNK); /* the chunk lies among the spare ones, as it was, and is used again for this */
    assert_int_equal(env.maps, 1);
    assert_true(put(&b, 0, record_of(3)) > GL_LOG_CHUNK); /* the same memory, in another life */
    for (uint64_t pos = GL_LOG_CHUNK + 1; pos < log_.tail; pos++)
        assert_true(gl_log_read(&log_, pos) == record_of(3) || gl_log_read(&log_, pos) == GL_REC_NOTHING);
}

/* A chunk comes once: who took room in it, and slept until it was gone, does not bring it back. */
static void what_is_gone_stays_gone(void **state)
{
    (void)state;
    gl_add_relaxed(&log_.tail, GL_LOG_CHUNK);
    for (uint64_t pos = 0; pos < GL_LOG_CHUNK; pos++)
        assert_true(gl_log_read(&log_, pos) == GL_REC_NOTHING);
    gl_log_trim(&log_, GL_LOG_CHUNK);
    assert_null(gl_log_chunk_install(&log_, 7));
    assert_false(log_.stopped);
    gl_store_relaxed(&log_.tail, 5); /* as if it had been taken before */
    uint64_t pos = gl_log_append(&log_, record_of(5)); // position 5 is gone, and so are all up to the chunk's end
    assert_int_equal(pos, GL_LOG_CHUNK);
}

/* Chunk 0 has come, was closed and is gone, and the tail stands one turn of the ring later. */
static uint64_t a_turn_later(void)
{
    uint64_t later = (uint64_t)GL_LOG_DIR * GL_LOG_CHUNK;
    gl_add_relaxed(&log_.tail, GL_LOG_CHUNK);
    for (uint64_t pos = 0; pos < GL_LOG_CHUNK; pos++)
        (void)gl_log_read(&log_, pos);
    gl_log_trim(&log_, GL_LOG_CHUNK);
    gl_store_relaxed(&log_.tail, later);
    gl_store_relaxed(&log_.head, later);
    return later;
}

/* The same for who slept for a whole turn of the ring: the place has been another chunk's since ... */
static void gone_for_a_turn(void **state)
{
    (void)state;
    uint64_t later = a_turn_later();
    gl_add_relaxed(&log_.tail, GL_LOG_CHUNK);
    for (uint64_t pos = later; pos < later + GL_LOG_CHUNK; pos++)
        (void)gl_log_read(&log_, pos);
    gl_log_trim(&log_, later + GL_LOG_CHUNK);
    assert_null(gl_log_chunk_install(&log_, 5));
    assert_false(log_.stopped);
}

/* ... or is. */
static void another_for_a_turn(void **state)
{
    (void)state;
    uint64_t later = a_turn_later();
    assert_int_equal(gl_log_append(&log_, record_of(1)), later);
    assert_null(gl_log_chunk_install(&log_, 5));
    assert_false(log_.stopped);
    assert_true(gl_log_read(&log_, later) == record_of(1));
}

static enum { NOT_YET, MAKES_A_CHUNK, GIVES_IT_BACK, OVER } maker;
static void *(*map_as_before)(void *ctx, size_t bytes);

/* While somebody maps memory for chunk 0, another thread installs it, and a third has the lock of the spare chunks ... */
static void *map_is_late(void *ctx, size_t bytes)
{
    if (maker == MAKES_A_CHUNK) {
        maker = GIVES_IT_BACK;
        assert_true(gl_log_read(&log_, 0) == GL_REC_NOTHING);
        log_.free_lock.held = 1;
    }
    return map_as_before(ctx, bytes);
}

/* ... and while he waits for that, chunk 0 is closed and cut off, and its memory becomes chunk 1. */
static void cut_off_meanwhile(void *ctx, unsigned rounds)
{
    (void)ctx, (void)rounds;
    if (maker != GIVES_IT_BACK)
        return;
    maker = OVER;
    log_.free_lock.held = 0;
    gl_store_relaxed(&log_.tail, GL_LOG_CHUNK);
    for (uint64_t pos = 0; pos < GL_LOG_CHUNK; pos++)
        (void)gl_log_read(&log_, pos);
    gl_log_trim(&log_, GL_LOG_CHUNK);
    assert_int_equal(gl_log_append(&log_, record_of(1)), GL_LOG_CHUNK);
}

/* Who comes second to a place, and late, does not take the chunk of another number there for a full ring. */
static void second_and_late(void **state)
{
    (void)state;
    map_as_before = env.env.map;
    env.env.map = map_is_late;
    env.env.pause = cut_off_meanwhile;
    maker = MAKES_A_CHUNK;
    assert_int_equal(gl_log_append(&log_, record_of(2)), GL_LOG_CHUNK + 1);
    assert_int_equal(maker, OVER);
    assert_false(log_.stopped);
    assert_true(gl_log_read(&log_, GL_LOG_CHUNK) == record_of(1) && gl_log_read(&log_, GL_LOG_CHUNK + 1) == record_of(2));
    maker = NOT_YET;
}

/* Room ends where the chunk does; what was taken beyond that is closed. */
static void room_ends_with_the_chunk(void **state)
{
    (void)state;
    struct gl_room a = {0};
    while (a.size < 8 || a.next < a.end)
        put(&a, 0, record_of(1));
    log_.tail = GL_LOG_CHUNK - 3;
    for (uint64_t i = 0; i < 3; i++)
        assert_int_equal(put(&a, 0, record_of(i)), GL_LOG_CHUNK - 3 + i);
    uint64_t taken = log_.tail;
    assert_int_equal(put(&a, 0, record_of(3)), taken);
    assert_true(gl_log_read(&log_, GL_LOG_CHUNK) == GL_REC_NOTHING);
}

/* ---- many at once ---- */

enum { WRITERS = 4, EACH = 200000 };
static pthread_barrier_t together;
static _Atomic uint32_t writing;
static uint64_t object[WRITERS]; /* position behind the last record that names it; guarded by object_lock */
static pthread_mutex_t object_lock[WRITERS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                               PTHREAD_MUTEX_INITIALIZER};
static uint32_t count[WRITERS]; /* records that name it; guarded by it */

/* Records of two objects: their numbers for the thread, and for the object. */
static void *writer(void *arg)
{
    uint32_t me = (uint32_t)(uintptr_t)arg, seed = me + 1;
    uint64_t last = 0, disorder = 0;
    struct gl_room room = {0};
    pthread_barrier_wait(&together);
    for (uint32_t i = 0; i < EACH; i++) {
        seed = seed * 1664525 + 1013904223;
        uint32_t o = i % 16 ? me : seed >> 30; /* mostly its own, as threads are */
        pthread_mutex_lock(&object_lock[o]);
        uint64_t pos = gl_log_append_inl(&log_, &room, gl_record(i, me << 28 | o << 24 | count[o] % (1u << 20), 0) , object[o], false);
        disorder += (i && pos <= last) || pos < object[o];
        object[o] = pos + 1;
        count[o]++;
        pthread_mutex_unlock(&object_lock[o]);
        last = pos;
    }
    gl_add_relaxed(&writing, (uint32_t)-1);
    return (void *)(uintptr_t)disorder;
}

/* Every record of every thread is there once, in the order of its thread and in that of the objects; a reader runs beside, closes what it meets
 * unwritten, and cuts the log behind it. */
static void concurrent_appends(void **state)
{
    (void)state;
    pthread_t t[WRITERS];
    writing = WRITERS;
    memset(object, 0, sizeof object);
    memset(count, 0, sizeof count);
    pthread_barrier_init(&together, NULL, WRITERS);
    for (uintptr_t i = 0; i < WRITERS; i++)
        assert_int_equal(pthread_create(&t[i], NULL, writer, (void *)i), 0);
    uint32_t next[WRITERS] = {0}, of[WRITERS] = {0}, nothing = 0;
    for (uint64_t pos = 0;;) {
        bool over = !gl_load_acquire(&writing); /* then the tail stays */
        uint64_t tail = gl_load_relaxed(&log_.tail);
        for (; pos < tail; pos++) {
            uint64_t r = gl_log_read(&log_, pos);
            assert_true(gl_record_is(r));
            if (r == GL_REC_NOTHING) {
                nothing++;
                continue;
            }
            uint32_t who = gl_record_src(r) >> 28, o = gl_record_src(r) >> 24 & 0xF;
            assert_true(who < WRITERS && o < WRITERS);
            assert_int_equal(gl_record_dst(r), next[who]++);
            assert_int_equal(gl_record_src(r) % (1u << 20), of[o]++);
        }
        gl_log_trim(&log_, pos);
        if (over)
            break;
        sched_yield();
    }
    for (int i = 0; i < WRITERS; i++) {
        void *disorder;
        pthread_join(t[i], &disorder);
        assert_null(disorder);
        assert_int_equal(next[i], EACH);
    }
    pthread_barrier_destroy(&together);
    assert_int_equal(log_.tail, WRITERS * EACH + nothing);
}

#define log_test(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(record_fields), log_test(across_chunks),   log_test(trim_forgets_whole_chunks),
        log_test(chunks_come_again),     log_test(made_ahead),           log_test(made_by_a_reader_ahead),
        log_test(directory_goes_round), log_test(directory_full),
        log_test(no_memory_stops),       log_test(room_grows_and_shrinks), log_test(a_reader_closes),
        log_test(a_reader_makes_the_chunk), log_test(room_goes_with_its_chunk), log_test(what_is_gone_stays_gone),
        log_test(room_ends_with_the_chunk), log_test(gone_for_a_turn), log_test(another_for_a_turn),
        log_test(second_and_late),       log_test(concurrent_appends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
