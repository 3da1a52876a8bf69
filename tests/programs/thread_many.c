// SPDX-License-Identifier: Apache-2.0
// 64 threads at the same time, each with its own element. Racy: the last one writes the first one's element.
#include "tests/programs/invisible.h"

enum { THREADS = 64 };
static int number[THREADS];
int x[THREADS];

static void *work(void *arg) {
    int me = *(int *)arg;
    int last = me == THREADS - 1;
    if (racy && last)
        turn_wait(THREADS - 1);
    int *mine = racy && last ? &x[0] : &x[me];
    *mine = 1; //@race 1 write 4; 2 write 4
    turn_pass();
    turn_wait(THREADS);
    return NULL;
}

int main(void) {
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++) {
        number[i] = i;
        MUST(pthread_create(&t[i], NULL, work, &number[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
