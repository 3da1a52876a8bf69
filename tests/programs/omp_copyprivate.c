// SPDX-License-Identifier: Apache-2.0
// What one thread hands to the others comes after what it did before that, not after what it does later.
// flags: -fopenmp
// exercises: GOMP_single_copy_end GOMP_single_copy_start
#include "tests/programs/invisible.h"

int x;

int main(void) {
#pragma omp parallel num_threads(2)
    {
        int *p = NULL, mine = 0;
#pragma omp single copyprivate(p)
        {
            if (!racy)
                x = 1;
            mine = 1;
            p = &x;
        }
        if (mine) {
            if (racy)
                *p = 1; //@race 1 write 4
            turn_pass();
        } else {
            turn_wait(1);
            USE(*p); //@race 2 read 4
        }
    }
    return 0;
}
