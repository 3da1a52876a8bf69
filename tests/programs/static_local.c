// SPDX-License-Identifier: Apache-2.0
// A static variable of a function is shared by all threads that call it; an automatic one is not. Racy: two threads
// call without the mutex.
#include "tests/programs/invisible.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static NOINLINE void remember(int value) {
    static int last;
    int copy = value;
    __asm__ volatile("" : : "r"(&copy) : "memory");
    last = copy; //@race 1 write 4; 2 write 4
    __asm__ volatile("" : : "r"(&last) : "memory");
}

static void call(int value) {
    if (!racy)
        pthread_mutex_lock(&m);
    remember(value);
    if (!racy)
        pthread_mutex_unlock(&m);
}

THREAD(first) {
    call(1);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    call(2);
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
