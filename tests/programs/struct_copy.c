// SPDX-License-Identifier: Apache-2.0
// Copying a struct reads all of one and writes all of the other. Racy: the second thread writes the last member of
// the source and reads the first of the target; in the twin it uses what follows them.
#include "tests/programs/invisible.h"

struct big {
    long member[9];
};
struct {
    struct big s;
    long after;
} source, target;

static NOINLINE void copy(struct big *to, const struct big *from) {
    *to = *from; //@race A1 read *; B1 write *
}

THREAD(first) {
    copy(&target.s, &source.s);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy) {
        source.s.member[8] = 1; //@race A2 write 8
        USE(target.s.member[0]); //@race B2 read 8
    } else {
        source.after = 1;
        target.after = 1;
    }
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
