// SPDX-License-Identifier: Apache-2.0
// A lock orders who held it before who holds it next; another lock does not.
// flags: -fopenmp
#include "tests/programs/invisible.h"
#include <omp.h>

omp_lock_t l[2];
int x;

int main(void) {
    omp_init_lock(&l[0]);
    omp_init_lock(&l[1]);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
        omp_set_lock(&l[0]);
        x = 1; //@race 1 write 4
        omp_unset_lock(&l[0]);
        turn_pass();
    } else {
        turn_wait(1);
        omp_set_lock(&l[racy]);
        x = 2; //@race 2 write 4
        omp_unset_lock(&l[racy]);
    }
    omp_destroy_lock(&l[0]);
    omp_destroy_lock(&l[1]);
    return 0;
}
