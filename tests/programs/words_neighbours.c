// SPDX-License-Identifier: Apache-2.0
// Two races in one 8-byte word are two races; two variables there do not race with each other.
// peer-skip clang: libtsan v3 reports one race per 8-byte word
#include "tests/programs/invisible.h"

_Alignas(8) struct {
    int a;
    short b[2];
} x;

THREAD(first) {
    x.a = 1; //@race A1 write 4
    x.b[0] = 1; //@race B1 write 2
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    x.b[1] = 1;
    if (racy) {
        USE(x.a); //@race A2 read 4
        USE(x.b[0]); //@race B2 read 2
    }
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
