// SPDX-License-Identifier: Apache-2.0
// The same when memcpy is the second of the two accesses. In the twin it stays away from the bytes in question.
#include "tests/programs/invisible.h"
#include <string.h>

_Alignas(8) char source[64], target[64];

THREAD(first) {
    source[20] = 1; //@race A1 write 1
    USE(target[20]); //@race B1 read 1
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    memcpy(target, source, UNKNOWN((size_t)(racy ? 21 : 20))); //@race A2 read *; B2 write *
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
