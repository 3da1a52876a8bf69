/* SPDX-License-Identifier: Apache-2.0
 *
 * The oracle of oracle.h.  Everything is looked up again each time by walking back over the events;
 * the only cleverness is one bit per pair of events for the closure.
 */
#include "tests/support/oracle.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

#define NONE UINT32_MAX
#define BYTES 8192 /* places in the table of bytes */

/* One byte touched by one event, or freshly allocated by it. */
struct touch {
    uint64_t address;
    uint32_t event;
    uint32_t earlier; /* the previous touch of this byte, or NONE */
    uint32_t bit;
    bool write, atomic, alloc;
    bool raced; /* this touch or an earlier one of the same life raced */
};

struct byte {
    uint64_t address;
    uint32_t last; /* touch, or NONE */
    bool used;
};

struct oracle {
    size_t max, n, words; /* words per row */
    struct gl_event *event;
    uint64_t *before; /* row i: which events happen before i */
    uint32_t *note;   /* REL: is it the outermost?  BAR_IN, BAR_OUT: the generation */
    struct oracle_verdict *verdict;
    struct touch *touch;
    size_t touches, max_touches;
    struct byte *byte;
    size_t bytes;
};

struct oracle *oracle_new(size_t max_events)
{
    struct oracle *o = check_alloc(sizeof *o);
    o->max = max_events;
    o->words = (max_events + 63) / 64;
    o->event = check_alloc(max_events * sizeof *o->event);
    o->before = check_alloc(max_events * o->words * sizeof *o->before);
    o->note = check_alloc(max_events * sizeof *o->note);
    o->verdict = check_alloc(max_events * sizeof *o->verdict);
    o->byte = check_alloc(BYTES * sizeof *o->byte);
    return o;
}

void oracle_delete(struct oracle *o)
{
    free(o->event);
    free(o->before);
    free(o->note);
    free(o->verdict);
    free(o->touch);
    free(o->byte);
    free(o);
}

void oracle_reset(struct oracle *o)
{
    o->n = o->touches = o->bytes = 0;
    memset(o->byte, 0, BYTES * sizeof *o->byte);
}

/* ---- the graph ---- */

static bool bit_get(const struct oracle *o, size_t later, size_t earlier)
{
    return o->before[later * o->words + earlier / 64] >> earlier % 64 & 1;
}

/* earlier -> later, and so does all that is before `earlier`. */
static void edge(struct oracle *o, size_t earlier, size_t later)
{
    if (bit_get(o, later, earlier))
        return;
    uint64_t *to = &o->before[later * o->words], *from = &o->before[earlier * o->words];
    for (size_t w = 0; w <= earlier / 64; w++)
        to[w] |= from[w];
    to[earlier / 64] |= (uint64_t)1 << earlier % 64;
}

/* How deep does the thread of event i hold i's mutex right before i? */
static uint32_t depth_at(const struct oracle *o, size_t i)
{
    uint32_t depth = 0, waiting = 0;
    for (size_t k = 0; k < i; k++) {
        const struct gl_event *e = &o->event[k];
        if (e->thread != o->event[i].thread || e->object != o->event[i].object)
            continue;
        if (e->op == GL_OP_ACQ) {
            depth++;
        } else if (e->op == GL_OP_REL) {
            depth--;
        } else if (e->op == GL_OP_CWAIT_BEGIN) {
            waiting = depth;
            depth = 0;
        } else if (e->op == GL_OP_CWAIT_END) {
            depth = waiting;
        }
    }
    return depth;
}

/* "enters the open generation of x; the first bar_out of a generation closes it" */
static uint32_t generation_entered(const struct oracle *o, size_t i)
{
    uint64_t x = o->event[i].object;
    uint32_t open = 0;
    bool closed = false;
    for (size_t k = 0; k < i; k++) {
        if (o->event[k].object != x)
            continue;
        if (o->event[k].op == GL_OP_BAR_IN) {
            if (closed)
                open++;
            closed = false;
        } else if (o->event[k].op == GL_OP_BAR_OUT && o->note[k] == open) {
            closed = true;
        }
    }
    return open + closed;
}

static uint32_t generation_left(const struct oracle *o, size_t i)
{
    for (size_t k = i; k-- > 0;)
        if (o->event[k].op == GL_OP_BAR_IN && o->event[k].object == o->event[i].object &&
            o->event[k].thread == o->event[i].thread)
            return o->note[k];
    check(false, "a thread leaves a barrier that it never entered");
    return 0;
}

static bool shares_a_byte(const struct gl_event *a, const struct gl_event *b)
{
    for (uint32_t i = 0; i < a->n_reads + a->n_writes; i++)
        for (uint32_t k = 0; k < b->n_reads + b->n_writes; k++) {
            uint64_t x = i < a->n_reads ? a->reads[i] : a->writes[i - a->n_reads];
            uint64_t y = k < b->n_reads ? b->reads[k] : b->writes[k - b->n_reads];
            if (x == y)
                return true;
        }
    return false;
}

/* Does event k order event i, k < i, by one sentence of the table?  (All but C11's atomics.) */
static bool has_edge(const struct oracle *o, size_t k, size_t i)
{
    const struct gl_event *a = &o->event[k], *b = &o->event[i];
    if (a->thread == b->thread)
        return true;
    if (a->op == GL_OP_FORK && a->object == b->thread)
        return true;
    bool same = a->object == b->object;
    switch (b->op) {
    case GL_OP_ACQ:
    case GL_OP_CWAIT_END:
        return same && ((a->op == GL_OP_REL && o->note[k]) || a->op == GL_OP_CWAIT_BEGIN);
    case GL_OP_RDLOCK:
        return same && a->op == GL_OP_WRUNLOCK;
    case GL_OP_WRLOCK:
        return same && (a->op == GL_OP_RDUNLOCK || a->op == GL_OP_WRUNLOCK);
    case GL_OP_VOLREAD:
        return same && a->op == GL_OP_VOLWRITE;
    case GL_OP_BAR_OUT:
        return same && a->op == GL_OP_BAR_IN && o->note[k] == o->note[i];
    case GL_OP_WAIT:
        return same && a->op == GL_OP_POST;
    case GL_OP_JOIN: /* a thread without events still orders what came before its fork */
        return a->thread == b->object || (a->op == GL_OP_FORK && same);
    case GL_OP_COMMIT:
        return a->op == GL_OP_COMMIT && shares_a_byte(a, b);
    default:
        return false;
    }
}

/* Event `reader` (LOAD or RMW) synchronizes with whatever heads a release sequence that it reads; event
 * `sink` is where the thread makes use of it: the reader itself, or a later acquire fence. */
static void edges_of_read(struct oracle *o, size_t reader, size_t sink)
{
    for (size_t k = reader; k-- > 0;) {
        const struct gl_event *w = &o->event[k];
        if (w->object != o->event[reader].object || (w->op != GL_OP_STORE && w->op != GL_OP_RMW))
            continue;
        if (gl_order_releases(w->order)) {
            edge(o, k, sink);
        } else { /* C11 7.17.4: a release fence before a relaxed write */
            for (size_t f = k; f-- > 0;)
                if (o->event[f].thread == w->thread && o->event[f].op == GL_OP_FENCE &&
                    gl_order_releases(o->event[f].order))
                    edge(o, f, sink);
        }
        if (w->op == GL_OP_STORE)
            return; /* it ended what was before */
    }
}

static void edges_into(struct oracle *o, size_t i)
{
    const struct gl_event *e = &o->event[i];
    for (size_t k = i; k-- > 0;) /* backwards: most are then implied by the first */
        if (!bit_get(o, i, k) && has_edge(o, k, i))
            edge(o, k, i);
    if ((e->op == GL_OP_LOAD || e->op == GL_OP_RMW) && gl_order_acquires(e->order))
        edges_of_read(o, i, i);
    if (e->op == GL_OP_FENCE && gl_order_acquires(e->order))
        for (size_t k = 0; k < i; k++) /* C11 7.17.4: an acquire fence after any atomic read */
            if (o->event[k].thread == e->thread && (o->event[k].op == GL_OP_LOAD || o->event[k].op == GL_OP_RMW))
                edges_of_read(o, k, i);
}

/* ---- the accesses ---- */

static size_t place_of(const struct oracle *o, uint64_t address)
{
    size_t at = (address ^ address >> 17) % BYTES;
    while (o->byte[at].used && o->byte[at].address != address)
        at = (at + 1) % BYTES;
    return at;
}

static struct byte *byte_of(struct oracle *o, uint64_t address)
{
    size_t at = place_of(o, address);
    if (!o->byte[at].used) {
        check(++o->bytes < BYTES / 2, "too many bytes for the oracle");
        o->byte[at] = (struct byte){address, NONE, true};
    }
    return &o->byte[at];
}

static bool conflict(const struct touch *a, const struct touch *b)
{
    return (a->write || b->write) && !(a->atomic && b->atomic);
}

static void touch(struct oracle *o, struct touch t)
{
    struct byte *b = byte_of(o, t.address);
    t.event = (uint32_t)(o->n - 1);
    t.earlier = b->last;
    bool races = false, raced_before = b->last != NONE && o->touch[b->last].raced;
    if (!t.alloc)
        for (uint32_t k = b->last; k != NONE && !o->touch[k].alloc && !races; k = o->touch[k].earlier)
            races = conflict(&t, &o->touch[k]) && o->touch[k].event != t.event && !bit_get(o, t.event, o->touch[k].event);
    t.raced = !t.alloc && (races || raced_before);
    if (races && t.bit < 64) {
        o->verdict[t.event].races |= (uint64_t)1 << t.bit;
        if (!raced_before)
            o->verdict[t.event].first |= (uint64_t)1 << t.bit;
    }
    if (o->touches == o->max_touches) {
        o->max_touches = o->max_touches * 2 + 4096;
        o->touch = realloc(o->touch, o->max_touches * sizeof *o->touch);
        check(o->touch, "out of memory");
    }
    b->last = (uint32_t)o->touches;
    o->touch[o->touches++] = t;
}

static void touch_range(struct oracle *o, const struct gl_event *e, bool write, bool atomic, bool alloc)
{
    for (uint32_t i = 0; i < e->size; i++)
        touch(o, (struct touch){.address = e->object + i, .bit = i, .write = write, .atomic = atomic, .alloc = alloc});
}

struct oracle_verdict oracle_add(struct oracle *o, const struct gl_event *e)
{
    check(o->n < o->max, "too many events for the oracle");
    size_t i = o->n++;
    o->event[i] = *e;
    o->verdict[i] = (struct oracle_verdict){0};
    memset(&o->before[i * o->words], 0, o->words * sizeof *o->before);
    o->note[i] = e->op == GL_OP_REL       ? depth_at(o, i) == 1
                 : e->op == GL_OP_BAR_IN  ? generation_entered(o, i)
                 : e->op == GL_OP_BAR_OUT ? generation_left(o, i)
                                          : 0;
    edges_into(o, i);
    switch (e->op) {
    case GL_OP_READ:
        touch_range(o, e, false, false, false);
        break;
    case GL_OP_WRITE:
    case GL_OP_FREE:
        touch_range(o, e, true, false, false);
        break;
    case GL_OP_ALLOC:
        touch_range(o, e, false, false, true);
        break;
    case GL_OP_LOAD:
        touch_range(o, e, false, true, false);
        break;
    case GL_OP_STORE:
    case GL_OP_RMW:
        touch_range(o, e, true, true, false);
        break;
    case GL_OP_COMMIT:
        for (uint32_t k = 0; k < e->n_reads; k++)
            touch(o, (struct touch){.address = e->reads[k], .bit = k});
        for (uint32_t k = 0; k < e->n_writes; k++)
            touch(o, (struct touch){.address = e->writes[k], .bit = e->n_reads + k, .write = true});
        break;
    default:
        break;
    }
    return o->verdict[i];
}

void oracle_drop(struct oracle *o)
{
    o->n--;
    while (o->touches && o->touch[o->touches - 1].event == o->n) {
        struct touch *t = &o->touch[--o->touches];
        byte_of(o, t->address)->last = t->earlier;
    }
}

void oracle_run(struct oracle *o, const struct execution *x)
{
    oracle_reset(o);
    for (size_t i = 0; i < x->n; i++)
        oracle_add(o, &x->event[i]);
}

struct oracle_verdict oracle_verdict(const struct oracle *o, size_t event)
{
    return o->verdict[event];
}

bool oracle_before(const struct oracle *o, size_t earlier, size_t later)
{
    return bit_get(o, later, earlier);
}

bool oracle_is_race(const struct oracle *o, uint64_t address, size_t now, size_t then, bool write, bool atomic)
{
    if (now == then || bit_get(o, now, then) || bit_get(o, then, now))
        return false;
    const struct touch *a = NULL, *b = NULL; /* of now, of then */
    size_t at = place_of(o, address);
    for (uint32_t k = o->byte[at].used ? o->byte[at].last : NONE; k != NONE; k = o->touch[k].earlier) {
        const struct touch *t = &o->touch[k];
        if (t->alloc)
            a = b = NULL;
        else if (t->event == now)
            a = a && a->write ? a : t; /* a commit may read and write the byte */
        else if (t->event == then && t->write == write && t->atomic == atomic)
            b = t;
        if (a && b && conflict(a, b))
            return true;
    }
    return false;
}
