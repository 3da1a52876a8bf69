// SPDX-License-Identifier: Apache-2.0
// What the system tells of users and of itself is written. Racy: another thread reads it, or asks for what is kept in
// one object of libc's for all threads.
// peer-skip: libtsan does not know all of these
#include "tests/programs/invisible.h"
#include <arpa/inet.h>
#include <netdb.h>
#include <pwd.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

_Alignas(8) struct utsname a[2];
_Alignas(8) struct rusage b[2];
_Alignas(8) char c[256];
_Alignas(8) struct in_addr d[4];
_Alignas(8) char e[32];
_Alignas(8) struct addrinfo *f[2];

THREAD(first) {
    MUST(uname(a) == 0); //@race A1 write *
    MUST(getrusage(RUSAGE_SELF, b) == 0); //@race B1 write *
    MUST(gethostname(c, 200) == 0); //@race C1 write *
    MUST(inet_pton(AF_INET, "1.2.3.4", d) == 1); //@race D1 write *
    MUST(inet_ntop(AF_INET, &(struct in_addr){0}, e, 16) != NULL); //@race E1 write *
    MUST(getaddrinfo("127.0.0.1", NULL, NULL, f) == 0); //@race F1 write *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy) {
        USE(a[0].sysname[0]); //@race A2 read 1
        USE(b[0].ru_utime.tv_sec); //@race B2 read 8
        USE(c[0]); //@race C2 read 1
        USE(d[0].s_addr); //@race D2 read 4
        USE(e[7]); //@race E2 read 1
        USE(f[0]); //@race F2 read 8
    } else {
        USE(a[1].sysname[0]);
        USE(b[1].ru_utime.tv_sec);
        USE(c[255]);
        USE(d[2].s_addr);
        USE(e[8]);
        USE(f[1]);
    }
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
