// SPDX-License-Identifier: Apache-2.0
// A barrier is used many times; each generation orders only what came before it. Three threads pass ten generations
// and take turns in writing. Racy: after the last generation two of them write.
#include "tests/programs/invisible.h"

static pthread_barrier_t b;
static int number[3] = {0, 1, 2};
int x;

static void *phases(void *arg) {
    int me = *(int *)arg;
    for (int generation = 0; generation < 10; generation++) {
        if (generation % 3 == me)
            x = generation;
        pthread_barrier_wait(&b);
    }
    if (me == 0) {
        x = 10; //@race 1 write 4
        turn_pass();
    }
    if (racy && me == 1) {
        turn_wait(1);
        x = 11; //@race 2 write 4
    }
    return NULL;
}

int main(void) {
    pthread_t t[3];
    MUST(pthread_barrier_init(&b, NULL, 3) == 0);
    for (int i = 0; i < 3; i++)
        MUST(pthread_create(&t[i], NULL, phases, &number[i]) == 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    USE(x);
    return 0;
}
