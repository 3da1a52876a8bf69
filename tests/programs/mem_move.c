// SPDX-License-Identifier: Apache-2.0
// memmove within one buffer: bytes 0-20 go to 4-24. Racy: byte 24 is read; in the twin byte 25 is written.
#include "tests/programs/invisible.h"
#include <string.h>

_Alignas(8) char x[64];

THREAD(first) {
    memmove(x + 4, x, UNKNOWN((size_t)21)); //@race 1 write *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        USE(x[24]); //@race 2 read 1
    else
        x[25] = 1;
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
