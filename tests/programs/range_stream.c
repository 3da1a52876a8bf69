// SPDX-License-Identifier: Apache-2.0
// Streams fill and take what they are given. Racy: another thread touches the last byte that came or went; in the
// twin the one behind it.
#include "tests/programs/invisible.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Alignas(8) char *a[2];
_Alignas(8) size_t b[2];
_Alignas(8) char c[16];
_Alignas(8) char d[16];
_Alignas(8) char e[16] = "text";
_Alignas(8) char f[16] = "blocks";
static char text[] = "first line\nsecond\nrest of it";
static FILE *in, *out;

THREAD(first) {
    MUST(getline(a, b, in) == 11); //@race A1 write *
    MUST(fgets(c, sizeof c, in) == c); //@race B1 write *
    MUST(fread(d, 2, 2, in) == 2); //@race C1 write *
    MUST(fputs(e, out) >= 0); //@race D1 read *
    MUST(fwrite(f, 3, 1, out) == 1); //@race E1 read *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy) {
        USE(a[0]); //@race A2 read 8
        USE(c[7]); //@race B2 read 1
        USE(d[3]); //@race C2 read 1
        e[4] = 1; //@race D2 write 1
        f[2] = 1; //@race E2 write 1
    } else {
        USE(a[1]);
        USE(c[8]);
        USE(d[4]);
        e[5] = 1;
        f[3] = 1;
    }
    return NULL;
}

int main(void) {
    in = fmemopen(text, sizeof text - 1, "r");
    out = tmpfile();
    MUST(in && out);
    RUN(first, second);
    return 0;
}
