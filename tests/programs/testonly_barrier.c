// SPDX-License-Identifier: Apache-2.0
// The barrier of ThreadSanitizer's own tests lets threads meet and orders nothing.
#include "tests/programs/invisible.h"

void __tsan_testonly_barrier_init(unsigned long *barrier, unsigned threads);
void __tsan_testonly_barrier_wait(unsigned long *barrier);

static unsigned long barrier;
int x;

THREAD(first) {
    x = 1; //@race 1 write 4
    __tsan_testonly_barrier_wait(&barrier);
    __tsan_testonly_barrier_wait(&barrier);
    return NULL;
}

THREAD(second) {
    __tsan_testonly_barrier_wait(&barrier);
    if (racy)
        x = 2; //@race 2 write 4
    __tsan_testonly_barrier_wait(&barrier);
    return NULL;
}

int main(void) {
    __tsan_testonly_barrier_init(&barrier, 2);
    RUN(first, second);
    return 0;
}
