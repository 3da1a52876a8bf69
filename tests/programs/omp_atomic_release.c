// SPDX-License-Identifier: Apache-2.0
// An atomic write that releases orders what an atomic read that acquires has seen; relaxed ones do not.
// flags: -fopenmp
#include "tests/programs/invisible.h"
#include <omp.h>

#ifdef RACY
#define RELEASE relaxed
#define ACQUIRE relaxed
#else
#define RELEASE release
#define ACQUIRE acquire
#endif

int x, flag;

int main(void) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
        x = 1; //@race 1 write 4
#pragma omp atomic write RELEASE
        flag = 1;
        turn_pass();
    } else {
        int v;
        turn_wait(1);
#pragma omp atomic read ACQUIRE
        v = flag;
        MUST(v == 1);
        USE(x); //@race 2 read 4
    }
    return 0;
}
