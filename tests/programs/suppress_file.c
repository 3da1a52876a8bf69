// SPDX-License-Identifier: Apache-2.0
// A file of suppressions: of two races one is left. Twin: no race, no word of suppressions.
// options: suppressions=HERE/suppress_file.supp,print_suppressions=yes
// reports: 1
// report: ^Goldilocks: Matched 2 suppressions \(pid=\d+\):\n1 race:\^known_\*\$\n1 mutex:suppress_file\.c$
#include "tests/programs/invisible.h"

_Alignas(8) int x;
_Alignas(8) int y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

NOINLINE static void known_write(int v) { x = v; }

THREAD(first) {
    known_write(1);
    y = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy) {
        x = 2;
        y = 2; //@race 2 write 4
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
