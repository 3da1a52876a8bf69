/* SPDX-License-Identifier: Apache-2.0
 *
 * See treeclock.h.  The paper's routines: get_updated() is its getUpdatedNodesJoin and getUpdatedNodesCopy, breadth
 * first over a queue in place of recursion, since a tree may be as deep as there are threads; take_over() is its
 * detachNodes and attachNodes.
 */
#include "peers/treeclock.h"

#include <string.h>

#define NONE GL_CLOCK_NONE

struct gl_tree_node {
    uint32_t learned;    /* the parent's epoch when it learned this number; 0 for the root */
    uint32_t parent;     /* NONE: the root */
    uint32_t child;      /* the one learned last; NONE: a leaf */
    uint32_t prev, next; /* siblings, learned later and earlier; NONE at the ends */
};

/* Room for n threads in the numbers and in the tree.  False: no memory; unchanged. */
static bool reserve(struct gl_tree *t, struct gl_pool *pool, uint32_t n)
{
    uint32_t cap = t->clock.cap, more = gl_clock_cap(&t->clock, n), known = t->clock.n;
    if (more == cap)
        return gl_clock_reserve(&t->clock, pool, n);
    struct gl_tree_node *node = gl_pool_take(pool, more * sizeof *node);
    if (!node)
        return false;
    if (!gl_clock_reserve(&t->clock, pool, n)) {
        gl_pool_give(pool, node, more * sizeof *node);
        return false;
    }
    if (known)
        memcpy(node, t->node, known * sizeof *node);
    gl_pool_give(pool, t->node, cap * sizeof *node);
    t->node = node;
    return true;
}

/* Room to visit every thread of a clock: each is visited once at most.  False: no memory. */
static bool reserve_walk(struct gl_tree_walk *walk, struct gl_pool *pool, const struct gl_tree *t)
{
    uint32_t *thread = gl_pool_grow(pool, walk->thread, sizeof *thread, &walk->cap, t->clock.n);
    if (!thread)
        return false;
    walk->thread = thread;
    return true;
}

static void unlink_node(struct gl_tree *t, uint32_t u)
{
    struct gl_tree_node *x = &t->node[u];
    if (x->parent == NONE)
        return;
    if (x->prev != NONE)
        t->node[x->prev].next = x->next;
    else
        t->node[x->parent].child = x->next;
    if (x->next != NONE)
        t->node[x->next].prev = x->prev;
    x->parent = NONE;
}

/* Hangs u, which has no parent, in front of p's other children. */
static void link_node(struct gl_tree *t, uint32_t u, uint32_t p, uint32_t learned)
{
    struct gl_tree_node *x = &t->node[u];
    x->learned = learned;
    x->parent = p;
    x->prev = NONE;
    x->next = t->node[p].child;
    if (x->next != NONE)
        t->node[x->next].prev = u;
    t->node[p].child = u;
}

bool gl_tree_start(struct gl_tree *t, struct gl_pool *pool, uint32_t thread, uint32_t number)
{
    if (!reserve(t, pool, thread + 1))
        return false;
    t->root = thread;
    t->clock.at[thread] = number;
    t->node[thread] = (struct gl_tree_node){0, NONE, NONE, NONE, NONE};
    return true;
}

/* The threads of `from` that are news for `to`, parents before their children and the children in the order in which
 * they were learned (so that linking each in front restores the order of siblings); also `old_root`, wherever it is met.
 *
 * Children lie in descending order of `learned`; so at the first that `to` knows already, and that its parent had
 * learned when `to` last heard of the parent, all that follow are known too (1).  What is below a known child is known (2). */
static void get_updated(struct gl_tree_walk *walk, const struct gl_tree *from, const struct gl_tree *to,
                        uint32_t old_root)
{
    const uint32_t *new = from->clock.at, *known = to->clock.at; /* both have from->clock.n numbers */
    uint32_t *thread = walk->thread, n = 1;
    thread[0] = from->root;
    for (uint32_t done = 0; done < n; done++) {
        uint32_t u = thread[done], first = n;
        if (new[u] <= known[u])
            continue; /* the old root, which is moved but brings no news */
        for (uint32_t v = from->node[u].child; v != NONE; v = from->node[v].next) {
            bool news = known[v] < new[v];
            if (news || v == old_root)
                thread[n++] = v;
            if (!news && from->node[v].learned <= known[u])
                break;
        }
        for (uint32_t last = n; first + 1 < last; first++, last--) { /* ascending `learned` from here on */
            uint32_t x = thread[first];
            thread[first] = thread[last - 1];
            thread[last - 1] = x;
        }
    }
    walk->n = n;
}

/* Takes what get_updated() found over into `to`, which has room for all of it.  Its root is left without a place. */
static void take_over(struct gl_tree_walk *walk, const struct gl_tree *from, struct gl_tree *to)
{
    for (uint32_t i = 0; i < walk->n; i++) { /* detach; who is new starts as a leaf */
        uint32_t u = walk->thread[i];
        if (to->clock.at[u])
            unlink_node(to, u);
        else
            to->node[u] = (struct gl_tree_node){0, NONE, NONE, NONE, NONE};
        to->clock.at[u] = from->clock.at[u];
    }
    for (uint32_t i = 1; i < walk->n; i++) { /* attach; the first is the root of `from` */
        uint32_t u = walk->thread[i];
        link_node(to, u, from->node[u].parent, from->node[u].learned);
    }
}

bool gl_tree_join(struct gl_tree *t, struct gl_pool *pool, struct gl_tree_walk *walk,
                  const struct gl_tree *from)
{
    if (!from->clock.n || from->clock.at[from->root] <= gl_clock_get(&t->clock, from->root))
        return true;
    if (!reserve(t, pool, from->clock.n) || !reserve_walk(walk, pool, from))
        return false;
    get_updated(walk, from, t, NONE);
    take_over(walk, from, t);
    link_node(t, from->root, t->root, t->clock.at[t->root]);
    return true;
}

bool gl_tree_join_clock(struct gl_tree *t, struct gl_pool *pool, const struct gl_clock *from)
{
    uint32_t u = gl_clock_above(from, &t->clock, 0);
    if (u == NONE)
        return true;
    if (!reserve(t, pool, from->n))
        return false;
    for (; u != NONE; u = gl_clock_above(from, &t->clock, u)) {
        if (t->clock.at[u])
            unlink_node(t, u);
        else
            t->node[u].child = NONE;
        t->clock.at[u] = from->at[u];
        link_node(t, u, t->root, t->clock.at[t->root]);
    }
    return true;
}

bool gl_tree_copy_monotone(struct gl_tree *lock, struct gl_pool *pool, struct gl_tree_walk *walk,
                           const struct gl_tree *t)
{
    bool empty = !lock->clock.n;
    if (!reserve(lock, pool, t->clock.n) || !reserve_walk(walk, pool, t))
        return false;
    get_updated(walk, t, lock, empty ? NONE : lock->root);
    take_over(walk, t, lock);
    lock->root = t->root;
    lock->node[t->root].learned = 0;
    return true;
}

bool gl_tree_is_valid(const struct gl_tree *t)
{
    uint32_t known = 0, reached = 0;
    for (uint32_t u = 0; u < t->clock.n; u++)
        known += t->clock.at[u] != 0;
    if (!known)
        return true;
    if (!gl_clock_get(&t->clock, t->root) || t->node[t->root].parent != NONE)
        return false;
    for (uint32_t u = t->root;;) { /* all nodes, parents first */
        const struct gl_tree_node *x = &t->node[u];
        if (++reached > known || !t->clock.at[u])
            return false;
        for (uint32_t v = x->child, prev = NONE; v != NONE; prev = v, v = t->node[v].next) {
            const struct gl_tree_node *y = &t->node[v];
            if (v >= t->clock.n || y->parent != u || y->prev != prev || y->learned > t->clock.at[u])
                return false;
            if (prev != NONE && t->node[prev].learned < y->learned)
                return false;
        }
        if (x->child != NONE) {
            u = x->child;
            continue;
        }
        while (t->node[u].next == NONE && t->node[u].parent != NONE)
            u = t->node[u].parent;
        if (t->node[u].parent == NONE)
            return reached == known;
        u = t->node[u].next;
    }
}

void gl_tree_fini(struct gl_tree *t, struct gl_pool *pool)
{
    gl_pool_give(pool, t->node, t->clock.cap * sizeof *t->node);
    gl_clock_fini(&t->clock, pool);
    *t = (struct gl_tree){0};
}
