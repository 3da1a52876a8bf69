// SPDX-License-Identifier: Apache-2.0
// Searches read their string up to what they find, comparisons up to the difference. Racy: another thread writes the last byte
// that counts; in the twin one far behind it.
// peer-skip: libtsan does not know all of these
#include "tests/programs/invisible.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *abcd = "abcd";
char *volatile kept;
_Alignas(8) char a[32] = "aBc";
_Alignas(8) char b[32] = "aBcd";
_Alignas(8) char c[32] = "xxABC";
_Alignas(8) char d[32] = "abc";
_Alignas(8) char e[32] = "abcx";
_Alignas(8) char f[32] = "aaab";
_Alignas(8) char g[32] = "abcx";
_Alignas(8) char h[32] = "abca";
_Alignas(8) char i[32] = "abcd";
_Alignas(8) char j[32] = "abcd";
_Alignas(8) char k[32] = "abcd";
_Alignas(8) char l[32] = "abcd";
_Alignas(8) char m[32] = "abcd";
_Alignas(8) char n[32] = "abcd";
_Alignas(8) char o[32] = "abcd";
_Alignas(8) char p[32] = "abc";
_Alignas(8) char q[32] = "abcd";
_Alignas(8) char r[32] = "a2";
_Alignas(8) char s[32] = "abcd";

THREAD(first) {
    MUST(strcasecmp(a, "AbC") == 0); //@race A1 read *
    MUST(strncasecmp(b, "AbCx", 3) == 0); //@race B1 read *
    MUST(strcasestr(c, "abc") == c + 2); //@race C1 read *
    MUST(strchrnul(d, 'z') == d + 3); //@race D1 read *
    MUST(strcspn(e, "x") == 3); //@race E1 read *
    MUST(strspn(f, "a") == 3); //@race F1 read *
    MUST(strpbrk(g, "x") == g + 3); //@race G1 read *
    MUST(strrchr(h, 'b') == h + 1); //@race H1 read *
    MUST(strstr(i, "cd") == i + 2); //@race I1 read *
    MUST(strnlen(j, UNKNOWN(3)) == 3); //@race J1 read *
    MUST(index(k, 'c') == k + 2); //@race K1 read *
    MUST(rindex(l, 'a') == l); //@race L1 read *
    MUST(rawmemchr(m, 'c') == m + 2); //@race M1 read *
    MUST(memrchr(n, 'b', 4) == n + 1); //@race N1 read *
    MUST(memmem(o, 4, "cd", 2) == o + 2); //@race O1 read *
    MUST((kept = strdup(p)) != NULL); //@race P1 read *
    MUST((kept = strndup(q, UNKNOWN(2))) != NULL); //@race Q1 read *
    MUST(strverscmp(r, "a10") < 0); //@race R1 read *
    MUST(bcmp(s, abcd, 4) == 0); //@race S1 read *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    *(racy ? &a[3] : &a[20]) = 1; //@race A2 write 1
    *(racy ? &b[2] : &b[20]) = 1; //@race B2 write 1
    *(racy ? &c[4] : &c[20]) = 1; //@race C2 write 1
    *(racy ? &d[3] : &d[20]) = 1; //@race D2 write 1
    *(racy ? &e[3] : &e[20]) = 1; //@race E2 write 1
    *(racy ? &f[3] : &f[20]) = 1; //@race F2 write 1
    *(racy ? &g[3] : &g[20]) = 1; //@race G2 write 1
    *(racy ? &h[4] : &h[20]) = 1; //@race H2 write 1
    *(racy ? &i[3] : &i[20]) = 1; //@race I2 write 1
    *(racy ? &j[2] : &j[20]) = 1; //@race J2 write 1
    *(racy ? &k[2] : &k[20]) = 1; //@race K2 write 1
    *(racy ? &l[4] : &l[20]) = 1; //@race L2 write 1
    *(racy ? &m[2] : &m[20]) = 1; //@race M2 write 1
    *(racy ? &n[3] : &n[20]) = 1; //@race N2 write 1
    *(racy ? &o[3] : &o[20]) = 1; //@race O2 write 1
    *(racy ? &p[3] : &p[20]) = 1; //@race P2 write 1
    *(racy ? &q[1] : &q[20]) = 1; //@race Q2 write 1
    *(racy ? &r[1] : &r[20]) = 1; //@race R2 write 1
    *(racy ? &s[3] : &s[20]) = 1; //@race S2 write 1
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
