/* SPDX-License-Identifier: Apache-2.0
 *
 * Sites: 32-bit ids for "this instruction, reached by these calls, holding these locks, touching that
 * many bytes".  A cell stores one per recorded access, so that the stack of the earlier access is
 * always there, however long ago it was.
 *
 * All are numbers of the depot (depot.h):
 *
 *   a path          the return addresses of the calls on the way
 *   a place         on a path: ACCESS | rt_site_place(), the site itself; or STACK | pc, a stack that is no access's
 *                   locks: how many were held; which ones the access's segment tells (gl_core_holds()).  So a program with many locks has
 *                   no more sites than one with few
 *   a site          parent = such a place without locks, word = HELD | lockset   (with more than RT_LOCKS_TOLD)
 *   a lockset       parent = the lockset without it, word = LOCK | cookie << 1 | exclusive
 *   a joined site   parent = a site, word = JOIN | bytes << 32 | another site: that one for these bytes of a word
 *
 * Nothing is done at a function's entry but storing its return address: paths are looked up when an access is
 * recorded, and kept in the frames.
 *
 * intern: any thread, any time.  decode: any id that was returned.
 */
#include "native/state.h"

#define LOCKS_SHIFT 56
#define WIDTH_SHIFT 48

_Static_assert(RT_LOCKS_TOLD == GL_HOLDS_MOST && RT_LOCKS_TOLD < 16, "as many locks as a segment tells take 4 bits");

/* The present call path, without the innermost pc. */
static uint32_t path_slow(struct rt_thread *t)
{
    struct rt_frame *top = rt_tls.top < rt_tls.limit ? rt_tls.top : rt_tls.limit;
    struct rt_frame *f = top;
    while (f > rt_tls.base && f[-1].node == 0)
        f--;
    uint32_t node = f > rt_tls.base ? f[-1].node : 0;
    for (; f < top; f++) {
        node = rt_depot_call(&t->caches->depot, node, f->pc & RT_DEPOT_PC);
        f->node = node;
    }
    return node;
}

/* More locks than a segment tells: each is a node below that of the one taken before it. */
static uint32_t lockset(struct rt_thread *t)
{
    struct gl_held *held = t->core->held;
    uint32_t n = t->core->n_held, i = n;
    while (i > 0 && !held[i - 1].note)
        i--;
    uint32_t set = i > 0 ? held[i - 1].note : 0;
    for (; i < n; i++) {
        rt_lock_named(held[i].cookie);
        set = rt_depot_pair(&t->caches->depot, set, rt_depot_word(RT_DEPOT_LOCK, (uint64_t)held[i].cookie << 1 | held[i].exclusive));
        held[i].note = set; /* 0: there was no room, and it is tried again */
    }
    return set;
}

void rt_locks_changed(void)
{
    const struct gl_thread *t = rt_tls.engine;
    rt_tls.locks = t && t->n_held <= 1 ? t->n_held : RT_LOCKS_CHANGED; /* one is told by itself */
}

uint32_t rt_site(struct rt_thread *t, uintptr_t pc, unsigned width)
{
    uint32_t id = rt_site_known(&rt_tls, pc, width);
    if (RT_LIKELY(id))
        return id;
    if (rt_tls.locks == RT_LOCKS_CHANGED && t->core->n_held <= RT_LOCKS_TOLD) {
        gl_segment_tell_held(t->core); /* when none is open, the next one does that when it begins */
        rt_tls.locks = t->core->n_held;
    }
    uint32_t path = rt_path_here(t);
    bool told = rt_tls.locks != RT_LOCKS_CHANGED;
    struct rt_site_fast *fast = rt_site_entry(&rt_tls, pc, path),
                        now = {.place = rt_site_place(told ? rt_tls.locks : 0, width, pc & RT_DEPOT_PC), .path = path};
    if (told && fast->place == now.place && fast->path == path && fast->id) /* the path or the locks were not known */
        return fast->id;
    now.id = rt_depot_place(&t->caches->depot, path, rt_depot_word(RT_DEPOT_ACCESS, now.place));
    if (!told)
        return rt_depot_pair(&t->caches->depot, now.id, rt_depot_word(RT_DEPOT_HELD, lockset(t)));
    *fast = now;
    return now.id;
}

uint32_t rt_sites_join(void *thread, uint32_t old, uint32_t old_bytes, uint32_t fresh, uint32_t fresh_bytes)
{
    (void)old_bytes;
    struct rt_thread *t = thread;
    return rt_depot_pair(&t->caches->depot, old, rt_depot_word(RT_DEPOT_JOIN, (uint64_t)fresh_bytes << 32 | fresh));
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
    return rt_depot_place(&t->caches->depot, rt_path_here(t), rt_depot_word(RT_DEPOT_STACK, pc & RT_DEPOT_PC));
}

uint32_t rt_path_here(struct rt_thread *t)
{
    const struct rt_frame *top = rt_tls.top;
    return RT_LIKELY(top <= rt_tls.limit && top[-1].node) ? top[-1].node : path_slow(t);
}

uint32_t rt_stack_after(struct rt_thread *t, uint32_t path, uintptr_t pc)
{
    return pc ? rt_depot_place(&t->caches->depot, path, rt_depot_word(RT_DEPOT_STACK, pc & RT_DEPOT_PC)) : 0;
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
    } else {
        s.lockset = word >> LOCKS_SHIFT & 0xF;
    }
    s.width = word >> WIDTH_SHIFT & 0xFF;
    s.stack = site;
    return s;
}

uint32_t rt_stack_whatever_locks(struct rt_thread *t, uint32_t stack)
{
    uint64_t word = stack ? rt_depot_word_of(stack) : 0, plain = word & ~(0xFull << LOCKS_SHIFT), width = plain & 0xFFull << WIDTH_SHIFT;
    if (stack && rt_depot_tag(word) == RT_DEPOT_ACCESS && width >= (uint64_t)RT_WIDTH_SIZED << WIDTH_SHIFT)
        plain ^= width ^ (uint64_t)RT_WIDTH_RANGE << WIDTH_SHIFT;
    uint32_t number = word == plain ? stack : rt_depot_place(&t->caches->depot, rt_depot_parent_of(stack), plain);
    return number ? number : stack; /* no memory: told once more for each number of locks */
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
    int k = 0;
    if (set <= RT_LOCKS_TOLD && !segment) /* not an access: sync.c tells of the last use of a lock */
        return 0;
    if (set <= RT_LOCKS_TOLD) {
        uint32_t words[GL_HOLDS_MOST];
        for (uint32_t i = gl_core_holds(rt.core, segment, words, set); i-- > 0 && k < max; k++) {
            cookies[k] = gl_hold_serial(words[i]);
            exclusive[k] = gl_hold_exclusive(words[i]);
        }
        return k;
    }
    for (uint32_t id = set; id && k < max; id = rt_depot_parent_of(id), k++) {
        uint64_t word = rt_depot_word_of(id);
        cookies[k] = (uint32_t)(word >> 1);
        exclusive[k] = word & 1;
    }
    return k;
}
