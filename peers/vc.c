/* SPDX-License-Identifier: Apache-2.0
 *
 * A vector clock per variable, as in DJIT+ (Pozniansky, Schuster: "Efficient On-the-Fly Data Race Detection in Multithreaded
 * C++ Programs", PPoPP 2003) and TRaDe (Christiaens, De Bosschere, 2001): the last read and the last write of
 * every thread.  It is what FastTrack's epochs are an abbreviation of, and shows what they save.  Promise: precise
 * for every op of GL_OPS; one call at a time.
 *
 *     access          must know all of                          (the variable's four clocks)
 *     plain read      plain writes, atomic writes
 *     plain write     plain and atomic reads and writes
 *     atomic read     plain writes
 *     atomic write    plain reads, plain writes
 *
 * and is then its thread's entry in its own clock.  Only the first plain read and the first plain write of a thread
 * in an epoch are looked at (DJIT+'s time frames): var.read and var.write remember whose turn that last was.
 *
 * After a race the access counts as made: a plain write then forgets all earlier accesses, with which every later
 * access would race once more.
 */
#include "peers/vc.h"

#include "peers/shadow.h"

struct gl_state {
    struct gl_clock_detector common; /* first */
};

static enum gl_var_verdict rule(struct gl_hb *hb, struct gl_var *v, const struct gl_hb_thread *t,
                                enum gl_access kind, uint32_t site, struct gl_race_access *then)
{
    if (v->write == t->epoch || (v->read == t->epoch && kind == GL_PLAIN_READ))
        return GL_VAR_OK;
    bool raced = gl_var_unordered(v, GL_PLAIN_WRITE, t, then);
    if (!raced && kind != GL_ATOMIC_READ && kind != GL_ATOMIC_WRITE)
        raced = gl_var_unordered(v, GL_ATOMIC_WRITE, t, then);
    if (!raced && (kind == GL_PLAIN_WRITE || kind == GL_ATOMIC_WRITE))
        raced = gl_var_unordered(v, GL_PLAIN_READ, t, then);
    if (!raced && kind == GL_PLAIN_WRITE)
        raced = gl_var_unordered(v, GL_ATOMIC_READ, t, then);
    if (raced && kind == GL_PLAIN_WRITE)
        gl_var_forget(v, hb);
    if (!gl_var_more(v, hb) || !gl_history_note(&v->more->of[kind], &hb->pool, t->epoch, site))
        return raced ? GL_VAR_RACE : GL_VAR_NOMEM;
    if (kind == GL_PLAIN_READ)
        v->read = t->epoch;
    if (kind == GL_PLAIN_WRITE)
        v->write = t->epoch;
    return raced ? GL_VAR_RACE : GL_VAR_OK;
}

static struct gl_state *vc_create(const struct gl_env *env)
{
    return gl_clock_detector_create(sizeof(struct gl_state), env, &gl_hb_vector_clocks, rule);
}

static void vc_destroy(struct gl_state *s) { gl_clock_detector_destroy(&s->common, sizeof *s); }

static gl_status vc_event(struct gl_state *s, const struct gl_event *e, struct gl_race *race)
{
    return gl_clock_detector_event(&s->common, e, race);
}

static void vc_counts(const struct gl_state *s, gl_count_fn *count, void *ctx)
{
    gl_clock_detector_counts(&s->common, 0, count, ctx);
}

const struct gl_detector gl_detector_vc = {
    .size = sizeof(struct gl_detector),
    .name = "vc",
    .can = GL_CAN_PRECISE,
    .sentence = "DJIT+ (PPoPP 2003): a vector clock of reads and one of writes per variable",
    .create = vc_create,
    .destroy = vc_destroy,
    .event = vc_event,
    .counts = vc_counts,
};
