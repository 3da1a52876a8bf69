// SPDX-License-Identifier: Apache-2.0
// A program that is built with -fsanitize-coverage= as well links and runs, and its races are found.
// flags clang: -fsanitize-coverage=trace-pc-guard,pc-table,indirect-calls,trace-cmp,trace-div,trace-gep
// flags gcc: -fsanitize-coverage=trace-pc,trace-cmp
#include "tests/programs/invisible.h"

int x;
static int numbers[4];

NOINLINE static int divides(int n) {
    if (n > 3)
        return numbers[n % 4] / n;
    switch (n) {
    case 1: return 7;
    case 2: return 9;
    default: return 0;
    }
}

THREAD(first) {
    int (*volatile f)(int) = divides;
    MUST(f(2) == 9);
    x = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        x = 2; //@race 2 write 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
