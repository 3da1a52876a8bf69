// SPDX-License-Identifier: Apache-2.0
// An access across the border of two words, here bytes 5 to 12. Racy: the second thread reads its last byte (A) and
// its first byte (B); in the twin it writes the bytes on both sides.
// peer-skip: libtsan reports the parts of such an access that lie in different words
#include "tests/programs/invisible.h"

struct __attribute__((packed)) packed {
    char before[5];
    long value;
    char after[3];
};
_Alignas(16) struct packed x;

THREAD(first) {
    x.value = 1; //@race A1 write 8; B1 write 8
    turn_pass();
    return NULL;
}

THREAD(second) {
    char *bytes = UNKNOWN((char *)&x);
    turn_wait(1);
    if (racy) {
        USE(bytes[12]); //@race A2 read 1
        USE(bytes[5]); //@race B2 read 1
    }
    bytes[4] = 1;
    bytes[13] = 1;
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
