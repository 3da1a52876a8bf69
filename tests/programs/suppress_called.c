// SPDX-License-Identifier: Apache-2.0
// A suppression names a function of libc: of two races, the one by memcpy is held back.
// flags: -fno-builtin
// options: suppressions=HERE/suppress_called.supp,print_suppressions=yes
// reports: 1
// report: ^Goldilocks: Matched 1 suppressions \(pid=\d+\):\n1 race:\^memcpy\$$
#include "tests/programs/invisible.h"

#include <string.h>

static const char from[9] = "abcdefgh";
_Alignas(8) char x[8];
_Alignas(8) char y;

THREAD(first) {
    memcpy(x, from, 8);
    y = 1; //@race 1 write 1
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy) {
        x[0] = 'x';
        y = 2; //@race 2 write 1
    }
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
