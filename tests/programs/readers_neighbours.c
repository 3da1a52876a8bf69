// SPDX-License-Identifier: Apache-2.0
// Two threads read unaligned words, whose cells then have the same readers at the same place; main writes a byte of one.
// Racy: before the second reader is joined. The report must say where the earlier read began, three cells to the left.
#include "tests/programs/invisible.h"

enum { N = 64, STRIDE = 16, ODD = 3 };
static char all[N * STRIDE] __attribute__((aligned(64)));
struct __attribute__((packed)) unaligned {
    long value;
};

static NOINLINE void read_all(void) {
    for (int i = 0; i < N; i++)
        USE(((struct unaligned *)(all + STRIDE * i + ODD))->value); //@race 1 read 8
}

THREAD(first) {
    read_all();
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    read_all();
    turn_pass();
    return NULL;
}

int main(void) {
    pthread_t a, b;
    MUST(pthread_create(&a, NULL, first, NULL) == 0);
    MUST(pthread_create(&b, NULL, second, NULL) == 0);
    turn_wait(2);
    MUST(pthread_join(a, NULL) == 0);
    if (!racy)
        MUST(pthread_join(b, NULL) == 0);
    all[STRIDE * (N - 4) + ODD + 6] = 1; //@race 2 write 1
    if (racy)
        MUST(pthread_join(b, NULL) == 0);
    return 0;
}
