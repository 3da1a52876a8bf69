// SPDX-License-Identifier: Apache-2.0
// Functions of time write what they answer, and read what they are asked. Racy: another thread reads the answer, or writes the question;
// in the twin what lies behind it.
// peer-skip: libtsan does not know all of these
#include "tests/programs/invisible.h"
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static struct tm moment, parsed;
static const time_t zero;
_Alignas(8) struct tm a[2];
_Alignas(8) struct tm b[2];
_Alignas(8) struct timespec c[2];
_Alignas(8) struct timespec d[2];
_Alignas(8) struct itimerval e[2];
_Alignas(8) char f[64];
_Alignas(8) char g[64];
_Alignas(8) time_t h[2];
_Alignas(8) time_t i[2];
_Alignas(8) struct timespec j[2];
_Alignas(8) struct timespec k[2];
_Alignas(8) clockid_t l[2];
_Alignas(8) char m[32] = "1999";
_Alignas(8) struct rlimit n[2];
_Alignas(8) struct sysinfo o[2];
_Alignas(8) struct tm p[2];

THREAD(first) {
    MUST(mktime(a) != -1); //@race A1 write *
    MUST(timegm(b) != -1); //@race B1 write *
    MUST(timespec_get(c, TIME_UTC) == TIME_UTC); //@race C1 write *
    MUST(clock_getres(CLOCK_MONOTONIC, d) == 0); //@race D1 write *
    MUST(getitimer(ITIMER_REAL, e) == 0); //@race E1 write *
    MUST(asctime_r(&moment, f) == f); //@race F1 write *
    MUST(ctime_r(&zero, g) == g); //@race G1 write *
    MUST(localtime(h) != NULL); //@race H1 read *
    MUST(ctime(i) != NULL); //@race I1 read *
    MUST(nanosleep(j, NULL) == 0); //@race J1 read *
    MUST(clock_nanosleep(CLOCK_MONOTONIC, 0, k, NULL) == 0); //@race K1 read *
    MUST(clock_getcpuclockid(0, l) == 0); //@race L1 write *
    MUST(strptime(m, "%Y", &parsed) == m + 4); //@race M1 read *
    MUST(getrlimit(RLIMIT_CORE, n) == 0); //@race N1 write *
    MUST(sysinfo(o) == 0); //@race O1 write *
    MUST(asctime(p) != NULL); //@race P1 read *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    USE(*(racy ? &a[0].tm_wday : &a[1].tm_wday)); //@race A2 read 4
    USE(*(racy ? &b[0].tm_wday : &b[1].tm_wday)); //@race B2 read 4
    USE(*(racy ? &((char *)c)[0] : &((char *)c)[sizeof *c])); //@race C2 read 1
    USE(*(racy ? &((char *)d)[0] : &((char *)d)[sizeof *d])); //@race D2 read 1
    USE(*(racy ? &((char *)e)[0] : &((char *)e)[sizeof *e])); //@race E2 read 1
    USE(*(racy ? &f[0] : &f[40])); //@race F2 read 1
    USE(*(racy ? &g[0] : &g[40])); //@race G2 read 1
    *(racy ? &((char *)h)[0] : &((char *)h)[4 * 2]) = 1; //@race H2 write 1
    *(racy ? &((char *)i)[0] : &((char *)i)[4 * 2]) = 1; //@race I2 write 1
    *(racy ? &((char *)j)[0] : &((char *)j)[4 * 4]) = 1; //@race J2 write 1
    *(racy ? &((char *)k)[0] : &((char *)k)[4 * 4]) = 1; //@race K2 write 1
    USE(*(racy ? &((char *)l)[0] : &((char *)l)[sizeof *l])); //@race L2 read 1
    *(racy ? &m[3] : &m[20]) = 1; //@race M2 write 1
    USE(*(racy ? &((char *)n)[0] : &((char *)n)[sizeof *n])); //@race N2 read 1
    USE(*(racy ? &((char *)o)[0] : &((char *)o)[sizeof *o])); //@race O2 read 1
    *(racy ? &p[0].tm_mday : &p[1].tm_mday) = 1; //@race P2 write 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
