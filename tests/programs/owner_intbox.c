// SPDX-License-Identifier: Apache-2.0
// The 2006 report's example 2: two boxes behind the pointers a and b, each with its lock. The middle thread swaps the
// pointers under both locks, so a box changes its owner lock without being touched. Racy: it holds one lock only.
#include "tests/programs/invisible.h"

static pthread_mutex_t lock_a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock_b = PTHREAD_MUTEX_INITIALIZER;
struct box {
    _Alignas(8) int x;
};
struct box one, two;
struct box *a = &one, *b = &two;

THREAD(first) {
    pthread_mutex_lock(&lock_a);
    a->x = 1; //@race B1 write 4
    pthread_mutex_unlock(&lock_a);
    turn_pass();
    return NULL;
}

THREAD(swapper) {
    turn_wait(1);
    pthread_mutex_lock(&lock_a);
    if (!racy)
        pthread_mutex_lock(&lock_b);
    struct box *old = a;
    a = b;
    b = old; //@race A1 write 8
    if (!racy)
        pthread_mutex_unlock(&lock_b);
    pthread_mutex_unlock(&lock_a);
    turn_pass();
    return NULL;
}

THREAD(last) {
    turn_wait(2);
    pthread_mutex_lock(&lock_b);
    struct box *box = b; //@race A2 read 8
    box->x = 2; //@race B2 write 4
    pthread_mutex_unlock(&lock_b);
    return NULL;
}

int main(void) {
    RUN(first, swapper, last);
    return 0;
}
