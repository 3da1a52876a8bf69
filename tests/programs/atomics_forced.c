// SPDX-License-Identifier: Apache-2.0
// force_seq_cst_atomics: relaxed atomics order. Racy: nothing is read.
// options: force_seq_cst_atomics=yes
#include "tests/programs/invisible.h"

int x;
static int flag;

THREAD(first) {
    x = 1; //@race 1 write 4
    __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (!racy)
        MUST(__atomic_load_n(&flag, __ATOMIC_RELAXED) == 1);
    x = 2; //@race 2 write 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
