// SPDX-License-Identifier: Apache-2.0
// Threads that compute are cancelled asynchronously, wherever they are, in the runtime too; what they did comes before the
// join. Racy: main writes before it.
#include "tests/programs/invisible.h"

enum { N = 1 << 12, ROUNDS = 20 };
static int mem[N];
int x;

static NOINLINE void touch(void) {
    x = 1; //@race 1 write 4
}

THREAD(computes) {
    touch();
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    turn_pass();
    for (;;) {
        for (int i = 0; i < N; i++)
            mem[i] = i;
        __asm__ volatile("" ::: "memory"); // clang 21 leaves out a loop for ever that nobody reads from
    }
    return NULL;
}

int main(void) {
    for (unsigned k = 0; k < ROUNDS; k++) {
        pthread_t t;
        MUST(pthread_create(&t, NULL, computes, NULL) == 0);
        turn_wait(k + 1);
        if (racy && k == ROUNDS - 1)
            x = 2; //@race 2 write 4
        for (volatile int i = 0; i < 100000; i++) {
        }
        pthread_cancel(t);
        pthread_join(t, NULL);
        for (int i = 0; i < N; i++)
            mem[i] = 0;
    }
    return 0;
}
