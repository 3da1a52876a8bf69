/* SPDX-License-Identifier: Apache-2.0
 *
 * Delta debugging (Zeller, Hildebrandt: "Simplifying and Isolating Failure-Inducing Input"), with
 * repair: after a cut, whatever has become impossible goes too (the unlock of a lock that is no longer
 * taken), so that a cut anywhere gives an execution that can happen.
 */
#include "tests/support/shrink.h"

#include "tests/support/model.h"

/* `from` without the events [cut, cut + n), and without those of `thread` if that is >= 0. */
static void cut(const struct execution *from, struct execution *to, size_t at, size_t n, int64_t thread)
{
    static struct model model;
    model_reset(&model);
    to->n = 0;
    for (size_t i = 0; i < from->n; i++) {
        const struct gl_event *e = &from->event[i];
        bool gone = (i >= at && i < at + n) || e->thread == thread ||
                    (thread >= 0 && (e->op == GL_OP_FORK || e->op == GL_OP_JOIN) && e->object == (uint64_t)thread);
        if (!gone && model_step(&model, e))
            execution_add(to, e);
    }
}

static bool accept(struct execution *x, const struct execution *candidate, shrink_fails *fails, void *ctx)
{
    if (!fails(ctx, candidate))
        return false;
    execution_copy(x, candidate);
    return true;
}

static bool shorter(struct execution *x, struct execution *candidate, shrink_fails *fails, void *ctx)
{
    bool any = false;
    for (int64_t thread = 0; thread < MODEL_THREADS; thread++) {
        cut(x, candidate, 0, 0, thread);
        if (candidate->n < x->n)
            any |= accept(x, candidate, fails, ctx);
    }
    for (size_t n = x->n / 2 + 1; n > 0; n /= 2)
        for (size_t at = x->n; at-- > 0;) { /* from the end: what comes late depends on little */
            if (at >= x->n || (n > 1 && at % n))
                continue;
            cut(x, candidate, at, n, -1);
            if (candidate->n < x->n)
                any |= accept(x, candidate, fails, ctx);
        }
    return any;
}

/* One access after the other is made narrower. */
static bool simpler(struct execution *x, struct execution *candidate, shrink_fails *fails, void *ctx)
{
    bool any = false;
    for (size_t i = 0; i < x->n; i++) {
        const struct gl_event *e = &x->event[i];
        uint32_t least = e->op >= GL_OP_LOAD && e->op <= GL_OP_RMW ? 0 : 1;
        if (e->size <= least)
            continue;
        for (unsigned how = 0; how < 3; how++) { /* to its least size; without its first byte; its last */
            execution_copy(candidate, x);
            struct gl_event *c = &candidate->event[i];
            if (how == 1)
                c->object += c->op == GL_OP_LOAD || c->op == GL_OP_STORE || c->op == GL_OP_RMW ? 0 : 1;
            c->size = how ? c->size - 1 : least;
            if (c->size >= least && c->size < x->event[i].size && accept(x, candidate, fails, ctx)) {
                any = true;
                how = how ? how - 1 : 0;
            }
        }
    }
    return any;
}

void shrink(struct execution *x, shrink_fails *fails, void *ctx)
{
    struct execution candidate;
    execution_init(&candidate, x->max);
    while (shorter(x, &candidate, fails, ctx) || simpler(x, &candidate, fails, ctx)) {
    }
    execution_fini(&candidate);
}
