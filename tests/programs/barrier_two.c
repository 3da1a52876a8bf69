// SPDX-License-Identifier: Apache-2.0
// Two barriers order nothing between each other. Racy: each pair of threads meets at its own barrier.
#include "tests/programs/invisible.h"

static pthread_barrier_t b[2];
int x;

static void *meet(void *arg) {
    pthread_barrier_wait(arg);
    return NULL;
}

static void *first(void *arg) {
    x = 1; //@race 1 write 4
    pthread_barrier_wait(arg);
    turn_pass();
    return NULL;
}

static void *second(void *arg) {
    turn_wait(racy ? 1 : 0);
    pthread_barrier_wait(arg);
    x = 2; //@race 2 write 4
    return NULL;
}

int main(void) {
    pthread_barrier_t *other = racy ? &b[1] : &b[0];
    pthread_t t[4];
    for (int i = 0; i < 2; i++)
        MUST(pthread_barrier_init(&b[i], NULL, racy ? 2 : 4) == 0);
    pthread_create(&t[0], NULL, first, &b[0]);
    pthread_create(&t[1], NULL, second, other);
    pthread_create(&t[2], NULL, meet, &b[0]);
    pthread_create(&t[3], NULL, meet, other);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
