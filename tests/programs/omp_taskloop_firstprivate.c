// SPDX-License-Identifier: Apache-2.0
// Each task of a taskloop has its own part and its own copies.
// flags: -fopenmp
#include "tests/programs/invisible.h"

int a[2];

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        int p = 40;
#pragma omp taskloop num_tasks(2) firstprivate(p)
        for (int i = 0; i < 2; i++) {
            p += i;
            if (i == 0) {
                a[0] = p; //@race 1 write 4
                turn_pass();
                turn_wait(2);
            } else {
                turn_wait(1);
                a[racy ? 0 : 1] = p; //@race 2 write 4
                turn_pass();
            }
        }
        MUST(a[racy ? 0 : 1] == 41);
    }
    return 0;
}
