// SPDX-License-Identifier: Apache-2.0
// Buffers of files and streams, by each function that fills or takes one. Racy: another thread touches the last byte; in the twin one far
// behind it.
// peer-skip: libtsan does not know all of these
#include "tests/programs/invisible.h"
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

static int file;
static FILE *stream, *lines;
static char *made;

static int format(char *to, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    int n = vsprintf(to, fmt, ap); //@race Q1 write *
    va_end(ap);
    return n;
}

static int format_to(char *to, size_t room, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(to, room, fmt, ap); //@race R1 write *
    va_end(ap);
    return n;
}

static int format_file(FILE *to, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    int n = vfprintf(to, fmt, ap); //@race S1 read *
    va_end(ap);
    return n;
}

_Alignas(8) char a[32];
_Alignas(8) char b[32];
_Alignas(8) char c[32];
_Alignas(8) char d[32];
_Alignas(8) char e[32];
_Alignas(8) char f[32];
_Alignas(8) char g[32];
_Alignas(8) char h[32];
_Alignas(8) char i[32];
_Alignas(8) char j[32];
_Alignas(8) char k[32];
_Alignas(8) char l[32];
_Alignas(8) char m[32];
_Alignas(8) char n[32];
_Alignas(8) char o[32];
_Alignas(8) char p[32] = "seven..";
_Alignas(8) char q[32];
_Alignas(8) char r[32];
_Alignas(8) char s[32] = "seven..";
_Alignas(8) char t[32] = "seven..";
_Alignas(8) char u[32] = "seven..";
_Alignas(8) char v[32] = "seven..";

THREAD(first) {
    MUST(pread(file, a, 8, 0) == 8); //@race A1 write *
    MUST(pread64(file, b, 8, 0) == 8); //@race B1 write *
    MUST(preadv(file, &(struct iovec){c, 8}, 1, 0) == 8); //@race C1 write *
    MUST(preadv64(file, &(struct iovec){d, 8}, 1, 0) == 8); //@race D1 write *
    MUST(preadv2(file, &(struct iovec){e, 8}, 1, 0, 0) == 8); //@race E1 write *
    MUST(preadv64v2(file, &(struct iovec){f, 8}, 1, 0, 0) == 8); //@race F1 write *
    MUST(pwrite(file, g, 8, 64) == 8); //@race G1 read *
    MUST(pwrite64(file, h, 8, 64) == 8); //@race H1 read *
    MUST(pwritev(file, &(struct iovec){i, 8}, 1, 64) == 8); //@race I1 read *
    MUST(pwritev64(file, &(struct iovec){j, 8}, 1, 64) == 8); //@race J1 read *
    MUST(pwritev2(file, &(struct iovec){k, 8}, 1, 64, 0) == 8); //@race K1 read *
    MUST(pwritev64v2(file, &(struct iovec){l, 8}, 1, 64, 0) == 8); //@race L1 read *
    MUST(fread_unlocked(m, 1, 8, stream) == 8); //@race M1 write *
    MUST(fwrite_unlocked(n, 1, 8, stream) == 8); //@race N1 read *
    MUST(fgets_unlocked(o, 9, lines) == o); //@race O1 write *
    MUST(fputs_unlocked(p, stream) >= 0); //@race P1 read *
    MUST(format(q, "%s", "seven..") == 7);
    MUST(format_to(r, 20, "%s", "seven..") == 7);
    MUST(format_file(stream, "%s", s) == 7);
    MUST(fprintf(stream, "%s", t) == 7); //@race T1 read *
    MUST(dprintf(file, "%s", u) == 7); //@race U1 read *
    MUST(asprintf(&made, "%s", v) == 7); //@race V1 read *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    USE(*(racy ? &a[7] : &a[20])); //@race A2 read 1
    USE(*(racy ? &b[7] : &b[20])); //@race B2 read 1
    USE(*(racy ? &c[7] : &c[20])); //@race C2 read 1
    USE(*(racy ? &d[7] : &d[20])); //@race D2 read 1
    USE(*(racy ? &e[7] : &e[20])); //@race E2 read 1
    USE(*(racy ? &f[7] : &f[20])); //@race F2 read 1
    *(racy ? &g[7] : &g[20]) = 1; //@race G2 write 1
    *(racy ? &h[7] : &h[20]) = 1; //@race H2 write 1
    *(racy ? &i[7] : &i[20]) = 1; //@race I2 write 1
    *(racy ? &j[7] : &j[20]) = 1; //@race J2 write 1
    *(racy ? &k[7] : &k[20]) = 1; //@race K2 write 1
    *(racy ? &l[7] : &l[20]) = 1; //@race L2 write 1
    USE(*(racy ? &m[7] : &m[20])); //@race M2 read 1
    *(racy ? &n[7] : &n[20]) = 1; //@race N2 write 1
    USE(*(racy ? &o[7] : &o[20])); //@race O2 read 1
    *(racy ? &p[7] : &p[20]) = 1; //@race P2 write 1
    USE(*(racy ? &q[7] : &q[20])); //@race Q2 read 1
    USE(*(racy ? &r[7] : &r[20])); //@race R2 read 1
    *(racy ? &s[7] : &s[20]) = 1; //@race S2 write 1
    *(racy ? &t[7] : &t[20]) = 1; //@race T2 write 1
    *(racy ? &u[7] : &u[20]) = 1; //@race U2 write 1
    *(racy ? &v[7] : &v[20]) = 1; //@race V2 write 1
    return NULL;
}

int main(void) {
    char zeros[64] = "";
    file = memfd_create("range_files", 0);
    MUST(file >= 0 && write(file, zeros, sizeof zeros) == sizeof zeros);
    stream = fmemopen(NULL, 256, "w+");
    MUST(stream && fwrite("01234567", 1, 8, stream) == 8 && fseek(stream, 0, SEEK_SET) == 0);
    lines = fmemopen("0123456789", 10, "r");
    MUST(lines);
    RUN(first, second);
    return 0;
}
