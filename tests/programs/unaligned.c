// SPDX-License-Identifier: Apache-2.0
// An access that is not aligned touches just its own bytes, here 1 to 4. Racy: the second thread writes byte 4; in the
// twin it writes the bytes 0 and 5.
// peer-skip gcc: libtsan reports the bytes of such an access one by one
#include "tests/programs/invisible.h"

struct __attribute__((packed)) packed {
    char before;
    int value;
    char after;
};
_Alignas(8) union {
    struct packed s;
    char bytes[8];
} x;

THREAD(first) {
    x.s.value = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        x.bytes[4] = 1; //@race 2 write 1
    x.s.before = 1;
    x.s.after = 1;
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
