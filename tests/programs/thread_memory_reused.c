// SPDX-License-Identifier: Apache-2.0
// Threads come in waves, more at a time than the runtime keeps memory for; each calls 1,500 functions deep, and what they keep there is
// their own.  Then two threads with the same call path, which the waves took before them, each write their own variable.  Racy: the same one.
#include "tests/programs/invisible.h"

enum { WAVES = 3, AT_ONCE = 80, DEEP = 1500 };
_Alignas(8) int x, y;
int sums[AT_ONCE];

__attribute__((noinline)) static int deep(int n) {
    int mine[2] = {n, 1};
    mine[0] = UNKNOWN(mine[0]);
    int below = n ? deep(mine[0] - 1) : 0;
    return below + mine[1];
}

__attribute__((noinline)) static void store(int *place) {
    *place = 1; //@race 1 write 4 in store<first; 2 write 4 in store<second
}

static void *wave(void *place) {
    *(int *)place += deep(DEEP);
    return NULL;
}

THREAD(first) {
    store(&x);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    store(racy ? &x : &y);
    return NULL;
}

int main(void) {
    pthread_t t[AT_ONCE];
    for (int w = 0; w < WAVES; w++) {
        for (int i = 0; i < AT_ONCE; i++)
            MUST(pthread_create(&t[i], NULL, wave, &sums[i]) == 0);
        for (int i = 0; i < AT_ONCE; i++)
            pthread_join(t[i], NULL);
    }
    for (int i = 0; i < AT_ONCE; i++)
        MUST(sums[i] == WAVES * (DEEP + 1));
    RUN(first, second);
    return 0;
}
