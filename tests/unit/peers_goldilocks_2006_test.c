/* SPDX-License-Identifier: Apache-2.0
 *
 * The report's lazy list: the literal one is exactly as wrong as goldilocks_2006.c says, the repaired one is right with
 * any of its switches off, and each switch does what its sentence says.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "peers/eager.h"
#include "peers/goldilocks_2006.h"
#include "tests/support/fake_env.h"
#include "tests/support/first_report.h"
#include "tests/support/generate.h"
#include "tests/support/hardship.h"
#include "tests/support/held.h"
#include "tests/support/judge.h"

static const struct gl_detector *const literal = &gl_detector_goldilocks_2006;
static const struct gl_detector *const fixed = &gl_detector_goldilocks_2006_fixed;

#define T(t, o, ...) {.op = GL_OP_##o, .thread = (t), __VA_ARGS__}
#define X(x) .object = (x)
#define AT(x) .object = (x), .size = 4

enum { SWITCHES = 5 };
static unsigned off; /* bit i: switch i is off in what create_switched() makes */

static struct gl_state *create_switched(const struct gl_env *env)
{
    struct gl_state *s = fixed->create(env);
    for (unsigned i = 0; s && i < SWITCHES; i++)
        if (off >> i & 1)
            fixed->set(s, fixed->switches[i].name, false);
    return s;
}

/* The repaired detector as `off` says. */
static struct gl_detector switched(void)
{
    struct gl_detector d = *fixed;
    d.create = create_switched;
    return d;
}

static unsigned switch_bit(const char *name)
{
    unsigned i = 0;
    while (strcmp(fixed->switches[i].name, name) != 0)
        i++;
    return 1u << i;
}

/* ---- what Fig. 3 gets wrong, and nothing else ---- */

static void stale_alock(void **state)
{
    (void)state;
    enum { L = 1, x = 8 };
    const struct gl_event owner_first[] = {T(1, ACQ, X(L)), T(1, WRITE, AT(x)), T(1, REL, X(L)), T(1, WRITE, AT(x)),
                                           T(2, ACQ, X(L)), T(2, WRITE, AT(x))};
    assert_first(literal, 0, owner_first);
    assert_first(fixed, 6, owner_first);
    const struct gl_event lock_first[] = {T(1, ACQ, X(L)), T(1, WRITE, AT(x)), T(1, REL, X(L)), T(2, ACQ, X(L)),
                                          T(2, WRITE, AT(x)), T(2, REL, X(L)), T(2, WRITE, AT(x)), T(1, ACQ, X(L)),
                                          T(1, WRITE, AT(x))};
    assert_first(literal, 0, lock_first);
    assert_first(fixed, 9, lock_first);
    /* where the owner did not come back, alock is right */
    const struct gl_event not_stale[] = {T(1, ACQ, X(L)), T(1, WRITE, AT(x)), T(1, REL, X(L)), T(2, ACQ, X(L)),
                                         T(2, WRITE, AT(x)), T(2, REL, X(L)), T(3, WRITE, AT(x))};
    assert_first(literal, 7, not_stale);
    assert_first(fixed, 7, not_stale);
}

static void pairs_of_reads(void **state)
{
    (void)state;
    const struct gl_event reads[] = {T(1, READ, AT(8)), T(2, READ, AT(8))};
    assert_first(literal, 2, reads);
    assert_first(fixed, 0, reads);
    off = switch_bit("read-write");
    struct gl_detector d = switched();
    assert_first(&d, 2, reads);
}

/* y := x without commits (a fence that does nothing has their place), every data access a write, and no data behind
 * atomics unless `atomics`: what the report's section 2.1 knows. */
static void as_the_report_sees(const struct execution *x, struct execution *y, bool atomics)
{
    y->n = 0;
    for (size_t i = 0; i < x->n; i++) {
        struct gl_event e = x->event[i];
        if (e.op == GL_OP_COMMIT)
            e = (struct gl_event){.op = GL_OP_FENCE, .order = GL_RLX, .thread = e.thread, .site = e.site};
        if (e.op == GL_OP_READ)
            e.op = GL_OP_WRITE;
        if (!atomics && gl_op_class(e.op) == GL_CLASS_ATOMIC)
            e.size = 0;
        execution_add(y, &e);
    }
}

enum { BYTES = 4096 };

/* Fig. 3's Info as its text has it, with an oracle in place of Apply-Lockset-Rules. */
struct info {
    size_t last; /* event + 1; 0: no Info */
    int alock;   /* -1: none */
};

static uint64_t literal_verdict(struct info *info, const struct held *h, const struct oracle *o,
                                const struct execution *x, size_t now)
{
    const struct gl_event *e = &x->event[now];
    uint64_t bytes = 0;
    for (unsigned i = 0; i < e->size; i++) {
        struct info *v = &info[(e->object + i) % BYTES];
        bool own = v->last && x->event[v->last - 1].thread == e->thread;
        bool holds = v->alock >= 0 && h->of[e->thread].depth[v->alock];
        if (!v->last || (!own && !holds)) {
            if (v->last && !oracle_before(o, v->last - 1, now))
                bytes |= (uint64_t)1 << i;
            v->alock = held_latest(h, e->thread);
        }
        v->last = now + 1;
    }
    return bytes;
}

static void check_literal(const struct execution *x, const struct oracle *o)
{
    static struct info info[BYTES];
    static struct held h;
    memset(info, 0, sizeof info);
    held_reset(&h);
    struct fake_env env;
    fake_env_init(&env);
    struct gl_state *s = literal->create(&env.env);
    for (size_t i = 0; i < x->n; i++) {
        const struct gl_event *e = &x->event[i];
        held_step(&h, e);
        struct gl_race race = {0};
        gl_status status = literal->event(s, e, &race);
        assert_true(status == GL_OK || status == GL_RACE);
        if (e->op == GL_OP_ALLOC)
            for (unsigned k = 0; k < e->size; k++)
                info[(e->object + k) % BYTES] = (struct info){0, -1};
        bool access = gl_op_class(e->op) == GL_CLASS_DATA && e->op != GL_OP_ALLOC;
        assert_int_equal(race.bytes, access ? literal_verdict(info, &h, o, x, i) : 0);
    }
    literal->destroy(s);
    assert_true(fake_env_is_clean(&env));
}

struct random {
    struct generator *g;
    struct execution x, y;
    struct oracle *o;
};

static void random_begin(struct random *r)
{
    r->g = generator_new();
    r->o = oracle_new(GENERATE_MAX);
    execution_init(&r->x, GENERATE_MAX);
    execution_init(&r->y, GENERATE_MAX);
}

static void random_end(struct random *r)
{
    generator_delete(r->g);
    oracle_delete(r->o);
    execution_fini(&r->x);
    execution_fini(&r->y);
}

static void literal_is_exactly_that_wrong(void **state)
{
    (void)state;
    struct random r;
    random_begin(&r);
    for (size_t p = 0; p < n_profiles; p++)
        for (uint64_t seed = 1; seed <= 150; seed++) {
            generate(r.g, &profiles[p], seed, &r.x);
            as_the_report_sees(&r.x, &r.y, false);
            oracle_run(r.o, &r.y);
            check_literal(&r.y, r.o);
        }
    random_end(&r);
}

/* ---- the repair ---- */

static void fixed_is_precise_with_any_switches(void **state)
{
    (void)state;
    struct random r;
    random_begin(&r);
    struct gl_detector d = switched();
    for (size_t p = 0; p < n_profiles; p++)
        for (uint64_t seed = 1; seed <= 320; seed++) {
            off = (unsigned)(seed + p) % 16; /* read-write stays on */
            generate(r.g, &profiles[p], 7000 + seed, &r.x);
            oracle_run(r.o, &r.x);
            struct disagreement why;
            if (!judge(&d, &r.x, r.o, &why)) {
                execution_print(&r.x, stdout);
                fail_msg("off %u, at event %zu: %s", off, why.event + 1, why.what);
            }
        }
    random_end(&r);
}

/* read-write off: the first race of a byte is the one that all writes would have had. */
static void without_read_write(void **state)
{
    (void)state;
    struct random r;
    random_begin(&r);
    off = switch_bit("read-write");
    struct gl_detector d = switched();
    for (size_t p = 0; p < n_profiles; p++)
        for (uint64_t seed = 1; seed <= 100; seed++) {
            generate(r.g, &profiles[p], seed, &r.x);
            as_the_report_sees(&r.x, &r.y, true);
            oracle_run(r.o, &r.y);
            struct fake_env env;
            fake_env_init(&env);
            struct gl_state *s = d.create(&env.env);
            for (size_t i = 0; i < r.x.n; i++) {
                const struct gl_event *e = r.x.event[i].op == GL_OP_COMMIT ? &r.y.event[i] : &r.x.event[i];
                struct gl_race race = {0};
                gl_status status = d.event(s, e, &race);
                assert_true(status == GL_OK || status == GL_RACE);
                struct oracle_verdict v = oracle_verdict(r.o, i);
                assert_int_equal(v.first & ~race.bytes, 0);
                assert_int_equal(race.bytes & ~v.races, 0);
                if (race.bytes)
                    assert_int_equal(race.now.write, e->op != GL_OP_READ && e->op != GL_OP_LOAD);
            }
            d.destroy(s);
        }
    random_end(&r);
}

/* ---- what each switch does ---- */

struct wanted {
    const char *name;
    uint64_t value;
    bool found;
};

static void pick(void *ctx, const char *name, const char *sentence, uint64_t value)
{
    struct wanted *w = ctx;
    assert_true(strlen(sentence) > 0);
    if (strcmp(name, w->name) == 0) {
        w->value = value;
        w->found = true;
    }
}

static uint64_t count_of(const struct gl_detector *d, const struct gl_state *s, const char *name)
{
    struct wanted w = {.name = name};
    d->counts(s, pick, &w);
    assert_true(w.found);
    return w.value;
}

/* What a counter is after the events; they do not race. */
static uint64_t count_after(const struct gl_detector *d, const struct gl_event *e, size_t n, const char *name)
{
    struct fake_env env;
    fake_env_init(&env);
    struct gl_state *s = d->create(&env.env);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(d->event(s, &e[i], NULL), GL_OK);
    uint64_t value = count_of(d, s, name);
    d->destroy(s);
    return value;
}

#define assert_count(d, value, e, name) assert_int_equal(count_after(d, e, sizeof(e) / sizeof *(e), name), value)

static void short_circuits(void **state)
{
    (void)state;
    const struct gl_event own[] = {T(1, WRITE, AT(8)), T(2, WRITE, AT(16)), T(1, WRITE, AT(8))};
    const struct gl_event lock[] = {T(1, ACQ, X(1)), T(1, WRITE, AT(8)), T(1, REL, X(1)), T(2, ACQ, X(1)),
                                    T(2, WRITE, AT(8))};
    const struct gl_event two[] = {T(1, WRITE, AT(8)), T(1, POST, X(1)), T(2, WAIT, X(1)), T(2, WRITE, AT(8))};
    const struct gl_event three[] = {T(1, WRITE, AT(8)), T(1, POST, X(1)), T(3, WAIT, X(1)), T(3, POST, X(2)),
                                     T(2, WAIT, X(2)), T(2, WRITE, AT(8))};
    off = 0;
    struct gl_detector d = switched();
    assert_count(&d, 1, own, "rule_own_thread");
    assert_count(&d, 1, lock, "rule_lock_held");
    assert_count(&d, 1, two, "rule_thread_restricted");
    assert_count(&d, 0, two, "rule_walk");
    assert_count(&d, 0, three, "rule_thread_restricted"); /* the order goes through T3 */
    assert_count(&d, 1, three, "rule_walk");
    off = switch_bit("own-thread") | switch_bit("lock-held") | switch_bit("thread-restricted");
    assert_count(&d, 1, own, "rule_walk");
    assert_count(&d, 1, lock, "rule_walk");
    assert_count(&d, 1, two, "rule_walk");
    assert_count(&d, 0, own, "rule_own_thread");
    assert_count(&d, 0, lock, "rule_lock_held");
    assert_count(&d, 0, two, "rule_thread_restricted");
}

/* What a store takes away must not come back through the two threads' own cells. */
static void restricted_traversal_knows_replaced(void **state)
{
    (void)state;
    const struct gl_event e[] = {T(1, WRITE, AT(8)), T(1, STORE, AT(64), .order = GL_REL),
                                 T(3, STORE, AT(64), .order = GL_REL), T(2, LOAD, AT(64), .order = GL_ACQ),
                                 T(2, WRITE, AT(8))};
    assert_first(fixed, 5, e);
}

/* One old access and many synchronizations: the list stays short, and the answer right. */
static void list_is_bounded(void **state)
{
    (void)state;
    enum { x = 8, y = 16, ROUNDS = 20000 };
    for (int eager = 0; eager < 2; eager++) {
        off = eager ? 0 : switch_bit("partially-eager");
        struct gl_detector d = switched();
        struct fake_env env;
        fake_env_init(&env);
        struct gl_state *s = d.create(&env.env);
        const struct gl_event before[] = {T(1, WRITE, AT(x)), T(1, WRITE, AT(y)), T(1, POST, X(1))};
        const struct gl_event round[] = {T(3, ACQ, X(1)), T(3, REL, X(1)), T(4, VOLREAD, X(1)), T(4, VOLWRITE, X(1))};
        const struct gl_event after[] = {T(3, WAIT, X(1)), T(3, REL, X(1)), T(2, ACQ, X(1)), T(2, WRITE, AT(x))};
        const struct gl_event racing = T(4, WRITE, AT(y));
        for (unsigned i = 0; i < 3; i++)
            assert_int_equal(d.event(s, &before[i], NULL), GL_OK);
        for (unsigned i = 0; i < ROUNDS * 4; i++)
            assert_int_equal(d.event(s, &round[i % 4], NULL), GL_OK);
        if (eager)
            assert_in_range(count_of(&d, s, "cells_kept"), 0, 100);
        else
            assert_int_equal(count_of(&d, s, "cells_kept"), ROUNDS * 4 + 1);
        const struct gl_event take = T(3, ACQ, X(1));
        assert_int_equal(d.event(s, &take, NULL), GL_OK);
        for (unsigned i = 0; i < 4; i++)
            assert_int_equal(d.event(s, &after[i], NULL), GL_OK);
        assert_int_equal(d.event(s, &racing, NULL), GL_RACE);
        d.destroy(s);
        assert_true(fake_env_is_clean(&env));
    }
}

/* A random event that is possible anywhere: few accesses, much synchronization. */
static struct gl_event mostly_sync(struct rng *r)
{
    static const enum gl_op ops[] = {GL_OP_VOLREAD, GL_OP_VOLWRITE, GL_OP_POST, GL_OP_WAIT,
                                     GL_OP_STORE,   GL_OP_LOAD,     GL_OP_RMW};
    struct gl_event e = {.op = ops[rng_below(r, 7)], .thread = rng_below(r, 8), .site = 1, .object = rng_below(r, 6)};
    if (gl_op_class(e.op) == GL_CLASS_ATOMIC)
        e.order = e.op == GL_OP_LOAD ? GL_ACQ : e.op == GL_OP_STORE ? GL_REL : GL_AR;
    if (rng_chance(r, 4)) {
        e.op = rng_chance(r, 30) ? GL_OP_WRITE : GL_OP_READ;
        e.size = 1;
    }
    return e;
}

/* Sets brought forward say what the whole list would have said. */
static void evaluated_sets_say_the_same(void **state)
{
    (void)state;
    struct gl_detector d = switched();
    uint64_t evaluated = 0, races = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct rng r = rng_seed(seed);
        struct fake_env env;
        fake_env_init(&env);
        off = seed % 2 ? 0 : switch_bit("thread-restricted");
        struct gl_state *a = d.create(&env.env);
        off |= switch_bit("partially-eager");
        struct gl_state *b = d.create(&env.env);
        for (unsigned i = 0; i < 2000; i++) {
            struct gl_event e = mostly_sync(&r);
            struct gl_race by_a = {0}, by_b = {0};
            assert_int_equal(d.event(a, &e, &by_a), d.event(b, &e, &by_b));
            assert_int_equal(by_a.bytes, by_b.bytes);
            assert_int_equal(by_a.then.thread, by_b.then.thread);
            races += by_a.bytes != 0;
        }
        evaluated += count_of(&d, a, "rule_partially_eager");
        assert_int_equal(count_of(&d, b, "rule_partially_eager"), 0);
        d.destroy(a);
        d.destroy(b);
        assert_true(fake_env_is_clean(&env));
    }
    assert_true(evaluated > 1000 && races > 1000);
}

/* Without an access that needs them, cells go at once. */
static void cells_are_collected(void **state)
{
    (void)state;
    const struct gl_event e[] = {T(1, ACQ, X(1)),    T(1, WRITE, AT(8)), T(1, REL, X(1)),   T(2, ACQ, X(1)),
                                 T(2, WRITE, AT(8)), T(2, REL, X(1)),    T(2, ALLOC, AT(8))};
    assert_count(literal, 0, e, "cells_kept");
    assert_count(literal, 4, e, "cells");
    assert_count(fixed, 0, e, "cells_kept");
}

/* ---- hardship ---- */

static void hardship(void **state)
{
    (void)state;
    struct random r;
    random_begin(&r);
    unsigned runs_literal = 0, runs_fixed = 0;
    for (size_t p = 0; p < n_profiles; p++)
        for (uint64_t seed = 1; seed <= 10; seed++) {
            unsigned runs;
            generate(r.g, &profiles[p], seed, &r.x);
            assert_true(bears_lack_of_memory(literal, &r.x, &runs));
            runs_literal += runs;
            assert_true(bears_lack_of_memory(fixed, &r.x, &runs));
            runs_fixed += runs;
        }
    assert_true(runs_literal >= n_profiles * 30 && runs_fixed >= n_profiles * 30); /* more than create() failed */
    random_end(&r);
    for (uint64_t seed = 1; seed <= 200; seed++) {
        assert_true(refuses_the_same(literal, &gl_detector_eager, seed, 300));
        assert_true(refuses_the_same(fixed, &gl_detector_eager, seed, 300));
    }
}

static void what_they_say(void **state)
{
    (void)state;
    assert_int_equal(literal->can, 0);
    assert_non_null(strstr(literal->sentence, "imprecise"));
    assert_int_equal(fixed->can, GL_CAN_PRECISE);
    unsigned n = 0;
    for (const struct gl_switch *s = fixed->switches; s->name; s++, n++)
        assert_true(s->usual && strlen(s->sentence) > 0);
    assert_int_equal(n, SWITCHES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stale_alock),
        cmocka_unit_test(pairs_of_reads),
        cmocka_unit_test(literal_is_exactly_that_wrong),
        cmocka_unit_test(fixed_is_precise_with_any_switches),
        cmocka_unit_test(without_read_write),
        cmocka_unit_test(short_circuits),
        cmocka_unit_test(restricted_traversal_knows_replaced),
        cmocka_unit_test(list_is_bounded),
        cmocka_unit_test(evaluated_sets_say_the_same),
        cmocka_unit_test(cells_are_collected),
        cmocka_unit_test(hardship),
        cmocka_unit_test(what_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
