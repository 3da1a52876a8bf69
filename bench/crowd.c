/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads by the hundred that meet at one counter, by hand: `crowd 600 2`, 600 threads, each of which reads the counter, waits for the others, and adds to it twice.
 * The additions wait for one another inside the runtime, so this shows what waiting costs.  `crowd 200 2000 swap` adds by compare-and-swap, until it succeeds.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4000, STACK = 1 << 16 };

static int counter, times;
static bool swap;
static pthread_barrier_t all_have_read;

static void *add(void *seen)
{
    *(int *)seen = counter;
    pthread_barrier_wait(&all_have_read);
    for (int i = 0; i < times && !swap; i++)
        __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
    for (int i = 0; i < times && swap; i++) {
        int was = __atomic_load_n(&counter, __ATOMIC_SEQ_CST);
        while (!__atomic_compare_exchange_n(&counter, &was, was + 1, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            continue;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    static pthread_t threads[MOST];
    static int seen[MOST];
    int n = argc > 1 ? atoi(argv[1]) : 0;
    times = argc > 2 ? atoi(argv[2]) : 1;
    swap = argc > 3 && strcmp(argv[3], "swap") == 0;
    if (n < 1 || n > MOST || times < 1 || argc > 3 + swap) {
        fprintf(stderr, "usage: crowd THREADS [TIMES [swap]]   (up to %d threads)\n", MOST);
        return 2;
    }
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK);
    pthread_barrier_init(&all_have_read, NULL, (unsigned)n);
    for (int i = 0; i < n; i++)
        if (pthread_create(&threads[i], &attr, add, &seen[i]) != 0) {
            fprintf(stderr, "crowd: only %d threads could be created\n", i);
            return 2;
        }
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    if (counter != n * times) {
        fprintf(stderr, "crowd: %d additions were lost\n", n * times - counter);
        return 1;
    }
    return 0;
}
