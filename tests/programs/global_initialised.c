// SPDX-License-Identifier: Apache-2.0
// Constants and initialised data may be read by everyone. Racy: one thread writes.
#include "tests/programs/invisible.h"

const int constant[4] = {1, 2, 3, 4};
int table[4] = {1, 2, 3, 4};

THREAD(reader) {
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += UNKNOWN(&constant[0])[i] + table[i]; //@race 1 read 4
    USE(sum);
    turn_pass();
    return NULL;
}

THREAD(writer) {
    turn_wait(3);
    if (racy)
        table[2] = 1; //@race 2 write 4
    return NULL;
}

int main(void) {
    RUN(reader, reader, reader, writer);
    return 0;
}
