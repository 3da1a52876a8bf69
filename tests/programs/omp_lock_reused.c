// SPDX-License-Identifier: Apache-2.0
// A lock made where another was has nothing of it.
// flags: -fopenmp
#include "tests/programs/invisible.h"
#include <omp.h>

omp_lock_t l;
int x;

int main(void) {
    omp_init_lock(&l);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
        omp_set_lock(&l);
        x = 1; //@race 1 write 4
        omp_unset_lock(&l);
        if (racy) {
            omp_destroy_lock(&l);
            omp_init_lock(&l);
        }
        turn_pass();
    } else {
        turn_wait(1);
        omp_set_lock(&l);
        x = 2; //@race 2 write 4
        omp_unset_lock(&l);
    }
    omp_destroy_lock(&l);
    return 0;
}
