// SPDX-License-Identifier: Apache-2.0
// Each conversion reads its string up to the first character that is none of the number. Racy: another thread writes that one, or reads
// what was written; in the twin something else.
// peer-skip: libtsan does not know all of these
#include "tests/programs/invisible.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <sys/random.h>

long double half = 1.5L;
static struct drand48_data seeds;
static int order = 1;

static int compare(const void *p, const void *q, void *sign) {
    return (*(const int *)p - *(const int *)q) * *(int *)sign;
}

_Alignas(8) char a[32] = "1.5";
_Alignas(8) char b[32] = "12x";
_Alignas(8) char c[32] = "12x";
_Alignas(8) char d[32] = "1.5x";
_Alignas(8) char e[32] = "1.5x";
_Alignas(8) char f[32] = "12x";
_Alignas(8) char g[32] = "12x";
_Alignas(8) char h[32] = "12x";
_Alignas(8) char i[32] = "12x";
_Alignas(8) float j[4];
_Alignas(16) long double k[4];
_Alignas(8) int l[4];
_Alignas(8) int m[4];
_Alignas(8) double n[4];
_Alignas(8) long o[4];
_Alignas(8) char p[32];
_Alignas(8) int q[6] = {3, 1, 2, 9, 9, 9};

THREAD(first) {
    MUST(atof(a) == 1.5); //@race A1 read *
    MUST(atol(b) == 12); //@race B1 read *
    MUST(atoll(c) == 12); //@race C1 read *
    MUST(strtof(d, NULL) == 1.5f); //@race D1 read *
    MUST(strtold(e, NULL) == 1.5L); //@race E1 read *
    MUST(strtoll(f, NULL, 10) == 12); //@race F1 read *
    MUST(strtoull(g, NULL, 10) == 12); //@race G1 read *
    MUST(strtoimax(h, NULL, 10) == 12); //@race H1 read *
    MUST(strtoumax(i, NULL, 10) == 12); //@race I1 read *
    modff(UNKNOWN(1.5f), j); //@race J1 write *
    modfl(half, k); //@race K1 write *
    frexpf(UNKNOWN(1.5f), l); //@race L1 write *
    frexpl(half, m); //@race M1 write *
    drand48_r(&seeds, n); //@race N1 write *
    lrand48_r(&seeds, o); //@race O1 write *
    MUST(getentropy(p, 8) == 0); //@race P1 write *
    qsort_r(q, 3, sizeof *q, compare, &order); //@race Q1 write *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    *(racy ? &a[3] : &a[20]) = 1; //@race A2 write 1
    *(racy ? &b[2] : &b[20]) = 1; //@race B2 write 1
    *(racy ? &c[2] : &c[20]) = 1; //@race C2 write 1
    *(racy ? &d[3] : &d[20]) = 1; //@race D2 write 1
    *(racy ? &e[3] : &e[20]) = 1; //@race E2 write 1
    *(racy ? &f[2] : &f[20]) = 1; //@race F2 write 1
    *(racy ? &g[2] : &g[20]) = 1; //@race G2 write 1
    *(racy ? &h[2] : &h[20]) = 1; //@race H2 write 1
    *(racy ? &i[2] : &i[20]) = 1; //@race I2 write 1
    USE(*(racy ? &j[0] : &j[2])); //@race J2 read 4
    USE(*(racy ? &((char *)k)[0] : &((char *)k)[4 * 8])); //@race K2 read 1
    USE(*(racy ? &l[0] : &l[2])); //@race L2 read 4
    USE(*(racy ? &m[0] : &m[2])); //@race M2 read 4
    USE(*(racy ? &((char *)n)[0] : &((char *)n)[4 * 4])); //@race N2 read 1
    USE(*(racy ? &((char *)o)[0] : &((char *)o)[4 * 4])); //@race O2 read 1
    USE(*(racy ? &p[7] : &p[20])); //@race P2 read 1
    USE(*(racy ? &q[2] : &q[4])); //@race Q2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
