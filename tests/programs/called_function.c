// SPDX-License-Identifier: Apache-2.0
// Accesses that an intercepted function makes: the report names it beside the access, and the frames are the program's.
// flags: -fno-builtin
// report: ^  Write of size 4 at 0x[0-9a-f]+ by thread T2 in strcpy:\n    #0 second
// report: ^  Previous write of size 8 at 0x[0-9a-f]+ by thread T1 in memcpy \(mutexes: write M1\):\n    #0 first
// report: ^  Write of size 1 at 0x[0-9a-f]+ by thread T2:\n    #0 second
#include "tests/programs/invisible.h"

#include <string.h>

static const char from[9] = "abcdefgh";
_Alignas(8) char x[8];
_Alignas(8) char y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

THREAD(first) {
    pthread_mutex_lock(&m);
    memcpy(x, from, 8); //@race A1 write 8
    pthread_mutex_unlock(&m);
    y = 1; //@race B1 write 1
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy) {
        strcpy(x, "abc"); //@race A2 write 4
        y = 2; //@race B2 write 1
    }
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
