/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads by the hundred that meet at one counter, by hand: `crowd 600 2`, 600 threads, each of which reads the counter, waits for the others, and adds to it twice.
 * The additions wait for one another inside the runtime, so this shows what waiting costs.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 4000, STACK = 1 << 16 };

static int counter, times;
static pthread_barrier_t all_have_read;

static void *add(void *seen)
{
    *(int *)seen = counter;
    pthread_barrier_wait(&all_have_read);
    for (int i = 0; i < times; i++)
        __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(int argc, char **argv)
{
    static pthread_t threads[MOST];
    static int seen[MOST];
    int n = argc > 1 ? atoi(argv[1]) : 0;
    times = argc > 2 ? atoi(argv[2]) : 1;
    if (n < 1 || n > MOST || times < 1) {
        fprintf(stderr, "usage: crowd THREADS [TIMES]   (up to %d threads)\n", MOST);
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
