// SPDX-License-Identifier: Apache-2.0
// What is done before a region comes before all its threads; what its first thread does in it does not.
// flags: -fopenmp
#include "tests/programs/invisible.h"
#include <omp.h>

int x;

int main(void) {
    if (!racy)
        x = 1;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
        if (racy)
            x = 1; //@race 1 write 4
        turn_pass();
    } else {
        turn_wait(1);
        USE(x); //@race 2 read 4
    }
    return 0;
}
