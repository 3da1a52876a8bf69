/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts of <ucontext.h>.
 *
 * A *context* in a program that does not use the interface of fiber.c is no thread: what it does is ordered as the
 * system's thread that runs it orders it.  Only its shadow call stack is its own.
 *
 * It is known by the address of its ucontext_t, and, since who leaves it by longjmp says only where he goes, by its stack.  Stacks are kept in a treap (Aragon and
 * Seidel, 1989): a tree by address that is a heap by a number that looks random, and so is mostly shallow.
 */
#include "core/atomic.h"
#include "native/chains.h"
#include "native/owner.h"

#define FRAMES 4096u /* of a context: they are many and shallow */

/* What is kept for a ucontext_t. */
struct rt_context {
    struct rt_chained link; /* by its address */
    const void *address;
    struct rt_away own;    /* of makecontext: where its function runs; base NULL: it was not made */
    struct rt_away frames; /* those that were in use when it was saved, or its own */
    struct rt_context *of; /* to which they belong; NULL: to a thread */
    struct rt_context *next_saved, *before_saved; /* of those that were not made */
    /* The stack that was given to makecontext, as long as no later one lies there. */
    uintptr_t lo, hi;
    struct rt_context *below, *above;
    long words[RT_CONTEXT_WORDS];
};

static struct {
    struct gl_spin lock; /* guards the rest */
    struct rt_chains by_address;
    struct rt_context *by_stack; /* the root; no two overlap */
    struct rt_context *saved;
} contexts;
bool rt_contexts_made;

static uint64_t hash_of(const void *address) { return rt_hash((uintptr_t)address >> 4); }

/* All below is under the lock. */

static struct rt_context *find(const void *address)
{
    struct rt_chained *at = *rt_chain(&contexts.by_address, hash_of(address));
    while (at && ((struct rt_context *)at)->address != address)
        at = at->next;
    return (struct rt_context *)at;
}

static void known_as(struct rt_context *c, const void *address)
{
    c->address = address;
    rt_chain_add(&contexts.by_address, &c->link, hash_of(address));
}

static void free_saved(struct rt_context *c)
{
    rt_chain_remove(&contexts.by_address, &c->link);
    if (c->next_saved)
        c->next_saved->before_saved = c->before_saved;
    *(c->before_saved ? &c->before_saved->next_saved : &contexts.saved) = c->next_saved;
    gl_arena_free(c, sizeof *c);
}

/* NULL: no memory; stacks are wrong then, nothing else. */
static struct rt_context *find_or_add(const void *address)
{
    struct rt_context *c = find(address);
    if (c || !(c = gl_arena_alloc(sizeof *c)))
        return c;
    known_as(c, address);
    c->next_saved = contexts.saved;
    if (contexts.saved)
        contexts.saved->before_saved = c;
    contexts.saved = c;
    return c;
}

/* ---- by stack ---- */

static uint64_t weight(const struct rt_context *c) { return rt_hash((uintptr_t)c); }

/* What lies below `address` to *lower, the rest to *upper. */
static void split(struct rt_context *c, uintptr_t address, struct rt_context **lower, struct rt_context **upper)
{
    while (c)
        if (c->lo < address) {
            *lower = c;
            lower = &c->above;
            c = c->above;
        } else {
            *upper = c;
            upper = &c->below;
            c = c->below;
        }
    *lower = *upper = NULL;
}

/* All of `lower` lies below all of `upper`. */
static struct rt_context *joined(struct rt_context *lower, struct rt_context *upper)
{
    struct rt_context *root = NULL, **at = &root;
    while (lower && upper)
        if (weight(lower) > weight(upper)) {
            *at = lower;
            at = &lower->above;
            lower = lower->above;
        } else {
            *at = upper;
            at = &upper->below;
            upper = upper->below;
        }
    *at = lower ? lower : upper;
    return root;
}

/* The first one whose stack ends above the address. */
static struct rt_context *stack_above(uintptr_t a)
{
    struct rt_context *found = NULL;
    for (struct rt_context *c = contexts.by_stack; c;)
        if (c->hi > a) {
            found = c;
            c = c->below;
        } else {
            c = c->above;
        }
    return found;
}

static struct rt_context *context_at(uintptr_t sp)
{
    struct rt_context *c = stack_above(sp);
    return c && c->lo <= sp ? c : NULL;
}

static void stack_remove(struct rt_context *c)
{
    struct rt_context *lower, *it, *upper;
    split(contexts.by_stack, c->lo, &lower, &it);
    split(it, c->lo + 1, &it, &upper);
    contexts.by_stack = joined(lower, upper);
    c->lo = c->hi = 0;
    c->below = c->above = NULL;
}

static void stack_add(struct rt_context *c, uintptr_t lo, uintptr_t hi)
{
    struct rt_context *lower, *upper;
    for (struct rt_context *old; (old = stack_above(lo)) && old->lo < hi;)
        stack_remove(old);
    split(contexts.by_stack, lo, &lower, &upper);
    c->lo = lo, c->hi = hi;
    contexts.by_stack = joined(joined(lower, c), upper);
}

/* ---- what contexts do ---- */

/* Nothing is known by its address any more. */
static void unlink_locked(struct rt_context *c)
{
    if (find(c->address) != c)
        return; /* another one is */
    if (c->own.base)
        rt_chain_remove(&contexts.by_address, &c->link); /* it may run, known by its stack */
    else
        free_saved(c);
}

/* A ucontext_t may lie on the stack of who makes it, where the next one lies, too: whoever runs on the stack of the former keeps its frames.  NULL: no memory. */
static struct rt_context *make_locked(const void *address, uintptr_t lo, uintptr_t hi)
{
    struct rt_context *before = find(address), *c = before && before->own.base ? before : NULL;
    if (lo < hi) { /* the very same stack, and what ran there is over */
        c = context_at(lo);
        c = c && c->lo == lo && c->hi == hi ? c : NULL;
    }
    bool is_new = !c;
    if (is_new && !(c = gl_arena_alloc(sizeof *c)))
        return NULL;
    if (is_new)
        rt_frames_new(&c->own, FRAMES);
    else
        unlink_locked(c);
    if (before && before != c)
        unlink_locked(before);
    known_as(c, address);
    c->own.top = c->own.base;
    c->frames = c->own;
    c->of = c;
    if (lo < hi)
        stack_add(c, lo, hi);
    return c;
}

long *rt_context_make(const void *address, uintptr_t stack, size_t bytes)
{
    gl_spin_lock(&contexts.lock);
    struct rt_context *c = make_locked(address, stack, stack + bytes);
    __atomic_store_n(&rt_contexts_made, true, __ATOMIC_RELAXED); /* relaxed: who goes there comes after this */
    gl_spin_unlock(&contexts.lock);
    return c ? c->words : NULL;
}

/* The thread goes from the frames that it has now to those. */
static void go_locked(struct rt_thread *t, const struct rt_away *frames, struct rt_context *of)
{
    if (t && t->context && rt_tls.base == t->context->own.base)
        t->context->own.top = rt_tls.top;
    else if (t && rt_tls.base == t->frames) /* else it runs what another thread has saved */
        t->frames_top = rt_tls.top;
    rt_tls.top = frames->top, rt_tls.limit = frames->limit, rt_tls.base = frames->base;
    if (t)
        t->context = of;
}

void rt_context_switch(const void *from, const void *to, uintptr_t sp)
{
    struct rt_thread *t = rt_tls.self;
    if (gl_load_relaxed(&rt_fibers_used)) /* relaxed: see __tsan_create_fiber() */
        return;
    gl_spin_lock(&contexts.lock);
    struct rt_context *old = from ? find_or_add(from) : NULL;
    if (old) {
        old->frames = (struct rt_away){.top = rt_tls.top, .limit = rt_tls.limit, .base = rt_tls.base};
        old->of = t ? t->context : NULL;
    }
    struct rt_context *new = find(to);
    bool known = new != NULL;
    if (known) {
        go_locked(t, &new->frames, new->of);
        if (!new->own.base)
            free_saved(new); /* what stands there is used up */
    }
    gl_spin_unlock(&contexts.lock);
    /* A handler that somebody may come back to, or that may be what it interrupted: for may_free(), when we are outside. */
    if ((known || from) && t && t->interrupted.handlers)
        __atomic_store_n(&t->interrupted.moved, true, __ATOMIC_RELAXED);
    if (!known)
        rt_unwind_to(sp); /* of getcontext: as longjmp */
}

void rt_context_at(struct rt_thread *t, uintptr_t sp)
{
    if (gl_load_relaxed(&rt_fibers_used)) /* relaxed: see __tsan_create_fiber() */
        return;
    bool own = sp >= t->stack_lo && sp < t->stack_hi;
    if (own && !t->context)
        return;
    gl_spin_lock(&contexts.lock);
    struct rt_context *c = context_at(sp);
    own = own && c != t->context; /* its stack may be a part of the thread's */
    if (own)
        go_locked(t, &(struct rt_away){.base = t->frames, .limit = t->frames_limit, .top = t->frames_top}, NULL);
    else if (c && c != t->context)
        go_locked(t, &c->own, c);
    gl_spin_unlock(&contexts.lock);
}

/* What was saved while they were in use leads nowhere. */
void rt_context_end(struct rt_thread *t)
{
    gl_spin_lock(&contexts.lock);
    for (struct rt_context *c = contexts.saved, *next; c; c = next) {
        next = c->next_saved;
        if (c->frames.base == t->frames)
            free_saved(c);
    }
    gl_spin_unlock(&contexts.lock);
}
