// SPDX-License-Identifier: Apache-2.0
// What the runtime looks for in vain, when it begins and later, the program does not read as an error of its own. Racy: a race, which is looked up, too.
#include "tests/programs/invisible.h"
#include <dlfcn.h>
#include <stdlib.h>

int x;

THREAD(first) {
    x = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        x = 2; //@race 2 write 4
    MUST(!dlerror());
    return NULL;
}

int main(void) {
    MUST(!dlerror());
    free(malloc(UNKNOWN(1)));
    RUN(first, second);
    MUST(!dlerror());
    return 0;
}
