// SPDX-License-Identifier: Apache-2.0
// A destructor of a thread's own value that puts itself off to the last of libc's four rounds, as allocators do: what it does there, under
// a lock in the twin, is seen.
// peer-skip: libtsan ends the thread before
#include <limits.h>

#include "tests/programs/invisible.h"

pthread_key_t key;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int data, handed, late;

static void last(void *round) {
    if ((long)round < PTHREAD_DESTRUCTOR_ITERATIONS) {
        pthread_setspecific(key, (void *)((long)round + 1));
        return;
    }
    if (racy) {
        late = 1; //@race A1 write 4
    } else {
        pthread_mutex_lock(&m);
        handed = 1; // hands over what the thread has written
        pthread_mutex_unlock(&m);
    }
    turn_pass();
}

THREAD(first) {
    data = 1; //@race B1 write 4
    pthread_setspecific(key, (void *)1);
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy) {
        late = 2; //@race A2 write 4
    } else {
        pthread_mutex_lock(&m);
        USE(handed);
        pthread_mutex_unlock(&m);
    }
    data = 2; //@race B2 write 4
    return NULL;
}

int main(void) {
    pthread_key_create(&key, last);
    RUN(first, second);
    return 0;
}
