// SPDX-License-Identifier: Apache-2.0
// A sequence lock lets readers read while a writer writes; its data must be atomic for that. Racy: it is plain.
#include "tests/programs/invisible.h"

static unsigned sequence;
long data;

THREAD(writer) {
    __atomic_store_n(&sequence, 1, __ATOMIC_RELAXED);
    if (racy)
        data = 1; //@race 1 write 8
    else
        __atomic_store_n(&data, 1, __ATOMIC_RELEASE);
    turn_pass();
    turn_wait(2);
    __atomic_store_n(&sequence, 2, __ATOMIC_RELEASE);
    return NULL;
}

THREAD(reader) {
    long value;
    turn_wait(1);
    MUST(__atomic_load_n(&sequence, __ATOMIC_ACQUIRE) == 1);
    if (racy)
        value = data; //@race 2 read 8
    else
        value = __atomic_load_n(&data, __ATOMIC_ACQUIRE);
    USE(value);
    turn_pass();
    return NULL;
}

int main(void) {
    RUN(writer, reader);
    return 0;
}
