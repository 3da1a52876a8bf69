// SPDX-License-Identifier: Apache-2.0
// The barrier of ThreadSanitizer's own tests lets threads meet, orders nothing, and is 32 bits.
#include <stdlib.h>

#include "tests/programs/invisible.h"

void __tsan_testonly_barrier_init(unsigned *barrier, unsigned threads);
void __tsan_testonly_barrier_wait(unsigned *barrier);

static struct {
    unsigned barrier, beside;
} b = {0, 7};
int x;

THREAD(first) {
    x = 1; //@race 1 write 4
    __tsan_testonly_barrier_wait(&b.barrier);
    __tsan_testonly_barrier_wait(&b.barrier);
    return NULL;
}

THREAD(second) {
    __tsan_testonly_barrier_wait(&b.barrier);
    if (racy)
        x = 2; //@race 2 write 4
    __tsan_testonly_barrier_wait(&b.barrier);
    return NULL;
}

int main(void) {
    __tsan_testonly_barrier_init(&b.barrier, 2);
    RUN(first, second);
    if (b.beside != 7)
        abort();
    return 0;
}
