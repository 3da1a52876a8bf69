// SPDX-License-Identifier: Apache-2.0
// Users, groups, hosts, protocols and networks: the structure that is given back, in memory of libc's or of the program's, is written; the
// name or address that is asked for is read.
// peer-skip: libtsan does not know all of these
#include "tests/programs/cases.h"
#include <arpa/inet.h>
#include <grp.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char root[2][8] = {"root", "root"};
static char localhost[4][16] = {"localhost", "localhost", "localhost", "localhost"};
static char tcp[8] = "tcp", link_local[16] = "link-local";
static struct in_addr local[2] = {{0x0100007f}, {0x0100007f}};
static struct passwd user[4], *user_found[4];
static struct group group[4], *group_found[4];
static struct hostent host[4], *host_found[4];
static char room[16][8192];
static char text[4][64];
static struct sockaddr_in where = {.sin_family = AF_INET, .sin_addr = {0x0100007f}};

static void cases(enum runs who) {
    struct passwd *u = NULL;
    struct group *g = NULL;
    struct hostent *h = NULL;
    struct protoent *p = NULL;
    struct netent *n = NULL;
    struct ifaddrs *i = NULL;
    struct ether_addr *e = NULL;
    char *s = NULL;
    int error = 0;

    WRITES((u = getpwuid(0)) != NULL, &u->pw_uid, NULL); //@case writes
    WRITES((g = getgrgid(0)) != NULL, &g->gr_gid, NULL); //@case writes
    WRITES(getpwuid_r(0, &user[0], room[0], sizeof room[0], &user_found[0]) == 0, &user[0].pw_uid, &user[1]); //@case writes
    WRITES(getgrgid_r(0, &group[0], room[1], sizeof room[1], &group_found[0]) == 0, &group[0].gr_gid, &group[1]); //@case writes
    READS(getpwnam_r(root[0], &user[2], room[2], sizeof room[2], &user_found[1]) == 0, &root[0][4], &root[0][5]); //@case reads
    READS(getgrnam_r(root[1], &group[2], room[3], sizeof room[3], &group_found[1]) == 0, &root[1][4], &root[1][5]); //@case reads
    DOES(setpwent(); setgrent());
    WRITES((u = getpwent()) != NULL, &u->pw_uid, NULL); //@case writes
    WRITES((g = getgrent()) != NULL, &g->gr_gid, NULL); //@case writes
    WRITES(getpwent_r(&user[3], room[4], sizeof room[4], &user_found[2]) == 0, &user[3].pw_uid, NULL); //@case writes
    WRITES(getgrent_r(&group[3], room[5], sizeof room[5], &group_found[2]) == 0, &group[3].gr_gid, NULL); //@case writes
    WRITES((u = fgetpwent(fopen("/etc/passwd", "r"))) != NULL, &u->pw_uid, NULL); //@case writes
    WRITES((g = fgetgrent(fopen("/etc/group", "r"))) != NULL, &g->gr_gid, NULL); //@case writes

    READS((h = gethostbyname(localhost[0])) != NULL, &localhost[0][9], &localhost[0][10]); //@case reads
    READS((h = gethostbyname2(localhost[1], AF_INET)) != NULL, &localhost[1][9], &localhost[1][10]); //@case reads
    READS((h = gethostbyaddr(&local[0], 4, AF_INET)) != NULL, (char *)&local[0] + 3, NULL); //@case reads
    WRITES((h = gethostent()) != NULL, &h->h_length, NULL); //@case writes
    WRITES(gethostbyname_r(localhost[2], &host[0], room[6], sizeof room[6], &host_found[0], &error) == 0, &host[0].h_length, &host[1]); //@case writes
    WRITES(gethostbyname2_r("localhost", AF_INET, &host[2], room[7], sizeof room[7], &host_found[1], &error) == 0, &host[2].h_length, NULL); //@case writes
    WRITES(gethostbyaddr_r(&local[1], 4, AF_INET, &host[3], room[8], sizeof room[8], &host_found[2], &error) == 0, &host[3].h_length, NULL); //@case writes
    READS((p = getprotobyname(tcp)) != NULL, &tcp[3], &tcp[4]); //@case reads
    WRITES((p = getprotobynumber(6)) != NULL, &p->p_proto, NULL); //@case writes
    WRITES((p = getprotoent()) != NULL, &p->p_proto, NULL); //@case writes
    READS((n = getnetbyname(link_local)) != NULL, &link_local[10], &link_local[11]); //@case reads
    WRITES((n = getnetent()) != NULL, &n->n_net, NULL); //@case writes
    READS(getnameinfo((struct sockaddr *)&where, sizeof where, text[0], 64, NULL, 0, NI_NUMERICHOST) == 0, &where.sin_addr, NULL); //@case reads
    WRITES(getnameinfo((struct sockaddr *)&(struct sockaddr_in){.sin_family = AF_INET}, sizeof where, text[1], 64, NULL, 0, NI_NUMERICHOST) == 0, &text[1][7], &text[1][8]); //@case writes
    WRITES(getifaddrs(&i) == 0, &i->ifa_name, NULL); //@case writes

    WRITES((e = ether_aton("1:2:3:4:5:7")) != NULL, &e->ether_addr_octet[5], NULL); //@case writes
    WRITES((s = ether_ntoa(&(struct ether_addr){{1, 2}})) != NULL, s, NULL); //@case writes
}

CASES_MAIN
