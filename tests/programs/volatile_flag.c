// SPDX-License-Identifier: Apache-2.0
// A volatile flag is no synchronization: the flag itself races, and so does the data that it announces. The twin uses
// an atomic one.
#include "tests/programs/invisible.h"

_Alignas(8) volatile int flag;
_Alignas(8) int x;

THREAD(first) {
    x = 1; //@race B1 write 4
    if (racy)
        flag = 1; //@race A1 write 4
    else
        __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        USE(flag); //@race A2 read 4
    else
        MUST(__atomic_load_n(&flag, __ATOMIC_ACQUIRE) == 1);
    USE(x); //@race B2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
