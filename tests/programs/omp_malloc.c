// SPDX-License-Identifier: Apache-2.0
// A block that one thread frees while another uses it, and one that is handed over by a barrier.
// flags: -fopenmp
#include "tests/programs/invisible.h"
#include <omp.h>

#include <stdlib.h>

int *p;

int main(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        p = malloc(sizeof *p);
        if (omp_get_thread_num() == 0) {
            *p = 1; //@race 1 write 4
            turn_pass();
        }
        if (!racy) {
#pragma omp barrier
        }
        if (omp_get_thread_num() == 1) {
            turn_wait(1);
            free(p); //@race 2 free *
        }
    }
    return 0;
}
