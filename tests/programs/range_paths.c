// SPDX-License-Identifier: Apache-2.0
// Functions that take a path read it with its end, and write what they tell of the file. Racy: another thread writes the path or reads
// the answer; in the twin what lies behind it.
// peer-skip: libtsan does not know all of these
#include "tests/programs/invisible.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

_Alignas(8) struct stat a[2];
_Alignas(8) struct stat b[2];
_Alignas(8) struct statfs c[2];
_Alignas(8) struct statfs d[2];
_Alignas(8) struct statvfs e[2];
_Alignas(8) char f[32] = "/dev";
_Alignas(8) char g[32] = "/none/x";
_Alignas(8) char h[32] = "/none/x";
_Alignas(8) char i[32] = "/none/x";
_Alignas(8) char j[32] = "/none/x";
_Alignas(8) char k[32] = "/none/x";
_Alignas(8) char l[32] = "/none/x";
_Alignas(8) char m[32] = "/none/x";
_Alignas(8) char n[32] = "/none/x";
_Alignas(8) char o[32] = "/none/x";
_Alignas(8) char p[32] = "/none/x";
_Alignas(8) char q[32] = "/none/x";
_Alignas(8) char r[32] = "/none/x";
_Alignas(8) char s[32];
_Alignas(8) char t[32] = "/";
_Alignas(8) char u[32] = "/none/x";
_Alignas(8) char v[32] = "/none/x";

THREAD(first) {
    MUST(lstat("/", a) == 0); //@race A1 write *
    MUST(fstatat(AT_FDCWD, "/", b, 0) == 0); //@race B1 write *
    MUST(statfs("/", c) == 0); //@race C1 write *
    MUST(fstatfs(0, d) == 0); //@race D1 write *
    MUST(fstatvfs(0, e) == 0); //@race E1 write *
    MUST(openat(AT_FDCWD, f, O_RDONLY) > 2); //@race F1 read *
    MUST(mkdir(g, 0700) == -1); //@race G1 read *
    MUST(chmod(h, 0700) == -1); //@race H1 read *
    MUST(chown(i, 0, 0) == -1); //@race I1 read *
    MUST(chdir(j) == -1); //@race J1 read *
    MUST(chroot(k) == -1); //@race K1 read *
    MUST(link(l, "/none/y") == -1); //@race L1 read *
    MUST(symlink("/x", m) == -1); //@race M1 read *
    MUST(rename(n, "/none/y") == -1); //@race N1 read *
    MUST(remove(o) == -1); //@race O1 read *
    MUST(truncate(p, 0) == -1); //@race P1 read *
    MUST(creat(q, 0600) == -1); //@race Q1 read *
    MUST(opendir(r) == NULL); //@race R1 read *
    MUST(readlinkat(AT_FDCWD, "/proc/self/exe", s, 4) == 4); //@race S1 write *
    free(canonicalize_file_name(t)); //@race T1 read *
    MUST(open64(u, O_RDONLY) == -1); //@race U1 read *
    MUST(fopen(v, "r") == NULL); //@race V1 read *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    USE(*(racy ? &((char *)a)[0] : &((char *)a)[sizeof *a])); //@race A2 read 1
    USE(*(racy ? &((char *)b)[0] : &((char *)b)[sizeof *b])); //@race B2 read 1
    USE(*(racy ? &((char *)c)[0] : &((char *)c)[sizeof *c])); //@race C2 read 1
    USE(*(racy ? &((char *)d)[0] : &((char *)d)[sizeof *d])); //@race D2 read 1
    USE(*(racy ? &((char *)e)[0] : &((char *)e)[sizeof *e])); //@race E2 read 1
    *(racy ? &f[4] : &f[20]) = 1; //@race F2 write 1
    *(racy ? &g[7] : &g[20]) = 1; //@race G2 write 1
    *(racy ? &h[7] : &h[20]) = 1; //@race H2 write 1
    *(racy ? &i[7] : &i[20]) = 1; //@race I2 write 1
    *(racy ? &j[7] : &j[20]) = 1; //@race J2 write 1
    *(racy ? &k[7] : &k[20]) = 1; //@race K2 write 1
    *(racy ? &l[7] : &l[20]) = 1; //@race L2 write 1
    *(racy ? &m[7] : &m[20]) = 1; //@race M2 write 1
    *(racy ? &n[7] : &n[20]) = 1; //@race N2 write 1
    *(racy ? &o[7] : &o[20]) = 1; //@race O2 write 1
    *(racy ? &p[7] : &p[20]) = 1; //@race P2 write 1
    *(racy ? &q[7] : &q[20]) = 1; //@race Q2 write 1
    *(racy ? &r[7] : &r[20]) = 1; //@race R2 write 1
    USE(*(racy ? &s[3] : &s[20])); //@race S2 read 1
    *(racy ? &t[1] : &t[20]) = 1; //@race T2 write 1
    *(racy ? &u[7] : &u[20]) = 1; //@race U2 write 1
    *(racy ? &v[7] : &v[20]) = 1; //@race V2 write 1
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
