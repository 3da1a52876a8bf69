// SPDX-License-Identifier: Apache-2.0
// Answers that are written in part, or although the call fails: users and groups with all of their strings, names that are made unique, messages of errors, parts of
// a time.
// peer-skip: libtsan does not know all of these
// flags: -Wno-format-zero-length
#include "tests/programs/cases.h"
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int __xpg_strerror_r(int number, char *to, size_t n);

static struct passwd user[4], *user_found[4];
static struct group group[4], *group_found[4];
static char room[8][2048];
static char made[8][64] = {"/tmp/gl-XXXXXX", "/tmp/gl-XXXXXX.c", "/tmp/gl-XXXXXX", "/none/gl/XXXXXX", "/tmp/gl-XXXXX."};
static char to[8][64];
static char s[4][16] = {"20200102x"};
static struct tm at[8] = {[3] = {.tm_year = 69, .tm_mon = 11, .tm_mday = 31, .tm_hour = 23, .tm_min = 59, .tm_sec = 59}};

static void cases(enum runs who) {
    WRITES(getpwuid_r(0, &user[0], room[0], sizeof room[0], &user_found[0]) == 0, user[0].pw_passwd, &user[3]); //@case writes
    WRITES(getpwuid_r(0, &user[1], room[1], sizeof room[1], &user_found[1]) == 0, user[1].pw_gecos, &room[1][2047]); //@case writes
    WRITES(getpwuid_r(0, &user[2], room[2], 1, &user_found[2]) == ERANGE, &user_found[2], &user_found[3]); //@case writes
    WRITES(getgrgid_r(0, &group[0], room[3], sizeof room[3], &group_found[0]) == 0, group[0].gr_mem, &room[3][2047]); //@case writes
    WRITES(getgrgid_r(0, &group[1], room[4], sizeof room[4], &group_found[1]) == 0, group[1].gr_passwd, &group[3]); //@case writes

    WRITES(close(mkstemp(made[0])) == 0, &made[0][13], &made[0][7]); //@case writes
    WRITES(close(mkstemps(made[1], 2)) == 0, &made[1][8], &made[1][14]); //@case writes
    WRITES(mkdtemp(made[2]) == made[2], &made[2][8], &made[2][0]); //@case writes
    WRITES(mkstemp(made[3]) == -1 && errno == ENOENT, &made[3][9], &made[3][8]); //@case writes
    WRITES(mkstemp(made[4]) == -1 && errno == EINVAL, NULL, &made[4][8]);
    DOES(MUST(unlink(made[0]) == 0 && unlink(made[1]) == 0 && rmdir(made[2]) == 0));

    WRITES(__xpg_strerror_r(12345, to[0], 64) == EINVAL, &to[0][0], &to[0][63]); //@case writes
    WRITES(__xpg_strerror_r(ENOENT, to[1], 8) == ERANGE, &to[1][7], &to[1][8]); //@case writes
    WRITES(__xpg_strerror_r(ENOENT, to[2], 0) == ERANGE, NULL, &to[2][0]);

    READS(strptime(s[0], "%Y%m%d", &at[0]) == s[0] + 8, &s[0][7], &s[0][8]); //@case reads
    WRITES(strptime("10:11", "%H:%M", &at[1]) != NULL, &at[1].tm_min, &at[1].tm_year); //@case writes
    WRITES(strptime("2020-02-03", "%Y-%m-%d", &at[2]) != NULL, &at[2].tm_wday, &at[2].tm_sec); //@case writes
    WRITES(timegm(&at[3]) == -1, &at[3].tm_wday, &at[4]); //@case writes
    WRITES(strftime(to[3], 64, "", &at[4]) == 0, &to[3][0], &to[3][1]); //@case writes
}

CASES_MAIN
