// SPDX-License-Identifier: Apache-2.0
// Accesses of 1, 2, 4 and 8 bytes, and floating point. Racy: no mutex.
#include "tests/programs/invisible.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
_Alignas(8) char a;
_Alignas(8) short b;
_Alignas(8) int c;
_Alignas(8) long d;
_Alignas(8) float e;
_Alignas(8) double f;

THREAD(first) {
    pthread_mutex_lock(&m);
    a = 1; //@race A1 write 1
    b = 1; //@race B1 write 2
    c = 1; //@race C1 write 4
    d = 1; //@race D1 write 8
    e = 1; //@race E1 write 4
    f = 1; //@race F1 write 8
    if (!racy)
        pthread_mutex_unlock(&m);
    turn_pass();
    turn_wait(2);
    if (racy)
        pthread_mutex_unlock(&m);
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (!racy)
        pthread_mutex_lock(&m);
    USE(a); //@race A2 read 1
    USE(b); //@race B2 read 2
    USE(c); //@race C2 read 4
    USE(d); //@race D2 read 8
    e = 2; //@race E2 write 4
    f = 2; //@race F2 write 8
    if (!racy)
        pthread_mutex_unlock(&m);
    turn_pass();
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
