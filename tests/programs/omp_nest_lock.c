// SPDX-License-Identifier: Apache-2.0
// A lock that nests is given up by the last of its releases: what comes after that is not ordered.
// flags: -fopenmp
#include "tests/programs/invisible.h"
#include <omp.h>

omp_nest_lock_t l;
int x;

int main(void) {
    omp_init_nest_lock(&l);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
        omp_set_nest_lock(&l);
        MUST(omp_test_nest_lock(&l) == 2);
        omp_unset_nest_lock(&l);
        if (racy)
            omp_unset_nest_lock(&l);
        x = 1; //@race 1 write 4
        if (!racy)
            omp_unset_nest_lock(&l);
        turn_pass();
    } else {
        turn_wait(1);
        omp_set_nest_lock(&l);
        x = 2; //@race 2 write 4
        omp_unset_nest_lock(&l);
    }
    omp_destroy_nest_lock(&l);
    return 0;
}
