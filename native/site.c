/* SPDX-License-Identifier: Apache-2.0
 *
 * Sites: 32-bit ids for "this instruction, reached by these calls, holding these locks, touching that
 * many bytes".  A cell stores one per recorded access, so that the stack of the earlier access is
 * always there, however long ago it was.
 *
 * One table of nodes (parent, value), each pair once, holds them all:
 *
 *   a stack node    parent = the caller's node, value = a return address
 *   a lockset node  parent = the lockset without it, value = LOCK | cookie << 1 | exclusive
 *   an access node  parent = stack node, value = ACCESS | width << 48 | pc    (with no locks: the site itself)
 *   a site          parent = access node, value = HELD | lockset node         (with locks)
 *                   lockset RT_LOCK_OF_SEGMENT: one lock, which the access's segment tells (gl_core_segment()): that is what
 *                   critical sections are like, and a program with many locks has no more sites than one with few
 *   a joined site   parent = a site, value = JOIN | bytes << 32 | another site: that one for these bytes of a word
 *
 * Nothing is done at a function's entry but storing its return address: nodes for the frames are
 * looked up when an access is recorded, and kept in the frame.  A thread's cache answers most
 * look-ups; the table itself is insert-only and lock-free.
 *
 * intern: any thread, any time.  decode: any id that was returned.
 */
#include "core/atomic.h"
#include "native/state.h"

#define TAG_SHIFT 60
#define TAG_STACK 0ull
#define TAG_LOCK 1ull
#define TAG_ACCESS 2ull
#define TAG_HELD 3ull
#define TAG_JOIN 4ull
#define PC_MASK ((1ull << 48) - 1)

#define CHUNK (1u << 14)          /* nodes per chunk: 384 KiB */
#define CHUNKS (1u << 16)         /* 1.07e9 nodes */
#define BUCKETS (1u << 18)

struct node {
    uint64_t value;
    uint32_t parent;
    uint32_t next;  /* in the bucket; constant once published */
    uint64_t spare; /* keeps a node inside a cache line */
};

static struct {
    _Atomic uint32_t next;                 /* first id never used; 0 means none */
    _Atomic(struct node *) chunk[CHUNKS];
    _Atomic uint32_t bucket[BUCKETS];
} depot;

static struct node *node_at(uint32_t id)
{
    return gl_load_acquire(&depot.chunk[id / CHUNK]) + id % CHUNK; /* pairs with node_new() */
}

static uint32_t hash(uint32_t parent, uint64_t value)
{
    uint64_t h = (value ^ (uint64_t)parent << 17 ^ (uint64_t)parent << 41) * 0x9E3779B97F4A7C15ull;
    return (uint32_t)(h >> 40);
}

/* A node not yet published; 0: no memory. */
static uint32_t node_new(void)
{
    uint32_t id = gl_add_relaxed(&depot.next, 1) + 1; /* relaxed: only uniqueness matters */
    if (id / CHUNK >= CHUNKS) {
        rt_count(RT_COUNT_site_no_memory);
        return 0;
    }
    _Atomic(struct node *) *place = &depot.chunk[id / CHUNK];
    if (!gl_load_acquire(place)) {
        struct node *fresh = gl_os_map(CHUNK * sizeof *fresh), *was = NULL;
        if (!fresh) {
            rt_count(RT_COUNT_site_no_memory);
            return 0;
        }
        if (!gl_cas_acq_rel(place, &was, fresh)) /* release: pairs with node_at() */
            gl_os_unmap(fresh, CHUNK * sizeof *fresh);
    }
    return id;
}

static uint32_t find(uint32_t from, uint32_t until, uint32_t parent, uint64_t value)
{
    for (uint32_t id = from; id != until; id = node_at(id)->next)
        if (node_at(id)->value == value && node_at(id)->parent == parent)
            return id;
    return 0;
}

static uint32_t intern(uint32_t parent, uint64_t value)
{
    _Atomic uint32_t *bucket = &depot.bucket[hash(parent, value) % BUCKETS];
    uint32_t first = gl_load_acquire(bucket); /* pairs with the publication below */
    uint32_t id = find(first, 0, parent, value);
    if (id)
        return id;
    id = node_new();
    if (!id)
        return 0;
    struct node *n = node_at(id);
    n->value = value;
    n->parent = parent;
    for (;;) {
        n->next = first;
        uint32_t was = first;
        if (gl_cas_acq_rel(bucket, &first, id)) /* release: publishes the node */
            return id;
        uint32_t other = find(first, was, parent, value);
        if (other)
            return other; /* ours is never seen: one node lost */
    }
}

static uint32_t intern_cached(struct rt_thread *t, uint32_t parent, uint64_t value)
{
    struct rt_site_entry *e = &t->site_cache[hash(parent, value) % RT_SITE_CACHE];
    if (e->parent == parent && e->value == value && e->id)
        return e->id;
    uint32_t id = intern(parent, value);
    *e = (struct rt_site_entry){.value = value, .parent = parent, .id = id};
    return id;
}

/* The node of the present call path, without the innermost pc. */
static uint32_t path(struct rt_thread *t)
{
    struct rt_frame *top = rt_tls.top < rt_tls.limit ? rt_tls.top : rt_tls.limit;
    struct rt_frame *f = top;
    while (f > rt_tls.base && f[-1].node == 0)
        f--;
    uint32_t node = f > rt_tls.base ? f[-1].node : 0;
    for (; f < top; f++) {
        node = intern_cached(t, node, f->pc & PC_MASK);
        f->node = node;
    }
    return node;
}

static uint32_t lockset(struct rt_thread *t)
{
    if (rt_tls.locks_node == RT_LOCKS_CHANGED) {
        uint32_t node = 0;
        if (t->core->n_held == 1 && t->core->held[0].exclusive)
            return rt_tls.locks_node = RT_LOCK_OF_SEGMENT;
        for (uint32_t i = 0; i < t->core->n_held; i++) {
            const struct gl_held *h = &t->core->held[i];
            node = intern_cached(t, node, TAG_LOCK << TAG_SHIFT | (uint64_t)h->cookie << 1 | h->exclusive);
        }
        rt_tls.locks_node = node;
    }
    return rt_tls.locks_node;
}

void rt_locks_changed(void)
{
    const struct gl_thread *t = rt_tls.engine;
    rt_tls.locks_node = t && t->n_held == 0 ? 0 : t && t->n_held == 1 && t->held[0].exclusive ? RT_LOCK_OF_SEGMENT : RT_LOCKS_CHANGED;
}

static uint32_t site_slow(struct rt_thread *t, uint32_t node, uint32_t locks, uint64_t place)
{
    uint32_t id = intern_cached(t, node, place);
    return locks ? intern_cached(t, id, TAG_HELD << TAG_SHIFT | locks) : id;
}

uint32_t rt_site(struct rt_thread *t, uintptr_t pc, unsigned width)
{
    uint32_t id = rt_site_known(&rt_tls, pc, width);
    if (RT_LIKELY(id))
        return id;
    struct rt_frame *top = rt_tls.top;
    uint32_t node = top > rt_tls.base && top <= rt_tls.limit && top[-1].node ? top[-1].node : path(t);
    uint32_t locks = lockset(t);
    id = site_slow(t, node, locks, TAG_ACCESS << TAG_SHIFT | (uint64_t)width << 48 | (pc & PC_MASK));
    *rt_site_entry(&rt_tls, pc, node) = (struct rt_site_fast){.place = (uint64_t)width << 48 | pc, .context = (uint64_t)locks << 32 | node, .id = id};
    return id;
}

uint32_t rt_sites_join(void *thread, uint32_t old, uint32_t old_bytes, uint32_t fresh, uint32_t fresh_bytes)
{
    (void)old_bytes;
    return intern_cached(thread, old, TAG_JOIN << TAG_SHIFT | (uint64_t)fresh_bytes << 32 | fresh);
}

uint32_t rt_site_of_bytes(uint32_t site, uint32_t bytes)
{
    while (site) {
        /* A report reads sites without their cell's lock: a list's number (core/group.h) may stand where a site did. */
        if (site / CHUNK >= CHUNKS || !gl_load_acquire(&depot.chunk[site / CHUNK])) /* pairs with node_new() */
            return 0;
        struct node *n = node_at(site);
        if (n->value >> TAG_SHIFT != TAG_JOIN)
            break;
        site = n->value >> 32 & bytes & 0xF ? (uint32_t)n->value : n->parent;
    }
    return site;
}

uint32_t rt_stack_here(struct rt_thread *t, uintptr_t pc)
{
    return intern_cached(t, path(t), pc & PC_MASK);
}

uint32_t rt_path_here(struct rt_thread *t)
{
    const struct rt_frame *top = rt_tls.top;
    return RT_LIKELY(top <= rt_tls.limit && top[-1].node) ? top[-1].node : path(t);
}

uint32_t rt_stack_after(struct rt_thread *t, uint32_t path, uintptr_t pc)
{
    return pc ? intern_cached(t, path, pc & PC_MASK) : 0;
}

struct rt_site rt_site_decode(uint32_t site)
{
    struct rt_site s = {0};
    if (!site)
        return s;
    struct node *n = node_at(site);
    if (n->value >> TAG_SHIFT == TAG_HELD) {
        s.lockset = (uint32_t)n->value;
        site = n->parent;
        n = node_at(site);
    }
    s.width = n->value >> 48 & 0xFF;
    s.stack = site;
    return s;
}

int rt_stack_pcs(uint32_t stack, uintptr_t *pcs, int max)
{
    int k = 0;
    for (uint32_t id = stack; id && k < max; id = node_at(id)->parent)
        pcs[k++] = node_at(id)->value & PC_MASK;
    return k;
}

int rt_lockset_locks(uint32_t set, uint32_t segment, uint32_t *cookies, bool *exclusive, int max)
{
    if (set == RT_LOCK_OF_SEGMENT) {
        *cookies = gl_core_segment(rt.core, segment).lock;
        *exclusive = true;
        return *cookies && max > 0;
    }
    int k = 0;
    for (uint32_t id = set; id && k < max; id = node_at(id)->parent, k++) {
        cookies[k] = (uint32_t)(node_at(id)->value >> 1);
        exclusive[k] = node_at(id)->value & 1;
    }
    return k;
}
