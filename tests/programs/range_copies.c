// SPDX-License-Identifier: Apache-2.0
// Functions that write strings and blocks write as many bytes as they say. Racy: another thread reads the last; in the twin one far
// behind it.
// peer-skip: libtsan does not know all of these
#include "tests/programs/invisible.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *abc = "abc", *abcd = "abcd";
static char *state;
_Alignas(8) char a[32];
_Alignas(8) char b[32];
_Alignas(8) char c[32] = "x";
_Alignas(8) char d[32];
_Alignas(8) char e[32];
_Alignas(8) char f[32];
_Alignas(8) char g[32];
_Alignas(8) char h[32] = "ab,c";
_Alignas(8) char i[32] = "ab,c";
_Alignas(8) char j[32] = "ab,c";
static char *state_j = j;
_Alignas(8) char k[32];
_Alignas(8) char l[32] = "abcd";

THREAD(first) {
    MUST(stpcpy(a, abc) == a + 3); //@race A1 write *
    MUST(stpncpy(b, abc, 6) == b + 3); //@race B1 write *
    strncat(c, abcd, 2); //@race C1 write *
    MUST(mempcpy(d, abcd, 4) == d + 4); //@race D1 write *
    bzero(e, UNKNOWN(4)); //@race E1 write *
    bcopy(abcd, f, 4); //@race F1 write *
    MUST(memccpy(g, "abcd", 'c', 4) == g + 3); //@race G1 write *
    MUST(strtok(h, ",") == h); //@race H1 write *
    MUST(strtok_r(i, ",", &state) == i); //@race I1 write *
    MUST(strsep(&state_j, ",") == j); //@race J1 write *
    strxfrm(k, "abc", sizeof k); //@race K1 write *
    memfrob(l, 4); //@race L1 write *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    USE(*(racy ? &a[3] : &a[20])); //@race A2 read 1
    USE(*(racy ? &b[5] : &b[20])); //@race B2 read 1
    USE(*(racy ? &c[3] : &c[20])); //@race C2 read 1
    USE(*(racy ? &d[3] : &d[20])); //@race D2 read 1
    USE(*(racy ? &e[3] : &e[20])); //@race E2 read 1
    USE(*(racy ? &f[3] : &f[20])); //@race F2 read 1
    USE(*(racy ? &g[2] : &g[20])); //@race G2 read 1
    USE(*(racy ? &h[2] : &h[20])); //@race H2 read 1
    USE(*(racy ? &i[2] : &i[20])); //@race I2 read 1
    USE(*(racy ? &j[2] : &j[20])); //@race J2 read 1
    USE(*(racy ? &k[3] : &k[20])); //@race K2 read 1
    USE(*(racy ? &l[3] : &l[20])); //@race L2 read 1
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
