// SPDX-License-Identifier: Apache-2.0
// Threads that the program makes itself may each open regions: the library's pool does not order them.
// flags: -fopenmp
#include "tests/programs/invisible.h"
#include <omp.h>

int x;

THREAD(first) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
        x = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0)
        USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    if (racy) {
        RUN(first, second);
    } else {
        RUN(first);
        RUN(second);
    }
    return 0;
}
