// SPDX-License-Identifier: Apache-2.0
// clang links its own runtime with libresolv, so a program that uses that need not name it: the function is found all the same.
// skip gcc: it names no libraries for the runtime
// peer-skip: what is linked differs
// flags: -Wno-deprecated-declarations
#include "tests/programs/invisible.h"
#include <resolv.h>
#include <string.h>

char text[16];

THREAD(first) {
    MUST(b64_ntop((const unsigned char *)"abc", 3, text, sizeof text) == 4); //@race 1 write *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        text[0] = 'x'; //@race 2 write 1
    return NULL;
}

int main(void) {
    RUN(first, second);
    MUST(strcmp(text + 1, "WJj") == 0);
    return 0;
}
