// SPDX-License-Identifier: Apache-2.0
// Functions of time write their answers, some into one object of libc's for all threads. Racy: another thread reads
// the answer, or calls the same function.
// peer-skip: libtsan does not know all of these
#include "tests/programs/invisible.h"
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

_Alignas(8) time_t a[2];
_Alignas(8) struct timeval b[2];
_Alignas(8) struct timespec c[2];
_Alignas(8) struct tm d[2];
_Alignas(8) struct tm e[2];
_Alignas(8) char f[32];
_Alignas(8) char g[64];
static const time_t when = 86400;
static struct tm day = {.tm_mday = 2, .tm_year = 70};

THREAD(first) {
    time(a); //@race A1 write *
    gettimeofday(b, NULL); //@race B1 write *
    clock_gettime(CLOCK_MONOTONIC, c); //@race C1 write *
    gmtime_r(&when, d); //@race D1 write *
    localtime_r(&when, e); //@race E1 write *
    strftime(f, sizeof f, "%Y", &day); //@race F1 write *
    asctime_r(&day, g); //@race G1 write *
    gmtime(&when); //@race H1 write *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy) {
        USE(a[0]); //@race A2 read 8
        USE(b[0].tv_usec); //@race B2 read 8
        USE(c[0].tv_nsec); //@race C2 read 8
        USE(d[0].tm_mday); //@race D2 read 4
        USE(e[0].tm_year); //@race E2 read 4
        USE(f[4]); //@race F2 read 1
        USE(g[0]); //@race G2 read 1
        USE(gmtime(&when)); //@race H2 write *
    } else {
        USE(a[1]);
        USE(b[1].tv_sec);
        USE(c[1].tv_sec);
        USE(d[1].tm_mday);
        USE(e[1].tm_year);
        USE(f[5]);
        USE(g[60]);
    }
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
