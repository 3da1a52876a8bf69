// SPDX-License-Identifier: Apache-2.0
// Conversions read their string and write where it ended; sorting and random numbers write what they are given. Racy:
// another thread touches that; in the twin what lies behind it.
// peer-skip: libtsan does not know all of these
#include "tests/programs/invisible.h"
#include <math.h>
#include <stdlib.h>
#include <sys/random.h>

_Alignas(8) char a[8] = "12x";
_Alignas(8) char *b[2];
_Alignas(8) char c[8] = "1.5";
_Alignas(8) char d[8] = "77";
_Alignas(8) unsigned e[2];
_Alignas(8) char f[16];
_Alignas(8) int g[2];
_Alignas(8) double h[2];
_Alignas(8) int j[6] = {3, 1, 2, 9, 9, 9};

static int compare(const void *p, const void *q) {
    return *(const int *)p - *(const int *)q;
}

THREAD(first) {
    MUST(strtol(a, NULL, 10) == 12); //@race A1 read *
    MUST(strtoul("5", b, 10) == 5); //@race B1 write *
    MUST(strtod(c, NULL) == 1.5); //@race C1 read *
    MUST(atoi(d) == 77); //@race D1 read *
    rand_r(e); //@race E1 write *
    MUST(getrandom(f, 8, 0) == 8); //@race F1 write *
    frexp(UNKNOWN(3.0), g); //@race G1 write *
    modf(UNKNOWN(3.5), h); //@race H1 write *
    qsort(j, 3, sizeof *j, compare); //@race J1 write *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy) {
        a[2] = 1; //@race A2 write 1
        USE(b[0]); //@race B2 read 8
        c[0] = 1; //@race C2 write 1
        d[1] = 1; //@race D2 write 1
        USE(e[0]); //@race E2 read 4
        USE(f[7]); //@race F2 read 1
        USE(g[0]); //@race G2 read 4
        USE(h[0]); //@race H2 read 8
        USE(j[2]); //@race J2 read 4
    } else {
        a[3] = 1;
        USE(b[1]);
        c[5] = 1;
        d[3] = 1;
        USE(e[1]);
        USE(f[8]);
        USE(g[1]);
        USE(h[1]);
        USE(j[3]);
    }
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
