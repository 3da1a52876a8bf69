// SPDX-License-Identifier: Apache-2.0
// printf and its kin read the strings of their arguments and write the text; scanf writes what it converts. Racy: the
// other thread touches what was read or written; in the twin what lies behind it.
// flags: -Wno-format-nonliteral -Wno-format-security -Wno-format-extra-args
// peer-skip: libtsan does not check the arguments of printf in all forms
#include "tests/programs/invisible.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Alignas(8) char a[16];
_Alignas(8) char b[16];
_Alignas(8) char c[16] = "text";
_Alignas(8) char d[16] = "precise";
_Alignas(8) char e[16] = "format";
_Alignas(8) int f[2];
_Alignas(8) char g[16];
_Alignas(8) double h[2];
_Alignas(8) char in[16] = "7 word 2.5";
_Alignas(8) int n[2];
static char out[64];
static const char *volatile none;

THREAD(first) {
    MUST(sprintf(a, "%d", 123) == 3); //@race A1 write *
    MUST(snprintf(b, UNKNOWN(4L), "%s", "longer") == 6); //@race B1 write *
    MUST(snprintf(out, sizeof out, "%5d %s", 1, c) == 10); //@race C1 read *
    MUST(snprintf(out, sizeof out, "%Lf %.*s", 1.0L, 3, d) == 12); //@race D1 read *
    MUST(snprintf(out, sizeof out, e, 0) == 6); //@race E1 read *
    MUST(sscanf("7 x", "%d", f) == 1); //@race F1 write *
    MUST(sscanf("some words", "%*s %s", g) == 1); //@race G1 write *
    MUST(sscanf("1 2.5", "%*d%lf", h) == 1); //@race H1 write *
    MUST(sscanf(in, "%*d") == 0); //@race I1 read *
    MUST(sscanf("word", "%s%n", out, n) == 1); //@race J1 write *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy) {
        USE(a[3]); //@race A2 read 1
        USE(b[3]); //@race B2 read 1
        c[4] = 1; //@race C2 write 1
        d[2] = 1; //@race D2 write 1
        e[0] = 1; //@race E2 write 1
        USE(f[0]); //@race F2 read 4
        USE(g[5]); //@race G2 read 1
        USE(h[0]); //@race H2 read 8
        in[0] = 1; //@race I2 write 1
        USE(n[0]); //@race J2 read 4
    } else {
        USE(a[4]);
        USE(b[4]);
        c[5] = 1;
        d[3] = 1;
        e[7] = 1;
        USE(f[1]);
        USE(g[6]);
        USE(h[1]);
        in[15] = 1;
        USE(n[1]);
    }
    return NULL;
}

int main(void) {
#if !__GLIBC_PREREQ(2, 37) // older ones have an answer when there is no format
    MUST(snprintf(out, sizeof out, none) == -1 && errno == EINVAL);
    MUST(sscanf("1", none) == -1 && errno == EINVAL);
#else
    (void)none;
#endif
    RUN(first, second);
    return 0;
}
