/* SPDX-License-Identifier: Apache-2.0
 *
 * Why a verdict follows: the rules of the papers applied to the Goldilocksets of one byte, told step by step.
 *
 * The walk sees every event of an execution, in order, as a detector does, and calls back for each rule that it
 * applies.  It follows one Goldilockset: that of the byte's last access, which is the papers' GLS(x) (TR Fig. 1 and 2,
 * CACM Fig. 1 and 2).  Where reads stand beside one another there are several sets; then the plan says which one is
 * followed from then on, and every other set that decides about an access comes as a step of its own (GL_STEP_CHECK).
 *
 * Slow and small: it keeps the sets of one byte, and per thread and object a few numbers.  Memory comes from gl_env.
 * One caller at a time per walk.
 */
#ifndef GL_PEERS_EXPLAIN_H
#define GL_PEERS_EXPLAIN_H

#include "core/detector.h"

/* The rules, by the names of docs/algorithm.md (family) and with the numbers of TR Fig. 1 (0: beyond the report).
 *   rule, number, family, what is done */
#define GL_RULES(X)                                              \
    X(ACCESS,        1, "access", "access")                      \
    X(VOLREAD,       2, "sink",   "volatile read")               \
    X(VOLWRITE,      3, "merge",  "volatile write")              \
    X(ACQUIRE,       4, "sink",   "acquire")                     \
    X(RELEASE,       5, "source", "release")                     \
    X(FORK,          6, "source", "fork")                        \
    X(JOIN,          7, "sink",   "join")                        \
    X(FRESH,         8, "fresh",  "allocation")                  \
    X(RDLOCK,        0, "sink",   "read lock")                   \
    X(RDUNLOCK,      0, "merge",  "read unlock")                 \
    X(WRLOCK,        0, "sink",   "write lock")                  \
    X(WRUNLOCK,      0, "source", "write unlock")                \
    X(READ_ACQUIRE,  0, "sink",   "acquire read of an atomic")   \
    X(READ_RELAXED,  0, "sink",   "relaxed read of an atomic")   \
    X(STORE_RELEASE, 0, "assign", "release store")               \
    X(STORE_RELAXED, 0, "assign", "relaxed store")               \
    X(RMW_RELEASE,   0, "merge",  "release read-modify-write")   \
    X(RMW_RELAXED,   0, "merge",  "relaxed read-modify-write")   \
    X(FENCE_ACQUIRE, 0, "sink",   "acquire fence")               \
    X(FENCE_RELEASE, 0, "source", "release fence")               \
    X(BAR_IN,        0, "merge",  "barrier entry")               \
    X(BAR_OUT,       0, "sink",   "barrier exit")                \
    X(POST,          0, "merge",  "post")                        \
    X(WAIT,          0, "sink",   "wait")                        \
    X(COMMIT_BEGIN,  0, "sink",   "transaction start")           \
    X(COMMIT_END,    0, "merge",  "transaction end")

enum gl_rule {
#define X(rule, number, family, text) GL_RULE_##rule,
    GL_RULES(X)
#undef X
    GL_RULE_NONE /* no rule: the event concerns no Goldilockset of the byte */
};

unsigned gl_rule_number(enum gl_rule r);       /* of TR Fig. 1; 0: none */
const char *gl_rule_family(enum gl_rule r);    /* access sink source merge assign fresh; "" for NONE */
const char *gl_rule_text(enum gl_rule r);      /* what is done; "" for NONE */

/* What a Goldilockset can hold. */
enum gl_element_kind {
    GL_ELEMENT_NONE,
    GL_ELEMENT_THREAD,
    GL_ELEMENT_MUTEX,
    GL_ELEMENT_RW_WRITERS, /* what writers of the lock released: readers and writers take it */
    GL_ELEMENT_RW_READERS, /* what readers released: only writers take it */
    GL_ELEMENT_VOLATILE,
    GL_ELEMENT_ATOMIC,     /* part: 1 if the object is the address of data, 0 if it is a number of its own */
    GL_ELEMENT_GENERATION, /* of barrier `object`, number `part` from 0 */
    GL_ELEMENT_SEMAPHORE,
    GL_ELEMENT_TX_BYTE,    /* object: the address of the byte */
    GL_ELEMENT_FENCE_F,    /* F_t of thread `object`: what its release fence published */
    GL_ELEMENT_FENCE_A     /* A_t of thread `object`: what its relaxed reads saw, for an acquire fence to claim */
};

struct gl_element {
    enum gl_element_kind kind;
    uint64_t object;
    uint64_t part;
};

struct gl_explain; /* a walk */
struct gl_gls;     /* a Goldilockset; lives as long as the call that shows it */

size_t gl_gls_size(const struct gl_gls *g);
/* Element i in the order of joining, and the record of the event with which it joined.  i < size. */
struct gl_element gl_gls_element(const struct gl_explain *w, const struct gl_gls *g, size_t i, uint64_t *joined);

enum gl_step_kind {
    GL_STEP_FLOW,    /* a source or sink: `to` joins or leaves, or nothing changes */
    GL_STEP_ACCESS,  /* an access of the byte */
    GL_STEP_CHECK,   /* the same access held against another recorded one: `then`, whose set is shown as it was */
    GL_STEP_FRESH,   /* allocation: every set is forgotten */
    GL_STEP_NOTHING  /* no rule applies */
};

enum gl_step_change { GL_CHANGE_NONE, GL_CHANGE_ADD, GL_CHANGE_REMOVE, GL_CHANGE_RESET };

enum gl_step_verdict {
    GL_VERDICT_NONE,     /* not an access */
    GL_VERDICT_FIRST,    /* no access is recorded */
    GL_VERDICT_ORDERED,  /* the thread is in the set */
    GL_VERDICT_HARMLESS, /* it is not, but the two do not conflict: two reads, or two atomic accesses */
    GL_VERDICT_RACE      /* it is not, and they conflict */
};

struct gl_access_at { /* an access of the byte */
    uint64_t record;
    uint32_t thread;
    uint32_t site;
    bool write, atomic;
};

/* One rule applied.  Borrowed: lives as long as the call. */
struct gl_explain_step {
    enum gl_step_kind kind;
    enum gl_rule rule;
    enum gl_step_change change;   /* of the followed set */
    enum gl_step_verdict verdict; /* ACCESS: against the followed set; CHECK: against `then` */
    const struct gl_event *event;
    uint64_t record;
    struct gl_element from;       /* FLOW: what must be in the set */
    struct gl_element to;         /* FLOW: what joins if so */
    bool from_in;                 /* `from` is in; ACCESS and CHECK: the thread is */
    bool followed;                /* ACCESS: the set from here on is this access's own */
    struct gl_access_at now;      /* ACCESS, CHECK */
    struct gl_access_at then;     /* ACCESS: the one followed so far, if any; CHECK: the other */
    const struct gl_gls *set;     /* after the step (CHECK: of `then`); NULL: there is none yet */
};

typedef void gl_step_fn(void *ctx, const struct gl_explain *w, const struct gl_explain_step *step);

/* What to look at. */
struct gl_explain_plan {
    uint64_t byte;        /* the byte, in the space of event.object */
    uint64_t now, then;   /* records of a racing pair: the set of the access at `then` is followed until `now`;
                           * 0: none, the last access is followed to the end */
    uint32_t now_thread, then_thread; /* whose they are */
    gl_step_fn *step;     /* NULL: only the verdict is wanted */
    void *ctx;
};

/* NULL: no memory. */
struct gl_explain *gl_explain_create(const struct gl_env *env, const struct gl_explain_plan *plan);
void gl_explain_destroy(struct gl_explain *w);

/* The next event, with its record number (> 0, growing; a COMMIT's lists are borrowed for the call).  GL_RACE: it
 * raced on the byte.  GL_INVALID: it cannot happen here, and is left out.  GL_NOMEM: memory ran out, and the walk is
 * of no more use. */
gl_status gl_explain_event(struct gl_explain *w, const struct gl_event *e, uint64_t record);

/* The last race of the byte so far: its two accesses, `then` being the latest of those it races with.  False: none. */
bool gl_explain_race(const struct gl_explain *w, struct gl_access_at *now, struct gl_access_at *then);
/* Accesses of the byte so far, and the last of them (record 0: none). */
uint64_t gl_explain_accesses(const struct gl_explain *w, struct gl_access_at *last);

/* ---- what would have ordered the pair of the plan; right after the event `now` ---- */

/* One element as it concerns the pair; records are 0 for "never". */
struct gl_chance {
    struct gl_element element;
    uint64_t joined;    /* when it joined the set of `then` (0: it is not in it) */
    uint64_t sourced;   /* when then's thread last released into it, also before `then` */
    uint64_t sunk;      /* when now's thread last acquired from it after `then` */
    bool forked;        /* ... by being forked: it is a thread, which forked now's; else now's thread joined it */
};

/* The locks that a thread of the pair held at its access: MUTEX; RW_WRITERS (held for writing) or RW_READERS (for
 * reading), in the order in which the execution first mentions them.  i < count. */
size_t gl_explain_held_count(const struct gl_explain *w, bool at_now);
struct gl_element gl_explain_held(const struct gl_explain *w, bool at_now, size_t i);

/* The elements of the set of `then`, in the order of joining, then those outside it that now's thread acquired from
 * after `then`.  i < count. */
size_t gl_explain_chance_count(const struct gl_explain *w);
struct gl_chance gl_explain_chance(const struct gl_explain *w, size_t i);

#endif
