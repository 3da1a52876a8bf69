// SPDX-License-Identifier: Apache-2.0
// format=tsan: an intercepted function is a frame, as in ThreadSanitizer, also where memory, threads and mutexes were made.
// Calls go through the global offset table here, as -fno-plt has it.
// flags: -fno-builtin -fno-plt
// skip aarch64: what is called through a register is not known there
// options: format=tsan:exitcode=66
// report: ^  Write of size 4 at 0x[0-9a-f]+ by thread T2:\n    #0 strcpy <null> \(\S+\+0x[0-9a-f]+\)\n    #1 second \S+:\d+
// report: ^  Previous write of size 8 at 0x[0-9a-f]+ by thread T1 \(mutexes: write (M\d+)\):\n    #0 memcpy <null> \(\S+\+0x[0-9a-f]+\)\n    #1 first \S+:\d+
// report: ^  Location is heap block of size 40 at 0x[0-9a-f]+ allocated by main thread:\n    #0 malloc <null> \(\S+\+0x[0-9a-f]+\)\n    #1 main \S+:\d+
// report: ^  Mutex M\d+ \(0x[0-9a-f]+\) created at:\n    #0 pthread_mutex_init <null> \(\S+\+0x[0-9a-f]+\)\n    #1 main \S+:\d+
// report: created by main thread at:\n    #0 pthread_create <null> \(\S+\+0x[0-9a-f]+\)\n    #1 main \S+:\d+
// peer-skip: options and layout of our own
#include "tests/programs/invisible.h"

#include <stdlib.h>
#include <string.h>

static const char from[9] = "abcdefgh";
static char *x;
static pthread_mutex_t m;

THREAD(first) {
    pthread_mutex_lock(&m);
    memcpy(x, from, 8); //@race 1 write 8
    pthread_mutex_unlock(&m);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        strcpy(x, "abc"); //@race 2 write 4
    return NULL;
}

int main(void) {
    pthread_mutex_init(&m, NULL);
    x = malloc(40);
    RUN(first, second);
    return 0;
}
