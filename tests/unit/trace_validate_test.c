/* SPDX-License-Identifier: Apache-2.0
 *
 * The validator: each rule broken once, with its sentence; what is no fault; executions that can happen have none; and
 * when faults are skipped, the engine takes what is left.
 */
#include <stdio.h>

#include "tests/support/generate.h"
#include "tests/unit/trace_support.h"
#include "trace/validate.h"

/* The trace is possible up to the event on line `line`, where there is this fault.  line == 0: all of it is possible. */
static void expect(const char *text, uint64_t line, enum gl_fault fault, const char *sentence)
{
    struct trace_read *t = malloc(sizeof *t);
    assert_non_null(t);
    trace_read(t, GL_TRACE_STD, text);
    assert_false(t->failed);
    struct gl_validator *v = gl_validator_create(&t->env.env);
    enum gl_fault found;
    size_t n = gl_validate(v, t->events, t->n, &found);
    char words[200] = "";
    if (n < t->n)
        gl_validate_sentence(v, gl_trace_names(t->reader), &t->events[n], found, words, sizeof words);
    if ((n < t->n ? t->records[n] : 0) != line || found != fault || strcmp(words, sentence) != 0)
        fail_msg("%s\nline %d: %s: %s", text, n < t->n ? (int)t->records[n] : 0, gl_fault_name(found), words);
    for (int f = 0; f < GL_FAULT_COUNT; f++)
        assert_int_equal(gl_validator_count(v, (enum gl_fault)f), f != GL_FAULT_NONE && f == (int)fault);
    gl_validator_destroy(v);
    trace_close(t);
    free(t);
}

static void possible(const char *text) { expect(text, 0, GL_FAULT_NONE, ""); }

static void mutex_rules(void **state)
{
    (void)state;
    possible("T0|acq(L)\nT0|acq(L)\nT0|rel(L)\nT0|rel(L)\nT1|acq(L)\nT0|end\nT1|rel(L)\nT1|acq(M)\n");
    expect("T0|acq(L)\nT0|acq(L)\nT0|rel(L)\nT1|acq(L)\n", 4, GL_FAULT_MUTEX_TAKEN,
           "T1 does acq of mutex L, which T0 holds");
    expect("T0|acq(L)\nT1|rel(L)\n", 2, GL_FAULT_MUTEX_NOT_HELD,
           "T1 does rel of mutex L, which it does not hold (T0 does)");
    expect("T0|rel(L)\n", 1, GL_FAULT_MUTEX_NOT_HELD,
           "T0 does rel of mutex L, which it does not hold (nobody does)");
    expect("T0|acq(L)\nT0|acq(M)\nT0|rel(L)\nT0|rel(L)\n", 4, GL_FAULT_MUTEX_NOT_HELD,
           "T0 does rel of mutex L, which it does not hold (nobody does)");
}

static void wait_rules(void **state)
{
    (void)state;
    possible("T0|acq(L)\nT0|acq(L)\nT0|cwait_begin(L)\nT1|acq(L)\nT1|rel(L)\nT0|cwait_end(L)\nT0|rel(L)\nT0|"
             "rel(L)\n");
    expect("T0|cwait_begin(L)\n", 1, GL_FAULT_MUTEX_NOT_HELD,
           "T0 does cwait_begin of mutex L, which it does not hold (nobody does)");
    expect("T0|acq(L)\nT0|cwait_end(L)\n", 2, GL_FAULT_WAIT_END,
           "T0 ends a condition wait with mutex L, but is in none with it");
    expect("T0|acq(L)\nT0|cwait_begin(L)\nT0|cwait_end(M)\n", 3, GL_FAULT_WAIT_END,
           "T0 ends a condition wait with mutex M, but is in none with it");
    expect("T0|acq(L)\nT0|cwait_begin(L)\nT0|r(x)\n", 3, GL_FAULT_IN_WAIT,
           "T0 does r while it is in a condition wait");
    expect("T0|acq(L)\nT0|cwait_begin(L)\nT0|end\n", 3, GL_FAULT_IN_WAIT,
           "T0 does end while it is in a condition wait");
    expect("T0|acq(L)\nT0|cwait_begin(L)\nT1|acq(L)\nT0|cwait_end(L)\n", 4, GL_FAULT_MUTEX_TAKEN,
           "T0 does cwait_end of mutex L, which T1 holds");
    /* the depth comes back */
    expect("T0|acq(L)\nT0|acq(L)\nT0|cwait_begin(L)\nT0|cwait_end(L)\nT0|rel(L)\nT1|acq(L)\n", 6,
           GL_FAULT_MUTEX_TAKEN, "T1 does acq of mutex L, which T0 holds");
}

static void rwlock_rules(void **state)
{
    (void)state;
    possible("T0|rdlock(R)\nT0|rdlock(R)\nT1|rdlock(R)\nT0|rdunlock(R)\nT0|rdunlock(R)\nT1|rdunlock(R)\nT0|"
             "wrlock(R)\n"
             "T0|acq(R)\nT0|wrunlock(R)\nT1|wrlock(R)\nT1|wrunlock(R)\n");
    expect("T0|wrlock(R)\nT1|rdlock(R)\n", 2, GL_FAULT_RWLOCK_TAKEN,
           "T1 does rdlock of rwlock R, which T0 holds for writing");
    expect("T0|wrlock(R)\nT0|rdlock(R)\n", 2, GL_FAULT_RWLOCK_TAKEN,
           "T0 does rdlock of rwlock R, which T0 holds for writing");
    expect("T0|wrlock(R)\nT1|wrlock(R)\n", 2, GL_FAULT_RWLOCK_TAKEN,
           "T1 does wrlock of rwlock R, which T0 holds for writing");
    expect("T0|rdlock(R)\nT0|wrlock(R)\n", 2, GL_FAULT_RWLOCK_READ,
           "T0 does wrlock of rwlock R, which is held for reading");
    expect("T0|rdlock(R)\nT1|rdlock(R)\nT0|rdunlock(R)\nT2|wrlock(R)\n", 4, GL_FAULT_RWLOCK_READ,
           "T2 does wrlock of rwlock R, which is held for reading");
    expect("T0|rdlock(R)\nT1|rdunlock(R)\n", 2, GL_FAULT_RWLOCK_NOT_HELD,
           "T1 does rdunlock of rwlock R, which it does not hold so");
    expect("T0|wrlock(R)\nT0|rdunlock(R)\n", 2, GL_FAULT_RWLOCK_NOT_HELD,
           "T0 does rdunlock of rwlock R, which it does not hold so");
    expect("T0|wrlock(R)\nT1|wrunlock(R)\n", 2, GL_FAULT_RWLOCK_NOT_HELD,
           "T1 does wrunlock of rwlock R, which it does not hold so");
    expect("T0|rdlock(R)\nT0|wrunlock(R)\n", 2, GL_FAULT_RWLOCK_NOT_HELD,
           "T0 does wrunlock of rwlock R, which it does not hold so");
}

static void barrier_rules(void **state)
{
    (void)state;
    possible(
        "T0|bar_in(B)\nT0|bar_in(C)\nT1|bar_in(B)\nT1|bar_out(B)\nT0|w(x)\nT0|bar_out(B)\nT0|bar_in(B)\n");
    expect("T0|bar_in(B)\nT0|bar_in(B)\n", 2, GL_FAULT_BARRIER_IN,
           "T0 enters barrier B again before it left it");
    expect("T0|bar_in(B)\nT1|bar_out(B)\n", 2, GL_FAULT_BARRIER_OUT,
           "T1 leaves barrier B without having entered it");
    expect("T0|bar_in(B)\nT0|bar_out(B)\nT0|bar_out(B)\n", 3, GL_FAULT_BARRIER_OUT,
           "T0 leaves barrier B without having entered it");
}

static void thread_rules(void **state)
{
    (void)state;
    possible("T0|begin\nT0|fork(T1)\nT1|begin\nT1|w(x)\nT1|end\nT0|join(T1)\nT2|join(T1)\nT2|fork(T3)\nT0|"
             "join(T3)\nT2|join(T0)\n");
    expect("T0|fork(T0)\n", 1, GL_FAULT_FORK_SELF, "T0 forks itself");
    expect("T0|fork(T1)\nT0|fork(T1)\n", 2, GL_FAULT_FORK_KNOWN,
           "T0 forks T1, which was forked before or has done something");
    expect("T0|w(x)\nT1|w(x)\nT0|fork(T1)\n", 3, GL_FAULT_FORK_KNOWN,
           "T0 forks T1, which was forked before or has done something");
    expect("T0|fork(T1)\nT0|join(T1)\nT0|fork(T1)\n", 3, GL_FAULT_FORK_KNOWN,
           "T0 forks T1, which was forked before or has done something");
    expect("T0|w(x)\nT1|fork(T0)\n", 2, GL_FAULT_FORK_KNOWN,
           "T1 forks T0, which was forked before or has done something");
    expect("T0|join(T0)\n", 1, GL_FAULT_JOIN_SELF, "T0 joins itself");
    expect("T0|join(T1)\n", 1, GL_FAULT_JOIN_UNKNOWN,
           "T0 joins T1, which was never forked and has done nothing");
    expect("T0|acq(L)\nT0|cwait_begin(L)\nT1|join(T0)\n", 3, GL_FAULT_JOIN_WAITING,
           "T1 joins T0, which is in a condition wait");
    expect("T0|fork(T1)\nT1|end\nT1|w(x)\n", 3, GL_FAULT_AFTER_END,
           "T1 does w after its end, or after it was joined");
    expect("T0|fork(T1)\nT0|join(T1)\nT1|w(x)\n", 3, GL_FAULT_AFTER_END,
           "T1 does w after its end, or after it was joined");
    expect("T0|end\nT0|end\n", 2, GL_FAULT_AFTER_END, "T0 does end after its end, or after it was joined");
    expect("T0|end\nT0|begin\n", 2, GL_FAULT_BEGIN_AGAIN, "T0 does begin after its end; are these atomic blocks? (docs/trace-text.md)");
    expect("T0|w(x)\nT0|begin\n", 2, GL_FAULT_BEGIN, "begin is not the first event of T0; is it an atomic block? (docs/trace-text.md)");
    expect("T0|begin\nT0|begin\n", 2, GL_FAULT_BEGIN, "begin is not the first event of T0; is it an atomic block? (docs/trace-text.md)");
}

static void what_a_trace_cannot_know_is_no_fault(void **state)
{
    (void)state;
    possible("T0|wait(S)\nT0|free(x)\nT0|free(x)\nT0|acq(L)\nT0|end\nT1|volread(v)\nT1|ld.acq(a)\nT1|commit(;"
             ")\nT1|alloc(x)\nT1|post(S)\n"
             "T1|fence.rlx\n");
}

/* Events that the text has no form for. */
static void sizes_and_orders(void **state)
{
    (void)state;
    struct fake_env env;
    fake_env_init(&env);
    struct gl_validator *v = gl_validator_create(&env.env);
    struct gl_names *n = gl_names_create(&env.env);
    gl_name_number(n, GL_NAME_THREAD, "T0", 2);
    static const struct {
        struct gl_event event;
        enum gl_fault fault;
        const char *sentence;
    } cases[] = {
        {{.op = GL_OP_READ, .size = 64}, GL_FAULT_NONE, "nothing is wrong"},
        {{.op = GL_OP_READ, .size = 0},
         GL_FAULT_SIZE,
         "r of 0 bytes; an access has 1 to 64, an atomic one at most 16"},
        {{.op = GL_OP_WRITE, .size = 65},
         GL_FAULT_SIZE,
         "w of 65 bytes; an access has 1 to 64, an atomic one at most 16"},
        {{.op = GL_OP_FREE, .size = 0},
         GL_FAULT_SIZE,
         "free of 0 bytes; an access has 1 to 64, an atomic one at most 16"},
        {{.op = GL_OP_RMW, .size = 17},
         GL_FAULT_SIZE,
         "rmw of 17 bytes; an access has 1 to 64, an atomic one at most 16"},
        {{.op = GL_OP_LOAD, .order = GL_REL}, GL_FAULT_ORDER, "ld cannot have the memory order rel"},
        {{.op = GL_OP_LOAD, .order = GL_AR}, GL_FAULT_ORDER, "ld cannot have the memory order ar"},
        {{.op = GL_OP_STORE, .order = GL_ACQ}, GL_FAULT_ORDER, "st cannot have the memory order acq"},
        {{.op = GL_OP_STORE, .order = GL_AR}, GL_FAULT_ORDER, "st cannot have the memory order ar"},
        {{.op = GL_OP_FENCE, .order = GL_SC + 1}, GL_FAULT_ORDER, "fence cannot have the memory order ?"},
        {{.op = GL_OP_RMW, .order = GL_SC + 1}, GL_FAULT_ORDER, "rmw cannot have the memory order ?"},
        {{.op = GL_OP_RMW, .order = GL_AR, .size = 16}, GL_FAULT_NONE, "nothing is wrong"},
        {{.op = GL_OP_READ, .size = 1, .thread = 1 << 24}, GL_FAULT_THREADS, "more than 16777216 threads"},
        {{.op = GL_OP_FORK, .object = 1 << 24}, GL_FAULT_THREADS, "more than 16777216 threads"},
        {{.op = GL_OP_JOIN, .object = 1ull << 40},
         GL_FAULT_JOIN_UNKNOWN,
         "T0 joins 1099511627776, which was never forked and has done nothing"},
        {{.op = GL_OP_READ, .size = 1, .thread = (1 << 24) - 1}, GL_FAULT_NONE, "nothing is wrong"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        enum gl_fault fault;
        char words[200];
        assert_int_equal(gl_validate(v, &cases[i].event, 1, &fault), cases[i].fault == GL_FAULT_NONE);
        assert_int_equal(fault, cases[i].fault);
        gl_validate_sentence(v, n, &cases[i].event, fault, words, sizeof words);
        assert_string_equal(words, cases[i].sentence);
    }
    gl_validator_destroy(v);
    gl_validator_destroy(NULL);
    gl_names_destroy(n);
    assert_true(fake_env_is_clean(&env));
}

/* Skipping faults leaves what can happen: the engine takes it.  And a valid execution has no fault. */
static void lenient_is_always_possible(void **state)
{
    (void)state;
    struct generator *g = generator_new();
    struct execution x;
    execution_init(&x, GENERATE_MAX);
    uint64_t faults = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        const struct profile *p = &profiles[seed % n_profiles];
        generate(g, p, seed, &x);
        struct fake_env env;
        fake_env_init(&env);
        struct gl_validator *v = gl_validator_create(&env.env);
        enum gl_fault fault;
        size_t n = gl_validate(v, x.event, x.n, &fault);
        if (n != x.n)
            fail_msg("profile %s, seed %d: event %d: %s", p->name, (int)seed, (int)n, gl_fault_name(fault));
        gl_validator_destroy(v);

        /* the same events in another order, and by other threads */
        struct rng r = rng_seed(seed);
        for (size_t i = 0; i < x.n; i++) {
            size_t k = i + rng_below(&r, (uint32_t)(x.n - i < 5 ? x.n - i : 5));
            struct gl_event e = x.event[i];
            x.event[i] = x.event[k];
            x.event[k] = e;
            if (rng_chance(&r, 10))
                x.event[i].thread = rng_below(&r, 4);
        }
        v = gl_validator_create(&env.env);
        struct gl_state *s = gl_detector_goldilocks.create(&env.env);
        for (size_t i = 0; i < x.n;) {
            n = gl_validate(v, x.event + i, x.n - i, &fault);
            for (size_t end = i + n; i < end; i++)
                assert_int_not_equal(gl_detector_goldilocks.event(s, &x.event[i], NULL), GL_INVALID);
            i += fault != GL_FAULT_NONE;
        }
        for (int f = GL_FAULT_NONE + 1; f < GL_FAULT_COUNT; f++)
            faults += gl_validator_count(v, (enum gl_fault)f);
        gl_detector_goldilocks.destroy(s);
        gl_validator_destroy(v);
        assert_true(fake_env_is_clean(&env));
    }
    assert_true(faults > 1000); /* the shuffling did shuffle */
    execution_fini(&x);
    generator_delete(g);
}

/* Memory follows what is held now; and mutexes have 8 bytes each. */
static void memory_is_of_what_lives(void **state)
{
    (void)state;
    struct fake_env env;
    fake_env_init(&env);
    struct gl_validator *v = gl_validator_create(&env.env);
    enum gl_fault fault;
    enum { OBJECTS = 100000 };
    struct gl_event last[] = {{.op = GL_OP_ACQ, .object = OBJECTS - 1},
                              {.op = GL_OP_REL, .object = OBJECTS - 1}};
    size_t bytes = env.bytes;
    assert_int_equal(gl_validate(v, last, 2, &fault), 2);
    assert_true(env.bytes <= bytes + 2 * 8 * OBJECTS);
    bytes = env.bytes;
    for (uint64_t i = 0; i < OBJECTS; i++) {
        struct gl_event e[] = {{.op = GL_OP_ACQ, .object = i},       {.op = GL_OP_RDLOCK, .object = i},
                               {.op = GL_OP_BAR_IN, .object = i},    {.op = GL_OP_CWAIT_BEGIN, .object = i},
                               {.op = GL_OP_CWAIT_END, .object = i}, {.op = GL_OP_BAR_OUT, .object = i},
                               {.op = GL_OP_REL, .object = i},       {.op = GL_OP_RDUNLOCK, .object = i},
                               {.op = GL_OP_WRLOCK, .object = i},    {.op = GL_OP_WRUNLOCK, .object = i}};
        assert_int_equal(gl_validate(v, e, 10, &fault), 10);
    }
    assert_int_equal(env.bytes, bytes);
    /* many at once, and gone in another order: no entry is lost on the way */
    struct gl_event e = {.thread = 3};
    for (e.object = 0, e.op = GL_OP_ACQ; e.object < 5000; e.object++)
        assert_int_equal(gl_validate(v, &e, 1, &fault), 1);
    for (uint64_t i = 0; i < 5000; i++) {
        e = (struct gl_event){.op = GL_OP_REL, .thread = 3, .object = i * 1237 % 5000};
        assert_int_equal(gl_validate(v, &e, 1, &fault), 1);
        assert_int_equal(gl_validate(v, &e, 1, &fault), 0);
    }
    gl_validator_destroy(v);
    assert_true(fake_env_is_clean(&env));
}

static enum gl_fault fault_of(struct gl_validator *v, enum gl_op op, uint64_t object, uint32_t thread)
{
    enum gl_fault fault = GL_FAULT_NONE;
    size_t n = gl_validate(v, &(struct gl_event){.op = op, .object = object, .thread = thread}, 1, &fault);
    assert_int_equal(n, fault == GL_FAULT_NONE);
    return fault;
}

/* More at a time than there is room for at first: all of it is still known. */
static void much_that_lives(void **state)
{
    (void)state;
    enum { LOCKS = 5000 };
    struct fake_env env;
    fake_env_init(&env);
    struct gl_validator *v = gl_validator_create(&env.env);
    for (uint64_t i = 0; i < LOCKS; i++)
        assert_int_equal(fault_of(v, GL_OP_WRLOCK, i, 0), GL_FAULT_NONE);
    for (uint64_t i = 0; i < LOCKS; i++)
        assert_int_equal(fault_of(v, GL_OP_RDLOCK, i, 1), GL_FAULT_RWLOCK_TAKEN);
    for (uint64_t i = 0; i < LOCKS; i++) {
        assert_int_equal(fault_of(v, GL_OP_WRUNLOCK, i, 0), GL_FAULT_NONE);
        assert_int_equal(fault_of(v, GL_OP_RDLOCK, i, 1), GL_FAULT_NONE);
    }
    for (uint64_t i = 0; i < LOCKS; i++)
        assert_int_equal(fault_of(v, GL_OP_WRLOCK, i, 0), GL_FAULT_RWLOCK_READ);
    for (uint64_t i = 0; i < LOCKS; i++)
        assert_int_equal(fault_of(v, GL_OP_RDUNLOCK, i, 1), GL_FAULT_NONE);
    gl_validator_destroy(v);
    assert_true(fake_env_is_clean(&env));
}

static void no_memory_is_a_fault(void **state)
{
    (void)state;
    struct fake_env env;
    fake_env_init(&env);
    for (unsigned long at = 1; at <= 4; at++) {
        env.fail_at = env.maps + at;
        assert_null(gl_validator_create(&env.env));
    }
    struct gl_validator *v = gl_validator_create(&env.env);
    env.fail_at = env.maps + 1;
    env.fail_from = true;
    struct gl_event e = {.op = GL_OP_RDLOCK};
    enum gl_fault fault = GL_FAULT_NONE;
    while (gl_validate(v, &e, 1, &fault) == 1)
        e.object++;
    assert_int_equal(fault, GL_FAULT_NO_MEMORY);
    assert_true(e.object > 10);
    for (e.op = GL_OP_RDUNLOCK; e.object-- > 0;) /* nothing was half done */
        assert_int_equal(gl_validate(v, &e, 1, &fault), 1);
    e = (struct gl_event){.op = GL_OP_END, .thread = 100000};
    assert_int_equal(gl_validate(v, &e, 1, &fault), 0);
    assert_int_equal(fault, GL_FAULT_NO_MEMORY);
    for (e = (struct gl_event){.op = GL_OP_ACQ}; gl_validate(v, &e, 1, &fault) == 1;)
        e.object++;
    assert_int_equal(fault, GL_FAULT_NO_MEMORY);
    assert_true(e.object > 10);
    for (e.op = GL_OP_REL; e.object-- > 0;)
        assert_int_equal(gl_validate(v, &e, 1, &fault), 1);
    gl_validator_destroy(v);
    assert_true(fake_env_is_clean(&env));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mutex_rules),
        cmocka_unit_test(wait_rules),
        cmocka_unit_test(rwlock_rules),
        cmocka_unit_test(barrier_rules),
        cmocka_unit_test(thread_rules),
        cmocka_unit_test(what_a_trace_cannot_know_is_no_fault),
        cmocka_unit_test(sizes_and_orders),
        cmocka_unit_test(lenient_is_always_possible),
        cmocka_unit_test(memory_is_of_what_lives),
        cmocka_unit_test(much_that_lives),
        cmocka_unit_test(no_memory_is_a_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
