// SPDX-License-Identifier: Apache-2.0
// A race that the program expects is not reported; one at the next variable is.
#include "tests/programs/invisible.h"

void AnnotateBenignRaceSized(const char *file, int line, void *p, size_t n, const char *why);

struct counters {
    _Alignas(8) int expected;
    _Alignas(8) int other;
} c;

THREAD(first) {
    c.expected = 1;
    if (racy)
        c.other = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    USE(c.expected);
    USE(c.other); //@race 2 read 4
    return NULL;
}

int main(void) {
    AnnotateBenignRaceSized(__FILE__, __LINE__, &c.expected, sizeof c.expected, "a statistic");
    RUN(first, second);
    return 0;
}
