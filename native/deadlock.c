/* SPDX-License-Identifier: Apache-2.0
 *
 * The order of locks: a graph in which `a -> b` says that a thread waited for b while it held a.  A cycle is a potential
 * deadlock: threads that go through its edges at the same time wait for each other, even if they did not this time.
 *
 * A thread that waits for a lock while it holds others looks each pair up in a small table of its own.  A pair that is not
 * there goes into the graph; if it is new there, a way from the wanted lock back to the held one is looked for, and the
 * shortest is reported.  This happens before the real call, so that a deadlock that does happen is reported too.
 *
 * Attempts (trylock, timed) make no edges to their lock: they do not wait for ever.  Locks held for reading only meet waits for
 * writing: a way through a lock counts only if the one that waits for it or the one that holds it is a writer.
 *
 * A lock is known by its cookie (sync.c), which is never reused; so the tables of threads need no upkeep when a lock ends.
 *
 * Locking: graph.lock guards the graph, rank 8: nothing is called under it.
 */
#include "core/atomic.h"
#include "native/collect.h"
#include "native/foreign.h"
#include "native/misuse.h"
#include "native/omp.h"
#include "report/dedup.h"
#include "symbol/symbol.h"

#define CHUNK 1024u
#define CHUNKS (1u << 11) /* 2e6 of each */

enum { FROM_WRITE = 1, TO_WRITE = 2 };

struct edge {
    uint32_t from, to;  /* vertices */
    uint32_t modes;     /* FROM_WRITE, TO_WRITE */
    uint32_t thread;    /* the first that made it */
    uint32_t acquired_at, held_since; /* stacks */
    uint32_t next_out, next_in;       /* of the same `from`, of the same `to`; free: next_out */
    uint32_t prev_out, prev_in;       /* 0: the first */
    uint32_t next_like;               /* in its bucket */
};

struct vertex {
    uint32_t cookie;
    uint32_t next;       /* in its bucket; free: in the list of free ones */
    uint32_t out, in;    /* edges */
    struct visit {
        uint64_t search; /* the last search that came here */
        uint32_t edge;   /* and by which edge; 0: it began here */
        uint32_t from;   /* from which place */
        uint32_t next;   /* in the queue of that search */
    } visit[2];          /* with the lock taken for reading, for writing */
};

/* First numbers of chains; four times as many when there are two entries for each. */
struct table {
    uint32_t *bucket; /* NULL: those of the beginning */
    unsigned bits;    /* 0: as many as in the beginning */
    uint32_t entries;
};
enum { BITS = 14, MOST_BITS = 22 };

/* Numbers from 1; 0 means none. */
static struct {
    struct gl_spin lock;
    struct table by_cookie, by_ends;
    uint32_t first_by_cookie[1u << BITS], first_by_ends[1u << BITS];
    struct vertex *vertices[CHUNKS];
    struct edge *edges[CHUNKS];
    uint32_t n_vertices, n_edges, free_vertex, free_edge;
    uint64_t searches; /* one for each edge ever made: marks of former ones stay, so no number may come twice */
} graph;

/* ---- the graph, under its lock ---- */

static struct vertex *vertex_at(uint32_t n)
{
    return &graph.vertices[n / CHUNK][n % CHUNK];
}

static struct edge *edge_at(uint32_t n)
{
    return &graph.edges[n / CHUNK][n % CHUNK];
}

static uint32_t *chain(const struct table *t, uint32_t *first, uint32_t hash)
{
    return &(t->bucket ? t->bucket : first)[hash * 0x9E3779B1u >> (32 - (t->bits ? t->bits : BITS))];
}

static uint32_t *bucket_of(uint32_t cookie) { return chain(&graph.by_cookie, graph.first_by_cookie, cookie); }
static uint32_t *edge_bucket_of(uint32_t from, uint32_t to) { return chain(&graph.by_ends, graph.first_by_ends, from * 31 + to); }

/* Before an entry is added.  Without memory chains become longer. */
static void make_room(struct table *t, uint32_t *first, void (*put)(uint32_t n), uint32_t (*next)(uint32_t n))
{
    unsigned bits = t->bits ? t->bits : BITS;
    uint32_t *old = t->bucket ? t->bucket : first;
    if (t->entries++ < 2u << bits || bits + 2 > MOST_BITS)
        return;
    uint32_t *fresh = gl_os_map(sizeof *fresh << (bits + 2));
    if (!fresh)
        return;
    bool mapped = t->bucket;
    t->bucket = fresh;
    t->bits = bits + 2;
    for (uint32_t i = 0; i < 1u << bits; i++)
        for (uint32_t n = old[i], after; n; n = after) {
            after = next(n);
            put(n);
        }
    if (mapped)
        gl_os_unmap(old, sizeof *old << bits);
}

static uint32_t vertex_find(uint32_t cookie)
{
    uint32_t n = *bucket_of(cookie);
    while (n && vertex_at(n)->cookie != cookie)
        n = vertex_at(n)->next;
    return n;
}

static void vertex_put(uint32_t n)
{
    uint32_t *bucket = bucket_of(vertex_at(n)->cookie);
    vertex_at(n)->next = *bucket;
    *bucket = n;
}

static uint32_t vertex_next(uint32_t n) { return vertex_at(n)->next; }

static uint32_t vertex_make(uint32_t cookie)
{
    uint32_t n = graph.free_vertex;
    if (n) {
        graph.free_vertex = vertex_at(n)->next;
    } else {
        n = graph.n_vertices + 1;
        if (n / CHUNK >= CHUNKS || (!graph.vertices[n / CHUNK] && !(graph.vertices[n / CHUNK] = gl_os_map(CHUNK * sizeof(struct vertex)))))
            return 0;
        graph.n_vertices = n;
    }
    *vertex_at(n) = (struct vertex){.cookie = cookie};
    make_room(&graph.by_cookie, graph.first_by_cookie, vertex_put, vertex_next);
    vertex_put(n);
    struct rt_lock_info *info = rt_lock_entry(cookie);
    if (info)
        info->in_graph = true;
    return n;
}

static uint32_t edge_find(uint32_t from, uint32_t to, uint32_t modes)
{
    uint32_t n = *edge_bucket_of(from, to);
    while (n && (edge_at(n)->from != from || edge_at(n)->to != to || edge_at(n)->modes != modes))
        n = edge_at(n)->next_like;
    return n;
}

static void edge_put(uint32_t n)
{
    uint32_t *bucket = edge_bucket_of(edge_at(n)->from, edge_at(n)->to);
    edge_at(n)->next_like = *bucket;
    *bucket = n;
}

static uint32_t edge_next(uint32_t n) { return edge_at(n)->next_like; }

static uint32_t edge_make(struct edge e)
{
    uint32_t n = graph.free_edge;
    if (n) {
        graph.free_edge = edge_at(n)->next_out;
    } else {
        n = graph.n_edges + 1;
        if (n / CHUNK >= CHUNKS || (!graph.edges[n / CHUNK] && !(graph.edges[n / CHUNK] = gl_os_map(CHUNK * sizeof(struct edge)))))
            return 0;
        graph.n_edges = n;
    }
    e.next_out = vertex_at(e.from)->out;
    e.next_in = vertex_at(e.to)->in;
    if (e.next_out)
        edge_at(e.next_out)->prev_out = n;
    if (e.next_in)
        edge_at(e.next_in)->prev_in = n;
    vertex_at(e.from)->out = vertex_at(e.to)->in = n;
    *edge_at(n) = e;
    make_room(&graph.by_ends, graph.first_by_ends, edge_put, edge_next);
    edge_put(n);
    return n;
}

/* Takes it out of all lists. */
static void edge_free(uint32_t n)
{
    struct edge *e = edge_at(n);
    uint32_t *link = edge_bucket_of(e->from, e->to);
    while (*link != n)
        link = &edge_at(*link)->next_like;
    *link = e->next_like;
    graph.by_ends.entries--;
    *(e->prev_out ? &edge_at(e->prev_out)->next_out : &vertex_at(e->from)->out) = e->next_out;
    *(e->prev_in ? &edge_at(e->prev_in)->next_in : &vertex_at(e->to)->in) = e->next_in;
    if (e->next_out)
        edge_at(e->next_out)->prev_out = e->prev_out;
    if (e->next_in)
        edge_at(e->next_in)->prev_in = e->prev_in;
    e->next_out = graph.free_edge;
    graph.free_edge = n;
}

static void vertex_end(uint32_t n)
{
    struct vertex *v = vertex_at(n);
    while (v->out)
        edge_free(v->out);
    while (v->in)
        edge_free(v->in);
    uint32_t *link = bucket_of(v->cookie);
    while (*link != n)
        link = &vertex_at(*link)->next;
    *link = v->next;
    graph.by_cookie.entries--;
    v->next = graph.free_vertex;
    graph.free_vertex = n;
}

/* A place of a search is a vertex and how its lock was taken: number << 1 | written. */
static struct visit *visit_at(uint32_t place)
{
    return &vertex_at(place >> 1)->visit[place & 1];
}

/* Copies the way that ends with `edge`, from `place`, and then `closing`; returns its length, 0: too long. */
static unsigned copy_cycle(uint32_t place, uint32_t edge, const struct edge *closing, struct edge cycle[RT_MAX_CYCLE])
{
    unsigned n = 2;
    for (uint32_t at = place; visit_at(at)->edge; at = visit_at(at)->from)
        n++;
    if (n > RT_MAX_CYCLE)
        return 0;
    cycle[n - 1] = *closing;
    for (unsigned i = n - 1; i-- > 0;) {
        cycle[i] = *edge_at(edge);
        edge = visit_at(place)->edge;
        place = visit_at(place)->from;
    }
    return n;
}

/* Is a lock passed twice by the way to `place`?  A search may come to it in each of the two modes. */
static bool passes_twice(uint32_t place)
{
    for (; visit_at(place)->edge; place = visit_at(place)->from)
        for (uint32_t at = place; visit_at(at)->edge;) {
            at = visit_at(at)->from;
            if (at >> 1 == place >> 1)
                return true;
        }
    return false;
}

enum { MOST_STEPS = 100000 }; /* what a thread waits for the graph's lock meanwhile: some milliseconds, and only where it matters which of two modes a way takes */

/* The same by trying all ways of at most `most` edges on which no lock comes twice, depth first; cycle[0 .. n-1] is the way, `place` where it has come to. */
static bool try_ways(const struct edge *closing, uint32_t place, struct edge *cycle, unsigned n, unsigned most, unsigned *steps)
{
    for (uint32_t k = vertex_at(place >> 1)->out; k && *steps < MOST_STEPS; k = edge_at(k)->next_out) {
        const struct edge *e = edge_at(k);
        bool writes = e->modes & TO_WRITE, passed = e->to == closing->to;
        ++*steps;
        if (!(place & 1) && !(e->modes & FROM_WRITE))
            continue;
        cycle[n] = *e;
        if (e->to == closing->from) {
            if (n + 2 == most && (writes || (closing->modes & FROM_WRITE)))
                return true;
            continue;
        }
        for (unsigned i = 0; i < n; i++)
            passed = passed || cycle[i].to == e->to;
        if (!passed && n + 2 < most && try_ways(closing, e->to << 1 | writes, cycle, n + 1, most, steps))
            return true;
    }
    return false;
}

static unsigned find_longer(const struct edge *closing, unsigned least, struct edge cycle[RT_MAX_CYCLE])
{
    unsigned steps = 0;
    for (unsigned most = least; most <= RT_MAX_CYCLE && steps < MOST_STEPS; most++)
        if (try_ways(closing, closing->to << 1 | (closing->modes & TO_WRITE ? 1 : 0), cycle, 0, most, &steps)) {
            cycle[most - 1] = *closing;
            return most;
        }
    return 0;
}

/* The shortest way that closes a cycle with edge `last` (from the held lock to the wanted one), breadth first.  Its edges in
 * cycle[], from the wanted lock on, `last` at the end; returns how many, 0: there is none, or it is longer than RT_MAX_CYCLE.
 * No lock may come twice: it would be held for writing and for reading at once. */
static unsigned find_cycle(uint32_t last, struct edge cycle[RT_MAX_CYCLE])
{
    const struct edge *closing = edge_at(last);
    uint64_t search = ++graph.searches;
    uint32_t head = closing->to << 1 | (closing->modes & TO_WRITE ? 1 : 0), tail = head;
    *visit_at(head) = (struct visit){.search = search};
    for (; head; head = visit_at(head)->next) {
        for (uint32_t n = vertex_at(head >> 1)->out; n; n = edge_at(n)->next_out) {
            const struct edge *e = edge_at(n);
            if (!(head & 1) && !(e->modes & FROM_WRITE))
                continue; /* readers do not wait for readers */
            bool writes = e->modes & TO_WRITE;
            if (e->to == closing->from) {
                if (writes || (closing->modes & FROM_WRITE)) {
                    unsigned length = copy_cycle(head, n, closing, cycle);
                    return length && passes_twice(head) ? find_longer(closing, length, cycle) : length;
                }
                continue;
            }
            if (e->to == closing->to)
                continue;
            uint32_t place = e->to << 1 | writes;
            if (visit_at(place)->search == search)
                continue;
            *visit_at(place) = (struct visit){.search = search, .edge = n, .from = head};
            visit_at(tail)->next = place;
            tail = place;
        }
    }
    return 0;
}

/* Puts the pair of cookies into the graph.  The cycle that it closes, with cookies in place of vertices; 0: it is not new, or
 * closes none. */
static unsigned add_edge(struct edge e, struct edge cycle[RT_MAX_CYCLE])
{
    unsigned n = 0;
    gl_spin_lock(&graph.lock);
    uint32_t from = vertex_find(e.from), to = vertex_find(e.to), edge = 0;
    if (!from)
        from = vertex_make(e.from);
    if (!to)
        to = vertex_make(e.to);
    e.from = from;
    e.to = to;
    if (!from || !to || (!edge_find(from, to, e.modes) && !(edge = edge_make(e))))
        rt_count(RT_COUNT_lock_order_no_memory);
    else if (edge && vertex_at(from)->in) /* else nothing leads to the held lock */
        n = find_cycle(edge, cycle);
    for (unsigned i = 0; i < n; i++) {
        cycle[i].from = vertex_at(cycle[i].from)->cookie;
        cycle[i].to = vertex_at(cycle[i].to)->cookie;
    }
    gl_spin_unlock(&graph.lock);
    return n;
}

static bool has_edge(uint32_t from_cookie, uint32_t to_cookie, uint32_t modes)
{
    gl_spin_lock(&graph.lock);
    uint32_t from = vertex_find(from_cookie), to = vertex_find(to_cookie);
    bool has = from && to && edge_find(from, to, modes);
    gl_spin_unlock(&graph.lock);
    return has;
}

void rt_lock_order_uses(struct rt_used *tids)
{
    for (uint32_t n = 1; n <= graph.n_edges; n++) /* freed ones, too: a few threads that are remembered longer */
        rt_use(tids, edge_at(n)->thread);
}

void rt_lock_ended(uint32_t cookie)
{
    struct rt_lock_info *info = rt_lock_entry(cookie);
    if (!info)
        return;
    info->dead = true;
    if (!info->in_graph)
        return;
    gl_spin_lock(&graph.lock);
    uint32_t n = vertex_find(cookie);
    if (n)
        vertex_end(n);
    gl_spin_unlock(&graph.lock);
}

/* ---- reports ---- */

static struct gl_dedup told; /* guarded by the report lock: the first two stacks of a cycle */

static bool is_new(const struct edge *cycle, unsigned n)
{
    if (!told.env)
        gl_dedup_init(&told, gl_core_env(rt.core));
    struct gl_dedup_entry *e = gl_dedup_get(&told, (struct gl_dedup_side){cycle[0].acquired_at, GL_REPORT_WRITE},
                                            (struct gl_dedup_side){cycle[n - 1].acquired_at, GL_REPORT_WRITE});
    return (!e || e->count == 1 || !rt.options.dedup) && !rt_report_full();
}

static void tell(const struct edge *cycle, unsigned n)
{
    struct rt_report *p = rt_report_begin(false);
    if (!p)
        return;
    enum rt_verdict verdict = RT_NOT_PRINTED;
    if (is_new(cycle, n)) {
        bool second = rt.options.format != RT_FORMAT_TSAN || rt.options.second_deadlock_stack;
        p->r.type = GL_REPORT_DEADLOCK;
        for (unsigned i = 0; i < n; i++) { /* in this order, so that ThreadSanitizer's layout counts them along the cycle */
            uint32_t from = rt_report_mutex(p, cycle[i].from);
            p->edge[i] = (struct gl_report_edge){.from = from, .thread = cycle[i].thread};
            p->edge[i].acquired_at = rt_report_stack(p, cycle[i].acquired_at);
            if (second)
                p->edge[i].held_since = rt_report_stack(p, cycle[i].held_since);
            rt_report_thread(p, cycle[i].thread);
        }
        for (unsigned i = 0; i < n; i++)
            p->edge[i].to = p->edge[(i + 1) % n].from;
        p->r.edges = n;
        verdict = rt_report_tell(p);
    }
    rt_report_end();
    rt_report_done(verdict);
}

/* gfortran's library locks a unit that nobody else can know yet while it holds the lock of all units, and takes that one with a unit locked when it closes it: a cycle
 * for every program that opens and closes a file, and not one of its own making.  With a lock of the program in it, it is told. */
static bool is_of_fortran(uint32_t stack)
{
    uintptr_t pc;
    struct gl_frame f;
    return rt_stack_pcs(stack, &pc, 1) == 1 && gl_symbol_module(pc, GL_PC_RETURN, &f) && rt_foreign_named("libgfortran", f.module);
}

static bool is_within_fortran(const struct edge *cycle, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (!is_of_fortran(cycle[i].acquired_at) || !is_of_fortran(cycle[i].held_since))
            return false;
    return true;
}

/* ---- a lock is wanted ---- */

static struct rt_lock_pair *pair_of(struct rt_lock_pairs *pairs, uint32_t from, uintptr_t addr)
{
    struct rt_lock_pair *many = pairs->many; /* once: a handler of a signal may set it meanwhile */
    uint32_t hash = ((uint32_t)(addr >> 3) * 31 + from) * 0x9E3779B1u >> 16;
    return many ? &many[hash % RT_PAIRS_MANY] : &pairs->few[hash % RT_PAIRS_FEW];
}

/* The pair is in the graph.  It takes the place of another; of what few had nothing is kept when they become many. */
static void pair_keep(struct rt_lock_pairs *pairs, struct rt_lock_pair now)
{
    struct rt_lock_pair *k = pair_of(pairs, now.from, now.addr);
    if (k->from && !pairs->many && ++pairs->replaced > RT_PAIRS_FEW) {
        pairs->replaced = 0; /* if there is no memory, it is tried again after as many */
        pairs->many = gl_os_map(RT_PAIRS_MANY * sizeof *pairs->many);
        k = pair_of(pairs, now.from, now.addr);
    }
    *k = now;
}

void rt_lock_pairs_end(struct rt_lock_pairs *pairs)
{
    if (pairs->many)
        gl_os_unmap(pairs->many, RT_PAIRS_MANY * sizeof *pairs->many);
}

static bool is_known(struct rt_lock_pairs *pairs, const struct gl_held *h, uintptr_t addr, uint32_t mode)
{
    const struct rt_lock_pair *k = pair_of(pairs, h->cookie, addr);
    if (k->from != h->cookie || k->addr != addr || k->modes != (mode | (h->exclusive ? FROM_WRITE : 0)))
        return false;
    const struct rt_lock_info *info = rt_lock_entry(k->to);
    /* Read without the lock: nobody may wait for a lock while another destroys it.  But a sweep may clear the entry of one that was
     * destroyed between our looks: that it is no entry is seen by who saw `dead` cleared. */
    return info && !__atomic_load_n(&info->dead, __ATOMIC_ACQUIRE) && rt_lock_entry(k->to) == info;
}

static void new_pair(struct rt_thread *t, struct gl_held held, struct rt_lock_state wanted, uintptr_t addr, uint32_t mode, uint32_t stack)
{
    struct rt_lock_info from;
    struct rt_lock_state holder = {0};
    uint32_t modes = mode | (held.exclusive ? FROM_WRITE : 0);
    struct rt_lock_pair pair = {.addr = addr, .from = held.cookie, .to = wanted.cookie, .modes = modes};
    if (!wanted.cookie)
        return;
    if (has_edge(held.cookie, wanted.cookie, modes)) {
        pair_keep(&t->caches->pairs, pair);
        return;
    }
    if (!rt_lock_info(held.cookie, &from) || from.dead)
        return;
    (void)rt_lock_state(t, from.addr, from.kind, 0, RT_LOCK_ASK, &holder);
    if (holder.cookie != held.cookie || holder.serial != held.serial)
        return; /* another thread has unlocked it */
    struct edge cycle[RT_MAX_CYCLE];
    unsigned n = add_edge((struct edge){.from = held.cookie,
                                        .to = wanted.cookie,
                                        .modes = modes,
                                        .thread = t->tid,
                                        .acquired_at = stack,
                                        .held_since = holder.lock_stack},
                          cycle);
    pair_keep(&t->caches->pairs, pair);
    if (n && rt.options.report_bugs && !gl_core_stopped(rt.core) && !is_within_fortran(cycle, n))
        tell(cycle, n);
}

/* Each lock is compared with those that were taken last before it, at most: who takes a thousand at once would make half a million pairs.  What was taken
 * earlier is told of by way of those in between. */
enum { COMPARED = 64 };

static uint32_t first_compared(const struct gl_thread *t) { return t->n_held > COMPARED ? t->n_held - COMPARED : 0; }

/* It holds the lock that it waits for. */
static void wants_its_own(struct rt_thread *t, uintptr_t addr, enum rt_kind kind, bool exclusive, bool again, bool held_exclusive, uintptr_t pc)
{
    if (!again)
        rt_misuse_lock(t, !exclusive && held_exclusive ? GL_REPORT_BAD_READ_LOCK : GL_REPORT_DOUBLE_LOCK, addr, kind, pc);
}

static void wanted(struct rt_thread *t, uintptr_t addr, enum rt_kind kind, bool exclusive, bool again, uintptr_t pc)
{
    bool held_exclusive = false;
    if (rt_lock_is_held(t, addr, kind, &held_exclusive)) {
        wants_its_own(t, addr, kind, exclusive, again, held_exclusive, pc);
        return;
    }
    struct rt_lock_state state;
    if (!rt.options.detect_deadlocks || rt_module_ignored(pc))
        return;
    state.cookie = 0;
    (void)rt_lock_state(t, addr, kind, pc, RT_LOCK_ASK, &state);
    uint32_t mode = exclusive ? TO_WRITE : 0, stack = rt_stack_here(t, pc);
    for (uint32_t i = first_compared(t->core); i < t->core->n_held; i++)
        if (!is_known(&t->caches->pairs, &t->core->held[i], addr, mode))
            new_pair(t, t->core->held[i], state, addr, mode, stack);
}

void rt_lock_wanted_too(uintptr_t addr, enum rt_kind kind, bool exclusive, bool again, uintptr_t pc)
{
    const struct rt_tls *tls = &rt_tls;
    if (tls->depth || tls->ignore_sync || rt_openmp_code(pc))
        return;
    uint32_t mode = exclusive ? TO_WRITE : 0, i = first_compared(tls->engine);
    struct rt_lock_pairs *pairs = &tls->self->caches->pairs; /* who holds a lock is known */
    while (i < tls->engine->n_held && is_known(pairs, &tls->engine->held[i], addr, mode))
        i++;
    if (i == tls->engine->n_held)
        return;
    struct rt_thread *t = rt_enter();
    if (!t)
        return;
    wanted(t, addr, kind, exclusive, again, pc);
    rt_leave();
}
