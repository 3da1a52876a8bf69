// SPDX-License-Identifier: Apache-2.0
// A join comes after all that the thread did. Racy: the creator reads before it joins.
#include "tests/programs/invisible.h"

int x;

THREAD(child) {
    x = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

int main(void) {
    pthread_t t;
    MUST(pthread_create(&t, NULL, child, NULL) == 0);
    turn_wait(1);
    if (!racy)
        pthread_join(t, NULL);
    USE(x); //@race 2 read 4
    if (racy)
        pthread_join(t, NULL);
    return 0;
}
