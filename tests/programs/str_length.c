// SPDX-License-Identifier: Apache-2.0
// strlen reads up to the zero, that included. Racy: the first thread wrote the zero; in the twin the byte after it.
#include "tests/programs/invisible.h"
#include <string.h>

_Alignas(8) char x[32] = "racing";

THREAD(first) {
    x[racy ? 6 : 7] = 0; //@race 1 write 1
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST(strlen(UNKNOWN(&x[0])) == 6); //@race 2 read *
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
