// SPDX-License-Identifier: Apache-2.0
// Strings taken apart, and functions of _FORTIFY_SOURCE. Racy: another thread touches the last byte that counts; in
// the twin the one behind it.
// peer-skip: libtsan does not know all of these
#include "tests/programs/invisible.h"
#include <stdlib.h>
#include <string.h>

_Alignas(8) char *a[2];
_Alignas(8) char b[16] = "bcd";
_Alignas(8) char c[16];
_Alignas(8) char d[16];
_Alignas(8) char e[16] = "ab";
static char words[] = "one two";

void *__memcpy_chk(void *to, const void *from, size_t n, size_t room);
void *__memset_chk(void *to, int byte, size_t n, size_t room);
char *__strcat_chk(char *to, const char *from, size_t room);

THREAD(first) {
    MUST(strtok_r(words, " ", a) == words); //@race A1 write *
    MUST(strcoll(b, "bcd") == 0); //@race B1 read *
    __memcpy_chk(c, "abcdef", UNKNOWN(5L), sizeof c); //@race C1 write *
    __memset_chk(d, 1, UNKNOWN(5L), sizeof d); //@race D1 write *
    __strcat_chk(e, "cd", sizeof e); //@race E1 write *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy) {
        USE(a[0]); //@race A2 read 8
        b[3] = 1; //@race B2 write 1
        USE(c[4]); //@race C2 read 1
        USE(d[4]); //@race D2 read 1
        USE(e[4]); //@race E2 read 1
    } else {
        USE(a[1]);
        b[4] = 1;
        USE(c[5]);
        USE(d[5]);
        USE(e[5]);
    }
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
