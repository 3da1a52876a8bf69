// SPDX-License-Identifier: Apache-2.0
// The report names the heap block, its size, and who allocated it where.
// report: ^  Location is heap block of size 40 at 0x[0-9a-f]+ allocated by main thread:$
// report: ^    #[0-2] make_block .*report_heap\.c:11
#include "tests/programs/invisible.h"
#include <stdlib.h>

static int *x;

static NOINLINE int *make_block(void) {
    int *p = malloc(10 * sizeof *p);
    MUST(p);
    return p;
}

THREAD(first) {
    x[3] = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        USE(x[3]); //@race 2 read 4
    return NULL;
}

int main(void) {
    x = make_block();
    RUN(first, second);
    free(x);
    return 0;
}
