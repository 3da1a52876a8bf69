// SPDX-License-Identifier: Apache-2.0
// A structure whose numbers lie in memory with their highest byte first: a program cannot take their addresses. Whoever writes a field of
// bits writes all of its unit. A mutex orders what two threads do under it. Racy: the second thread does not take it.
// only: gcc (clang has no other order than the machine's)
// peer-skip: gcc leaves these accesses out; our pass tells them
// skip aarch64: the cross-compiler has no pass of ours
#include "tests/programs/invisible.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static struct __attribute__((scalar_storage_order("big-endian"))) {
    unsigned length;
    short row[4];
    unsigned low : 12, high : 20;
} head;

THREAD(first) {
    pthread_mutex_lock(&m);
    head.length = 1;          //@race A1 write 4
    head.row[UNKNOWN(2)] = 3; //@race B1 write 2
    head.low = 4;             //@race C1 write *; ?D1 read *
    pthread_mutex_unlock(&m);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (!racy)
        pthread_mutex_lock(&m);
    USE(head.length);          //@race A2 read 4
    USE(head.row[UNKNOWN(1)]); // another element
    head.row[UNKNOWN(2)] = 6;  //@race B2 write 2
    head.high = 7;             //@race C2 read|write *; ?D2 write *
    if (!racy)
        pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    RUN(first, second);
    MUST(head.length == 1);
    MUST(head.row[2] == 6);
    MUST(head.low == 4);
    MUST(head.high == 7);
    return 0;
}
