// SPDX-License-Identifier: Apache-2.0
// Where a number or an address ends in the middle of a text, the text behind it is not read, and need not end anywhere; nor is what decides no more.
// A wrong base is refused before anything is touched.
// flags: -fno-builtin -D__NO_INLINE__
// peer-skip: libtsan reads some of these to their end
#include "tests/programs/cases.h"
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/ether.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static char s[20][32] = {"12 rest", "-3,rest", "12345678901x rest", "2.5 rest", "1.2.3.4 rest", "1:2:3:4:5:6 rest", "01:02:03:04:05:06xrest",
                         "abcX", "abdX", "a2X", "a1X", "  +x", " x", "12", "12"};
static struct in_addr in;
static struct ether_addr ether;
static char *end[2] = {s[0], s[1]};

// At the end of what is mapped, with no zero behind it.
static const char *at_end(const char *text) {
    size_t n = strlen(text);
    char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MUST(p != MAP_FAILED && mprotect(p + 4096, 4096, PROT_NONE) == 0);
    return memcpy(p + 4096 - n, text, n);
}

static void cases(enum runs who) {
    READS(atoi(s[0]) == 12, &s[0][2], &s[0][3]); //@case reads
    READS(atol(s[1]) == -3, &s[1][2], &s[1][3]); //@case reads
    READS(atoll(s[2]) == 12345678901, &s[2][11], &s[2][12]); //@case reads
    READS(atof(s[3]) == 2.5, &s[3][3], &s[3][4]); //@case reads
    READS(inet_aton(s[4], &in) == 1, &s[4][7], &s[4][8]); //@case reads
    READS(ether_aton_r(s[5], &ether) == &ether, &s[5][11], &s[5][12]); //@case reads
    READS(ether_aton(s[6]) != NULL, &s[6][17], &s[6][18]); //@case reads
    READS(strcoll(s[7], s[8]) < 0, &s[7][2], &s[7][3]); //@case reads
    READS(strverscmp(s[9], s[10]) > 0, &s[9][1], &s[10][3]); //@case reads
    READS(strtol(s[11], NULL, 10) == 0, &s[11][3], &s[11][4]); //@case reads
    READS(strtod(s[12], NULL) == 0, &s[12][1], &s[12][2]); //@case reads
    DOES(MUST(atoi(at_end("7\n")) == 7 && atof(at_end("7 ")) == 7 && inet_aton(at_end("7 "), &in) == 1 && ether_aton(at_end("1:2:3:4:5:6\n"))));

    WRITES((errno = 0, strtol(s[13], &end[0], UNKNOWN(1))) == 0 && errno == EINVAL && end[0] == s[0], NULL, &end[0]);
    READS((errno = 0, strtoumax(s[14], &end[1], UNKNOWN(99))) == 0 && errno == EINVAL && end[1] == s[1], NULL, &s[14][0]);
}

CASES_MAIN
