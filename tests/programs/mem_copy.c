// SPDX-License-Identifier: Apache-2.0
// memcpy reads one range and writes another. Racy: the last byte of the source is written, the first of the target is
// read; in the twin the bytes beside them are written.
#include "tests/programs/invisible.h"
#include <string.h>

_Alignas(8) char source[64], target[64];

THREAD(first) {
    memcpy(target + 3, source, UNKNOWN((size_t)21)); //@race A1 read *; B1 write *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy) {
        source[20] = 1; //@race A2 write 1
        USE(target[3]); //@race B2 read 1
    } else {
        source[21] = 1;
        target[2] = 1;
        target[24] = 1;
    }
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
