/* SPDX-License-Identifier: Apache-2.0
 *
 * "goldilocks-2006": Fig. 3 of the technical report (Elmas, Qadeer, Tasiran, MSR-TR-2006-163), to the letter.
 *
 *     Handle-Action (t, action):
 *      1  if (action is a synchronization)                          gl_synclist_event(), _sources()
 *      2..5   append it to the update list
 *      7  else if (action is read(o, d) or write(o, d))             check()
 *      8      if (info(o, d) is not defined)
 *      9, 10      new Info; alock := one of the locks that t holds, if any
 *     12      else if (owner != t and alock is not held by t)
 *     13          Apply-Lockset-Rules                               gl_set_reaches()
 *     15          alock := one of the locks that t holds, if any
 *     19      owner := t
 *     20      pos := tail
 *     21  Garbage-Collect-Cells                                     gl_synclist_collect()
 *
 * Where it is wrong.  Line 15 runs only if both short circuits failed.  An access that takes the owner short circuit
 * moves pos, but leaves the alock of an *earlier* access, which may have been given up in between:
 *
 *     T1: acq L; w x; rel L; w x         x: alock L (line 10), then owner T1, pos after rel L, alock still L
 *     T2: acq L; w x                     L is held by T2: no race, says line 12.  But T1's second write is unordered.
 *
 * The lock short circuit is right only if alock was held at the last access.  goldilocks_2006_fixed.c does that.
 *
 * Besides, reads race with reads here: the report's definition of a race does not tell them from writes (section 2.1).
 * So this detector misses races (the stale alock) and reports pairs of reads; apart from the two it is exact, up to the
 * first report of a byte.
 *
 * What the report leaves open.  "Choose randomly a lock": the one that t took last, of those it holds exclusively, so
 * that the same trace has the same verdict.  A variable is a byte (a free is a write, a commit accesses each of its
 * bytes).  Atomic objects are synchronization variables, which the report keeps apart from data (section 2.1): what
 * atomic operations do to their bytes is not checked.  Constructs beyond the report's: synchronization list, synclist.h.
 */
#include "peers/goldilocks_2006.h"

#include <string.h>

#include "peers/synclist.h"
#include "peers/words.h"

struct info { /* of some bytes of a word: the report's Info, and what a race report needs */
    struct gl_piece piece;
    struct gl_cell *pos;
    struct gl_actor *owner;
    struct gl_lock *alock;
    uint32_t site;
    bool write;
};

struct gl_state {
    struct gl_pool pool;
    struct gl_holds holds;
    struct gl_synclist list;
    struct gl_words words;
    bool stopped; /* a synchronization was lost */
    uint64_t n_events, n_accesses, n_fresh, n_owner, n_alock, n_rules, n_races;
};

/* Lines 8 to 20, for bytes that share an Info. */
static void check(struct gl_state *s, const struct gl_event *e, struct gl_actor *t, bool write,
                  const struct gl_span *span, struct info *x, struct gl_verdict *out)
{
    if (!x->owner) {
        s->n_fresh++;
        x->alock = gl_holds_latest(t);
    } else if (x->owner == t) {
        s->n_owner++;
    } else if (gl_holds_exclusively(t, x->alock)) {
        s->n_alock++;
    } else {
        s->n_rules++;
        gl_set_clear(&s->list);
        gl_set_add(&s->list, x->owner->element);
        if (!gl_set_reaches(&s->list, x->pos, t->element))
            gl_verdict_note(out, e, span, x->piece.bytes, (struct gl_race_access){t->number, e->site, write, false},
                            (struct gl_race_access){x->owner->number, x->site, x->write, false}, x->piece.bytes);
        x->alock = gl_holds_latest(t);
    }
    if (x->pos)
        x->pos->refs--;
    x->owner = t;
    x->pos = s->list.tail;
    x->pos->refs++;
    x->site = e->site;
    x->write = write;
}

static void access_span(struct gl_state *s, const struct gl_event *e, struct gl_actor *t, bool write,
                        const struct gl_span *span, struct gl_verdict *out)
{
    struct gl_piece *found[4];
    unsigned n = gl_words_split(&s->words, span->word, span->mask, found);
    out->nomem |= !n;
    for (unsigned i = 0; i < n; i++) {
        struct info *x = (struct info *)found[i];
        if (x->piece.copied) { /* it points to its cell as well */
            x->piece.copied = false;
            if (x->pos)
                x->pos->refs++;
        }
        check(s, e, t, write, span, x, out);
    }
}

static void access_range(struct gl_state *s, const struct gl_event *e, struct gl_actor *t, bool write,
                         struct gl_verdict *out)
{
    struct gl_span span;
    for (uint32_t done = 0; gl_span_next(e->object, e->size, &done, &span);)
        access_span(s, e, t, write, &span, out);
    s->n_accesses++;
}

static void access_commit(struct gl_state *s, const struct gl_event *e, struct gl_actor *t, struct gl_verdict *out)
{
    for (uint64_t i = 0; i < (uint64_t)e->n_reads + e->n_writes; i++) {
        bool write = i >= e->n_reads;
        struct gl_span span = gl_span_of_byte(write ? e->writes[i - e->n_reads] : e->reads[i], (uint32_t)i);
        access_span(s, e, t, write, &span, out);
    }
    s->n_accesses++;
}

static void forget(void *ctx, struct gl_piece *p)
{
    struct info *x = (struct info *)p;
    (void)ctx;
    if (x->pos)
        x->pos->refs--;
}

static gl_status event_2006(struct gl_state *s, const struct gl_event *e, struct gl_race *race)
{
    struct gl_step step;
    struct gl_verdict out = {0};
    if (s->stopped)
        return GL_NOMEM;
    gl_status status = gl_synclist_event(&s->list, &s->holds, e, &step);
    s->stopped = status == GL_NOMEM;
    if (status != GL_OK)
        return status;
    s->n_events += gl_event_does(e, GL_COMMIT_BEGIN);
    if (e->op == GL_OP_ALLOC)
        gl_words_clear(&s->words, e->object, e->size, forget, s);
    else if (e->op == GL_OP_COMMIT && gl_event_does(e, GL_COMMIT_ACCESS))
        access_commit(s, e, step.actor, &out);
    else if (gl_op_class(e->op) == GL_CLASS_DATA)
        access_range(s, e, step.actor, e->op != GL_OP_READ, &out);
    s->n_races += out.raced;
    s->stopped = !gl_synclist_sources(&s->list, e, &step);
    out.nomem |= s->stopped;
    gl_synclist_collect(&s->list);
    return gl_verdict_status(&out, race);
}

static struct gl_state *create_2006(const struct gl_env *env)
{
    struct gl_pool pool;
    gl_pool_init(&pool, env);
    struct gl_state *s = gl_pool_take(&pool, sizeof *s);
    if (!s)
        return NULL;
    s->pool = pool;
    s->holds.pool = s->list.pool = s->words.pool = &s->pool;
    s->words.piece_bytes = sizeof(struct info);
    if (gl_synclist_begin(&s->list))
        return s;
    gl_pool_end(&s->pool);
    return NULL;
}

static void destroy_2006(struct gl_state *s) { gl_pool_end(&s->pool); }

static void counts_2006(const struct gl_state *s, gl_count_fn *count, void *ctx)
{
    count(ctx, "events", "events that were possible", s->n_events);
    count(ctx, "accesses", "accesses checked", s->n_accesses);
    count(ctx, "rule_fresh", "lines 9, 10: bytes without an Info", s->n_fresh);
    count(ctx, "rule_own_thread", "line 12: the thread owned the bytes", s->n_owner);
    count(ctx, "rule_lock_held", "line 12: the thread held their alock", s->n_alock);
    count(ctx, "rule_walk", "line 13: Apply-Lockset-Rules ran", s->n_rules);
    count(ctx, "walked_cells", "cells that it went through", s->list.walked);
    count(ctx, "cells", "cells appended to the list", s->list.appended);
    count(ctx, "cells_kept", "cells in the list now", s->list.length);
    count(ctx, "rule_race", "accesses whose thread was not in the set", s->n_races);
}

const struct gl_detector gl_detector_goldilocks_2006 = {
    .size = sizeof(struct gl_detector),
    .name = "goldilocks-2006",
    .sentence = "the 2006 report's Fig. 3 to the letter; imprecise: a stale lock hides races, and reads race with reads",
    .create = create_2006,
    .destroy = destroy_2006,
    .event = event_2006,
    .counts = counts_2006,
};
