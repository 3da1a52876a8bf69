// SPDX-License-Identifier: Apache-2.0
// A lock in memory that was unmapped and mapped again is another one, wherever in a large mapping it lies: what the one that was there
// before told orders nothing. The twin has not unmapped them.
// report: ^Goldilocks: 27 races happened on 1 pair of stacks$
#include "tests/programs/invisible.h"
#include "tests/programs/mmap_regions.h"

struct {
    _Alignas(8) int data;
} kept[PLACES];

static pthread_mutex_t *lock_at(int i) { return (pthread_mutex_t *)place(i); }

THREAD(first) {
    turn_wait(1); // else the second thread's stack may be put there
    regions_map();
    for (int i = 0; i < PLACES; i++) {
        kept[i].data = 1; //@race 1 write 4
        pthread_mutex_lock(lock_at(i)); // zeros: an unlocked mutex
        pthread_mutex_unlock(lock_at(i));
    }
    if (racy)
        regions_renew();
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_pass();
    turn_wait(2);
    for (int i = 0; i < PLACES; i++) { // each lock tells of its own variable only: the last one first
        int k = PLACES - 1 - i;
        pthread_mutex_lock(lock_at(k));
        pthread_mutex_unlock(lock_at(k));
        kept[k].data = 2; //@race 2 write 4
    }
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
