// SPDX-License-Identifier: Apache-2.0
// The order of very many locks, of which most end again: what is left of it counts, and what ended does not.
// reports: 1
// peer-skip: libtsan has no room for so many
#include "tests/programs/invisible.h"

enum { MANY = 100000, OTHERS = 7 };

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, last = PTHREAD_MUTEX_INITIALIZER, locks[MANY];

static void in_order(pthread_mutex_t *a, pthread_mutex_t *b) {
    MUST(pthread_mutex_lock(a) == 0);
    MUST(pthread_mutex_lock(b) == 0); //@mistake lock-order-inversion (potential deadlock)
    MUST(pthread_mutex_unlock(b) == 0 && pthread_mutex_unlock(a) == 0);
}

int main(void) {
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < MANY; i++)
            MUST(pthread_mutex_init(&locks[i], NULL) == 0);
        for (int i = 0; i < MANY; i++) {
            in_order(&first, &locks[i]);
            if (i % OTHERS == 0)
                in_order(&locks[i], &last);
        }
        for (int i = round; i < MANY; i += 2)
            MUST(pthread_mutex_destroy(&locks[i]) == 0);
        if (round == 0)
            for (int i = 1; i < MANY; i += 2)
                MUST(pthread_mutex_destroy(&locks[i]) == 0);
    }
    // Of the second round those with even numbers are left: one of them, 14, was taken before the last.
    if (racy) {
        MUST(pthread_mutex_lock(&last) == 0);
        MUST(pthread_mutex_lock(&first) == 0);
        MUST(pthread_mutex_unlock(&first) == 0 && pthread_mutex_unlock(&last) == 0);
    } else {
        for (int i = 0; i < MANY; i += 2) // those that led from the first to the last end, too
            if (i % OTHERS == 0)
                MUST(pthread_mutex_destroy(&locks[i]) == 0);
        in_order(&last, &first);
    }
    return 0;
}
