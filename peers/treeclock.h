/* SPDX-License-Identifier: Apache-2.0
 *
 * Tree clocks (Mathur, Pavlogiannis, Tunc, Viswanathan: "A Tree Clock Data Structure for Causal Orderings in
 * Concurrent Executions", ASPLOS 2022, Algorithm 2): a vector clock that also remembers through whom each number came,
 * so that a join or a copy visits only the numbers that change, and their neighbours.
 *
 * The numbers themselves lie in an ordinary struct gl_clock: whoever only reads does not see the tree.
 *
 * The tree: a node per known thread; the root is the thread whose clock this is, or who released the lock.  A child v of
 * u says: u learned v's number, and all that v knew then, at u's epoch `learned`.  Hence
 *
 *   (1)  whoever knows u at an epoch >= learned(v) knows v at its number here        (indirect monotonicity)
 *   (2)  whoever knows v at its number here knows the whole subtree of v              (direct monotonicity)
 *
 * and siblings lie in descending order of `learned`.  Both hold because a thread's epoch ends with each export of
 * its clock (hb_sync.c), so what it learns afterwards belongs to an epoch that nobody else knows yet.
 *
 * Where we go beyond the paper: objects that gather clocks of several threads (volatiles, semaphores, barriers) have no root, and
 * keep an ordinary clock.  A thread that joins such a clock hangs every number that it did not know below its own root;
 * (1) and (2) hold for each, and its subtree stays, as it does in a join.
 */
#ifndef GL_PEERS_TREECLOCK_H
#define GL_PEERS_TREECLOCK_H

#include "peers/clock.h"

struct gl_tree_node; /* treeclock.c */

struct gl_tree {
    struct gl_clock clock;     /* a thread is in the tree iff its number is not 0 */
    struct gl_tree_node *node; /* by thread, clock.cap of them; NULL: an ordinary clock */
    uint32_t root;
};

/* Threads to visit, while a clock changes; shared by all clocks of one detector. */
struct gl_tree_walk {
    uint32_t *thread;
    uint32_t n, cap;
};

/* The clock of a thread that has just begun: it knows its own epoch `number`.  False: no memory. */
bool gl_tree_start(struct gl_tree *t, struct gl_pool *pool, uint32_t thread, uint32_t number);

/* t := t joined with the clock of another thread, or of a lock; t is a thread's.  False: no memory; unchanged. */
bool gl_tree_join(struct gl_tree *t, struct gl_pool *pool, struct gl_tree_walk *walk,
                  const struct gl_tree *from);

/* The same with an ordinary clock, which never knows more of t's root than t does. */
bool gl_tree_join_clock(struct gl_tree *t, struct gl_pool *pool, const struct gl_clock *from);

/* lock := t, where lock <= t: the lock is empty, or its last holder released it before t took it.  False: no memory;
 * unchanged. */
bool gl_tree_copy_monotone(struct gl_tree *lock, struct gl_pool *pool, struct gl_tree_walk *walk,
                           const struct gl_tree *t);

/* Does the tree hold what the comment on top says, as far as one tree can tell?  For tests. */
bool gl_tree_is_valid(const struct gl_tree *t);

void gl_tree_fini(struct gl_tree *t, struct gl_pool *pool);

#endif
