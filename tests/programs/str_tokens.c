// SPDX-License-Identifier: Apache-2.0
// strtok and its kin read what they pass over and the token, and write one zero, where a delimiter ended it; where the string ends nothing is written.
// flags: -fno-builtin
// peer-skip: libtsan takes the whole token for written
#include "tests/programs/cases.h"
#include <string.h>

static char s[12][16] = {"abc,def", ",,abc", "abc", ",,,", "abc,d", "abc", ",,,", "abc,def", "abc", "x"};
static char *at[12][2] = {[8] = {s[7]}, [9] = {s[8]}, [10] = {NULL}};

static void cases(enum runs who) {
    WRITES(strtok_r(s[0], ",", &at[0][0]) == s[0], &s[0][3], &s[0][1]); //@case writes
    READS(strtok_r(s[1], ",", &at[1][0]) == s[1] + 2, &s[1][0], NULL); //@case reads
    READS(strtok_r(s[2], ",", &at[2][0]) == s[2], &s[2][3], &s[2][4]); //@case reads
    READS(strtok_r(s[3], ",", &at[3][0]) == NULL, &s[3][2], NULL); //@case reads
    WRITES(strtok_r(s[9], ",", &at[4][0]) == s[9], &at[4][0], &s[9][1]); //@case writes
    WRITES(strtok(s[4], ",") == s[4], &s[4][3], &s[4][2]); //@case writes
    READS(strtok(s[5], ",") == s[5], &s[5][3], &s[5][4]); //@case reads
    READS(strtok(s[6], ",") == NULL, &s[6][3], NULL); //@case reads
    WRITES(strsep(&at[8][0], ",") == s[7], &s[7][3], &s[7][2]); //@case writes
    WRITES(strsep(&at[9][0], ",") == s[8], &at[9][0], &s[8][3]); //@case writes
    READS(strsep(&at[10][0], ",") == NULL, &at[10][0], &at[10][1]); //@case reads
}

CASES_MAIN
