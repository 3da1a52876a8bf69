// SPDX-License-Identifier: Apache-2.0
// Numbers and scanf under the names that programs of C23 call. A library between the runtime and libc has them, for a libc that has not.
// peer-skip: libtsan does not know these
// library: c23
// flags: -fno-builtin
#include "tests/programs/cases.h"
#include "tests/programs/lists.h"
#include <stdint.h>
#include <stdio.h>

long __isoc23_strtol(const char *s, char **end, int base);
long long __isoc23_strtoll(const char *s, char **end, int base);
unsigned long __isoc23_strtoul(const char *s, char **end, int base);
unsigned long long __isoc23_strtoull(const char *s, char **end, int base);
intmax_t __isoc23_strtoimax(const char *s, char **end, int base);
uintmax_t __isoc23_strtoumax(const char *s, char **end, int base);
int __isoc23_scanf(const char *format, ...);
int __isoc23_fscanf(FILE *f, const char *format, ...);
int __isoc23_sscanf(const char *s, const char *format, ...);
int __isoc23_vscanf(const char *format, va_list ap);
int __isoc23_vfscanf(FILE *f, const char *format, va_list ap);
int __isoc23_vsscanf(const char *s, const char *format, va_list ap);

static char digits[8][8] = {"12x", "12x", "12x", "12x", "12x", "12x", "7", "8"};
static char *end[8][2];
static int number[8][2];

static void cases(enum runs who) {
    FILE *in = NULL;
    DOES(in = fmemopen("12 13", 5, "r"); MUST(in));
    DOES(stdin = fmemopen("1 2 3", 5, "r"); MUST(stdin));

    READS(__isoc23_strtol(digits[0], NULL, 10) == 12, &digits[0][2], &digits[0][4]); //@case reads
    READS(__isoc23_strtoll(digits[1], NULL, 10) == 12, &digits[1][2], &digits[1][4]); //@case reads
    READS(__isoc23_strtoul(digits[2], NULL, 10) == 12, &digits[2][2], &digits[2][4]); //@case reads
    WRITES(__isoc23_strtoull(digits[3], &end[3][0], 10) == 12, &end[3][0], &end[3][1]); //@case writes
    WRITES(__isoc23_strtoimax(digits[4], &end[4][0], 10) == 12, &end[4][0], &end[4][1]); //@case writes
    WRITES(__isoc23_strtoumax(digits[5], &end[5][0], 10) == 12, &end[5][0], &end[5][1]); //@case writes
    WRITES(__isoc23_scanf("%d", &number[0][0]) == 1, &number[0][0], &number[0][1]); //@case writes
    WRITES(__isoc23_vscanf("%d", list(0, &number[1][0])) == 1, &number[1][0], &number[1][1]); //@case writes
    WRITES(__isoc23_fscanf(in, "%d", &number[2][0]) == 1, &number[2][0], &number[2][1]); //@case writes
    WRITES(__isoc23_vfscanf(in, "%d", list(1, &number[3][0])) == 1, &number[3][0], &number[3][1]); //@case writes
    WRITES(__isoc23_sscanf(digits[6], "%d", &number[4][0]) == 1, &number[4][0], &number[4][1]); //@case writes
    READS(__isoc23_vsscanf(digits[7], "%d", list(2, &number[5][0])) == 1, &digits[7][1], &digits[7][2]); //@case reads
}

CASES_MAIN
