/* SPDX-License-Identifier: Apache-2.0
 *
 * Each allocation of each detector fails once, or it and all after it: whoever has said at no event that memory ran out finds the
 * races that it finds with enough of it; whoever is precise invents none; and all is given back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "peers/registry.h"
#include "tests/support/fake_env.h"
#include "tests/support/generate.h"
#include "tests/support/oracle.h"

enum { SEEDS = 3 };

/* What the detector answers to each event, given by its only caller or by one of many; true: it never said that memory ran out. */
static bool play(const struct gl_detector *d, struct fake_env *env, const struct execution *x, bool alone, uint64_t raced[GENERATE_MAX])
{
    struct gl_state *s = d->create(&env->env);
    bool enough = s;
    for (size_t i = 0; s && i < x->n; i++) {
        struct gl_race race = {0};
        unsigned long before = env->maps;
        gl_status status;
        if (alone && d->events)
            assert_int_equal(d->events(s, &x->event[i], 1, &race, &status), 1);
        else
            status = d->event(s, &x->event[i], &race);
        if (status != GL_OK && status != GL_RACE && status != GL_NOMEM && (enough || status != GL_INVALID)) /* what was lost is not there */
            fail_msg("%s: event %zu: %s", d->name, i + 1, gl_status_message(status));
        bool failed = env->fail_at && env->maps >= env->fail_at && env->maps > before && (env->fail_from || before < env->fail_at);
        enough = enough && status != GL_NOMEM && !(status == GL_RACE && failed); /* of the two it says that it raced */
        raced[i] = status == GL_RACE ? race.bytes : 0;
    }
    if (s)
        d->destroy(s);
    assert_true(fake_env_is_clean(env));
    return enough;
}

/* Each allocation of each detector; returns how often somebody said that memory ran out.  o has judged the execution. */
static unsigned starve(const struct oracle *o, const struct execution *x, unsigned turn, const char *name)
{
    unsigned said = 0;
    for (const struct gl_detector *const *d = gl_detectors; *d; d++) {
        uint64_t usual[GENERATE_MAX] = {0};
        struct fake_env env;
        fake_env_init(&env);
        bool alone = turn >> 1 & 1;
        assert_true(play(*d, &env, x, alone, usual));
        unsigned long maps = env.maps;
        for (unsigned long at = 1; at <= maps; at++) {
            uint64_t raced[GENERATE_MAX] = {0};
            fake_env_init(&env);
            env.fail_at = at;
            env.fail_from = (turn + at) & 1;
            bool enough = play(*d, &env, x, alone, raced);
            said += !enough;
            for (size_t i = 0; i < x->n; i++) {
                if (enough && raced[i] != usual[i])
                    fail_msg("%s: %s, allocation %lu: event %zu", (*d)->name, name, at, i + 1);
                if ((*d)->can & GL_CAN_PRECISE)
                    assert_int_equal(raced[i] & ~oracle_verdict(o, i).races, 0);
            }
        }
    }
    return said;
}

static void random_executions(void **state)
{
    (void)state;
    struct generator *g = generator_new();
    struct oracle *o = oracle_new(GENERATE_MAX);
    struct execution x;
    execution_init(&x, GENERATE_MAX);
    unsigned said = 0;
    for (uint64_t k = 0; k < SEEDS * n_profiles; k++) {
        generate(g, &profiles[k % n_profiles], k, &x);
        oracle_run(o, &x);
        char name[80];
        snprintf(name, sizeof name, "profile %s, seed %u", profiles[k % n_profiles].name, (unsigned)k);
        said += starve(o, &x, (unsigned)k, name) + starve(o, &x, (unsigned)k + 2, name);
    }
    assert_true(said > n_profiles);
    execution_fini(&x);
    oracle_delete(o);
    generator_delete(g);
}

#define T(t, o, x) {.op = GL_OP_##o, .thread = (t), .object = (x)}
#define AT(t, o, x) {.op = GL_OP_##o, .thread = (t), .object = (x), .size = 4}

/* What ends with the event that memory was short for, and holds of one lock that need more of it. */
static void by_hand(void **state)
{
    (void)state;
    static const struct gl_event join[] = {T(1, JOIN, 0)}; /* of the first thread, which did nothing */
#define ONE_SIDE AT(1, WRITE, 8), T(1, ACQ, 1), T(1, REL, 1), AT(1, WRITE, 12), T(2, WAIT, 1), T(2, ACQ, 1), T(2, REL, 1)
    static const struct gl_event race[] = {ONE_SIDE, AT(2, WRITE, 12)}, across[] = {ONE_SIDE, AT(2, WRITE, 10)};
    struct gl_event holds[60];
    for (int i = 0; i < 60; i++)
        holds[i] = (struct gl_event){.op = i < 30 ? GL_OP_RDLOCK : GL_OP_RDUNLOCK, .object = 1};
    struct oracle *o = oracle_new(GENERATE_MAX);
    const struct {
        const struct gl_event *event;
        size_t n;
    } all[] = {{join, 1}, {race, sizeof race / sizeof *race}, {across, sizeof across / sizeof *across}, {holds, 60}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        struct execution x;
        execution_init(&x, GENERATE_MAX);
        for (size_t i = 0; i < all[k].n; i++)
            x.event[x.n++] = all[k].event[i];
        oracle_run(o, &x);
        for (unsigned turn = 0; turn < 4; turn++)
            assert_true(starve(o, &x, turn, "by hand") > 0);
        execution_fini(&x);
    }
    oracle_delete(o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_executions), cmocka_unit_test(by_hand)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
