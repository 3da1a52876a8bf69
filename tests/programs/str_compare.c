// SPDX-License-Identifier: Apache-2.0
// strcmp and strncmp read up to the first difference, strchr up to what it finds. Racy: they read a byte that the
// first thread wrote; in the twin they end before it.
#include "tests/programs/invisible.h"
#include <string.h>

static char other[] = "racing";
_Alignas(8) char a[16] = "racing";
_Alignas(8) char b[16] = "racing";
_Alignas(8) char c[16] = "racing";

THREAD(first) {
    a[racy ? 2 : 8] = 'c'; //@race A1 write 1
    b[racy ? 2 : 3] = 'c'; //@race B1 write 1
    c[racy ? 2 : 8] = 'c'; //@race C1 write 1
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    char *o = UNKNOWN(&other[0]);
    MUST(strcmp(UNKNOWN(&a[0]), o) == 0); //@race A2 read *
    MUST(strncmp(UNKNOWN(&b[0]), o, UNKNOWN((size_t)3)) == 0); //@race B2 read *
    USE(strchr(UNKNOWN(&c[0]), UNKNOWN('c'))); //@race C2 read *
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
