/* SPDX-License-Identifier: Apache-2.0
 *
 * FastTrack (Flanagan, Freund: "FastTrack: Efficient and Precise Dynamic Race Detection", PLDI 2009, Fig. 2 and 5),
 * the yardstick: as fast as we can make it.  Promise: precise for every op of GL_OPS; one call at a time.
 *
 * Up to the first race of a variable its plain writes are ordered one after the other, so one epoch is enough for
 * them; and mostly so are its reads.  The paper's rules by name, E(t) being the epoch of the acting thread, W and R
 * those of the variable:
 *
 *     [READ SAME EPOCH]    R = E(t): nothing to do            [WRITE SAME EPOCH]  W = E(t): nothing to do
 *     [READ EXCLUSIVE]     W, R known to t: R := E(t)         [WRITE EXCLUSIVE]   W, R known to t: W := E(t), R := none
 *     [READ SHARE]         R not known to t: R becomes a clock  [WRITE SHARED]    R is a clock: compare all of it
 *     [READ SHARED]        R is a clock: R[t] := E(t)
 *
 * Where we differ from the paper
 *
 * 1. A read by the writer in the epoch of its write is not recorded: whatever conflicts with it conflicts with the write.
 * 2. Atomic accesses race with plain ones but not with one another, so the atomic reads and the atomic writes of a
 *    variable are two more histories, always as clocks; most variables have none.
 *
 *        access          must know all earlier                    is remembered in
 *        plain read      plain writes, atomic writes              R
 *        plain write     accesses                                 W; all else is forgotten
 *        atomic read     plain writes                             atomic reads
 *        atomic write    plain reads, plain writes                atomic writes
 *
 * 3. Sites are kept beside epochs, so that a race names the earlier access.
 *
 * "treeclock" is the same with tree clocks for threads and locks (treeclock.h): the same verdicts, other costs.
 */
#include "peers/fasttrack.h"

#include "peers/shadow.h"

struct gl_state {
    struct gl_clock_detector common;    /* first */
    uint64_t n_same_epoch, n_exclusive; /* accesses that the short cut was enough for */
};

/* ---- the rules ---- */

static struct gl_race_access by_epoch(uint64_t epoch, uint32_t site, bool write)
{
    return (struct gl_race_access){gl_epoch_thread(epoch), site, write, false};
}

/* Does an earlier plain write, or (reads) plain read, race with what t does now? */
static bool epochs_race(const struct gl_var *v, const struct gl_hb_thread *t, bool reads,
                        struct gl_race_access *then)
{
    const struct gl_clock *now = &t->clock.clock;
    if (!gl_clock_knows(now, v->write)) {
        *then = by_epoch(v->write, v->write_site, true);
        return true;
    }
    if (!reads)
        return false;
    if (v->read == GL_VAR_SHARED)
        return gl_var_unordered(v, GL_PLAIN_READ, t, then);
    if (!gl_clock_knows(now, v->read)) {
        *then = by_epoch(v->read, v->read_site, false);
        return true;
    }
    return false;
}

/* [READ EXCLUSIVE], [READ SHARE], [READ SHARED].  False: no memory; the reads are what they were. */
static bool note_read(struct gl_hb *hb, struct gl_var *v, const struct gl_hb_thread *t, uint32_t site)
{
    if (v->read != GL_VAR_SHARED && gl_clock_knows(&t->clock.clock, v->read)) {
        v->read = t->epoch;
        v->read_site = site;
        return true;
    }
    if (!gl_var_more(v, hb))
        return false;
    struct gl_history *reads = &v->more->of[GL_PLAIN_READ];
    if (v->read != GL_VAR_SHARED) {
        if (!gl_history_note(reads, &hb->pool, v->read, v->read_site))
            return false;
        if (!gl_history_note(reads, &hb->pool, t->epoch, site)) {
            gl_history_fini(reads, &hb->pool);
            return false;
        }
        v->read = GL_VAR_SHARED;
        v->read_site = 0;
        return true;
    }
    return gl_history_note(reads, &hb->pool, t->epoch, site);
}

static enum gl_var_verdict rule(struct gl_hb *hb, struct gl_var *v, const struct gl_hb_thread *t,
                                enum gl_access kind, uint32_t site, struct gl_race_access *then)
{
    if (v->write == t->epoch)
        return GL_VAR_OK; /* [WRITE SAME EPOCH], difference 1 */
    bool raced = false, noted = true;
    switch (kind) {
    case GL_PLAIN_READ:
        if (v->read == t->epoch)
            return GL_VAR_OK; /* [READ SAME EPOCH] */
        raced = epochs_race(v, t, false, then) || gl_var_unordered(v, GL_ATOMIC_WRITE, t, then);
        noted = note_read(hb, v, t, site);
        break;
    case GL_PLAIN_WRITE: /* [WRITE EXCLUSIVE], [WRITE SHARED] */
        raced = epochs_race(v, t, true, then) || gl_var_unordered(v, GL_ATOMIC_WRITE, t, then) ||
                gl_var_unordered(v, GL_ATOMIC_READ, t, then);
        gl_var_forget(v, hb);
        v->write = t->epoch;
        v->write_site = site;
        break;
    case GL_ATOMIC_READ:
    default: /* GL_ATOMIC_WRITE */
        raced = epochs_race(v, t, kind == GL_ATOMIC_WRITE, then);
        noted = gl_var_more(v, hb) && gl_history_note(&v->more->of[kind], &hb->pool, t->epoch, site);
    }
    return raced ? GL_VAR_RACE : noted ? GL_VAR_OK : GL_VAR_NOMEM;
}

/* ---- the short cut: whole cells with at most one reader, plain accesses, nobody's race ---- */

static inline bool short_cut(struct gl_state *s, const struct gl_event *e)
{
    struct gl_clock_detector *d = &s->common;
    const struct gl_hb_thread *t = gl_hb_running(&d->hb, e->thread);
    if (e->op > GL_OP_WRITE || (e->object & 3) || e->size != 4 || d->stopped != GL_OK || !t)
        return false;
    struct gl_var *v = gl_shadow_cell(&d->shadow, &d->hb, e->object);
    if (!v)
        return false;
    if (v->write == t->epoch || (v->read == t->epoch && e->op == GL_OP_READ)) {
        s->n_same_epoch++;
        return true;
    }
    /* GL_VAR_SPLIT and GL_VAR_SHARED are known to nobody */
    const struct gl_clock *now = &t->clock.clock;
    if (!gl_clock_knows(now, v->write) || !gl_clock_knows(now, v->read) || v->more)
        return false;
    bool read = e->op == GL_OP_READ; /* selected, not branched on: programs mix the two as they like */
    v->read = read ? t->epoch : 0;
    v->read_site = read ? e->site : 0;
    v->write = read ? v->write : t->epoch;
    v->write_site = read ? v->write_site : e->site;
    s->n_exclusive++;
    return true;
}

static gl_status fasttrack_event(struct gl_state *s, const struct gl_event *e, struct gl_race *race)
{
    return short_cut(s, e) ? GL_OK : gl_clock_detector_event(&s->common, e, race);
}

/* ---- the detectors ---- */

static struct gl_state *fasttrack_create(const struct gl_env *env)
{
    return gl_clock_detector_create(sizeof(struct gl_state), env, &gl_hb_vector_clocks, rule);
}

static struct gl_state *treeclock_create(const struct gl_env *env)
{
    return gl_clock_detector_create(sizeof(struct gl_state), env, &gl_hb_tree_clocks, rule);
}

static void fasttrack_destroy(struct gl_state *s) { gl_clock_detector_destroy(&s->common, sizeof *s); }

static void fasttrack_counts(const struct gl_state *s, gl_count_fn *count, void *ctx)
{
    gl_clock_detector_counts(&s->common, s->n_same_epoch + s->n_exclusive, count, ctx);
    count(ctx, "rule_same_epoch",
          "accesses like an earlier one of the same epoch (FastTrack's READ and WRITE SAME EPOCH)",
          s->n_same_epoch);
    count(ctx, "rule_exclusive", "accesses that two epochs decide (FastTrack's READ and WRITE EXCLUSIVE)",
          s->n_exclusive);
}

const struct gl_detector gl_detector_fasttrack = {
    .size = sizeof(struct gl_detector),
    .name = "fasttrack",
    .can = GL_CAN_PRECISE,
    .sentence = "FastTrack (PLDI 2009): epochs where they are enough, vector clocks where not; the yardstick "
                "of speed",
    .create = fasttrack_create,
    .destroy = fasttrack_destroy,
    .event = fasttrack_event,
    .counts = fasttrack_counts,
};

const struct gl_detector gl_detector_treeclock = {
    .size = sizeof(struct gl_detector),
    .name = "treeclock",
    .can = GL_CAN_PRECISE,
    .sentence = "FastTrack over tree clocks (ASPLOS 2022): a join visits only what it changes",
    .create = treeclock_create,
    .destroy = fasttrack_destroy,
    .event = fasttrack_event,
    .counts = fasttrack_counts,
};
