// SPDX-License-Identifier: Apache-2.0
// The second of two barriers orders what is between them; the first one does not.
// flags: -fopenmp
#include "tests/programs/invisible.h"
#include <omp.h>

int x;

int main(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp barrier
        if (omp_get_thread_num() == 0) {
            x = 1; //@race 1 write 4
            turn_pass();
        } else if (racy) {
            turn_wait(1);
            USE(x); //@race 2 read 4
        }
#pragma omp barrier
        USE(x);
    }
    return 0;
}
