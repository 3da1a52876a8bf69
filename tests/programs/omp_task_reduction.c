// SPDX-License-Identifier: Apache-2.0
// Tasks that take part in a group's reduction have copies of their own.
// flags: -fopenmp
#include "tests/programs/invisible.h"

int s, x;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : s)
        {
#pragma omp task in_reduction(+ : s)
            {
                s += 1;
                if (racy)
                    x = 1; //@race 1 write 4
                turn_pass();
            }
            turn_wait(1); // the other thread runs it
#pragma omp task in_reduction(+ : s) if (0)
            {
                s += 2;
                if (racy)
                    USE(x); //@race 2 read 4
            }
        }
        MUST(s == 3);
    }
    return 0;
}
