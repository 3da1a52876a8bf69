// SPDX-License-Identifier: Apache-2.0
// printf and scanf under their other names: with a list of arguments, checked (as _FORTIFY_SOURCE makes them), of older standards.
// peer-skip: libtsan does not know all of these
// flags: -fno-builtin
// output: seven.a
// output: seven.b
// output: seven.c
#include "tests/programs/cases.h"
#include "tests/programs/lists.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/mman.h>

int __printf_chk(int flag, const char *format, ...);
int __fprintf_chk(FILE *f, int flag, const char *format, ...);
int __dprintf_chk(int fd, int flag, const char *format, ...);
int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...);
int __snprintf_chk(char *to, size_t n, int flag, size_t room, const char *format, ...);
int __asprintf_chk(char **to, int flag, const char *format, ...);
int __vprintf_chk(int flag, const char *format, va_list ap);
int __vfprintf_chk(FILE *f, int flag, const char *format, va_list ap);
int __vdprintf_chk(int fd, int flag, const char *format, va_list ap);
int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list ap);
int __vsnprintf_chk(char *to, size_t n, int flag, size_t room, const char *format, va_list ap);
int __vasprintf_chk(char **to, int flag, const char *format, va_list ap);
int __isoc99_scanf(const char *format, ...);
int __isoc99_fscanf(FILE *f, const char *format, ...);
int __isoc99_sscanf(const char *s, const char *format, ...);
int __isoc99_vscanf(const char *format, va_list ap);
int __isoc99_vfscanf(FILE *f, const char *format, va_list ap);
int __isoc99_vsscanf(const char *s, const char *format, va_list ap);
// Those of 1989, which the header gives other names in the library.
int old_scanf(const char *format, ...) __asm__("scanf");
int old_fscanf(FILE *f, const char *format, ...) __asm__("fscanf");
int old_sscanf(const char *s, const char *format, ...) __asm__("sscanf");
int old_vscanf(const char *format, va_list ap) __asm__("vscanf");
int old_vfscanf(FILE *f, const char *format, va_list ap) __asm__("vfscanf");
int old_vsscanf(const char *s, const char *format, va_list ap) __asm__("vsscanf");
char *__fgets_chk(char *s, size_t room, int n, FILE *f);
ssize_t __getdelim(char **line, size_t *n, int end, FILE *f);

#define SEVEN "seven.."
static char a[20][16] = {"seven.a\n", "seven.b\n", "seven.c\n", SEVEN, SEVEN, SEVEN, SEVEN, SEVEN, SEVEN, SEVEN, SEVEN, SEVEN, SEVEN, SEVEN};
static char to[12][16];
static char digits[8][8] = {"12x", "12x", "12x", "12x"};
static int number[16][2];
static char *made[4];
static size_t room[4];

static void cases(enum runs who) {
    FILE *f = NULL, *in = NULL;
    int fd = -1;
    DOES(f = fmemopen(NULL, 4096, "w+"); MUST(f));
    DOES(in = fmemopen("12 13 14 15 16 17 18 19 abc;def", 31, "r"); MUST(in));
    DOES(fd = memfd_create("cases_format", 0); MUST(fd >= 0));
    DOES(stdin = fmemopen("1 2 3 4 5 6 7 8", 15, "r"); MUST(stdin));

    READS(__printf_chk(1, "%s", a[0]) == 8, &a[0][8], &a[0][9]); //@case reads
    READS(vprintf("%s", list(0, a[1])) == 8, &a[1][8], &a[1][9]); //@case reads
    READS(__vprintf_chk(1, "%s", list(1, a[2])) == 8, &a[2][8], &a[2][9]); //@case reads
    READS(__fprintf_chk(f, 1, "%s", a[3]) == 7, &a[3][7], &a[3][8]); //@case reads
    READS(__vfprintf_chk(f, 1, "%s", list(2, a[4])) == 7, &a[4][7], &a[4][8]); //@case reads
    READS(__dprintf_chk(fd, 1, "%s", a[5]) == 7, &a[5][7], &a[5][8]); //@case reads
    READS(__vdprintf_chk(fd, 1, "%s", list(3, a[6])) == 7, &a[6][7], &a[6][8]); //@case reads
    READS(vdprintf(fd, "%s", list(4, a[7])) == 7, &a[7][7], &a[7][8]); //@case reads
    READS(__asprintf_chk(&made[0], 1, "%s", a[8]) == 7, &a[8][7], &a[8][8]); //@case reads
    WRITES(__vasprintf_chk(&made[1], 1, "%s", list(5, a[9])) == 7, &made[1][7], NULL); //@case writes
    WRITES(vasprintf(&made[2], "%s", list(6, a[10])) == 7, &made[2][7], NULL); //@case writes
    WRITES(__sprintf_chk(to[0], 1, 16, "%s", SEVEN) == 7, &to[0][7], &to[0][8]); //@case writes
    WRITES(__vsprintf_chk(to[1], 1, 16, "%s", list(7, SEVEN)) == 7, &to[1][7], &to[1][8]); //@case writes
    WRITES(__snprintf_chk(to[2], 16, 1, 16, "%s", SEVEN) == 7, &to[2][7], &to[2][8]); //@case writes
    WRITES(__vsnprintf_chk(to[3], 4, 1, 16, "%s", list(8, SEVEN)) == 7, &to[3][3], &to[3][4]); //@case writes

    WRITES(__isoc99_scanf("%d", &number[0][0]) == 1, &number[0][0], &number[0][1]); //@case writes
    WRITES(__isoc99_vscanf("%d", list(9, &number[1][0])) == 1, &number[1][0], &number[1][1]); //@case writes
    WRITES(__isoc99_fscanf(in, "%d", &number[2][0]) == 1, &number[2][0], &number[2][1]); //@case writes
    WRITES(__isoc99_vfscanf(in, "%d", list(10, &number[3][0])) == 1, &number[3][0], &number[3][1]); //@case writes
    WRITES(__isoc99_sscanf("12", "%d", &number[4][0]) == 1, &number[4][0], &number[4][1]); //@case writes
    READS(__isoc99_sscanf(digits[0], "%d", &number[5][0]) == 1, &digits[0][3], &digits[0][4]); //@case reads
    READS(__isoc99_vsscanf(digits[1], "%d", list(11, &number[6][0])) == 1, &digits[1][3], &digits[1][4]); //@case reads
    WRITES(old_scanf("%d", &number[7][0]) == 1, &number[7][0], &number[7][1]); //@case writes
    WRITES(old_vscanf("%d", list(12, &number[8][0])) == 1, &number[8][0], &number[8][1]); //@case writes
    WRITES(old_fscanf(in, "%d", &number[9][0]) == 1, &number[9][0], &number[9][1]); //@case writes
    WRITES(old_vfscanf(in, "%d", list(13, &number[10][0])) == 1, &number[10][0], &number[10][1]); //@case writes
    READS(old_sscanf(digits[2], "%d", &number[11][0]) == 1, &digits[2][3], &digits[2][4]); //@case reads
    READS(old_vsscanf(digits[3], "%d", list(14, &number[12][0])) == 1, &digits[3][3], &digits[3][4]); //@case reads

    WRITES(__fgets_chk(to[4], 16, 4, in) == to[4], &to[4][3], &to[4][4]); //@case writes
    WRITES(getdelim(&made[3], &room[0], ';', in) > 0, &room[0], &room[1]); //@case writes
    WRITES(__getdelim(&made[3], &room[2], ';', in) == 3, &room[2], &room[3]); //@case writes
    DOES(fflush(stdout));
}

CASES_MAIN
