/* SPDX-License-Identifier: Apache-2.0
 *
 * Horizons (core/goldilocks_horizon.c): in long random executions, given in batches, events() says of each access what event() says of it,
 * which has no horizons.  Threads come and go, slots are used again, and in one of three executions so are ids of segments.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/detector.h"
#include "tests/support/check.h"
#include "tests/support/fake_env.h"

enum { EVENTS = 20000, ALIVE = 8, LOCKS = 6, VARIABLES = 60, RUNS = 180 };

/* One execution as it is made. */
struct maker {
    struct rng rng;
    struct gl_event *e;
    size_t n;
    uint32_t alive, next;                 /* threads: how many, the next number */
    uint32_t number[ALIVE], held[ALIVE];  /* by place; held: a lock, or LOCKS */
    uint32_t ended[ALIVE], n_ended;       /* not joined yet */
    bool taken[LOCKS];
    uint32_t churn, careless;             /* of a thousand steps: that make or end a thread; of a thousand accesses: without the lock */
};

static void tell(struct maker *m, uint32_t thread, enum gl_op op, uint64_t object, uint32_t size)
{
    m->e[m->n] = (struct gl_event){.op = op, .thread = thread, .object = object, .size = size, .site = (uint32_t)m->n + 1};
    m->n++;
}

static void fork_or_end(struct maker *m, uint32_t p)
{
    if (m->n_ended > 0 && rng_chance(&m->rng, 70)) {
        tell(m, m->number[p], GL_OP_JOIN, m->ended[--m->n_ended], 0);
    } else if (m->alive < ALIVE) {
        tell(m, m->number[p], GL_OP_FORK, m->next, 0);
        m->number[m->alive] = m->next++;
        m->held[m->alive++] = LOCKS;
    } else if (p > 0 && m->held[p] == LOCKS && m->n_ended < ALIVE) {
        tell(m, m->number[p], GL_OP_END, 0, 0);
        m->ended[m->n_ended++] = m->number[p];
        m->alive--;
        m->number[p] = m->number[m->alive];
        m->held[p] = m->held[m->alive];
    }
}

/* Variable v belongs to lock v % LOCKS, those from VARIABLES on to a thread each. */
static void access_one(struct maker *m, uint32_t p)
{
    bool careless = rng_below(&m->rng, 1000) < m->careless;
    uint32_t v = rng_below(&m->rng, VARIABLES / LOCKS) * LOCKS + (m->held[p] < LOCKS ? m->held[p] : 0);
    if (careless && rng_chance(&m->rng, 50))
        v = rng_below(&m->rng, VARIABLES);
    else if (careless) /* of a thread that may have ended */
        v = VARIABLES + (m->next - 1 - rng_below(&m->rng, m->next < 12 ? m->next : 12)) % 500;
    else if (m->held[p] == LOCKS)
        v = VARIABLES + m->number[p] % 500;
    uint32_t size = rng_chance(&m->rng, 97) ? 4 : 1;
    tell(m, m->number[p], rng_chance(&m->rng, 40) ? GL_OP_WRITE : GL_OP_READ, 4 * v, size);
}

static void lock_or_unlock(struct maker *m, uint32_t p)
{
    uint32_t l = m->held[p];
    if (l < LOCKS) {
        tell(m, m->number[p], GL_OP_REL, l, 0);
        m->held[p] = LOCKS;
        m->taken[l] = false;
        return;
    }
    l = rng_below(&m->rng, LOCKS);
    if (m->taken[l])
        return;
    tell(m, m->number[p], GL_OP_ACQ, l, 0);
    m->held[p] = l;
    m->taken[l] = true;
}

static void make(struct maker *m, uint64_t seed)
{
    struct gl_event *e = m->e;
    *m = (struct maker){.rng = rng_seed(seed), .e = e, .alive = 1, .next = 1, .held = {LOCKS}};
    m->churn = seed % 2 ? 2 : 20;
    m->careless = seed % 4 < 2 ? 0 : seed % 4 == 2 ? 5 : 80;
    while (m->n < EVENTS) {
        uint32_t p = rng_below(&m->rng, m->alive);
        if (rng_below(&m->rng, 1000) < m->churn)
            fork_or_end(m, p);
        else if (rng_chance(&m->rng, 30))
            lock_or_unlock(m, p);
        else
            for (uint32_t k = 1 + rng_below(&m->rng, 4); k > 0 && m->n < EVENTS; k--)
                access_one(m, p);
    }
}

static void add_answered(void *answered, const char *name, const char *sentence, uint64_t value)
{
    (void)sentence;
    if (strcmp(name, "rule_horizon") == 0)
        *(uint64_t *)answered += value;
}

/* Returns how many events raced. */
static unsigned compare(struct maker *m, bool swept, uint64_t *answered)
{
    const struct gl_detector *d = &gl_detector_goldilocks;
    struct fake_env one, many;
    fake_env_init(&one);
    fake_env_init(&many);
    struct gl_state *by_one = d->create(&one.env), *by_many = d->create(&many.env);
    d->set(by_many, "sweep-at-once", swept);
    unsigned races = 0;
    for (size_t i = 0; i < m->n;) {
        size_t n = 1 + rng_below(&m->rng, 300);
        n = n < m->n - i ? n : m->n - i;
        struct gl_race expected = {0}, race = {0};
        gl_status status, last = GL_OK;
        size_t done = d->events(by_many, &m->e[i], n, &race, &status);
        for (size_t j = 0; j < done; j++) {
            assert_int_equal(last, GL_OK);
            last = d->event(by_one, &m->e[i + j], &expected);
        }
        assert_int_equal(status, last);
        assert_true(status == GL_RACE || (status == GL_OK && done == n));
        if (status == GL_RACE) {
            races++;
            assert_int_equal(race.object, expected.object);
            assert_int_equal(race.bytes, expected.bytes);
            assert_int_not_equal(race.then.thread, m->e[i + done - 1].thread); /* of several it may be another one */
        }
        i += done;
    }
    d->counts(by_many, add_answered, answered);
    d->destroy(by_one);
    d->destroy(by_many);
    assert_true(fake_env_is_clean(&one) && fake_env_is_clean(&many));
    return races;
}

static void as_one_by_one(void **state)
{
    (void)state;
    static struct gl_event events[EVENTS + 8];
    struct maker m = {.e = events};
    unsigned races = 0;
    uint64_t answered = 0;
    for (uint64_t k = 0; k < RUNS; k++) {
        make(&m, k);
        uint64_t now = 0;
        unsigned raced = compare(&m, k % 3 == 2, &now);
        assert_true(m.careless || !raced);
        races += raced;
        answered += now;
    }
    printf("%u races, %lu accesses behind a horizon\n", races, (unsigned long)answered);
    assert_true(races > 100);
    assert_true(answered > (uint64_t)EVENTS * RUNS / 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_one_by_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
