// SPDX-License-Identifier: Apache-2.0
// memcmp and memchr read. Racy: they read a byte that the first thread wrote; in the twin their ranges end before it.
#include "tests/programs/invisible.h"
#include <string.h>

_Alignas(8) char a[32];
_Alignas(8) char b[32];
_Alignas(8) char c[32];

THREAD(first) {
    a[8] = 0; //@race A1 write 1
    c[9] = 1; //@race B1 write 1
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST(memcmp(a, b, UNKNOWN((size_t)(racy ? 9 : 8))) >= 0); //@race A2 read *
    USE(memchr(c, 1, UNKNOWN((size_t)(racy ? 10 : 9)))); //@race B2 read *
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
