// SPDX-License-Identifier: Apache-2.0
// A 16-byte access covers its last byte. Racy: the second thread writes that byte; in the twin the one after it.
#include "tests/programs/invisible.h"

typedef int vector __attribute__((vector_size(16)));
union {
    vector v[2];
    char bytes[32];
} x;

THREAD(first) {
    x.v[0] = (vector){1, 2, 3, 4}; //@race 1 write 16
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    x.bytes[racy ? 15 : 16] = 1; //@race 2 write 1
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
