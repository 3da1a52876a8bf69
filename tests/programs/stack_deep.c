// SPDX-License-Identifier: Apache-2.0
// Both stacks are complete, down to the thread's own function, also after many calls and returns.
#include "tests/programs/invisible.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

static NOINLINE void nothing(int depth) {
    if (depth > 0)
        nothing(depth - 1);
    __asm__ volatile("" : : : "memory");
}

static NOINLINE void inner(int value) {
    x = value; //@race 1 write 4 in inner<middle<outer<first
    __asm__ volatile("" : : : "memory");
}

static NOINLINE void middle(int value) {
    nothing(30);
    inner(value);
    __asm__ volatile("" : : : "memory");
}

static NOINLINE void outer(int value) {
    for (int i = 0; i < 50; i++)
        nothing(i);
    middle(value);
    __asm__ volatile("" : : : "memory");
}

static NOINLINE void recurse(int depth) {
    nothing(3);
    if (depth > 0)
        recurse(depth - 1);
    else
        USE(x); //@race 2 read 4 in recurse<recurse<recurse<recurse<second
    __asm__ volatile("" : : : "memory");
}

THREAD(first) {
    if (!racy)
        pthread_mutex_lock(&m);
    outer(1);
    if (!racy)
        pthread_mutex_unlock(&m);
    outer(2 - racy);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    recurse(3);
    return NULL;
}

int main(void) {
    if (racy) {
        RUN(first, second);
    } else {
        RUN(first);
        RUN(second);
    }
    return 0;
}
