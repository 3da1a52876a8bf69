// SPDX-License-Identifier: Apache-2.0
// What the system tells of files is written, names are read. Racy: another thread touches that; in the twin what lies
// behind it.
// peer-skip: libtsan does not know all of these
#include "tests/programs/invisible.h"
#include <stdio.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

_Alignas(8) struct stat a[2];
_Alignas(8) struct stat b[2];
_Alignas(8) struct statvfs c[2];
_Alignas(8) char d[8] = "/";
_Alignas(8) char e[256];
_Alignas(8) char f[256];
_Alignas(8) char g[16] = "/dev/null";

THREAD(first) {
    MUST(stat("/", a) == 0); //@race A1 write *
    MUST(fstat(0, b) == 0); //@race B1 write *
    MUST(statvfs("/", c) == 0); //@race C1 write *
    MUST(access(d, R_OK) == 0); //@race D1 read *
    MUST(readlink("/proc/self/exe", e, sizeof e - 1) > 0); //@race E1 write *
    MUST(getcwd(f, sizeof f - 1) != NULL); //@race F1 write *
    MUST(open(g, O_RDONLY) >= 0); //@race G1 read *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy) {
        USE(a[0].st_ino); //@race A2 read 8
        USE(b[0].st_ino); //@race B2 read 8
        USE(c[0].f_blocks); //@race C2 read 8
        d[1] = 1; //@race D2 write 1
        USE(e[0]); //@race E2 read 1
        USE(f[0]); //@race F2 read 1
        g[9] = 1; //@race G2 write 1
    } else {
        USE(a[1].st_ino);
        USE(b[1].st_ino);
        USE(c[1].f_blocks);
        d[2] = 1;
        USE(e[255]);
        USE(f[255]);
        g[10] = 1;
    }
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
