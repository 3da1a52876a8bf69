// SPDX-License-Identifier: Apache-2.0
// One loop destroys all locks, as a pool of memory does. Those that were taken at different places are different mistakes.
// report: misuse_destroy_places.c:1[58]
// reports: 2
#include "tests/programs/invisible.h"

enum { LOCKS = 4 };
static pthread_mutex_t locks[LOCKS];

int main(void) {
    for (volatile int i = 0; i < LOCKS; i++)
        pthread_mutex_init(&locks[i], NULL);
    if (racy) {
        for (volatile int i = 0; i < 2; i++)
            pthread_mutex_lock(&locks[i]);
        for (volatile int i = 2; i < LOCKS; i++)
            // the same mistake twice
            pthread_mutex_lock(&locks[i]);
    }
    for (volatile int i = LOCKS; i-- > 0;)
        pthread_mutex_destroy(&locks[i]); //@mistake destroy of a locked mutex
    return 0;
}
