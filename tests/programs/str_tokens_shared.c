// SPDX-License-Identifier: Apache-2.0
// Where strtok goes on is one variable of the process: two threads that use it without order race, also with strings of their own.
// flags: -fno-builtin
// peer-skip: libtsan does not know of it
#include "tests/programs/invisible.h"
#include <string.h>

static char a[] = "one two", b[] = "three four";
static char *at;

THREAD(first) {
    MUST(strtok(a, " ") == a); //@race 1 write *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        MUST(strtok(b, " ") == b); //@race 2 write *
    else
        MUST(strtok_r(b, " ", &at) == b);
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
