/* SPDX-License-Identifier: Apache-2.0
 *
 * Binary trees that are built, counted and thrown away: tree [DEPTH [TREES [THREADS]]], trees per thread.  Nearly
 * all is malloc and free of small objects, whose memory soon comes back as other objects, perhaps of another
 * thread: what a tool does when memory is allocated and freed.  One tree of main's is read by all threads meanwhile.
 *
 * The check: the nodes of each tree and the sum of their numbers.
 *
 * Reduced: 10 20
 */
#include "bench/kernels/kernel.h"

struct node {
    struct node *left, *right;
    uint64_t number; /* as in a heap: 1 is the root, 2n and 2n + 1 are below n */
};

static size_t depth, trees, threads;
static struct node *standing; /* built before the threads start */

static struct node *build(size_t levels, uint64_t number)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        kernel_wrong("no memory for a node");
    n->number = number;
    n->left = levels ? build(levels - 1, 2 * number) : NULL;
    n->right = levels ? build(levels - 1, 2 * number + 1) : NULL;
    return n;
}

static uint64_t sum(const struct node *n) { return n ? n->number + sum(n->left) + sum(n->right) : 0; }

static void release(struct node *n)
{
    if (!n)
        return;
    release(n->left);
    release(n->right);
    free(n);
}

static void check(const struct node *n)
{
    uint64_t nodes = (2ull << depth) - 1; /* numbered 1 ... nodes */
    if (sum(n) != nodes * (nodes + 1) / 2)
        kernel_wrong("a tree adds up to %llu", (unsigned long long)sum(n));
}

static void *plant(void *self)
{
    (void)self;
    for (size_t t = 0; t < trees; t++) {
        struct node *n = build(depth, 1);
        check(n);
        release(n);
        if (t % 8 == 0)
            check(standing);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    depth = kernel_size(argc, argv, 1, 14, 0, 24);
    trees = kernel_size(argc, argv, 2, 30, 1, 1000000);
    threads = kernel_size(argc, argv, 3, 2, 1, KERNEL_MAX_THREADS);
    standing = build(depth, 1);
    kernel_threads(threads, plant);
    release(standing);
    printf("tree: %zu trees of depth %zu, every node counted\n", threads * trees, depth);
    return 0;
}
