// SPDX-License-Identifier: Apache-2.0
// A tryjoin orders when it succeeds. Racy: it fails because the thread still runs, and the creator reads all the same.
#include "tests/programs/invisible.h"
#include <errno.h>

int x;

THREAD(child) {
    x = 1; //@race 1 write 4
    turn_pass();
    if (racy)
        turn_wait(2);
    return NULL;
}

int main(void) {
    pthread_t t;
    int result;
    MUST(pthread_create(&t, NULL, child, NULL) == 0);
    turn_wait(1);
    while ((result = pthread_tryjoin_np(t, NULL)) == EBUSY && !racy)
        hidden_yield();
    USE(x); //@race 2 read 4
    turn_pass();
    if (result == EBUSY)
        pthread_join(t, NULL);
    return 0;
}
