/* SPDX-License-Identifier: Apache-2.0
 *
 * "eraser": the technical report's Basic-Eraser, that is the lockset algorithm of Savage et al., "Eraser: a dynamic
 * data race detector for multithreaded programs" (1997), with its state machine.  It checks a discipline, "some lock
 * protects each shared variable, always the same", and not order: it reports where no race is (the discipline is broken,
 * the accesses are ordered otherwise), and is silent about races that its states forgive (initialization).
 *
 *     state             access by           next state        C(v)                  race if C(v) = {}
 *     virgin            any thread          exclusive         -                     -
 *     exclusive         its thread          exclusive         -                     -
 *     exclusive         another: read       shared            LH(t)                 -
 *     exclusive         another: write      shared-modified   LH(t)                 yes
 *     shared            read                shared            C(v) and LH(t)        -
 *     shared            write               shared-modified   C(v) and LH(t)        yes
 *     shared-modified   read or write       shared-modified   C(v) and LH(t)        yes
 *
 * LH(t) and the constructs that Eraser does not know: discipline.h.  A variable is a byte.  Eraser names no earlier
 * access; we name the latest one by another thread.
 */
#include "peers/eraser.h"

#include "peers/discipline.h"

enum state { VIRGIN, EXCLUSIVE, SHARED, SHARED_MODIFIED };

struct variable {
    struct gl_piece piece;
    enum state state;
    const struct gl_lockset *candidates;  /* C(v); from SHARED on */
    struct gl_seen_access last;           /* of all */
    struct gl_seen_access last_of_others; /* than last.thread */
};

static void remember(struct variable *v, const struct gl_seen_access *now)
{
    if (v->last.is_known && v->last.thread != now->thread)
        v->last_of_others = v->last;
    v->last = *now;
}

static bool eraser_check(struct gl_discipline *d, struct gl_piece *p, const struct gl_check *c,
                         struct gl_seen_access *then, bool *nomem)
{
    struct variable *v = (struct variable *)p;
    bool own = v->last.thread == c->now.thread;
    if (v->state == VIRGIN)
        v->state = EXCLUSIVE;
    else if (v->state != EXCLUSIVE || !own) {
        const struct gl_lockset *candidates = c->held;
        if (v->state != EXCLUSIVE)
            candidates = gl_lockset_both(d, v->candidates, c->held);
        if (!candidates) {
            *nomem = true;
            return false;
        }
        v->candidates = candidates;
        v->state = c->now.write || v->state == SHARED_MODIFIED ? SHARED_MODIFIED : SHARED;
    }
    remember(v, &c->now);
    *then = v->last_of_others;
    return v->state == SHARED_MODIFIED && v->candidates->n == 0;
}

static struct gl_state *create_eraser(const struct gl_env *env)
{
    return (struct gl_state *)gl_discipline_create(env, sizeof(struct variable));
}

static void destroy_eraser(struct gl_state *s) { gl_discipline_destroy((struct gl_discipline *)s); }

static gl_status event_eraser(struct gl_state *s, const struct gl_event *e, struct gl_race *race)
{
    return gl_discipline_event((struct gl_discipline *)s, e, eraser_check, race);
}

static void counts_eraser(const struct gl_state *s, gl_count_fn *count, void *ctx)
{
    gl_discipline_counts((const struct gl_discipline *)s, count, ctx);
}

const struct gl_detector gl_detector_eraser = {
    .size = sizeof(struct gl_detector),
    .name = "eraser",
    .sentence = "Eraser's locking discipline (the 2006 report's Basic-Eraser); imprecise: false alarms, and missed races",
    .create = create_eraser,
    .destroy = destroy_eraser,
    .event = event_eraser,
    .counts = counts_eraser,
};
