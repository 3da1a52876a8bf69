// SPDX-License-Identifier: Apache-2.0
// Critical sections without a name are one; what comes after one is not in it.
// flags: -fopenmp
// exercises: GOMP_critical_end GOMP_critical_start
#include "tests/programs/invisible.h"
#include <omp.h>

int x;

int main(void) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
#pragma omp critical
        if (!racy)
            x = 1;
        if (racy)
            x = 1; //@race 1 write 4
        turn_pass();
    } else {
        turn_wait(1);
#pragma omp critical
        x = 2; //@race 2 write 4
    }
    return 0;
}
