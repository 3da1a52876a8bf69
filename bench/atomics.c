// SPDX-License-Identifier: Apache-2.0
//
//     atomics OPERATION own|shared COUNT
//
// Two threads do nothing but one kind of atomic operation, COUNT times each: on a word of their own, or both on the same. Prints how many
// nanoseconds on the clock each took, from the start of the first thread to the end of the last.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { THREADS = 2 };

static struct {
    _Alignas(128) atomic_ulong word;
} own[THREADS], shared;
static const char *operation;
static long count;
static int whose;

static unsigned long run(const char *name, atomic_ulong *p)
{
    unsigned long sum = 0;
#define IS(word) (strcmp(name, word) == 0)
#define LOOP(...)                                                                                                      \
    {                                                                                                                  \
        for (long i = 0; i < count; i++) {                                                                             \
            __VA_ARGS__;                                                                                               \
        }                                                                                                              \
    }
    if (IS("load-relaxed"))
        LOOP(sum += atomic_load_explicit(p, memory_order_relaxed))
    else if (IS("load-acquire"))
        LOOP(sum += atomic_load_explicit(p, memory_order_acquire))
    else if (IS("store-relaxed"))
        LOOP(atomic_store_explicit(p, (unsigned long)i, memory_order_relaxed))
    else if (IS("store-release"))
        LOOP(atomic_store_explicit(p, (unsigned long)i, memory_order_release))
    else if (IS("store-seq-cst"))
        LOOP(atomic_store(p, (unsigned long)i))
    else if (IS("add-relaxed"))
        LOOP(sum += atomic_fetch_add_explicit(p, 1, memory_order_relaxed))
    else if (IS("add-seq-cst"))
        LOOP(sum += atomic_fetch_add(p, 1))
    else if (IS("refcount")) // as of a shared pointer
        LOOP(atomic_fetch_add_explicit(p, 1, memory_order_relaxed); sum += atomic_fetch_sub_explicit(p, 1, memory_order_acq_rel))
    else if (IS("exchange")) // of what was loaded, until nobody comes in between
        LOOP(
            unsigned long was = atomic_load_explicit(p, memory_order_relaxed);
            while (!atomic_compare_exchange_weak_explicit(p, &was, was + 1, memory_order_acq_rel, memory_order_relaxed))
                sum++)
    else {
        fprintf(stderr, "atomics: there is no operation '%s'\n", name);
        exit(2);
    }
    return sum;
}

static void *work(void *word) { return (void *)run(operation, word); }

int main(int argc, char **argv)
{
    whose = argc == 4 && strcmp(argv[2], "shared") == 0;
    if (argc != 4 || (!whose && strcmp(argv[2], "own") != 0) || (count = atol(argv[3])) <= 0) {
        fprintf(stderr, "usage: atomics OPERATION own|shared COUNT\n");
        return 2;
    }
    operation = argv[1];
    pthread_t thread[THREADS];
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&thread[i], NULL, work, whose ? &shared.word : &own[i].word) != 0) {
            fprintf(stderr, "atomics: no thread\n");
            return 2;
        }
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%.2f\n", ((double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec)) / (double)count);
    return 0;
}
