// SPDX-License-Identifier: Apache-2.0
// Each thread of a reduction has a copy of its own.
// flags: -fopenmp
#include "tests/programs/invisible.h"
#include <omp.h>

#ifdef RACY
#define REDUCTION shared(s)
#else
#define REDUCTION reduction(| : s)
#endif

int main(void) {
    int s = 0;
#pragma omp parallel num_threads(2) REDUCTION
    if (omp_get_thread_num() == 0) {
        s = 1; //@race 1 write 4
        turn_pass();
    } else {
        turn_wait(1);
        s = 2; //@race 2 write 4
    }
    MUST(racy || s == 3);
    return 0;
}
