// SPDX-License-Identifier: Apache-2.0
// What conversions between bytes and wide characters read, and the variables that iconv moves; memory that is allocated into a variable, the state of a generator.
// flags: -fno-builtin
// peer-skip: libtsan sees what is written only
#include "tests/programs/cases.h"
#include <errno.h>
#include <iconv.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static char s[12][8] = {"abc", "abc", "abc", "abc", "abc", "abc", "abc", "abc"};
static wchar_t w[12][8] = {L"abc", L"abc", L"abc", L"abc", L"abc", L"abc", L"abc", L"abc", L"abc"};
static const char *from[8][2] = {{s[3]}, {s[4]}, {s[5]}};
static const wchar_t *wide_from[8][2] = {{w[3]}, {w[4]}, {w[5]}};
static wchar_t wide[8][8];
static char bytes[8][8];
static mbstate_t state[8];
static iconv_t same;
static char text[2][8] = {"abc"};
static char *in[2] = {text[0]}, *out[2] = {text[1]};
static size_t in_left[2] = {3}, out_left[2] = {8};
static void *block[2];
static struct random_data generator[2];
static char numbers[64];
static int32_t number;

static void cases(enum runs who) {
    READS(mbstowcs(wide[0], s[0], 8) == 3, &s[0][3], &s[0][4]); //@case reads
    READS(mbstowcs(wide[1], s[1], 2) == 2, &s[1][1], &s[1][2]); //@case reads
    READS(mbstowcs(NULL, s[2], 0) == 3, &s[2][3], &s[2][4]); //@case reads
    READS(mbsrtowcs(wide[2], &from[0][0], 2, &state[0]) == 2, &s[3][1], &s[3][2]); //@case reads
    READS(mbsnrtowcs(wide[3], &from[1][0], 2, 8, &state[1]) == 2, &s[4][1], &s[4][2]); //@case reads
    READS(mbsrtowcs(NULL, &from[2][0], 0, &state[2]) == 3, &s[5][3], &s[5][4]); //@case reads
    READS(wcstombs(bytes[0], w[0], 8) == 3, &w[0][3], &w[0][4]); //@case reads
    READS(wcstombs(bytes[1], w[1], 2) == 2, &w[1][1], &w[1][2]); //@case reads
    READS(wcstombs(NULL, w[2], 0) == 3, &w[2][3], &w[2][4]); //@case reads
    READS(wcsrtombs(bytes[2], &wide_from[0][0], 8, &state[3]) == 3, &w[3][3], &w[3][4]); //@case reads
    READS(wcsnrtombs(bytes[3], &wide_from[1][0], 2, 8, &state[4]) == 2, &w[4][1], &w[4][2]); //@case reads
    READS(wcsrtombs(NULL, &wide_from[2][0], 0, &state[5]) == 3, &w[5][3], &w[5][4]); //@case reads
    READS(wcsrtombs(bytes[4], &wide_from[7][0], 0, &state[6]) == 0 && mbsrtowcs(wide[6], &from[7][0], 0, &state[7]) == 0, NULL, NULL);
    READS(wcsncpy(wide[4], w[6], 8) == wide[4], &w[6][3], &w[6][4]); //@case reads
    READS(wcsncpy(wide[5], w[7], 2) == wide[5], &w[7][1], &w[7][2]); //@case reads

    DOES(MUST((same = iconv_open("UTF-8", "UTF-8")) != (iconv_t)-1));
    WRITES(iconv(same, &in[0], &in_left[0], &out[0], &out_left[0]) == 0, &in_left[0], NULL); //@case writes
    READS((errno = 0, iconv(UNKNOWN((iconv_t)-1), &in[1], &in_left[1], &out[1], &out_left[1])) == (size_t)-1 && errno == EBADF, NULL, &in_left[1]);

    WRITES(posix_memalign(&block[0], 64, 10) == 0, &block[0], &block[1]); //@case writes
    DOES(MUST(initstate_r(1, numbers, sizeof numbers, &generator[0]) == 0));
    WRITES(random_r(&generator[0], &number) == 0, (char *)&generator[0] + 8, &generator[1]); //@case writes
}

CASES_MAIN
