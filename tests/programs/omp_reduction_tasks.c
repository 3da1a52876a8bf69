// SPDX-License-Identifier: Apache-2.0
// Tasks take part in a reduction of their region and of its loop: the library makes and combines their copies, by code of the program. Racy: they also write
// what is no part of it.
// flags: -fopenmp
// exercises: __kmpc_task_reduction_modifier_fini __kmpc_task_reduction_modifier_init __kmpc_taskred_modifier_init
#include "tests/programs/invisible.h"
#include <omp.h>

struct sums {
    long of_one, of_squares;
};
#pragma omp declare reduction(add : struct sums : omp_out.of_one += omp_in.of_one, omp_out.of_squares += omp_in.of_squares) \
    initializer(omp_priv = (struct sums){0, 0})

int x;

int main(void) {
    for (int round = 0; round < 20; round++) {
        long in_region = 0, in_loop = 1;
        struct sums both = {0, 0};
#pragma omp parallel num_threads(4) reduction(task, + : in_region) reduction(task, add : both)
        {
#pragma omp for reduction(task, * : in_loop)
            for (int i = 1; i <= 8; i++) {
#pragma omp task in_reduction(* : in_loop)
                in_loop *= 2;
            }
#pragma omp task in_reduction(+ : in_region) in_reduction(add : both)
            {
                in_region++;
                both.of_one++;
                both.of_squares += 4;
            }
        }
        MUST(in_region == 4 && in_loop == 256 && both.of_one == 4 && both.of_squares == 16);
    }
    if (racy) {
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == 0) {
            x = 1; //@race 1 write 4
            turn_pass();
        } else {
            turn_wait(1);
            x = 2; //@race 2 write 4
        }
    }
    return 0;
}
