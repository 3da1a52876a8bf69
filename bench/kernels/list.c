/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorted lists with a lock in every node, walked hand over hand: list [OPERATIONS [KEYS [THREADS]]], operations per
 * thread, a third each of inserts, deletes and lookups.  The next node is locked before the last is let go, so
 * there is a lock and an unlock for every two or three accesses, and locks are made and destroyed all the time.
 *
 * The check: the lists are sorted, each key is there as often (0 or 1) as the successful operations say, and no
 * node is lost.
 *
 * Reduced: 2500
 */
#include "bench/kernels/kernel.h"

#define LISTS 8 /* a key's list is KEY % LISTS */

struct node {
    pthread_mutex_t mutex; /* guards the rest */
    struct node *next;
    uint32_t key;
};

struct tally {        /* one thread's */
    int64_t nodes;    /* made - destroyed */
    int32_t *present; /* of each key: inserted - deleted */
};

static size_t operations, keys, threads;
static struct node head[LISTS]; /* before the smallest key; never deleted */
static struct tally tally[KERNEL_MAX_THREADS];

/* The last node of the list with a smaller key, and the one after it (NULL at the end), both locked. */
static struct node *walk(uint32_t key, struct node **after)
{
    struct node *before = &head[key % LISTS];
    pthread_mutex_lock(&before->mutex);
    struct node *n;
    while ((n = before->next)) {
        pthread_mutex_lock(&n->mutex);
        if (n->key >= key)
            break;
        pthread_mutex_unlock(&before->mutex);
        before = n;
    }
    *after = n;
    return before;
}

static void insert(uint32_t key, struct node *before, struct node *after, struct tally *mine)
{
    if (after && after->key == key)
        return;
    struct node *n = malloc(sizeof *n);
    if (!n)
        kernel_wrong("no memory for a node");
    pthread_mutex_init(&n->mutex, NULL);
    n->next = after;
    n->key = key;
    before->next = n;
    mine->nodes++;
    mine->present[key]++;
}

/* Whoever would lock the node must hold the one before it, which we do: nobody waits for it. */
static struct node *unlink_key(uint32_t key, struct node *before, struct node *after, struct tally *mine)
{
    if (!after || after->key != key)
        return after;
    before->next = after->next;
    pthread_mutex_unlock(&after->mutex);
    pthread_mutex_destroy(&after->mutex);
    free(after);
    mine->nodes--;
    mine->present[key]--;
    return NULL;
}

static void *work(void *self)
{
    struct tally *mine = &tally[(size_t)self];
    uint64_t random = kernel_seed((size_t)self);
    for (size_t n = 0; n < operations; n++) {
        uint32_t r = kernel_random(&random), key = (r >> 2) % (uint32_t)keys;
        struct node *after, *before = walk(key, &after);
        switch (r % 3) {
        case 0:
            insert(key, before, after, mine);
            break;
        case 1:
            after = unlink_key(key, before, after, mine);
            break;
        default:
            if (after && after->key < key)
                kernel_wrong("the walk to %u went too short", key);
        }
        if (after)
            pthread_mutex_unlock(&after->mutex);
        pthread_mutex_unlock(&before->mutex);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    operations = kernel_size(argc, argv, 1, 80000, 1, 1000000000);
    keys = kernel_size(argc, argv, 2, 512, 1, 1000000);
    threads = kernel_size(argc, argv, 3, 2, 1, KERNEL_MAX_THREADS);
    for (size_t l = 0; l < LISTS; l++)
        pthread_mutex_init(&head[l].mutex, NULL);
    for (size_t t = 0; t < threads; t++)
        tally[t].present = kernel_array(keys, sizeof *tally[t].present);
    kernel_threads(threads, work);

    int64_t nodes = 0;
    for (size_t t = 1; t < threads; t++)
        for (size_t k = 0; k < keys; k++)
            tally[0].present[k] += tally[t].present[k];
    for (size_t t = 0; t < threads; t++)
        nodes += tally[t].nodes;
    for (size_t l = 0; l < LISTS; l++)
        for (struct node *n = head[l].next, *next; n; n = next) {
            next = n->next;
            if (n->key >= keys || n->key % LISTS != l || (next && next->key <= n->key))
                kernel_wrong("key %u is out of place", n->key);
            if (--tally[0].present[n->key] != 0)
                kernel_wrong("key %u should not be there", n->key);
            nodes--;
            free(n);
        }
    for (size_t k = 0; k < keys; k++)
        if (tally[0].present[k] != 0)
            kernel_wrong("key %zu is missing", k);
    if (nodes != 0)
        kernel_wrong("%lld nodes are lost", (long long)nodes);
    for (size_t t = 0; t < threads; t++)
        free(tally[t].present);
    printf("list: %zu operations, every key accounted for\n", operations * threads);
    return 0;
}
