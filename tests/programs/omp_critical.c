// SPDX-License-Identifier: Apache-2.0
// Critical sections of one name exclude one another; those of two names do not.
// flags: -fopenmp
// exercises: GOMP_critical_name_end GOMP_critical_name_start
#include "tests/programs/invisible.h"
#include <omp.h>

#ifdef RACY
#define OTHER b
#else
#define OTHER a
#endif

int x;

int main(void) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
#pragma omp critical(a)
        x = 1; //@race 1 write 4
        turn_pass();
    } else {
        turn_wait(1);
#pragma omp critical(OTHER)
        x = 2; //@race 2 write 4
    }
    return 0;
}
