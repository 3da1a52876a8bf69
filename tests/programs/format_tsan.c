// SPDX-License-Identifier: Apache-2.0
// format=tsan is ThreadSanitizer's layout, line by line; names of threads are in it.
// options: format=tsan:exitcode=66
// report: ^==================\nWARNING: ThreadSanitizer: data race \(pid=\d+\)\n  Read of size 4 at 0x[0-9a-f]+ by thread T2:\n    #0 second
// report: ^  Previous write of size 4 at 0x[0-9a-f]+ by thread T1:\n    #0 first
// report: ^  Location is global '(x|<null>)' of size 4 at 0x[0-9a-f]+ \(format_tsan\S*\+0x[0-9a-f]+\)\n\n  Thread T2 'reader' \(tid=\d+, running\) created by main thread at:\n    #0 (pthread_create|main)
// report: ^  Thread T1 'writer' \(tid=\d+, (finished|running)\) created by main thread at:
// report: ^SUMMARY: ThreadSanitizer: data race \S*format_tsan.c:\d+(:\d+)? in second\n==================$
// report: ^ThreadSanitizer: reported 1 warnings$
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
    pthread_setname_np(pthread_self(), "reader");
    turn_wait(1);
    if (racy)
        USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
