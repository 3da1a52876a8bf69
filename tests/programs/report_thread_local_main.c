// SPDX-License-Identifier: Apache-2.0
// The main thread's thread-local memory, which is not on its stack, is told as such; a static program does not know where it lies, so this one has
// a library. Racy: nothing orders the two.
// report: ^  Location is TLS of main thread
// library: c23
#include "tests/programs/invisible.h"

static _Thread_local int mine;

THREAD(child) {
    if (!racy)
        turn_pass();
    *(int *)arg = 1; //@race 1 write 4
    if (racy)
        turn_pass();
    return NULL;
}

int main(void) {
    pthread_t t;
    MUST(pthread_create(&t, NULL, child, &mine) == 0);
    turn_wait(1);
    if (!racy)
        pthread_join(t, NULL);
    mine = 2; //@race 2 write 4
    if (racy)
        pthread_join(t, NULL);
    return 0;
}
