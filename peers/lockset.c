/* SPDX-License-Identifier: Apache-2.0
 *
 * "lockset-fixed" and "lockset-dynamic": the two naive algorithms with which the technical report (section 2.3) and the
 * talk about it start.  Both keep a set of locks LS(v) for each variable, and report an access by t if
 *
 *     LS(v) and LH(t) have no lock in common                      (LS(v) of a fresh variable: all locks)
 *
 * They differ in what LS(v) is after the access:
 *
 *     lockset-fixed      the locks in common: each variable has fixed locks        {m1,m2}, {m2,m3}: {m2}
 *     lockset-dynamic    LH(t), if there was no race: the locks may change         {m1,m2}, {m2,m3}: {m2,m3}
 *
 * Both report what is not a race: nothing but a common lock counts as order, not even that the same thread made both
 * accesses, and reads are told from writes only by which holds of a reader-writer lock count.  The first access of a
 * variable is never reported: there is no pair.  With mutexes only, they find every variable on which there is a race;
 * that is all they promise.  lockset-fixed is wrong where the locks of a variable change; lockset-dynamic where they
 * change while nobody accesses it (the report's IntBox).
 *
 * LH(t) and the constructs that the papers do not have: discipline.h.  A variable is a byte.
 */
#include "peers/lockset.h"

#include "peers/discipline.h"

struct variable {
    struct gl_piece piece;
    const struct gl_lockset *ls; /* NULL: fresh */
    struct gl_seen_access last;
};

static bool check_variable(struct gl_discipline *d, struct variable *v, const struct gl_check *c, bool dynamic,
                           struct gl_seen_access *then, bool *nomem)
{
    const struct gl_lockset *both = v->ls ? gl_lockset_both(d, v->ls, c->held) : c->held;
    if (!both) {
        *nomem = true;
        return false;
    }
    bool race = v->ls && both->n == 0;
    *then = v->last;
    v->last = c->now;
    if (!dynamic)
        v->ls = both;
    else if (!race)
        v->ls = c->held;
    return race;
}

static bool check_fixed(struct gl_discipline *d, struct gl_piece *p, const struct gl_check *c,
                        struct gl_seen_access *then, bool *nomem)
{
    return check_variable(d, (struct variable *)p, c, false, then, nomem);
}

static bool check_dynamic(struct gl_discipline *d, struct gl_piece *p, const struct gl_check *c,
                          struct gl_seen_access *then, bool *nomem)
{
    return check_variable(d, (struct variable *)p, c, true, then, nomem);
}

static struct gl_state *create_lockset(const struct gl_env *env)
{
    return (struct gl_state *)gl_discipline_create(env, sizeof(struct variable));
}

static void destroy_lockset(struct gl_state *s) { gl_discipline_destroy((struct gl_discipline *)s); }

static gl_status event_fixed(struct gl_state *s, const struct gl_event *e, struct gl_race *race)
{
    return gl_discipline_event((struct gl_discipline *)s, e, check_fixed, race);
}

static gl_status event_dynamic(struct gl_state *s, const struct gl_event *e, struct gl_race *race)
{
    return gl_discipline_event((struct gl_discipline *)s, e, check_dynamic, race);
}

static void counts_lockset(const struct gl_state *s, gl_count_fn *count, void *ctx)
{
    gl_discipline_counts((const struct gl_discipline *)s, count, ctx);
}

const struct gl_detector gl_detector_lockset_fixed = {
    .size = sizeof(struct gl_detector),
    .name = "lockset-fixed",
    .sentence = "the naive lockset: always the same lock for a variable; imprecise: everything else is reported",
    .create = create_lockset,
    .destroy = destroy_lockset,
    .event = event_fixed,
    .counts = counts_lockset,
};

const struct gl_detector gl_detector_lockset_dynamic = {
    .size = sizeof(struct gl_detector),
    .name = "lockset-dynamic",
    .sentence = "the naive lockset whose locks may change: a lock in common with the last access; imprecise: all else is "
                "reported",
    .create = create_lockset,
    .destroy = destroy_lockset,
    .event = event_dynamic,
    .counts = counts_lockset,
};
