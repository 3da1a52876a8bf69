// SPDX-License-Identifier: Apache-2.0
// Compilers know what some calls with constant strings write, and write it themselves: it is seen all the same. Racy: another thread reads
// a byte of it; in the twin one behind it.
// peer-skip: gcc does not instrument what it makes of them
#include "tests/programs/invisible.h"
#include <stdio.h>
#include <string.h>

_Alignas(8) char a[16];
_Alignas(8) char b[16];
_Alignas(8) char c[16];
_Alignas(8) char d[16];
_Alignas(8) char e[16];

THREAD(first) {
    sprintf(a, "%s", "abcdefg"); //@race A1 write *
    sprintf(b, "abcdefg"); //@race B1 write *
    snprintf(c, sizeof c, "%s", "abcdefg"); //@race C1 write *
    strncat(d, "abcdefg", 8); //@race D1 write *
    strcpy(e, "abcdefg"); //@race E1 write *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    USE(a[racy ? 3 : 8]); //@race A2 read 1
    USE(b[racy ? 3 : 8]); //@race B2 read 1
    USE(c[racy ? 3 : 8]); //@race C2 read 1
    USE(d[racy ? 3 : 8]); //@race D2 read 1
    USE(e[racy ? 3 : 8]); //@race E2 read 1
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
