// SPDX-License-Identifier: Apache-2.0
// Our own layout: the names of threads, and what it has beyond ThreadSanitizer's.
// report: ^WARNING: Goldilocks: data race \(pid=\d+\)$
// report: ^  Thread T1 'writer' \(tid=\d+, (finished|running)\) created by main thread at:$
// report: ^  Nothing orders the two accesses: \S
// report: ^SUMMARY: Goldilocks: data race \S*format_own.c:\d+(:\d+)? in second$
// report: ^Goldilocks: reported 1 race$
// peer-skip: options and layout of our own
#include "tests/programs/invisible.h"

int x;

THREAD(first) {
    pthread_setname_np(pthread_self(), "writer");
    x = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
