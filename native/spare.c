/* SPDX-License-Identifier: Apache-2.0
 *
 * What a thread needs of memory while it runs, its shadow call stack and its caches, is kept for the threads that come after it: to map
 * it, to give it back and to fault it in took a third of the time of a short thread, since on each occasion the kernel tells the other
 * processors.
 *
 * The caches come as the former owner left them: numbers of the depot are never another thing's, so that what one thread looked up is right
 * for all (depot.h), and so are those of locks (deadlock.c).  Of a stack what lies above its top is never read.
 */
#include "native/state.h"

#define SPARES 512u        /* of a kind, at most, of a program that has had as many threads at once: 54 KB of each thread in all */
#define GROWN  64u         /* of so many, also the tables that have grown: up to 200 KB more */
#define FEW    1024u       /* frames, at most, that come from the arena */
#define FRAMES_KEPT 16384u /* bytes of a spare stack that keep their memory */
#define SIGNAL_STACKS 4096u /* at most: each has a guard page, and the kernel allows 65,530 mappings, of which a thread has two already */

struct spares {
    struct gl_spin lock;
    void *first; /* each begins with the place of the next */
    uint32_t n;
    bool given_back; /* a thread is about to give back what is too many */
};

static struct spares stacks, caches;
static _Atomic uint32_t n_signal_stacks;

/* NULL: there is none.  The place of the next is zero again. */
static void *spare_take(struct spares *s)
{
    gl_spin_lock(&s->lock);
    void **first = s->first;
    if (first) {
        s->first = *first;
        s->n--;
        *first = NULL;
    }
    gl_spin_unlock(&s->lock);
    return first;
}

/* True: there are too many now, and the caller gives back what spare_excess() says until that is nothing.  One thread does it at a
 * time: when hundreds end at once, and each unmaps its own, they wait for one another in the kernel, and not asleep. */
static bool spare_keep(struct spares *s, void *memory)
{
    gl_spin_lock(&s->lock);
    *(void **)memory = s->first;
    s->first = memory;
    bool give_back = ++s->n > SPARES && !s->given_back;
    s->given_back |= give_back;
    gl_spin_unlock(&s->lock);
    return give_back;
}

static void *spare_excess(struct spares *s)
{
    gl_spin_lock(&s->lock);
    void **first = s->n > SPARES ? s->first : NULL;
    if (first) {
        s->first = *first;
        s->n--;
    } else {
        s->given_back = false;
    }
    gl_spin_unlock(&s->lock);
    return first;
}

/* A thread takes its stack before a fork waits for it, and gives it back afterwards: one that is not in the child may have held the lock, and what it
 * guards may be half done. */
static void forked(struct spares *s)
{
    if (gl_spin_try(&s->lock)) {
        s->given_back = false;
        gl_spin_unlock(&s->lock);
    } else {
        *s = (struct spares){0};
    }
}

void rt_spares_forked(void)
{
    forked(&stacks);
    forked(&caches);
}

void rt_frames_new(struct rt_away *out, size_t n)
{
    struct rt_frame *frames = n == RT_FRAMES ? spare_take(&stacks) : NULL;
    if (!frames && n <= FEW && (frames = gl_arena_alloc(n * sizeof *frames)) != NULL)
        *frames = (struct rt_frame){0};
    else if (!frames)
        frames = gl_os_map(n * sizeof *frames);
    static struct rt_frame none;
    out->base = out->top = (frames ? frames : &none) + 1; /* below: a frame without a node, so that one may always look */
    out->limit = frames ? frames + n : NULL;
}

void rt_frames_free(const struct rt_away *frames, size_t n)
{
    if (!frames->limit)
        return;
    struct rt_frame *first = frames->base - 1;
    if (n <= FEW)
        return gl_arena_free(first, n * sizeof *first);
    if (n != RT_FRAMES)
        return gl_os_unmap(first, n * sizeof *first);
    if (__atomic_load_n(&stacks.n, __ATOMIC_RELAXED) < SPARES) /* a guess: it will be kept */
        gl_os_unneeded((uintptr_t)first + FRAMES_KEPT, n * sizeof *first - FRAMES_KEPT);
    if (spare_keep(&stacks, first))
        for (void *excess; (excess = spare_excess(&stacks)) != NULL;)
            gl_os_unmap(excess, n * sizeof *first);
}

struct rt_caches *rt_caches_new(void)
{
    struct rt_caches *c = spare_take(&caches);
    if (!c && (c = gl_os_map(sizeof *c)) != NULL) {
        gl_os_populate((uintptr_t)c, sizeof *c); /* most of its pages are used by any thread, and read first: see rt_stack_wanted() */
        rt_depot_hand_begin(&c->depot);
    }
    if (c)
        c->slept = (struct rt_slept){0};
    return c;
}

static void signal_stack_free(void *low)
{
    size_t guard = gl_os_page_size();
    gl_os_unmap((char *)low - guard, RT_SIGNAL_STACK + guard);
    atomic_fetch_sub_explicit(&n_signal_stacks, 1, memory_order_relaxed); /* relaxed, here and below: only a count */
}

void *rt_signal_stack_take(struct rt_caches *c)
{
    void *low = c->signal_stack;
    c->signal_stack = NULL;
    if (low)
        return low;
    char *top = NULL;
    if (gl_add_relaxed(&n_signal_stacks, 1) < SIGNAL_STACKS)
        top = gl_os_map_stack(RT_SIGNAL_STACK + gl_os_page_size());
    if (top)
        return top - RT_SIGNAL_STACK;
    atomic_fetch_sub_explicit(&n_signal_stacks, 1, memory_order_relaxed);
    return NULL;
}

void rt_signal_stack_leave(struct rt_caches *c, void *low)
{
    if (c->signal_stack)
        signal_stack_free(low); /* a fiber's, which took the caches of a thread that ended */
    else
        c->signal_stack = low;
}

/* What is beside the caches in memory. */
static void caches_end(struct rt_caches *c)
{
    rt_depot_hand_end(&c->depot);
    rt_lock_pairs_end(&c->pairs);
    if (c->signal_stack)
        signal_stack_free(c->signal_stack);
}

void rt_caches_free(struct rt_caches *c)
{
    if (__atomic_load_n(&caches.n, __ATOMIC_RELAXED) >= GROWN) { /* a guess, too.  What is left in the small tables is as right as before */
        rt_depot_hand_end(&c->depot);
        rt_depot_hand_begin(&c->depot);
        rt_lock_pairs_end(&c->pairs);
        c->pairs.many = NULL;
    }
    if (!spare_keep(&caches, c))
        return;
    while ((c = spare_excess(&caches)) != NULL) {
        caches_end(c);
        gl_os_unmap(c, sizeof *c);
    }
}
