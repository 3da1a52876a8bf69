// SPDX-License-Identifier: Apache-2.0
// A taskloop waits for its tasks, unless it says nogroup.
// flags: -fopenmp
// exercises: GOMP_taskloop
#include "tests/programs/invisible.h"
#include <omp.h>

#ifdef RACY
#define NOGROUP nogroup
#else
#define NOGROUP
#endif

int x;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        int here = omp_get_thread_num();
#pragma omp taskloop num_tasks(2) NOGROUP
        for (int i = 0; i < 2; i++)
            if (omp_get_thread_num() != here || !racy) {
                if (i == 0)
                    x = 1; //@race 1 write 4
                turn_pass();
            }
        turn_wait(2);
        USE(x); //@race 2 read 4
    }
    return 0;
}
