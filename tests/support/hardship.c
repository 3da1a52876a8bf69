/* SPDX-License-Identifier: Apache-2.0
 *
 * See hardship.h.
 */
#include "tests/support/hardship.h"

#include "tests/support/check.h"
#include "tests/support/fake_env.h"
#include "tests/support/oracle.h"

/* One run, with memory or (`short_of`) not always.  The oracle is NULL, or has run on the execution. */
static bool run(const struct gl_detector *d, const struct execution *x, const struct oracle *o, struct fake_env *env,
                bool short_of)
{
    struct gl_state *s = d->create(&env->env);
    bool good = s || short_of;
    for (size_t i = 0; s && good && i < x->n; i++) {
        struct gl_race race = {0};
        gl_status status = d->event(s, &x->event[i], &race);
        good = status == GL_OK || status == GL_RACE || (short_of && status == GL_NOMEM);
        if (o && race.bytes & ~oracle_verdict(o, i).races)
            good = false;
    }
    if (s)
        d->destroy(s);
    return good && fake_env_is_clean(env);
}

bool bears_lack_of_memory(const struct gl_detector *d, const struct execution *x, unsigned *runs)
{
    struct oracle *o = d->can & GL_CAN_PRECISE ? oracle_new(x->n) : NULL;
    if (o)
        oracle_run(o, x);
    struct fake_env env;
    fake_env_init(&env);
    bool good = run(d, x, o, &env, false);
    unsigned long maps = atomic_load(&env.maps);
    *runs = 0;
    for (unsigned long fail = 1; good && fail <= maps; fail++)
        for (int from = 0; good && from < 2; from++, ++*runs) {
            fake_env_init(&env);
            env.fail_at = fail;
            env.fail_from = from;
            good = run(d, x, o, &env, true);
        }
    if (o)
        oracle_delete(o);
    return good;
}

static struct gl_event random_event(struct rng *r)
{
    static const uint64_t bytes[4] = {0x100, 0x101, 0x104, 0x108};
    struct gl_event e = {.op = (enum gl_op)rng_below(r, GL_OP_COUNT), .thread = rng_below(r, 4), .site = 1};
    enum gl_class class = gl_op_class(e.op);
    bool is_data = class == GL_CLASS_DATA || class == GL_CLASS_ATOMIC;
    e.object = is_data ? 0x100 + rng_below(r, 8) : rng_below(r, class == GL_CLASS_THREAD ? 6 : 2);
    e.size = is_data ? rng_below(r, rng_chance(r, 20) ? 80 : 9) : 0;
    if (rng_chance(r, 2))
        e.object = UINT64_MAX - rng_below(r, 2); /* no thread's number; the end of memory */
    if (e.op == GL_OP_LOAD || e.op == GL_OP_FENCE)
        e.order = GL_ACQ;
    if (e.op == GL_OP_STORE)
        e.order = GL_REL;
    if (e.op == GL_OP_COMMIT) {
        e.object = 0;
        e.n_reads = rng_below(r, 3);
        e.n_writes = rng_below(r, 3);
        e.reads = rng_chance(r, 90) ? bytes : NULL;
        e.writes = rng_chance(r, 90) ? bytes + 2 : NULL;
    }
    if (e.op == GL_OP_END && rng_chance(r, 90))
        e.op = GL_OP_BEGIN;
    return e;
}

bool refuses_the_same(const struct gl_detector *d, const struct gl_detector *judge, uint64_t seed, unsigned events)
{
    struct rng r = rng_seed(seed);
    struct fake_env env;
    fake_env_init(&env);
    struct gl_state *a = d->create(&env.env), *b = judge->create(&env.env);
    check(a && b, "no memory for a detector");
    bool same = true;
    for (unsigned i = 0; same && i < events; i++) {
        struct gl_event e = random_event(&r);
        bool refused = d->event(a, &e, NULL) == GL_INVALID, rightly = judge->event(b, &e, NULL) == GL_INVALID;
        same = refused == rightly;
        if (!same) {
            printf("%s %s, event %u of seed %llu: ", d->name, refused ? "refuses" : "takes", i, (unsigned long long)seed);
            event_print(&e, stdout);
        }
    }
    d->destroy(a);
    judge->destroy(b);
    return same && fake_env_is_clean(&env);
}
