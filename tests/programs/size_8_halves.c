// SPDX-License-Identifier: Apache-2.0
// An access of 8 bytes is one to both halves, also where what is known of one of them is of another kind: parts of it were read in a
// segment of their own. Racy: another thread touches the half of which nothing else was known.
#include "tests/programs/invisible.h"

union {
    _Alignas(8) long whole;
    int half[2];
    char byte[8];
} low_parts, high_parts;
static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER, both = PTHREAD_MUTEX_INITIALIZER;

static void another_segment(void) {
    pthread_mutex_lock(&own);
    pthread_mutex_unlock(&own);
}

THREAD(first) {
    pthread_mutex_lock(&both);
    low_parts.half[0] = 1;
    high_parts.half[1] = 1;
    another_segment();
    USE(low_parts.byte[0]);
    USE(high_parts.byte[6]);
    another_segment();
    USE(low_parts.byte[2]);
    USE(high_parts.byte[4]);
    another_segment();
    low_parts.whole = 2; //@race A1 write 8
    high_parts.whole = 2; //@race B1 write 8
    pthread_mutex_unlock(&both);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (!racy)
        pthread_mutex_lock(&both);
    low_parts.half[1] = 3; //@race A2 write 4
    high_parts.half[0] = 3; //@race B2 write 4
    if (!racy)
        pthread_mutex_unlock(&both);
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
