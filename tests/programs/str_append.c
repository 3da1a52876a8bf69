// SPDX-License-Identifier: Apache-2.0
// strcat writes after the end of what is there, and reads what it appends. Racy: its last byte is read; in the twin
// the one after it is written.
// peer-skip: libtsan does not know strcat
#include "tests/programs/invisible.h"
#include <string.h>

_Alignas(8) char x[32] = "data ";
static char more[] = "race";

THREAD(first) {
    strcat(UNKNOWN(&x[0]), UNKNOWN(&more[0])); //@race 1 write *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        USE(x[9]); //@race 2 read 1
    else
        x[10] = 1;
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
