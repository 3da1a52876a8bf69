/* SPDX-License-Identifier: Apache-2.0
 *
 * Multiset of the 2006 report: multiset [OPERATIONS [THREADS [COST]]], operations of all threads together.  They
 * insert into, delete from and count in one multiset of integers: an array of slots, each with its lock.  An
 * operation is a walk over slots: many short critical sections on few locks.  COST is per slot visited.
 *
 * The check: of each value as many must be there as the threads inserted and did not delete.
 *
 * Reduced: 1000
 */
#include "bench/kernels/cost.h"

#define SLOTS  64
#define VALUES 32

struct slot {
    pthread_mutex_t mutex;
    uint32_t full;  /* guarded by mutex */
    uint32_t value; /* the same; means something only if full */
};

struct tally { /* one thread's, on lines of its own */
    _Alignas(128) uint64_t visits;
    int32_t balance[VALUES]; /* inserted - deleted */
};

static size_t operations, threads;
static struct slot slot[SLOTS];
static struct tally *tally;

static int insert(uint32_t value, uint32_t start, struct tally *mine)
{
    for (uint32_t i = 0; i < SLOTS; i++) {
        struct slot *s = &slot[(start + i) % SLOTS];
        mine->visits++;
        pthread_mutex_lock(&s->mutex);
        int was_free = !s->full;
        if (was_free) {
            s->full = 1;
            s->value = value;
        }
        pthread_mutex_unlock(&s->mutex);
        if (was_free)
            return 1;
    }
    return 0;
}

static int delete (uint32_t value, struct tally *mine)
{
    for (uint32_t i = 0; i < SLOTS; i++) {
        struct slot *s = &slot[i];
        mine->visits++;
        pthread_mutex_lock(&s->mutex);
        int found = s->full && s->value == value;
        if (found)
            s->full = 0;
        pthread_mutex_unlock(&s->mutex);
        if (found)
            return 1;
    }
    return 0;
}

static int32_t count(uint32_t value, struct tally *mine)
{
    int32_t n = 0;
    for (uint32_t i = 0; i < SLOTS; i++) {
        struct slot *s = &slot[i];
        mine->visits++;
        pthread_mutex_lock(&s->mutex);
        n += s->full && s->value == value;
        pthread_mutex_unlock(&s->mutex);
    }
    return n;
}

static void *work(void *self)
{
    size_t me = (size_t)self;
    uint64_t random = kernel_seed(me);
    struct tally *mine = &tally[me];
    size_t left = cost_share(operations, threads, me);
    cost_begin();
    for (; left; left--) {
        uint32_t r = kernel_random(&random), value = r % VALUES, start = (r >> 8) % SLOTS;
        switch ((r >> 16) % 3) {
        case 0:
            mine->balance[value] += insert(value, start, mine);
            break;
        case 1:
            mine->balance[value] -= delete (value, mine);
            break;
        default:
            if (count(value, mine) > SLOTS)
                kernel_wrong("more elements than slots");
        }
    }
    cost_end(me);
    return NULL;
}

int main(int argc, char **argv)
{
    operations = kernel_size(argc, argv, 1, 200000, 1, 1000000000);
    threads = kernel_size(argc, argv, 2, 4, 1, KERNEL_MAX_THREADS);
    tally = aligned_alloc(_Alignof(struct tally), threads * sizeof *tally);
    if (!tally)
        kernel_wrong("no memory for the tallies");
    for (size_t t = 0; t < threads; t++)
        tally[t] = (struct tally){0};
    for (size_t i = 0; i < SLOTS; i++)
        pthread_mutex_init(&slot[i].mutex, NULL);
    cost_threads(threads, work);

    struct tally total = {0}, ours = {0};
    for (size_t t = 0; t < threads; t++) {
        total.visits += tally[t].visits;
        for (uint32_t v = 0; v < VALUES; v++)
            total.balance[v] += tally[t].balance[v];
    }
    for (uint32_t v = 0; v < VALUES; v++) {
        int32_t there = count(v, &ours);
        if (there != total.balance[v])
            kernel_wrong("the value %u is there %d times, not %d", v, there, total.balance[v]);
    }
    free(tally);
    printf("multiset: %zu operations, every element is there\n", operations);
    cost_print(argc, argv, 3, total.visits);
    return 0;
}
