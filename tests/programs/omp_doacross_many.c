// SPDX-License-Identifier: Apache-2.0
// An ordered loop of twenty dimensions: all numbers of the iteration that is waited for are passed on.
// flags: -fopenmp
// flags gcc: -Wno-deprecated-openmp
#include "tests/programs/invisible.h"

#define MORE(x) for (x = 0; x < 1; x++)
#define INNER m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19

int x, last;

int main(void) {
    int i, INNER;
#pragma omp parallel for num_threads(2) schedule(static, 1) ordered(20)
    for (i = 0; i < 8; i++)
        MORE(m1) MORE(m2) MORE(m3) MORE(m4) MORE(m5) MORE(m6) MORE(m7) MORE(m8) MORE(m9) MORE(m10) MORE(m11) MORE(m12) MORE(m13) MORE(m14) MORE(m15) MORE(m16)
            MORE(m17) MORE(m18) MORE(m19) {
                if (i == 1 && racy) {
                    turn_wait(1);
                    x = 2; //@race 2 write 4
                }
#pragma omp ordered depend(sink : i - 1, INNER)
                MUST(last++ == i);
                if (i == 0) {
                    x = 1; //@race 1 write 4
                    turn_pass();
                }
#pragma omp ordered depend(source)
            }
    return 0;
}
