/* SPDX-License-Identifier: Apache-2.0
 *
 * What the kernels share: sizes from the command line, threads that must start, and a random number
 * generator that is the same everywhere.  Promises that a kernel ends with 0 only if its own check
 * held: kernel_wrong() is the only other way out.  Everything is inline, so that each kernel is one
 * object file and its accesses are instrumented with it.
 */
#ifndef GL_BENCH_KERNEL_H
#define GL_BENCH_KERNEL_H

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define KERNEL_MAX_THREADS 1024

#define kernel_wrong(...)                       \
    do {                                        \
        fprintf(stderr, "wrong: " __VA_ARGS__); \
        fputc('\n', stderr);                    \
        exit(1);                                \
    } while (0)

/* The number in argv[at], or `otherwise` if there is none; it must lie in [least, most]. */
static inline size_t kernel_size(int argc, char **argv, int at, size_t otherwise, size_t least, size_t most)
{
    if (at >= argc)
        return otherwise;
    char *end;
    errno = 0;
    unsigned long long n = strtoull(argv[at], &end, 10);
    if (errno || *end || end == argv[at] || n < least || n > most) {
        fprintf(stderr, "%s: argument %d must be a number from %zu to %zu, not '%s'\n", argv[0], at, least,
                most, argv[at]);
        exit(2);
    }
    return n;
}

/* Memory for n objects, zeroed; there is no way to go on without it. */
static inline void *kernel_array(size_t n, size_t size)
{
    void *p = calloc(n, size);
    if (!p) {
        fprintf(stderr, "no memory for %zu objects of %zu bytes\n", n, size);
        exit(2);
    }
    return p;
}

/* Runs body(0) ... body(threads - 1), each on a thread of its own, and waits for all of them. */
static inline void kernel_threads(size_t threads, void *(*body)(void *))
{
    pthread_t t[KERNEL_MAX_THREADS];
    for (size_t i = 0; i < threads; i++)
        if (pthread_create(&t[i], NULL, body, (void *)i)) {
            fprintf(stderr, "thread %zu could not be started\n", i);
            exit(2);
        }
    for (size_t i = 0; i < threads; i++)
        pthread_join(t[i], NULL);
}

/* xorshift64*: the state lives with the caller and must not be 0. */
static inline uint32_t kernel_random(uint64_t *state)
{
    uint64_t x = *state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return (x * 0x2545F4914F6CDD1Dull) >> 32;
}

/* A state for kernel_random(), far from that of every other n (splitmix64). */
static inline uint64_t kernel_seed(uint64_t n)
{
    uint64_t z = (n + 1) * 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return (z ^ (z >> 31)) | 1;
}

#endif
