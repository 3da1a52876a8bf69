// SPDX-License-Identifier: Apache-2.0
// Two small blocks side by side are different objects, down to the last byte. Racy: one of them is shared.
#include "tests/programs/invisible.h"
#include <stdlib.h>

static char *block[40];

THREAD(first) {
    for (int i = 0; i < 40; i += 2)
        block[i][4] = 1; //@race 1 write 1
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    for (int i = 1; i < 40; i += 2)
        block[i][0] = 1;
    block[racy ? 38 : 39][4] = 1; //@race 2 write 1
    return NULL;
}

int main(void) {
    for (int i = 0; i < 40; i++)
        MUST((block[i] = malloc(5)));
    RUN(first, second);
    for (int i = 0; i < 40; i++)
        free(block[i]);
    return 0;
}
