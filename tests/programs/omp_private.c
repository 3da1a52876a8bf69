// SPDX-License-Identifier: Apache-2.0
// A private variable is each thread's own.
// flags: -fopenmp
#include "tests/programs/invisible.h"
#include <omp.h>

#ifdef RACY
#define MODE shared(v)
#else
#define MODE firstprivate(v)
#endif

int main(void) {
    int v = 5;
#pragma omp parallel num_threads(2) MODE
    if (omp_get_thread_num() == 0) {
        v = 1; //@race 1 write 4
        turn_pass();
    } else {
        turn_wait(1);
        v = 2; //@race 2 write 4
    }
    USE(v);
    return 0;
}
