// SPDX-License-Identifier: Apache-2.0
// What pthread_create, thrd_create and pthread_setcanceltype write is written by their caller; the new thread comes after it. Racy: others read it without order.
#include "tests/programs/invisible.h"
#include <threads.h>

_Alignas(8) pthread_t id;
_Alignas(8) thrd_t other_id;
_Alignas(8) int old;

THREAD(own_reader) {
    USE(id);
    return NULL;
}

static int other_reader(void *arg) {
    (void)arg;
    USE(other_id);
    return 0;
}

THREAD(makes) {
    MUST(pthread_create(&id, NULL, own_reader, NULL) == 0);                 //@race A1 write 8
    MUST(thrd_create(&other_id, other_reader, NULL) == thrd_success);       //@race B1 write 8
    MUST(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old) == 0);        //@race C1 write 4
    turn_pass();
    return NULL;
}

THREAD(reads) {
    turn_wait(1);
    if (racy) {
        USE(id);       //@race A2 read 8
        USE(other_id); //@race B2 read 8
        USE(old);      //@race C2 read 4
    }
    return NULL;
}

int main(void) {
    RUN(makes, reads);
    pthread_join(id, NULL);
    thrd_join(other_id, NULL);
    return 0;
}
