// SPDX-License-Identifier: Apache-2.0
// Two threads go through rows of one table, in steps. Racy: the second one's rows meet the first one's in one place.
#include "tests/programs/invisible.h"

enum { WIDE = 16, ROWS = 60 };
struct cell {
    long used;
    short kind;
    double value;
};
struct cell table[ROWS][WIDE];

static NOINLINE void column(int which, int from, int to) {
    for (int i = from; i < to; i++)
        table[i][which].value = i; //@race 1 write 8
}

static NOINLINE double backwards(int which, int from, int to) {
    double sum = 0;
    for (int i = to; i-- > from;)
        sum += table[which][i].value; //@race 2 read 8
    return sum;
}

THREAD(first) {
    column(3, UNKNOWN(0), UNKNOWN(ROWS - 10));
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    double sum = backwards(racy ? ROWS - 11 : ROWS - 10, UNKNOWN(0), UNKNOWN(WIDE));
    USE(sum);
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
