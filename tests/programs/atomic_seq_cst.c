// SPDX-License-Identifier: Apache-2.0
// A sequentially consistent store and load order like release and acquire. Racy: the write follows the store.
#include "tests/programs/invisible.h"
#include <stdatomic.h>

static atomic_int flag;
int x;

THREAD(first) {
    if (!racy)
        x = 1;
    atomic_store(&flag, 1);
    if (racy)
        x = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST(atomic_load(&flag) == 1);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
