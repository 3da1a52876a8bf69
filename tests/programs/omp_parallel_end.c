// SPDX-License-Identifier: Apache-2.0
// The end of a region comes after all its threads, in the thread that opened it.
// flags: -fopenmp
#include "tests/programs/invisible.h"
#include <omp.h>

int x;

int main(void) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) {
        x = 1; //@race 1 write 4
        turn_pass();
    } else if (racy) {
        turn_wait(1);
        USE(x); //@race 2 read 4
    }
    USE(x);
    return 0;
}
