// SPDX-License-Identifier: Apache-2.0
// Mutexes that were destroyed are locked, tried and unlocked. Twin: they are made anew first.
// report: ^  Location is stack of main thread\.$
// reports: 3
#include "tests/programs/invisible.h"

int main(void) {
    pthread_mutex_t m[3];
    for (int i = 0; i < 3; i++) {
        pthread_mutex_init(&m[i], NULL);
        pthread_mutex_destroy(&m[i]);
        if (!racy)
            pthread_mutex_init(&m[i], NULL);
    }
    if (!racy)
        pthread_mutex_lock(&m[2]);
    pthread_mutex_lock(&m[0]);    //@mistake use of an invalid mutex (e.g. uninitialized or destroyed)
    pthread_mutex_trylock(&m[1]); //@mistake use of an invalid mutex (e.g. uninitialized or destroyed)
    pthread_mutex_unlock(&m[2]);  //@mistake use of an invalid mutex (e.g. uninitialized or destroyed)
    return 0;
}
