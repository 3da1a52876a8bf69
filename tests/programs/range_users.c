// SPDX-License-Identifier: Apache-2.0
// What looks up users, groups and hosts reads the name with its end, and writes the answer. Racy: another thread touches that; in the twin
// what lies behind it.
// peer-skip: libtsan does not know all of these
#include "tests/programs/invisible.h"
#include <arpa/inet.h>
#include <grp.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <pwd.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
#include <wordexp.h>

static char buffer[4096];
static struct passwd *user;
static struct group *group;
static uid_t id;
static struct in_addr address;
static struct ether_addr ether, other_ether;
static wordexp_t words;
static gid_t groups[4];
_Alignas(8) char a[32] = "root";
_Alignas(8) char b[32] = "root";
_Alignas(8) struct passwd c[2];
_Alignas(8) struct passwd d[2];
_Alignas(8) struct group e[2];
_Alignas(8) struct group f[2];
_Alignas(8) uid_t g[2];
_Alignas(8) gid_t h[2];
_Alignas(8) double i[2];
_Alignas(8) char j[32] = "lo";
_Alignas(8) char k[64];
_Alignas(8) char l[32] = "127.0.0.1";
_Alignas(8) char m[32] = "1:2:3:4:5:6";
_Alignas(8) char n[64];
_Alignas(8) char o[32] = "/dev";
_Alignas(8) int p[4] = {4};
_Alignas(8) char q[32];

THREAD(first) {
    MUST(getpwnam(a) != NULL); //@race A1 read *
    MUST(getgrnam(b) != NULL); //@race B1 read *
    MUST(getpwnam_r("root", c, buffer, sizeof buffer, &user) == 0); //@race C1 write *
    MUST(getpwuid_r(0, d, buffer, sizeof buffer, &user) == 0); //@race D1 write *
    MUST(getgrnam_r("root", e, buffer, sizeof buffer, &group) == 0); //@race E1 write *
    MUST(getgrgid_r(0, f, buffer, sizeof buffer, &group) == 0); //@race F1 write *
    MUST(getresuid(g, &id, &id) == 0); //@race G1 write *
    MUST(getresgid(h, &id, &id) == 0); //@race H1 write *
    MUST(getloadavg(i, 1) == 1); //@race I1 write *
    MUST(if_nametoindex(j) > 0); //@race J1 read *
    MUST(if_indextoname(1, k) == k); //@race K1 write *
    MUST(inet_aton(l, &address) == 1); //@race L1 read *
    MUST(ether_aton_r(m, &ether) == &ether); //@race M1 read *
    MUST(ether_ntoa_r(&other_ether, n) == n); //@race N1 write *
    MUST(wordexp(o, &words, 0) == 0); //@race O1 read *
    MUST(getgrouplist("root", 0, groups, p) > 0); //@race P1 write *
    MUST(confstr(_CS_PATH, q, 8) > 1); //@race Q1 write *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    *(racy ? &a[4] : &a[20]) = 1; //@race A2 write 1
    *(racy ? &b[4] : &b[20]) = 1; //@race B2 write 1
    USE(*(racy ? &((char *)c)[0] : &((char *)c)[sizeof *c])); //@race C2 read 1
    USE(*(racy ? &((char *)d)[0] : &((char *)d)[sizeof *d])); //@race D2 read 1
    USE(*(racy ? &((char *)e)[0] : &((char *)e)[sizeof *e])); //@race E2 read 1
    USE(*(racy ? &((char *)f)[0] : &((char *)f)[sizeof *f])); //@race F2 read 1
    USE(*(racy ? &((char *)g)[0] : &((char *)g)[sizeof *g])); //@race G2 read 1
    USE(*(racy ? &((char *)h)[0] : &((char *)h)[sizeof *h])); //@race H2 read 1
    USE(*(racy ? &((char *)i)[0] : &((char *)i)[sizeof *i])); //@race I2 read 1
    *(racy ? &j[2] : &j[20]) = 1; //@race J2 write 1
    USE(*(racy ? &k[0] : &k[40])); //@race K2 read 1
    *(racy ? &l[9] : &l[20]) = 1; //@race L2 write 1
    *(racy ? &m[10] : &m[20]) = 1; //@race M2 write 1
    USE(*(racy ? &n[0] : &n[40])); //@race N2 read 1
    *(racy ? &o[4] : &o[20]) = 1; //@race O2 write 1
    USE(*(racy ? &p[0] : &p[2])); //@race P2 read 4
    USE(*(racy ? &q[0] : &q[20])); //@race Q2 read 1
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
