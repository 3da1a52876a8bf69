/* SPDX-License-Identifier: Apache-2.0
 *
 * Sites: 32-bit ids for "this instruction, reached by these calls, holding these locks, touching that
 * many bytes".  A cell stores one per recorded access, so that the stack of the earlier access is
 * always there, however long ago it was.
 *
 * All are numbers of the depot (depot.h):
 *
 *   a path          the return addresses of the calls on the way
 *   a place         on a path: ACCESS | locks << 56 | width << 48 | pc, the site itself; or STACK | pc, a stack that is no access's
 *                   locks: 0, or ONE_LOCK: one lock, which the access's segment tells (gl_core_segment()): that is what
 *                   critical sections are like, and a program with many locks has no more sites than one with few
 *   a lockset       parent = the lockset without it, word = LOCK | cookie << 1 | exclusive
 *   a site          parent = such a place, word = HELD | lockset   (with other locks)
 *   a joined site   parent = a site, word = JOIN | bytes << 32 | another site: that one for these bytes of a word
 *
 * Nothing is done at a function's entry but storing its return address: paths are looked up when an access is
 * recorded, and kept in the frames.
 *
 * intern: any thread, any time.  decode: any id that was returned.
 */
#include "native/state.h"

#define LOCKS_SHIFT 56
#define ONE_LOCK 15ull

/* The present call path, without the innermost pc. */
static uint32_t path(struct rt_thread *t)
{
    struct rt_frame *top = rt_tls.top < rt_tls.limit ? rt_tls.top : rt_tls.limit;
    struct rt_frame *f = top;
    while (f > rt_tls.base && f[-1].node == 0)
        f--;
    uint32_t node = f > rt_tls.base ? f[-1].node : 0;
    for (; f < top; f++) {
        node = rt_depot_call(&t->depot, node, f->pc & RT_DEPOT_PC);
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
            node = rt_depot_pair(&t->depot, node, rt_depot_word(RT_DEPOT_LOCK, (uint64_t)h->cookie << 1 | h->exclusive));
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

uint32_t rt_site(struct rt_thread *t, uintptr_t pc, unsigned width)
{
    uint32_t id = rt_site_known(&rt_tls, pc, width);
    if (RT_LIKELY(id))
        return id;
    uint32_t node = rt_path_here(t), locks = lockset(t);
    struct rt_site_fast *fast = rt_site_entry(&rt_tls, pc, node),
                        now = {.place = (uint64_t)width << 48 | pc, .context = (uint64_t)locks << 32 | node};
    if (fast->place == now.place && fast->context == now.context && fast->id) /* the path was not known */
        return fast->id;
    uint64_t how = locks == RT_LOCK_OF_SEGMENT ? ONE_LOCK << LOCKS_SHIFT : 0;
    now.id = rt_depot_place(&t->depot, node, rt_depot_word(RT_DEPOT_ACCESS, how | (uint64_t)width << 48 | (pc & RT_DEPOT_PC)));
    if (locks && !how)
        now.id = rt_depot_pair(&t->depot, now.id, rt_depot_word(RT_DEPOT_HELD, locks));
    *fast = now;
    return now.id;
}

uint32_t rt_sites_join(void *thread, uint32_t old, uint32_t old_bytes, uint32_t fresh, uint32_t fresh_bytes)
{
    (void)old_bytes;
    struct rt_thread *t = thread;
    return rt_depot_pair(&t->depot, old, rt_depot_word(RT_DEPOT_JOIN, (uint64_t)fresh_bytes << 32 | fresh));
}

uint32_t rt_site_of_bytes(uint32_t site, uint32_t bytes)
{
    while (site) {
        /* A report reads sites without their cell's lock: a list's number (core/group.h) may stand where a site did. */
        if (!rt_depot_exists(site))
            return 0;
        uint64_t word = rt_depot_word_of(site);
        if (rt_depot_tag(word) != RT_DEPOT_JOIN)
            break;
        site = word >> 32 & bytes & 0xF ? (uint32_t)word : rt_depot_parent_of(site);
    }
    return site;
}

uint32_t rt_stack_here(struct rt_thread *t, uintptr_t pc)
{
    return rt_depot_place(&t->depot, rt_path_here(t), rt_depot_word(RT_DEPOT_STACK, pc & RT_DEPOT_PC));
}

uint32_t rt_path_here(struct rt_thread *t)
{
    const struct rt_frame *top = rt_tls.top;
    return RT_LIKELY(top <= rt_tls.limit && top[-1].node) ? top[-1].node : path(t);
}

uint32_t rt_stack_after(struct rt_thread *t, uint32_t path, uintptr_t pc)
{
    return pc ? rt_depot_place(&t->depot, path, rt_depot_word(RT_DEPOT_STACK, pc & RT_DEPOT_PC)) : 0;
}

struct rt_site rt_site_decode(uint32_t site)
{
    struct rt_site s = {0};
    if (!site)
        return s;
    uint64_t word = rt_depot_word_of(site);
    if (rt_depot_tag(word) == RT_DEPOT_HELD) {
        s.lockset = (uint32_t)word;
        site = rt_depot_parent_of(site);
        word = rt_depot_word_of(site);
    } else if (word >> LOCKS_SHIFT & 0xF) {
        s.lockset = RT_LOCK_OF_SEGMENT;
    }
    s.width = word >> 48 & 0xFF;
    s.stack = site;
    return s;
}

int rt_stack_pcs(uint32_t stack, uintptr_t *pcs, int max)
{
    int k = 0;
    for (uint32_t id = stack; id && k < max; id = rt_depot_parent_of(id))
        pcs[k++] = rt_depot_word_of(id) & RT_DEPOT_PC;
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
    for (uint32_t id = set; id && k < max; id = rt_depot_parent_of(id), k++) {
        uint64_t word = rt_depot_word_of(id);
        cookies[k] = (uint32_t)(word >> 1);
        exclusive[k] = word & 1;
    }
    return k;
}
