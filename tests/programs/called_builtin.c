// SPDX-License-Identifier: Apache-2.0
// clang calls memcpy, memmove and memset by names of its own; reports say what the program wrote.
// report: ^  Write of size 24 at 0x[0-9a-f]+ by thread T2 in memset:\n    #0 second
// report: ^  Previous write of size 24 at 0x[0-9a-f]+ by thread T1 in mem(cpy|move):\n    #0 first
#include "tests/programs/invisible.h"

#include <string.h>

_Alignas(8) char x[24];
char from[24];

THREAD(first) {
    size_t n = UNKNOWN(sizeof x);
    memcpy(x, from, n); //@race 1 write 24
    turn_pass();
    return NULL;
}

THREAD(second) {
    size_t n = UNKNOWN(sizeof x);
    turn_wait(1);
    if (racy)
        memset(x, 7, n); //@race 2 write 24
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
