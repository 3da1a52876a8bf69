/* SPDX-License-Identifier: Apache-2.0
 *
 * A B-tree with a reader-writer lock in every node: btree [OPERATIONS [KEYS [THREADS]]], operations per thread, one
 * of eight a counting insert, the others lookups.  The child is locked before the parent is let go; inserts
 * split full nodes on their way down (Cormen, Leiserson, Rivest: B-Tree-Insert), so that they never go back up.
 * The root is read-locked by everybody: locks that many hold at once, and data that many read between writes.
 *
 * The check: keys ascend, all leaves lie equally deep, no node is too empty, and each key was counted as often as the
 * (repeatable) random sequences of all threads inserted it.
 *
 * Reduced: 1500
 */
#include "bench/kernels/kernel.h"

#define HALF 8 /* a node has HALF - 1 ... 2 HALF - 1 keys; the root may have fewer */
#define FULL (2 * HALF - 1)

struct node {
    pthread_rwlock_t lock; /* guards the rest */
    uint32_t n;            /* keys */
    uint32_t leaf;
    uint32_t key[FULL];
    uint32_t count[FULL]; /* inserts of the key */
    struct node *child[FULL + 1];
};

static size_t operations, keys, threads;
static pthread_rwlock_t top = PTHREAD_RWLOCK_INITIALIZER;
static struct node *root; /* guarded by top */

static struct node *new_node(uint32_t leaf)
{
    struct node *n = kernel_array(1, sizeof *n);
    pthread_rwlock_init(&n->lock, NULL);
    n->leaf = leaf;
    return n;
}

/* The first place whose key is not smaller. */
static uint32_t place(const struct node *n, uint32_t key)
{
    uint32_t i = 0;
    while (i < n->n && n->key[i] < key)
        i++;
    return i;
}

/* Makes room at i for one key, and for the child behind it. */
static void shift(struct node *n, uint32_t i)
{
    for (uint32_t k = n->n; k > i; k--) {
        n->key[k] = n->key[k - 1];
        n->count[k] = n->count[k - 1];
        n->child[k + 1] = n->child[k];
    }
    n->n++;
}

/* Cuts the full child i of n in two; n is not full, both are write-locked.  The new one is child i + 1, and only
 * who holds n can reach it. */
static void split(struct node *n, uint32_t i)
{
    struct node *left = n->child[i], *right = new_node(left->leaf);
    for (uint32_t k = 0; k < HALF - 1; k++) {
        right->key[k] = left->key[HALF + k];
        right->count[k] = left->count[HALF + k];
    }
    for (uint32_t k = 0; k < HALF; k++)
        right->child[k] = left->child[HALF + k];
    right->n = left->n = HALF - 1;
    shift(n, i);
    n->key[i] = left->key[HALF - 1];
    n->count[i] = left->count[HALF - 1];
    n->child[i + 1] = right;
}

/* The root, write-locked and not full. */
static struct node *root_for_insert(void)
{
    pthread_rwlock_wrlock(&top);
    struct node *r = root;
    pthread_rwlock_wrlock(&r->lock);
    if (r->n == FULL) {
        /* Who holds top keeps others away from r meanwhile; locks are taken from the top down, as everywhere. */
        pthread_rwlock_unlock(&r->lock);
        struct node *s = new_node(0);
        pthread_rwlock_wrlock(&s->lock);
        pthread_rwlock_wrlock(&r->lock);
        s->child[0] = r;
        split(s, 0);
        pthread_rwlock_unlock(&r->lock);
        root = r = s;
    }
    pthread_rwlock_unlock(&top);
    return r;
}

static void insert(uint32_t key)
{
    struct node *n = root_for_insert();
    for (;;) {
        uint32_t i = place(n, key);
        if (i < n->n && n->key[i] == key) {
            n->count[i]++;
            break;
        }
        if (n->leaf) {
            shift(n, i);
            n->key[i] = key;
            n->count[i] = 1;
            break;
        }
        struct node *child = n->child[i];
        pthread_rwlock_wrlock(&child->lock);
        if (child->n == FULL) {
            split(n, i);
            pthread_rwlock_unlock(&child->lock);
            continue; /* the key may be n's now, or in the other half */
        }
        pthread_rwlock_unlock(&n->lock);
        n = child;
    }
    pthread_rwlock_unlock(&n->lock);
}

static uint32_t look_up(uint32_t key)
{
    pthread_rwlock_rdlock(&top);
    struct node *n = root;
    pthread_rwlock_rdlock(&n->lock);
    pthread_rwlock_unlock(&top);
    for (;;) {
        uint32_t i = place(n, key);
        int found = i < n->n && n->key[i] == key;
        if (found || n->leaf) {
            uint32_t count = found ? n->count[i] : 0;
            pthread_rwlock_unlock(&n->lock);
            return count;
        }
        struct node *child = n->child[i];
        pthread_rwlock_rdlock(&child->lock);
        pthread_rwlock_unlock(&n->lock);
        n = child;
    }
}

/* The operation of a thread that comes next: which key, and whether it inserts. */
static uint32_t pick(uint64_t *random, int *inserts)
{
    uint32_t r = kernel_random(random);
    *inserts = (r & 7) == 0;
    return (r >> 3) % (uint32_t)keys;
}

static void *work(void *self)
{
    uint64_t random = kernel_seed((size_t)self);
    for (size_t i = 0; i < operations; i++) {
        int inserts;
        uint32_t key = pick(&random, &inserts);
        if (inserts)
            insert(key);
        else if (look_up(key) > operations * threads)
            kernel_wrong("key %u was counted more often than there were operations", key);
    }
    return NULL;
}

/* Checks and frees what is below n, whose keys must lie in [least, end); returns its height. */
static size_t take_down(struct node *n, uint32_t *expected, uint64_t least, uint64_t end)
{
    size_t height = 0;
    if (n != root && n->n < HALF - 1)
        kernel_wrong("a node has %u keys only", n->n);
    for (uint32_t i = 0; i <= n->n; i++) {
        uint64_t bound = i < n->n ? n->key[i] : end;
        if (bound < least || bound > end)
            kernel_wrong("key %llu is out of order", (unsigned long long)bound);
        if (!n->leaf) {
            size_t h = take_down(n->child[i], expected, least, bound);
            if (i > 0 && h != height)
                kernel_wrong("leaves lie %zu and %zu deep", h, height);
            height = h;
        }
        if (i == n->n)
            break;
        if (n->count[i] == 0 || n->count[i] != expected[n->key[i]])
            kernel_wrong("key %u was counted %u times, not %u", n->key[i], n->count[i], expected[n->key[i]]);
        expected[n->key[i]] = 0; /* met: a second one of this key is wrong */
        least = bound + 1;
    }
    pthread_rwlock_destroy(&n->lock);
    free(n);
    return height + 1;
}

int main(int argc, char **argv)
{
    operations = kernel_size(argc, argv, 1, 300000, 1, 1000000000);
    keys = kernel_size(argc, argv, 2, 100000, 1, 1u << 29);
    threads = kernel_size(argc, argv, 3, 2, 1, KERNEL_MAX_THREADS);
    root = new_node(1);
    kernel_threads(threads, work);

    uint32_t *expected = kernel_array(keys, sizeof *expected);
    size_t inserted = 0;
    for (size_t t = 0; t < threads; t++) {
        uint64_t random = kernel_seed(t);
        for (size_t i = 0; i < operations; i++) {
            int inserts;
            uint32_t key = pick(&random, &inserts);
            expected[key] += (uint32_t)inserts;
            inserted += (size_t)inserts;
        }
    }
    take_down(root, expected, 0, keys);
    for (size_t k = 0; k < keys; k++)
        if (expected[k])
            kernel_wrong("key %zu is missing", k);
    free(expected);
    printf("btree: %zu operations, %zu inserts, every key found\n", operations * threads, inserted);
    return 0;
}
