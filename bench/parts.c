/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads that read the same words in different parts, each time in a segment of their own: two texts compared up to 5 bytes and up to 6, by turns, or always
 * up to 8.  By hand:
 *
 *     goldilocks cc -O2 bench/parts.c -o parts && time ./parts 100 500          (and with gcc -fsanitize=thread)
 *     goldilocks cc -O2 -DSAME bench/parts.c -o parts && time ./parts 100 500
 *
 * THREADS, and rounds of ten comparisons for each.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SAME
#define BYTES(k) 8
#else
#define BYTES(k) (5 + (k) % 2)
#endif

enum { MOST = 1000, COMPARED = 10 };

static const char text[256] __attribute__((aligned(64))) =
    "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int rounds;

static void *compare(void *unused)
{
    long differences = 0;
    (void)unused;
    for (int i = 0; i < rounds; i++) {
        pthread_rwlock_rdlock(&lock); /* a new segment */
        pthread_rwlock_unlock(&lock);
        for (int k = 0; k < COMPARED; k++)
            differences += memcmp(text, text + 52, BYTES(k)) != 0;
    }
    return (void *)differences;
}

int main(int argc, char **argv)
{
    pthread_t thread[MOST];
    int n = argc > 2 ? atoi(argv[1]) : 0;
    if (n < 1 || n > MOST || (rounds = atoi(argv[2])) < 1) {
        fprintf(stderr, "usage: parts THREADS ROUNDS, with 1 to %d threads\n", MOST);
        return 2;
    }
    for (int i = 0; i < n; i++)
        if (pthread_create(&thread[i], NULL, compare, NULL) != 0)
            return 1;
    long differences = 0;
    for (int i = 0; i < n; i++) {
        void *some;
        pthread_join(thread[i], &some);
        differences += (long)some;
    }
    return differences != 0;
}
