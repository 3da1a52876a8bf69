// SPDX-License-Identifier: Apache-2.0
// An atomic update and an atomic read do not race; an atomic update and a plain read do.
// flags: -fopenmp
// exercises: GOMP_parallel
#include "tests/programs/invisible.h"
#include <omp.h>

int x;

int main(void) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
#pragma omp atomic
        x += 1; //@race 1 atomic write 4
        turn_pass();
    } else {
        int v = 0;
        turn_wait(1);
        if (racy) {
            v = x; //@race 2 read 4
        } else {
#pragma omp atomic read
            v = x;
        }
        USE(v);
    }
    return 0;
}
