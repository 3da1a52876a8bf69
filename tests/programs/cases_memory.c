// SPDX-License-Identifier: Apache-2.0
// The checked forms of memcpy and its kin (_FORTIFY_SOURCE), names of errors, blocks of the rarer allocators.
// peer-skip: libtsan does not know all of these
// flags: -lm -Wno-deprecated-declarations
#include "tests/programs/cases.h"
#include <errno.h>
#include <execinfo.h>
#include <libintl.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void *__memmove_chk(void *to, const void *from, size_t n, size_t room);
void *__mempcpy_chk(void *to, const void *from, size_t n, size_t room);
char *__stpcpy_chk(char *to, const char *from, size_t room);
char *__stpncpy_chk(char *to, const char *from, size_t n, size_t room);
char *__strcpy_chk(char *to, const char *from, size_t room);
char *__strncat_chk(char *to, const char *from, size_t n, size_t room);
char *__strncpy_chk(char *to, const char *from, size_t n, size_t room);
int __xpg_strerror_r(int number, char *to, size_t n);
void cfree(void *p);

static char from[8][16] = {"abc", "abc", "abc", "abc", "abc", "abc", "abc", "abc"};
static char to[20][256];
static char name[4][8] = {"C", "gl", "C"};
static void *callers[2][2], *no_calls[2];
static int sign[8][2], quotient[4][2];
static double sine[2], cosine[2];
static float sine_f[2], cosine_f[2];
static long double sine_l[2], cosine_l[2];
static void *tree[2], *old_tree[2];
static struct random_data random_state;
static int32_t random_number[2];
static char random_room[64];

static int compare(const void *p, const void *q) {
    return (p > q) - (p < q);
}

static void cases(enum runs who) {
    char *p = NULL;
    void **node = NULL;

    WRITES(__memmove_chk(to[0], "abcdefgh", UNKNOWN((size_t)4), 64) == to[0], &to[0][3], &to[0][4]); //@case writes
    WRITES(__mempcpy_chk(to[1], "abcdefgh", UNKNOWN((size_t)4), 64) == to[1] + 4, &to[1][3], &to[1][4]); //@case writes
    WRITES(__stpcpy_chk(to[2], from[0], 64) == to[2] + 3, &to[2][3], &to[2][4]); //@case writes
    READS(__stpcpy_chk(to[3], from[1], 64) == to[3] + 3, &from[1][3], &from[1][4]); //@case reads
    WRITES(__stpncpy_chk(to[4], from[2], UNKNOWN((size_t)6), 64) == to[4] + 3, &to[4][5], &to[4][6]); //@case writes
    WRITES(__strcpy_chk(to[5], from[3], 64) == to[5], &to[5][3], &to[5][4]); //@case writes
    READS(__strcpy_chk(to[6], from[4], 64) == to[6], &from[4][3], &from[4][4]); //@case reads
    WRITES(__strncat_chk(to[7], "abc", UNKNOWN((size_t)2), 64) == to[7], &to[7][2], &to[7][3]); //@case writes
    WRITES(__strncpy_chk(to[8], from[5], UNKNOWN((size_t)6), 64) == to[8], &to[8][5], &to[8][6]); //@case writes
    WRITES(__xpg_strerror_r(ENOENT, to[9], 64) == 0, &to[9][0], &to[9][64]); //@case writes
    WRITES(strerror_r(12345, to[10], 64) == to[10], &to[10][0], &to[10][64]); //@case writes
    READS(setlocale(LC_ALL, name[0]) != NULL, &name[0][1], &name[0][2]); //@case reads
    READS(textdomain(name[1]) != NULL, &name[1][2], &name[1][3]); //@case reads
    WRITES(backtrace(callers[0], 2) == 2, &callers[0][1], &callers[1]); //@case writes
    READS(backtrace_symbols(no_calls, 2) != NULL, &no_calls[1], NULL); //@case reads

    // A block whose size was asked for ends where it should: what is freed races with a use of its last byte. None gets the place of another.
    char *block[4] = {NULL};
    READS((p = valloc(100)) && malloc_usable_size(p) >= 100, NULL, NULL);
    DOES(MUST((block[0] = memalign(64, 100)) && (block[1] = pvalloc(100)) && (block[2] = valloc(9000)) && (block[3] = reallocarray(NULL, 10, 50))));
    WRITES((cfree(UNKNOWN(block[0])), 1), block[0] + 99, NULL); //@case frees
    WRITES((free(UNKNOWN(block[1])), 1), block[1] + 99, NULL); //@case frees
    WRITES((free(UNKNOWN(block[2])), 1), block[2] + 8999, NULL); //@case frees
    WRITES((free(UNKNOWN(block[3])), 1), block[3] + 499, NULL); //@case frees

    READS(lgammaf(2.5f) > 0 && lgammal(2.5L) > 0, NULL, NULL);
    WRITES(lgamma(2.5) > 0, NULL, NULL);
    WRITES(lgamma_r(2.5, &sign[0][0]) > 0, &sign[0][0], &sign[0][1]); //@case writes
    WRITES(lgammaf_r(2.5f, &sign[1][0]) > 0, &sign[1][0], &sign[1][1]); //@case writes
    WRITES(lgammal_r(2.5L, &sign[2][0]) > 0, &sign[2][0], &sign[2][1]); //@case writes
    WRITES(remquo(7, 2, &quotient[0][0]) == -1, &quotient[0][0], &quotient[0][1]); //@case writes
    WRITES(remquof(7, 2, &quotient[1][0]) == -1, &quotient[1][0], &quotient[1][1]); //@case writes
    WRITES(remquol(7, 2, &quotient[2][0]) == -1, &quotient[2][0], &quotient[2][1]); //@case writes
    WRITES(isnan(remquo(7, UNKNOWN(0.0), &quotient[3][1])) && remquo(7, 2, &quotient[3][0]) == -1, &quotient[3][0], &quotient[3][1]); //@case writes
    WRITES((sincos(0, &sine[0], &cosine[0]), 1), &sine[0], &sine[1]); //@case writes
    WRITES((sincosf(0, &sine_f[0], &cosine_f[0]), 1), &cosine_f[0], &cosine_f[1]); //@case writes
    WRITES((sincosl(0, &sine_l[0], &cosine_l[0]), 1), &sine_l[0], &sine_l[1]); //@case writes
    WRITES((node = tsearch(from[6], &tree[0], compare)) != NULL, &tree[0], &tree[1]); //@case writes
    WRITES((node = tsearch(from[7], &old_tree[0], compare)) != NULL, node, NULL); //@case writes
    DOES(MUST(initstate_r(1, random_room, sizeof random_room, &random_state) == 0));
    WRITES(random_r(&random_state, &random_number[0]) == 0, &random_number[0], &random_number[1]); //@case writes
}

CASES_MAIN
