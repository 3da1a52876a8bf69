// SPDX-License-Identifier: Apache-2.0
// A large mapping that is unmapped and mapped again is new memory from its first byte to its last, whatever was accessed where in it: whole
// words, or bytes by several segments. Racy: the first thread has not unmapped it, and every place races.
// report: ^Goldilocks: 54 races happened on [23] pairs of stacks$
#include "tests/programs/invisible.h"
#include "tests/programs/mmap_regions.h"

static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;

THREAD(first) {
    turn_wait(1); // else the second thread's stack may be put there
    regions_map();
    for (int i = 0; i < PLACES; i++) {
        *(volatile long *)place(i) = 1; //@race A1 write 8
        USE(place(i)[17]);
        pthread_mutex_lock(&own); // another segment
        pthread_mutex_unlock(&own);
        USE(place(i)[18]);
        place(i)[16] = 1; //@race B1 write 1
    }
    if (!racy)
        regions_renew();
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_pass();
    turn_wait(2);
    for (int i = 0; i < PLACES; i++) {
        *(volatile long *)place(i) = 2; //@race A2 write 8
        *(volatile int *)(place(i) + 16) = 2; //@race B2 write 4
    }
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
