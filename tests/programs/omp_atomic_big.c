// SPDX-License-Identifier: Apache-2.0
// An atomic update of a type without an instruction is done under a lock of the library.
// flags: -fopenmp
// exercises: GOMP_atomic_end GOMP_atomic_start
#include "tests/programs/invisible.h"
#include <omp.h>

long double x;

int main(void) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
        if (racy) {
            x = 1; //@race 1 write *
        } else {
#pragma omp atomic
            x += 1;
        }
        turn_pass();
    } else {
        turn_wait(1);
        if (racy) {
            x = 2; //@race 2 write *
        } else {
#pragma omp atomic
            x += 1;
        }
    }
    return 0;
}
