// SPDX-License-Identifier: Apache-2.0
// strcpy copies up to the zero at the end, that included; strncpy fills up with zeros. Racy: the last byte that each
// wrote is read; in the twin the one after it is written.
#include "tests/programs/invisible.h"
#include <string.h>

static const char source[] = "racing";
_Alignas(8) char a[32];
_Alignas(8) char b[32];

THREAD(first) {
    const char *from = UNKNOWN(&source[0]);
    strcpy(UNKNOWN(&a[0]), from); //@race A1 write *
    strncpy(UNKNOWN(&b[0]), from, UNKNOWN((size_t)20)); //@race B1 write *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy) {
        USE(a[6]); //@race A2 read 1
        USE(b[19]); //@race B2 read 1
    } else {
        a[7] = 1;
        b[20] = 1;
    }
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
