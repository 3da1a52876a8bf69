// SPDX-License-Identifier: Apache-2.0
// In ThreadSanitizer's layout the stacks of held locks are there only when asked for; else it says how to ask.
// options: format=tsan
// report: ^    Hint: use TSAN_OPTIONS=second_deadlock_stack=1 to get more informative warning message$
// peer-skip: options and layout of our own
#include "tests/programs/invisible.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

THREAD(first) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); //@mistake lock-order-inversion (potential deadlock)
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    pthread_mutex_lock(racy ? &b : &a);
    pthread_mutex_lock(racy ? &a : &b);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
