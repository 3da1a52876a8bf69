// SPDX-License-Identifier: Apache-2.0
// Accesses of different sizes race where they overlap. Racy: byte 5 of an 8-byte write is read; in the twin the write
// has 4 bytes.
#include "tests/programs/invisible.h"

_Alignas(8) union {
    long eight;
    int four;
    char one[8];
} x;

THREAD(first) {
    if (racy)
        x.eight = 1; //@race 1 write 8
    else
        x.four = 1;
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    USE(x.one[5]); //@race 2 read 1
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
