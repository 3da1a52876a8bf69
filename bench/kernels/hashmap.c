/* SPDX-License-Identifier: Apache-2.0
 *
 * A hash map under striped mutexes: hashmap [OPERATIONS [KEYS [THREADS]]], operations per thread, one
 * of four a counting insert, the others lookups.  Every operation is a lock, a walk along a short
 * chain, an unlock: the price of synchronization itself, and of data whose owner changes all the time.
 *
 * The check: each key's count must be the number of inserts that the (repeatable) random sequences of
 * all threads hold, and no other key may exist.
 *
 * Reduced: 8000 2000
 */
#include "bench/kernels/kernel.h"

#define STRIPES 256
#define BUCKETS 16384 /* a multiple of STRIPES: a bucket belongs to one stripe */

struct entry {
    struct entry *next;
    uint32_t key;
    uint32_t count; /* inserts of this key */
};

struct stripe {
    pthread_mutex_t mutex;
    uint64_t hits; /* lookups that found their key; guarded by mutex */
};

static size_t operations, keys, threads;
static struct stripe stripe[STRIPES];
static struct entry *bucket[BUCKETS]; /* [b] and its entries: guarded by stripe[b % STRIPES].mutex */

static struct entry *find(uint32_t key, uint32_t b)
{
    struct entry *e = bucket[b];
    while (e && e->key != key)
        e = e->next;
    return e;
}

static void insert(uint32_t key, uint32_t b)
{
    struct entry *e = find(key, b);
    if (!e) {
        e = malloc(sizeof *e);
        if (!e)
            kernel_wrong("no memory for an entry");
        *e = (struct entry){bucket[b], key, 0};
        bucket[b] = e;
    }
    e->count++;
}

/* The operation n of a thread: which key, and whether it inserts. */
static uint32_t pick(uint64_t *random, int *inserts)
{
    uint32_t r = kernel_random(random);
    *inserts = (r & 3) == 0;
    return (r >> 2) % (uint32_t)keys;
}

static uint32_t place(uint32_t key)
{
    return (key * 2654435761u) >> 18; /* 14 bits: < BUCKETS */
}

static void *work(void *self)
{
    uint64_t random = kernel_seed((size_t)self);
    for (size_t n = 0; n < operations; n++) {
        int inserts;
        uint32_t key = pick(&random, &inserts), b = place(key), s = b % STRIPES;
        pthread_mutex_lock(&stripe[s].mutex);
        if (inserts)
            insert(key, b);
        else if (find(key, b))
            stripe[s].hits++;
        pthread_mutex_unlock(&stripe[s].mutex);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    operations = kernel_size(argc, argv, 1, 2000000, 1, 1000000000);
    keys = kernel_size(argc, argv, 2, 65536, 1, 1u << 30);
    threads = kernel_size(argc, argv, 3, 4, 1, KERNEL_MAX_THREADS);
    for (size_t s = 0; s < STRIPES; s++)
        pthread_mutex_init(&stripe[s].mutex, NULL);
    kernel_threads(threads, work);

    uint32_t *expected = kernel_array(keys, sizeof *expected);
    uint64_t inserted = 0, hits = 0;
    for (size_t t = 0; t < threads; t++) {
        uint64_t random = kernel_seed(t);
        for (size_t n = 0; n < operations; n++) {
            int inserts;
            uint32_t key = pick(&random, &inserts);
            expected[key] += inserts;
            inserted += inserts;
        }
    }
    for (uint32_t b = 0; b < BUCKETS; b++)
        for (struct entry *e = bucket[b], *next; e; e = next) {
            next = e->next;
            if (e->key >= keys || place(e->key) != b)
                kernel_wrong("bucket %u holds the key %u, which is not its own", b, e->key);
            if (e->count != expected[e->key] || e->count == 0)
                kernel_wrong("key %u was counted %u times, not %u", e->key, e->count, expected[e->key]);
            expected[e->key] = 0; /* met: a second entry of this key is wrong */
            free(e);
        }
    for (uint32_t k = 0; k < keys; k++)
        if (expected[k])
            kernel_wrong("key %u is missing", k);
    for (size_t s = 0; s < STRIPES; s++)
        hits += stripe[s].hits;
    if (hits > operations * threads - inserted)
        kernel_wrong("%llu lookups hit, more than there were", (unsigned long long)hits);
    printf("hashmap: %zu operations, %llu inserts, every key found\n", operations * threads,
           (unsigned long long)inserted);
    free(expected);
    return 0;
}
