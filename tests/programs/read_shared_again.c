// SPDX-License-Identifier: Apache-2.0
// Two threads read the same words thousands of times without synchronization in between, which the engine comes to keep in another way than
// after the first reads.  Then a third writes one of them, after both; racy: the second has not been waited for.
#include "tests/programs/invisible.h"

enum { TIMES = 3000 };
_Alignas(8) int x, y;
_Alignas(8) char z[8];

static void read_on(void) {
    for (int i = 0; i < TIMES; i++) {
        USE(y);
        USE(z[3]);
        USE(x); //@race 1 read 4 in read_on<second
    }
}

THREAD(first) {
    read_on();
    turn_pass();
    turn_wait(2);
    read_on();
    turn_pass();
    turn_wait(4);
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    read_on();
    turn_pass();
    turn_wait(3);
    read_on();
    turn_pass();
    return NULL;
}

int main(void) {
    pthread_t a, b;
    x = y = z[3] = 1;
    MUST(pthread_create(&a, NULL, first, NULL) == 0);
    MUST(pthread_create(&b, NULL, second, NULL) == 0);
    turn_wait(4);
    pthread_join(a, NULL);
    if (racy)
        x = 2; //@race 2 write 4
    pthread_join(b, NULL);
    y = 2;
    z[3] = 2;
    x = 3;
    return 0;
}
