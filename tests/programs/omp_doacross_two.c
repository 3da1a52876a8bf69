// SPDX-License-Identifier: Apache-2.0
// Of a nest of loops the whole vector of iteration numbers counts: (0, 1) is not (0, 0).
// flags: -fopenmp
// flags gcc: -Wno-deprecated-openmp
#include "tests/programs/invisible.h"

#ifdef RACY
#define COLUMN j - 1
#else
#define COLUMN j
#endif

int x;

int main(void) {
#pragma omp parallel for num_threads(2) schedule(static, 1) ordered(2)
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
#pragma omp ordered depend(sink : i - 1, COLUMN)
            if (i == 0 && j == 1)
                x = 1; //@race 1 write 4
            if (i == 1 && j == 1) {
                turn_wait(2);
                USE(x); //@race 2 read 4
            }
#pragma omp ordered depend(source)
            if (i == 0)
                turn_pass();
        }
    return 0;
}
