// SPDX-License-Identifier: Apache-2.0
// 400 short threads, one after the other, each joined: all in order. Racy: one thread that started before them all
// writes, and so does the last of them.
// peer-skip clang: libtsan v3 forgets the first write after so many threads
#include "tests/programs/invisible.h"

enum { THREADS = 400 };
_Alignas(8) int x, y;

THREAD(long_lived) {
    x = 1; //@race 1 write 4
    turn_pass();
    turn_wait(2);
    return NULL;
}

THREAD(brief) {
    y++;
    return NULL;
}

THREAD(last) {
    if (racy)
        x = 2; //@race 2 write 4
    return NULL;
}

int main(void) {
    pthread_t t;
    MUST(pthread_create(&t, NULL, long_lived, NULL) == 0);
    turn_wait(1);
    for (int i = 0; i < THREADS; i++)
        RUN(brief);
    RUN(last);
    turn_pass();
    pthread_join(t, NULL);
    return y == THREADS ? 0 : 1;
}
