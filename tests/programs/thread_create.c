// SPDX-License-Identifier: Apache-2.0
// A new thread comes after what its creator did before. Racy: the creator writes once more after the creation.
#include "tests/programs/invisible.h"

int x;

THREAD(child) {
    turn_wait(1);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    pthread_t t;
    x = 1;
    MUST(pthread_create(&t, NULL, child, NULL) == 0);
    if (racy)
        x = 2; //@race 1 write 4 in main
    turn_pass();
    pthread_join(t, NULL);
    return 0;
}
