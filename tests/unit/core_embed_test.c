/* SPDX-License-Identifier: Apache-2.0
 *
 * The public library as a stranger uses it: include/goldilocks/goldilocks.h and nothing else of ours.  The example of its
 * comment; every kind of synchronization with and without its edge; wrong arguments; no memory.
 */
#include <goldilocks/goldilocks.h>

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

/* ---- the example ---- */

static void *map(void *ctx, size_t n)
{
    (void)ctx;
    void *p = mmap(0, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static void unmap(void *ctx, void *p, size_t n)
{
    (void)ctx;
    munmap(p, n);
}

static void pause_(void *ctx, unsigned rounds)
{
    (void)ctx;
    if (rounds > 16)
        sched_yield();
}

static void example(void **state)
{
    (void)state;
    struct goldilocks_env env = {sizeof env, NULL, map, unmap, pause_};
    goldilocks *g = goldilocks_create(&env);
    struct goldilocks_report race;
    goldilocks_sync(g, 0, GOLDILOCKS_FORK, 1);
    assert_int_equal(goldilocks_write(g, 0, 0x1000, 4, 10, &race), GOLDILOCKS_OK);
    assert_int_equal(goldilocks_read(g, 1, 0x1000, 4, 20, &race), GOLDILOCKS_RACE);
    assert_int_equal(race.then_site, 10);
    goldilocks_destroy(g);
}

/* ---- a counted environment ---- */

static struct {
    unsigned long blocks, bytes, calls, fail_at;
} memory;

static void *counted_map(void *ctx, size_t n)
{
    assert_ptr_equal(ctx, &memory);
    if (++memory.calls == memory.fail_at)
        return NULL;
    memory.blocks++;
    memory.bytes += n;
    return map(NULL, n);
}

static void counted_unmap(void *ctx, void *p, size_t n)
{
    assert_ptr_equal(ctx, &memory);
    memory.blocks--;
    memory.bytes -= n;
    unmap(NULL, p, n);
}

static goldilocks *g;

static int begin(void **state)
{
    (void)state;
    memset(&memory, 0, sizeof memory);
    struct goldilocks_env env = {sizeof env, &memory, counted_map, counted_unmap, pause_};
    g = goldilocks_create(&env);
    memset(&env, 0, sizeof env); /* it was copied */
    return g ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    goldilocks_destroy(g);
    return memory.blocks == 0 && memory.bytes == 0 ? 0 : -1;
}

enum { SITE = 77, X = 0x100 };

static enum goldilocks_status write_(uint32_t thread, uint64_t addr) { return goldilocks_write(g, thread, addr, 4, SITE, NULL); }
static enum goldilocks_status sync_(uint32_t thread, enum goldilocks_sync_op op, uint64_t object)
{
    return goldilocks_sync(g, thread, op, object);
}

static void reports(void **state)
{
    (void)state;
    struct goldilocks_report r = {.then_site = 5};
    assert_int_equal(goldilocks_write(g, 1, X + 2, 2, 10, &r), GOLDILOCKS_OK);
    assert_int_equal(r.then_site, 5); /* not touched without a race */
    assert_int_equal(goldilocks_read(g, 2, X, 8, 20, &r), GOLDILOCKS_RACE);
    assert_int_equal(r.bytes, 0xC);
    assert_int_equal(r.then_thread, 1);
    assert_int_equal(r.then_site, 10);
    assert_true(r.then_is_write);
    assert_false(r.then_is_atomic);
    assert_int_equal(goldilocks_atomic(g, 3, GOLDILOCKS_RMW, X + 4, 4, GOLDILOCKS_RLX, 30, &r), GOLDILOCKS_RACE);
    assert_int_equal(r.bytes, 0xF);
    assert_int_equal(r.then_thread, 2);
    assert_int_equal(r.then_site, 20);
    assert_false(r.then_is_write);
    assert_int_equal(goldilocks_write(g, 4, X + 4, 1, 40, &r), GOLDILOCKS_RACE);
    assert_int_equal(r.bytes, 1);
    assert_int_equal(goldilocks_write(g, 5, X + 6, 1, 50, &r), GOLDILOCKS_RACE);
    assert_true(r.then_thread == 2 || (r.then_thread == 3 && r.then_is_write && r.then_is_atomic));
    assert_int_equal(goldilocks_read(g, 6, X + 4, 1, 60, NULL), GOLDILOCKS_RACE);
    assert_int_equal(goldilocks_fresh(g, 6, X, 8), GOLDILOCKS_OK);
    assert_int_equal(goldilocks_write(g, 7, X, 8, 70, &r), GOLDILOCKS_OK);
}

/* Thread 1 writes X, does `from`; thread 2 does `to`, and writes X. */
static void synchronization(void **state)
{
    (void)state;
    static const struct {
        enum goldilocks_sync_op before1, from, before2, to;
    } edge[] = {
        {GOLDILOCKS_ACQUIRE, GOLDILOCKS_RELEASE, GOLDILOCKS_END, GOLDILOCKS_ACQUIRE},
        {GOLDILOCKS_ACQUIRE, GOLDILOCKS_WAIT_BEGIN, GOLDILOCKS_END, GOLDILOCKS_ACQUIRE},
        {GOLDILOCKS_WRLOCK, GOLDILOCKS_WRUNLOCK, GOLDILOCKS_END, GOLDILOCKS_RDLOCK},
        {GOLDILOCKS_RDLOCK, GOLDILOCKS_RDUNLOCK, GOLDILOCKS_END, GOLDILOCKS_WRLOCK},
        {GOLDILOCKS_END, GOLDILOCKS_VOLWRITE, GOLDILOCKS_END, GOLDILOCKS_VOLREAD},
        {GOLDILOCKS_END, GOLDILOCKS_BARRIER_IN, GOLDILOCKS_BARRIER_IN, GOLDILOCKS_BARRIER_OUT},
        {GOLDILOCKS_END, GOLDILOCKS_POST, GOLDILOCKS_END, GOLDILOCKS_SEM_WAIT},
    };
    for (uint32_t i = 0; i < sizeof edge / sizeof *edge; i++)
        for (int twin = 0; twin < 3; twin++) { /* ordered; by another object; too early */
            uint32_t a = 10 + 6 * i + 2 * (uint32_t)twin, b = a + 1;
            uint64_t x = X + 8 * a, o = a, other = twin == 1 ? o + 1 : o;
            if (edge[i].before1 != GOLDILOCKS_END)
                assert_int_equal(sync_(a, edge[i].before1, o), GOLDILOCKS_OK);
            if (edge[i].before2 != GOLDILOCKS_END)
                assert_int_equal(sync_(b, edge[i].before2, other), GOLDILOCKS_OK);
            if (twin == 2)
                assert_int_equal(sync_(a, edge[i].from, o), GOLDILOCKS_OK);
            assert_int_equal(write_(a, x), GOLDILOCKS_OK);
            if (twin != 2)
                assert_int_equal(sync_(a, edge[i].from, o), GOLDILOCKS_OK);
            assert_int_equal(sync_(b, edge[i].to, other), GOLDILOCKS_OK);
            if (write_(b, x) != (twin ? GOLDILOCKS_RACE : GOLDILOCKS_OK))
                fail_msg("edge %u, twin %d", i, twin);
        }
}

static void waits(void **state)
{
    (void)state;
    sync_(1, GOLDILOCKS_ACQUIRE, 5);
    sync_(1, GOLDILOCKS_WAIT_BEGIN, 5);
    sync_(2, GOLDILOCKS_ACQUIRE, 5);
    write_(2, X);
    sync_(2, GOLDILOCKS_RELEASE, 5);
    assert_int_equal(sync_(1, GOLDILOCKS_WAIT_END, 5), GOLDILOCKS_OK);
    assert_int_equal(write_(1, X), GOLDILOCKS_OK);
    assert_int_equal(sync_(1, GOLDILOCKS_RELEASE, 5), GOLDILOCKS_OK);
}

static void threads(void **state)
{
    (void)state;
    write_(0, X);
    assert_int_equal(sync_(0, GOLDILOCKS_FORK, 1), GOLDILOCKS_OK);
    assert_int_equal(write_(1, X), GOLDILOCKS_OK);
    assert_int_equal(sync_(1, GOLDILOCKS_END, 0), GOLDILOCKS_OK);
    assert_int_equal(write_(1, X), GOLDILOCKS_INVALID);
    assert_int_equal(sync_(0, GOLDILOCKS_JOIN, 1), GOLDILOCKS_OK);
    assert_int_equal(write_(0, X), GOLDILOCKS_OK);
    assert_int_equal(write_(2, X), GOLDILOCKS_RACE); /* nobody forked it: it is after nothing */
}

/* Every order of every operation: a release/acquire pair orders, no other does. */
static void atomics(void **state)
{
    (void)state;
    uint32_t t = 10;
    for (int st = GOLDILOCKS_RLX; st <= GOLDILOCKS_SC; st++)
        for (int ld = GOLDILOCKS_RLX; ld <= GOLDILOCKS_SC; ld++)
            for (int op = GOLDILOCKS_STORE; op <= GOLDILOCKS_RMW; op++, t += 2) {
                bool releases = st >= GOLDILOCKS_REL, acquires = ld == GOLDILOCKS_ACQ || ld >= GOLDILOCKS_AR;
                write_(t, 16 * t);
                assert_int_equal(goldilocks_atomic(g, t, (enum goldilocks_atomic_op)op, t, 0, (enum goldilocks_order)st, 0, NULL),
                                 GOLDILOCKS_OK);
                assert_int_equal(goldilocks_atomic(g, t + 1, GOLDILOCKS_LOAD, t, 0, (enum goldilocks_order)ld, 0, NULL),
                                 GOLDILOCKS_OK);
                assert_int_equal(write_(t + 1, 16 * t), releases && acquires ? GOLDILOCKS_OK : GOLDILOCKS_RACE);
            }
    write_(1, X);
    assert_int_equal(goldilocks_fence(g, 1, GOLDILOCKS_REL), GOLDILOCKS_OK);
    goldilocks_atomic(g, 1, GOLDILOCKS_STORE, 5, 0, GOLDILOCKS_RLX, 0, NULL);
    goldilocks_atomic(g, 2, GOLDILOCKS_LOAD, 5, 0, GOLDILOCKS_RLX, 0, NULL);
    assert_int_equal(goldilocks_fence(g, 2, GOLDILOCKS_ACQ), GOLDILOCKS_OK);
    assert_int_equal(write_(2, X), GOLDILOCKS_OK);
    /* on memory: atomic with atomic is fine, with plain is not */
    assert_int_equal(goldilocks_atomic(g, 3, GOLDILOCKS_STORE, 0x40, 8, GOLDILOCKS_RLX, 1, NULL), GOLDILOCKS_OK);
    assert_int_equal(goldilocks_atomic(g, 4, GOLDILOCKS_RMW, 0x40, 8, GOLDILOCKS_RLX, 1, NULL), GOLDILOCKS_OK);
    assert_int_equal(goldilocks_read(g, 5, 0x44, 1, 1, NULL), GOLDILOCKS_RACE);
}

static void wrong_arguments(void **state)
{
    (void)state;
    const uint64_t objects = 1 << 28, bytes = 1 << 30;
    assert_int_equal(goldilocks_read(g, 1, X, 0, 1, NULL), GOLDILOCKS_INVALID);
    assert_int_equal(goldilocks_read(g, 1, X, 65, 1, NULL), GOLDILOCKS_INVALID);
    assert_int_equal(goldilocks_write(g, 1, X, UINT32_MAX, 1, NULL), GOLDILOCKS_INVALID);
    assert_int_equal(goldilocks_write(g, 1, bytes, 4, 1, NULL), GOLDILOCKS_LIMIT);
    assert_int_equal(goldilocks_write(g, 1, UINT64_MAX, 4, 1, NULL), GOLDILOCKS_LIMIT);
    unsigned long before = memory.bytes; /* what is fresh and was not accessed takes no memory */
    assert_int_equal(goldilocks_fresh(g, 1, 1 << 20, (1 << 30) - (1 << 20)), GOLDILOCKS_OK);
    assert_int_equal(goldilocks_fresh(g, 1, 1 << 20, 1 << 30), GOLDILOCKS_LIMIT);
    assert_int_equal(memory.bytes, before);
    assert_int_equal(goldilocks_read(g, UINT32_MAX, X, 4, 1, NULL), GOLDILOCKS_LIMIT);
    assert_int_equal(goldilocks_sync(g, 1, (enum goldilocks_sync_op)(GOLDILOCKS_END + 1), 1), GOLDILOCKS_INVALID);
    assert_int_equal(goldilocks_sync(g, 1, (enum goldilocks_sync_op)-1, 1), GOLDILOCKS_INVALID);
    assert_int_equal(sync_(1, GOLDILOCKS_RELEASE, 1), GOLDILOCKS_INVALID);
    assert_int_equal(sync_(1, GOLDILOCKS_RDUNLOCK, 1), GOLDILOCKS_INVALID);
    assert_int_equal(sync_(1, GOLDILOCKS_WRUNLOCK, 1), GOLDILOCKS_INVALID);
    assert_int_equal(sync_(1, GOLDILOCKS_BARRIER_OUT, 1), GOLDILOCKS_INVALID);
    assert_int_equal(sync_(1, GOLDILOCKS_JOIN, 9), GOLDILOCKS_INVALID);
    assert_int_equal(sync_(1, GOLDILOCKS_FORK, 1), GOLDILOCKS_INVALID);
    assert_int_equal(goldilocks_atomic(g, 1, (enum goldilocks_atomic_op)3, 1, 0, GOLDILOCKS_SC, 0, NULL), GOLDILOCKS_INVALID);
    assert_int_equal(goldilocks_atomic(g, 1, GOLDILOCKS_LOAD, 1, 0, (enum goldilocks_order)5, 0, NULL), GOLDILOCKS_INVALID);
    assert_int_equal(goldilocks_atomic(g, 1, GOLDILOCKS_LOAD, 1, 17, GOLDILOCKS_SC, 0, NULL), GOLDILOCKS_INVALID);
    assert_int_equal(goldilocks_fence(g, 1, (enum goldilocks_order)5), GOLDILOCKS_INVALID);
    /* none of it left anything behind */
    assert_int_equal(write_(1, X), GOLDILOCKS_OK);
    assert_int_equal(write_(2, X), GOLDILOCKS_RACE);
    assert_int_equal(sync_(1, GOLDILOCKS_ACQUIRE, objects), GOLDILOCKS_LIMIT);
    assert_int_equal(goldilocks_atomic(g, 1, GOLDILOCKS_LOAD, objects, 0, GOLDILOCKS_SC, 0, NULL), GOLDILOCKS_LIMIT);
}

static void messages(void **state)
{
    (void)state;
    for (int a = GOLDILOCKS_OK; a <= GOLDILOCKS_LIMIT; a++) {
        assert_true(strlen(goldilocks_status_message((enum goldilocks_status)a)) > 5);
        for (int b = GOLDILOCKS_OK; b < a; b++)
            assert_string_not_equal(goldilocks_status_message((enum goldilocks_status)a),
                                    goldilocks_status_message((enum goldilocks_status)b));
    }
}

/* Every map fails once: no memory is left over, and the one race is found, or the status says why it is not; the ordered
 * access is never called a race. */
static void no_memory(void **state)
{
    (void)state;
    unsigned long at = 0, created = 0;
    do {
        memset(&memory, 0, sizeof memory);
        memory.fail_at = ++at;
        struct goldilocks_env env = {sizeof env, &memory, counted_map, counted_unmap, pause_};
        if ((g = goldilocks_create(&env)) != NULL) {
            created++;
            enum goldilocks_status told[] = {
                sync_(0, GOLDILOCKS_FORK, 1), sync_(0, GOLDILOCKS_FORK, 2), sync_(1, GOLDILOCKS_ACQUIRE, 1), write_(1, X),
                sync_(1, GOLDILOCKS_RELEASE, 1), sync_(2, GOLDILOCKS_ACQUIRE, 1), write_(2, X), write_(0, X)};
            bool short_of = false;
            for (int i = 0; i < 8; i++) {
                assert_true(told[i] == GOLDILOCKS_OK || told[i] == GOLDILOCKS_NOMEM || (i == 7 && told[i] == GOLDILOCKS_RACE));
                short_of |= told[i] == GOLDILOCKS_NOMEM;
            }
            assert_true(told[7] == GOLDILOCKS_RACE || short_of);
            goldilocks_destroy(g);
        }
        assert_int_equal(memory.blocks, 0);
        assert_int_equal(memory.bytes, 0);
    } while (memory.calls >= at);
    assert_true(created > 8);
}

#define embed_test(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(example), embed_test(reports), embed_test(synchronization), embed_test(waits), embed_test(threads),
        embed_test(atomics),       embed_test(wrong_arguments), cmocka_unit_test(messages), cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
