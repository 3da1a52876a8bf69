// SPDX-License-Identifier: Apache-2.0
// Two accesses that share some bytes and neither of which covers the other. Racy: bytes 2-5 and 4-7; in the twin 0-3
// and 4-7.
// peer-skip gcc: libtsan reports the bytes of such an access one by one
#include "tests/programs/invisible.h"

struct __attribute__((packed)) shifted {
    char pad[2];
    int value;
};
_Alignas(8) union {
    struct shifted shifted;
    int four[2];
} x;

THREAD(first) {
    if (racy)
        x.shifted.value = 1; //@race 1 write 4
    else
        x.four[0] = 1;
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    x.four[1] = 1; //@race 2 write 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
