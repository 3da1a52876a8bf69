/* SPDX-License-Identifier: Apache-2.0
 *
 * Many locks that are taken under one: what the graph of the order of locks costs.  By hand:
 *
 *     build/goldilocks cc -O1 -g bench/lock_order.c -o lock_order && ./lock_order 100000
 *     gcc -fsanitize=thread -O1 -g bench/lock_order.c -o lock_order && ./lock_order 100000
 *
 * Prints the processor's seconds of: taking all under one, twice; destroying all, oldest first.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double since(clock_t begun) { return (double)(clock() - begun) / CLOCKS_PER_SEC; }

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100000;
    pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, *locks = calloc(n > 0 ? (size_t)n : 0, sizeof *locks);
    if (n <= 0 || !locks)
        return fprintf(stderr, "lock_order: give a number of locks that there is memory for\n"), 2;
    for (int i = 0; i < n; i++)
        pthread_mutex_init(&locks[i], NULL);
    for (int round = 0; round < 2; round++) {
        clock_t begun = clock();
        for (int i = 0; i < n; i++) {
            pthread_mutex_lock(&first);
            pthread_mutex_lock(&locks[i]);
            pthread_mutex_unlock(&locks[i]);
            pthread_mutex_unlock(&first);
        }
        printf("taken under one %.2f\n", since(begun));
    }
    clock_t begun = clock();
    for (int i = 0; i < n; i++)
        pthread_mutex_destroy(&locks[i]);
    printf("destroyed %.2f\n", since(begun));
    free(locks);
    return 0;
}
