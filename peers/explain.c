/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of peers/eager.c, which its head derives from the papers, applied to the accesses of one byte and told
 * as steps.  Two readings of the same rules: tests/unit/explain_test.c holds the verdicts of the walk against the
 * oracle's, and the steps against the papers' tables.
 *
 * What is told, beyond the rules
 *
 *     followed   the access whose set is shown: the last one, until the plan's `then` comes; that one until `now`
 *     before     an access D that is not followed needs no step of its own at an access by t if D was ordered before
 *                the followed access F when F was made, and t is in F's set: sets nest, so t is in D's set too.
 *                Nor if D is t's own
 */
#include "peers/explain.h"

#include <string.h>

#include "peers/holds.h"
#include "peers/kind.h"

/* ---- what the walk knows ---- */

/* An element that some event mentioned.  Its number is its index in `things`. */
struct thing {
    struct gl_element element;
    uint64_t sourced; /* records, for the ending: then's thread released into it, */
    uint64_t sunk;    /* now's thread acquired from it */
    bool forked;      /* ... as the thread that it forked */
};

struct member {
    uint64_t joined; /* record */
    uint32_t thing;
};

struct gl_gls { /* invariant: bit n of word[] is set iff one member[] has thing n */
    uint64_t *word;
    struct member *member; /* in the order of joining */
    uint32_t words, members, max_members;
};

struct access {
    struct access *next; /* of the byte, or free */
    enum kind kind;
    enum gl_step_verdict verdict; /* of the access at hand against this one */
    uint32_t thread, site;
    uint64_t record;
    bool before; /* see on top; means nothing for the followed one */
    struct gl_gls gls;
};

#define ELEMENT_KINDS (GL_ELEMENT_FENCE_A + 1)
#define NO_THING UINT32_MAX

struct gl_explain {
    struct gl_pool pool; /* all memory, also this struct's */
    struct gl_explain_plan plan;
    struct gl_holds holds;
    bool nomem;
    struct thing *things;
    uint32_t n_things, max_things;
    struct gl_map number[ELEMENT_KINDS]; /* object to thing + 1; GENERATION: not used */
    struct access *accesses, *spare, *followed;
    uint64_t n_accesses;
    struct gl_access_at last, race_now, race_then; /* record 0: none */
    struct gl_element *held[2]; /* at `then`, at `now` */
    uint32_t n_held[2], max_held[2];
    struct gl_chance *chances;
    uint32_t n_chances, max_chances;
    /* of the event at hand */
    const struct gl_event *event;
    uint64_t record;
    bool told, raced;
};

static const struct {
    uint8_t number;
    const char *family, *text;
} rules[] = {
#define X(rule, number, family, text) {number, family, text},
    GL_RULES(X)
#undef X
    {0, "", ""},
};

unsigned gl_rule_number(enum gl_rule r) { return rules[r].number; }
const char *gl_rule_family(enum gl_rule r) { return rules[r].family; }
const char *gl_rule_text(enum gl_rule r) { return rules[r].text; }

/* ---- things ---- */

static struct gl_element element(const struct gl_explain *w, uint32_t number) { return w->things[number].element; }

/* NO_THING: no memory. */
static uint32_t new_thing(struct gl_explain *w, struct gl_element x)
{
    struct thing *grown = w->n_things < NO_THING - 1 ? gl_pool_grow(&w->pool, w->things, sizeof *grown, &w->max_things,
                                                                   w->n_things + 1) : NULL;
    if (!grown) {
        w->nomem = true;
        return NO_THING;
    }
    w->things = grown;
    w->things[w->n_things] = (struct thing){.element = x};
    return w->n_things++;
}

/* The number of an element other than a generation, made when it is new.  NO_THING: no memory. */
static uint32_t get(struct gl_explain *w, enum gl_element_kind kind, uint64_t object)
{
    uint64_t number = gl_map_find(&w->number[kind], object);
    if (number)
        return (uint32_t)number - 1;
    uint32_t made = new_thing(w, (struct gl_element){kind, object, 0});
    if (made != NO_THING && !gl_map_add(&w->number[kind], &w->pool, object, (uint64_t)made + 1))
        w->nomem = true;
    return w->nomem ? NO_THING : made;
}

/* The next generation of a barrier.  The barrier itself is a thing of no kind, whose part counts them. */
static uint32_t new_generation(struct gl_explain *w, uint64_t barrier)
{
    uint32_t b = get(w, GL_ELEMENT_NONE, barrier);
    if (w->nomem)
        return NO_THING;
    return new_thing(w, (struct gl_element){GL_ELEMENT_GENERATION, barrier, w->things[b].element.part++});
}

/* ---- Goldilocksets ---- */

static bool has(const struct gl_gls *g, uint32_t number)
{
    return number / 64 < g->words && (g->word[number / 64] >> number % 64 & 1);
}

static void add(struct gl_explain *w, struct gl_gls *g, uint32_t number)
{
    uint64_t *word = gl_pool_grow(&w->pool, g->word, sizeof *word, &g->words, number / 64 + 1);
    g->word = word ? word : g->word;
    struct member *member = gl_pool_grow(&w->pool, g->member, sizeof *member, &g->max_members, g->members + 1);
    g->member = member ? member : g->member;
    if (!word || !member) {
        w->nomem = true;
        return;
    }
    g->word[number / 64] |= (uint64_t)1 << number % 64;
    g->member[g->members++] = (struct member){w->record, number};
}

static void drop(struct gl_gls *g, uint32_t number)
{
    g->word[number / 64] &= ~((uint64_t)1 << number % 64);
    uint32_t i = 0;
    while (g->member[i].thing != number)
        i++;
    memmove(&g->member[i], &g->member[i + 1], (--g->members - i) * sizeof *g->member);
}

size_t gl_gls_size(const struct gl_gls *g) { return g->members; }

struct gl_element gl_gls_element(const struct gl_explain *w, const struct gl_gls *g, size_t i, uint64_t *joined)
{
    if (joined)
        *joined = g->member[i].joined;
    return element(w, g->member[i].thing);
}

/* ---- telling ---- */

static void tell(struct gl_explain *w, struct gl_explain_step *step)
{
    w->told = true;
    if (!w->plan.step)
        return;
    step->event = w->event;
    step->record = w->record;
    w->plan.step(w->plan.ctx, w, step);
}

/* For the ending: what the pair's threads released and acquired, whether or not it moved a set. */
static void note_pair(struct gl_explain *w, uint32_t from, uint32_t to)
{
    const struct gl_explain_plan *p = &w->plan;
    if (!p->now)
        return;
    struct thing *f = &w->things[from], *t = &w->things[to];
    if (f->element.kind == GL_ELEMENT_THREAD && f->element.object == p->then_thread)
        t->sourced = w->record;
    if (t->element.kind == GL_ELEMENT_THREAD && t->element.object == p->now_thread)
        *f = (struct thing){f->element, f->sourced, w->record, w->event->op == GL_OP_FORK};
}

/* A source or sink: every set that holds `from` gets `to`; with `assign`, every other set loses it. */
static void flow(struct gl_explain *w, enum gl_rule rule, uint32_t from, uint32_t to, bool assign)
{
    if (w->nomem)
        return;
    note_pair(w, from, to);
    for (struct access *x = w->accesses; x; x = x->next) {
        bool in = has(&x->gls, from), had = has(&x->gls, to);
        enum gl_step_change change = GL_CHANGE_NONE;
        if (in && !had)
            change = GL_CHANGE_ADD;
        else if (assign && !in && had)
            change = GL_CHANGE_REMOVE;
        if (change == GL_CHANGE_ADD)
            add(w, &x->gls, to);
        else if (change == GL_CHANGE_REMOVE)
            drop(&x->gls, to);
        if (x == w->followed)
            tell(w, &(struct gl_explain_step){.kind = GL_STEP_FLOW, .rule = rule, .change = change, .from_in = in,
                                              .from = element(w, from), .to = element(w, to), .set = &x->gls});
    }
    if (!w->followed)
        tell(w, &(struct gl_explain_step){.kind = GL_STEP_FLOW, .rule = rule, .from = element(w, from),
                                          .to = element(w, to)});
}

/* ---- accesses ---- */

static struct gl_access_at where(const struct access *x)
{
    return (struct gl_access_at){x->record, x->thread, x->site, kind_writes(x->kind), kind_is_atomic(x->kind)};
}

/* The locks that a thread of the pair holds at its access. */
static void note_held(struct gl_explain *w, const struct gl_actor *t, bool at_now)
{
    static const enum gl_element_kind kinds[] = {
        [GL_HOLD_MUTEX] = GL_ELEMENT_MUTEX,
        [GL_HOLD_WRITE] = GL_ELEMENT_RW_WRITERS,
        [GL_HOLD_READ] = GL_ELEMENT_RW_READERS,
    };
    struct gl_element *held = gl_pool_grow(&w->pool, w->held[at_now], sizeof *held, &w->max_held[at_now], t->n);
    if (t->n && !held) {
        w->nomem = true;
        return;
    }
    w->held[at_now] = held;
    w->n_held[at_now] = 0;
    for (uint32_t i = 0; i < t->n; i++)
        if (t->hold[i].kind <= GL_HOLD_READ)
            held[w->n_held[at_now]++] =
                (struct gl_element){kinds[t->hold[i].kind], ((const struct gl_lock *)t->hold[i].what)->object, 0};
}

static void add_chance(struct gl_explain *w, uint32_t number, uint64_t joined)
{
    struct gl_chance *grown = gl_pool_grow(&w->pool, w->chances, sizeof *grown, &w->max_chances, w->n_chances + 1);
    if (!grown) {
        w->nomem = true;
        return;
    }
    const struct thing *x = &w->things[number];
    w->chances = grown;
    w->chances[w->n_chances++] =
        (struct gl_chance){x->element, joined, x->sourced, x->sunk > w->plan.then ? x->sunk : 0, x->forked};
}

/* At the event `now`, before its access replaces anything. */
static void note_chances(struct gl_explain *w, const struct gl_gls *g)
{
    w->n_chances = 0;
    for (uint32_t i = 0; i < g->members; i++)
        add_chance(w, g->member[i].thing, g->member[i].joined);
    for (uint32_t i = 0; i < w->n_things; i++)
        if (w->things[i].sunk > w->plan.then && !has(g, i))
            add_chance(w, i, 0);
}

/* Holds the new access against a recorded one, and tells it if that is not the followed one. */
static void check(struct gl_explain *w, struct access *old, const struct access *new, uint32_t t)
{
    bool ordered = has(&old->gls, t), conflicts = kinds_conflict(old->kind, new->kind);
    old->verdict = ordered ? GL_VERDICT_ORDERED : conflicts ? GL_VERDICT_RACE : GL_VERDICT_HARMLESS;
    if (old->verdict == GL_VERDICT_RACE) {
        w->race_now = where(new);
        if (!w->raced || w->race_then.record < old->record)
            w->race_then = where(old);
        w->raced = true;
    }
    bool implied = old->thread == new->thread || (old->before && has(&w->followed->gls, t));
    if (old != w->followed && conflicts && !implied)
        tell(w, &(struct gl_explain_step){.kind = GL_STEP_CHECK, .rule = GL_RULE_ACCESS, .verdict = old->verdict,
                                          .from_in = ordered, .now = where(new), .then = where(old), .set = &old->gls});
}

/* Does the access at the plan's `then` stay followed at this event? */
static bool stays(const struct gl_explain *w)
{
    return w->plan.then && w->followed && w->followed->record == w->plan.then && w->record > w->plan.then &&
           w->record < w->plan.now;
}

static struct access *new_access(struct gl_explain *w, enum kind kind, uint32_t t)
{
    struct access *new = w->spare;
    if (new)
        w->spare = new->next;
    else if (!(new = gl_pool_take(&w->pool, sizeof *new)))
        w->nomem = true;
    if (!new)
        return NULL;
    struct gl_gls gls = new->gls; /* keeps the space it had when it was last used */
    gls.members = 0;
    if (gls.words)
        memset(gls.word, 0, gls.words * sizeof *gls.word);
    *new = (struct access){.kind = kind, .thread = w->event->thread, .site = w->event->site, .record = w->record,
                           .gls = gls};
    add(w, &new->gls, t);
    return new;
}

/* Rule 1 for the byte. */
static void access_byte(struct gl_explain *w, enum kind kind, uint32_t t)
{
    struct access *new = new_access(w, kind, t), *followed = w->followed;
    if (!new)
        return;
    w->n_accesses++;
    w->last = where(new);
    if (w->record == w->plan.then || w->record == w->plan.now)
        note_held(w, w->holds.latest, w->record == w->plan.now);
    if (w->record == w->plan.now && followed && followed->record == w->plan.then)
        note_chances(w, &followed->gls);

    for (struct access *old = w->accesses; old; old = old->next)
        check(w, old, new, t);
    struct gl_explain_step step = {.kind = GL_STEP_ACCESS, .rule = GL_RULE_ACCESS, .verdict = GL_VERDICT_FIRST,
                                   .now = where(new), .followed = true, .change = GL_CHANGE_RESET};
    if (followed) {
        step.verdict = followed->verdict;
        step.from_in = followed->verdict == GL_VERDICT_ORDERED;
        step.then = where(followed);
        if (stays(w) && (followed->verdict == GL_VERDICT_HARMLESS || !kind_covers(kind, followed->kind))) {
            step.followed = false;
            step.change = GL_CHANGE_NONE;
        }
    }
    for (struct access **link = &w->accesses, *old; (old = *link);) {
        if (old->verdict != GL_VERDICT_HARMLESS && kind_covers(kind, old->kind)) {
            *link = old->next;
            old->next = w->spare;
            w->spare = old;
        } else {
            if (step.followed)
                old->before = old->verdict == GL_VERDICT_ORDERED;
            link = &old->next;
        }
    }
    new->next = w->accesses;
    w->accesses = new;
    if (step.followed)
        w->followed = new;
    step.set = &w->followed->gls;
    tell(w, &step);
}

static void access_range(struct gl_explain *w, enum kind kind, uint32_t t)
{
    if (w->plan.byte - w->event->object < w->event->size)
        access_byte(w, kind, t);
}

/* Rule 8. */
static void fresh(struct gl_explain *w)
{
    if (w->plan.byte - w->event->object >= w->event->size)
        return;
    for (struct access *x; (x = w->accesses);) {
        w->accesses = x->next;
        x->next = w->spare;
        w->spare = x;
    }
    w->followed = NULL;
    tell(w, &(struct gl_explain_step){.kind = GL_STEP_FRESH, .rule = GL_RULE_FRESH, .change = GL_CHANGE_RESET});
}

/* ---- the constructs that are more than one source or sink ---- */

static void atomic_op(struct gl_explain *w, uint32_t t)
{
    const struct gl_event *e = w->event;
    bool acquires = gl_order_acquires(e->order), releases = gl_order_releases(e->order);
    uint32_t a = get(w, GL_ELEMENT_ATOMIC, e->object);
    if (!w->nomem)
        w->things[a].element.part = e->size > 0;
    if (e->op != GL_OP_STORE) /* what it reads: claimed now, or by a later acquire fence */
        flow(w, acquires ? GL_RULE_READ_ACQUIRE : GL_RULE_READ_RELAXED, a,
             acquires ? t : get(w, GL_ELEMENT_FENCE_A, e->thread), false);
    access_range(w, e->op == GL_OP_LOAD ? ATOMIC_READ : ATOMIC_WRITE, t);
    if (e->op == GL_OP_LOAD)
        return;
    uint32_t published = releases ? t : get(w, GL_ELEMENT_FENCE_F, e->thread);
    if (e->op == GL_OP_STORE)
        flow(w, releases ? GL_RULE_STORE_RELEASE : GL_RULE_STORE_RELAXED, published, a, true);
    else
        flow(w, releases ? GL_RULE_RMW_RELEASE : GL_RULE_RMW_RELAXED, published, a, false);
}

static void fence(struct gl_explain *w, uint32_t t)
{
    const struct gl_event *e = w->event;
    if (gl_order_acquires(e->order))
        flow(w, GL_RULE_FENCE_ACQUIRE, get(w, GL_ELEMENT_FENCE_A, e->thread), t, false);
    if (gl_order_releases(e->order))
        flow(w, GL_RULE_FENCE_RELEASE, t, get(w, GL_ELEMENT_FENCE_F, e->thread), false);
}

static void barrier(struct gl_explain *w, uint32_t t, const struct gl_step *step)
{
    struct gl_generation *g = step->generation;
    if (step->first_in)
        g->element = new_generation(w, w->event->object);
    if (w->event->op == GL_OP_BAR_IN)
        flow(w, GL_RULE_BAR_IN, t, g->element, false);
    else
        flow(w, GL_RULE_BAR_OUT, g->element, t, false);
}

static void commit_flows(struct gl_explain *w, const uint64_t *byte, uint32_t n, uint32_t t, bool end)
{
    for (uint32_t i = 0; i < n && !w->nomem; i++) {
        uint32_t tx = get(w, GL_ELEMENT_TX_BYTE, byte[i]);
        if (end)
            flow(w, GL_RULE_COMMIT_END, t, tx, false);
        else
            flow(w, GL_RULE_COMMIT_BEGIN, tx, t, false);
    }
}

static bool lists(const uint64_t *byte, uint32_t n, uint64_t wanted)
{
    for (uint32_t i = 0; i < n; i++)
        if (byte[i] == wanted)
            return true;
    return false;
}

static void commit(struct gl_explain *w, uint32_t t)
{
    const struct gl_event *e = w->event;
    commit_flows(w, e->reads, e->n_reads, t, false);
    commit_flows(w, e->writes, e->n_writes, t, false);
    if (lists(e->reads, e->n_reads, w->plan.byte))
        access_byte(w, PLAIN_READ, t);
    if (lists(e->writes, e->n_writes, w->plan.byte))
        access_byte(w, PLAIN_WRITE, t);
    commit_flows(w, e->reads, e->n_reads, t, true);
    commit_flows(w, e->writes, e->n_writes, t, true);
}

static void rwlock(struct gl_explain *w, uint32_t t)
{
    uint32_t writers = get(w, GL_ELEMENT_RW_WRITERS, w->event->object);
    uint32_t readers = get(w, GL_ELEMENT_RW_READERS, w->event->object);
    switch (w->event->op) {
    case GL_OP_RDLOCK:   flow(w, GL_RULE_RDLOCK, writers, t, false); break;
    case GL_OP_RDUNLOCK: flow(w, GL_RULE_RDUNLOCK, t, readers, false); break;
    case GL_OP_WRUNLOCK: flow(w, GL_RULE_WRUNLOCK, t, writers, false); break;
    default:             flow(w, GL_RULE_WRLOCK, writers, t, false); flow(w, GL_RULE_WRLOCK, readers, t, false);
    }
}

/* ---- events ---- */

static void perform(struct gl_explain *w, uint32_t t, const struct gl_step *step)
{
    uint64_t x = w->event->object;
    switch (w->event->op) {
    case GL_OP_READ:     access_range(w, PLAIN_READ, t); break;
    case GL_OP_WRITE:
    case GL_OP_FREE:     access_range(w, PLAIN_WRITE, t); break;
    case GL_OP_ALLOC:    fresh(w); break;
    case GL_OP_ACQ:
    case GL_OP_CWAIT_END:
        if (step->outermost)
            flow(w, GL_RULE_ACQUIRE, get(w, GL_ELEMENT_MUTEX, x), t, false);
        break;
    case GL_OP_REL:
    case GL_OP_CWAIT_BEGIN:
        if (step->outermost)
            flow(w, GL_RULE_RELEASE, t, get(w, GL_ELEMENT_MUTEX, x), false);
        break;
    case GL_OP_RDLOCK:
    case GL_OP_RDUNLOCK:
    case GL_OP_WRLOCK:
    case GL_OP_WRUNLOCK: rwlock(w, t); break;
    case GL_OP_VOLREAD:  flow(w, GL_RULE_VOLREAD, get(w, GL_ELEMENT_VOLATILE, x), t, false); break;
    case GL_OP_VOLWRITE: flow(w, GL_RULE_VOLWRITE, t, get(w, GL_ELEMENT_VOLATILE, x), false); break;
    case GL_OP_LOAD:
    case GL_OP_STORE:
    case GL_OP_RMW:      atomic_op(w, t); break;
    case GL_OP_FENCE:    fence(w, t); break;
    case GL_OP_BAR_IN:
    case GL_OP_BAR_OUT:  barrier(w, t, step); break;
    case GL_OP_POST:     flow(w, GL_RULE_POST, t, get(w, GL_ELEMENT_SEMAPHORE, x), false); break;
    case GL_OP_WAIT:     flow(w, GL_RULE_WAIT, get(w, GL_ELEMENT_SEMAPHORE, x), t, false); break;
    case GL_OP_FORK:     flow(w, GL_RULE_FORK, t, get(w, GL_ELEMENT_THREAD, x), false); break;
    case GL_OP_JOIN:     flow(w, GL_RULE_JOIN, get(w, GL_ELEMENT_THREAD, x), t, false); break;
    case GL_OP_COMMIT:   commit(w, t); break;
    case GL_OP_BEGIN:
    case GL_OP_END:
    case GL_OP_COUNT:    break;
    }
}

gl_status gl_explain_event(struct gl_explain *w, const struct gl_event *e, uint64_t record)
{
    w->event = e;
    w->record = record;
    w->told = w->raced = false;
    struct gl_step step;
    gl_status status = w->nomem ? GL_NOMEM : gl_holds_event(&w->holds, e, &step);
    if (status != GL_OK)
        return status;
    uint32_t t = get(w, GL_ELEMENT_THREAD, e->thread);
    if (!w->nomem)
        perform(w, t, &step);
    if (w->nomem)
        return GL_NOMEM;
    if (!w->told)
        tell(w, &(struct gl_explain_step){.kind = GL_STEP_NOTHING, .rule = GL_RULE_NONE,
                                  .set = w->followed ? &w->followed->gls : NULL});
    return w->nomem ? GL_NOMEM : w->raced ? GL_RACE : GL_OK;
}

struct gl_explain *gl_explain_create(const struct gl_env *env, const struct gl_explain_plan *plan)
{
    struct gl_pool pool;
    gl_pool_init(&pool, env);
    struct gl_explain *w = gl_pool_take(&pool, sizeof *w);
    if (!w)
        return NULL;
    w->pool = pool;
    w->plan = *plan;
    w->holds.pool = &w->pool;
    return w;
}

void gl_explain_destroy(struct gl_explain *w) { gl_pool_end(&w->pool); }

/* ---- the ending ---- */

bool gl_explain_race(const struct gl_explain *w, struct gl_access_at *now, struct gl_access_at *then)
{
    *now = w->race_now;
    *then = w->race_then;
    return w->race_now.record != 0;
}

uint64_t gl_explain_accesses(const struct gl_explain *w, struct gl_access_at *last)
{
    *last = w->last;
    return w->n_accesses;
}

size_t gl_explain_held_count(const struct gl_explain *w, bool at_now) { return w->n_held[at_now]; }

struct gl_element gl_explain_held(const struct gl_explain *w, bool at_now, size_t i)
{
    return w->held[at_now][i];
}

size_t gl_explain_chance_count(const struct gl_explain *w) { return w->n_chances; }

struct gl_chance gl_explain_chance(const struct gl_explain *w, size_t i)
{
    return w->chances[i];
}
