// SPDX-License-Identifier: Apache-2.0
// A flush before an atomic write and one after the read that sees it order the rest.
// flags: -fopenmp
// peer-skip: libtsan ignores fences
#include "tests/programs/invisible.h"
#include <omp.h>

int x, flag;

int main(void) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
        x = 1; //@race 1 write 4
        if (!racy) {
#pragma omp flush
        }
#pragma omp atomic write
        flag = 1;
        turn_pass();
    } else {
        int v;
        turn_wait(1);
#pragma omp atomic read
        v = flag;
        MUST(v == 1);
#pragma omp flush
        USE(x); //@race 2 read 4
    }
    return 0;
}
