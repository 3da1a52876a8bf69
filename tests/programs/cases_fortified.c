// SPDX-License-Identifier: Apache-2.0
// Functions under the names that _FORTIFY_SOURCE gives them: what each reads and writes.
// peer-skip: libtsan does not know these
#include "tests/programs/cases.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

void __explicit_bzero_chk(void *p, size_t n, size_t room);
size_t __fread_chk(void *p, size_t room, size_t size, size_t n, FILE *f);
size_t __fread_unlocked_chk(void *p, size_t room, size_t size, size_t n, FILE *f);
char *__fgets_unlocked_chk(char *s, size_t room, int n, FILE *f);
ssize_t __readlink_chk(const char *path, char *to, size_t n, size_t room);
ssize_t __readlinkat_chk(int at, const char *path, char *to, size_t n, size_t room);
char *__getcwd_chk(char *to, size_t n, size_t room);
char *__realpath_chk(const char *path, char *to, size_t room);
int __ttyname_r_chk(int fd, char *to, size_t n, size_t room);
int __ptsname_r_chk(int fd, char *to, size_t n, size_t room);
int __getgroups_chk(int n, gid_t *to, size_t room);
int __gethostname_chk(char *to, size_t n, size_t room);
size_t __confstr_chk(int name, char *to, size_t n, size_t room);
wchar_t *__wcscpy_chk(wchar_t *to, const wchar_t *s, size_t room);
wchar_t *__wcsncpy_chk(wchar_t *to, const wchar_t *s, size_t n, size_t room);
wchar_t *__wcscat_chk(wchar_t *to, const wchar_t *s, size_t room);
wchar_t *__wcsncat_chk(wchar_t *to, const wchar_t *s, size_t n, size_t room);
wchar_t *__wmemcpy_chk(wchar_t *to, const wchar_t *s, size_t n, size_t room);
wchar_t *__wmemmove_chk(wchar_t *to, const wchar_t *s, size_t n, size_t room);
wchar_t *__wmemset_chk(wchar_t *to, wchar_t c, size_t n, size_t room);
size_t __mbstowcs_chk(wchar_t *to, const char *s, size_t n, size_t room);
size_t __mbsrtowcs_chk(wchar_t *to, const char **s, size_t n, mbstate_t *state, size_t room);
size_t __mbsnrtowcs_chk(wchar_t *to, const char **s, size_t m, size_t n, mbstate_t *state, size_t room);
size_t __wcstombs_chk(char *to, const wchar_t *s, size_t n, size_t room);
size_t __wcsrtombs_chk(char *to, const wchar_t **s, size_t n, mbstate_t *state, size_t room);
size_t __wcsnrtombs_chk(char *to, const wchar_t **s, size_t m, size_t n, mbstate_t *state, size_t room);
size_t __wcrtomb_chk(char *to, wchar_t c, mbstate_t *state, size_t room);
int __wctomb_chk(char *to, wchar_t c, size_t room);

static wchar_t a[8] = L"abc", b[8] = L"abc", c[8] = L"abc", d[8] = L"abc", e[8] = L"abc", f[8] = L"abc";
static wchar_t wide[16][16] = {L"ab", L"ab", L"ab", L"ab"};
static char bytes[8][16];
static char text[16][4096];
static char root[1][8] = {"/"};
static char link_name[2][16] = {"/proc/self/exe", "/proc/self/exe"};
static mbstate_t state[8];
static gid_t groups[65];

static void cases(enum runs who) {
    FILE *in = NULL;
    int master = -1, slave = -1, n = 0;
    const char *from = "xyz";
    const wchar_t *units = L"xyz";

    WRITES((explicit_bzero(bytes[0], UNKNOWN((size_t)8)), 1), &bytes[0][7], &bytes[0][8]); //@case writes
    WRITES((__explicit_bzero_chk(bytes[1], 8, 16), 1), &bytes[1][7], &bytes[1][8]); //@case writes

    DOES(in = tmpfile(); MUST(in && fputs("abcdef\nabcdef\nabcdef\n", in) >= 0); rewind(in));
    WRITES(__fread_chk(text[0], 64, 1, 7, in) == 7, &text[0][6], &text[0][7]); //@case writes
    WRITES(__fread_unlocked_chk(text[1], 64, 7, 1, in) == 1, &text[1][6], &text[1][7]); //@case writes
    WRITES(__fgets_unlocked_chk(text[2], 64, 64, in) == text[2], &text[2][7], &text[2][8]); //@case writes

    READS(__readlink_chk(link_name[0], text[3], 64, 64) > 0, &link_name[0][14], &link_name[0][15]); //@case reads
    WRITES((n = (int)__readlink_chk("/proc/self/exe", text[4], 4096, 4096)) > 0, &text[4][n - 1], &text[4][n]); //@case writes
    READS(__readlinkat_chk(AT_FDCWD, link_name[1], text[5], 64, 64) > 0, &link_name[1][14], &link_name[1][15]); //@case reads
    WRITES((n = (int)__readlinkat_chk(AT_FDCWD, "/proc/self/exe", text[6], 4096, 4096)) > 0, &text[6][n - 1], &text[6][n]); //@case writes
    WRITES(__getcwd_chk(text[7], 4096, 4096) == text[7], &text[7][0], &text[7][4095]); //@case writes
    READS(__realpath_chk(root[0], text[8], 4096) == text[8], &root[0][1], &root[0][2]); //@case reads
    WRITES(__realpath_chk("/", text[9], 4096) == text[9], &text[9][1], &text[9][2]); //@case writes
    DOES(MUST((master = posix_openpt(O_RDWR | O_NOCTTY)) >= 0 && grantpt(master) == 0 && unlockpt(master) == 0));
    WRITES(__ptsname_r_chk(master, text[10], 64, 64) == 0, &text[10][0], &text[10][64]); //@case writes
    DOES(MUST((slave = open(text[10], O_RDWR | O_NOCTTY)) >= 0));
    WRITES(__ttyname_r_chk(slave, text[11], 64, 64) == 0, &text[11][0], &text[11][64]); //@case writes

    READS(__getgroups_chk(0, groups, sizeof groups) >= 0, NULL, &groups[64]);
    WRITES(__gethostname_chk(text[12], 200, 200) == 0, &text[12][0], &text[12][200]); //@case writes
    WRITES(__confstr_chk(_CS_PATH, text[13], 8, 8) > 1, &text[13][1], &text[13][8]); //@case writes

    READS(__wcscpy_chk(wide[4], a, 16) == wide[4], &a[3], &a[4]); //@case reads
    WRITES(__wcscpy_chk(wide[5], L"abc", 16) == wide[5], &wide[5][3], &wide[5][4]); //@case writes
    READS(__wcsncpy_chk(wide[6], b, 2, 16) == wide[6], &b[1], &b[2]); //@case reads
    WRITES(__wcsncpy_chk(wide[7], L"a", 3, 16) == wide[7], &wide[7][2], &wide[7][3]); //@case writes
    READS(__wcscat_chk(wide[0], c, 16) == wide[0], &c[3], &c[4]); //@case reads
    WRITES(__wcscat_chk(wide[1], L"cd", 16) == wide[1], &wide[1][4], &wide[1][5]); //@case writes
    READS(__wcsncat_chk(wide[2], d, 2, 16) == wide[2], &d[1], &d[2]); //@case reads
    WRITES(__wcsncat_chk(wide[3], L"cd", 1, 16) == wide[3], &wide[3][3], &wide[3][4]); //@case writes
    READS(__wmemcpy_chk(wide[8], e, 2, 16) == wide[8], &e[1], &e[2]); //@case reads
    WRITES(__wmemcpy_chk(wide[9], L"abcd", 2, 16) == wide[9], &wide[9][1], &wide[9][2]); //@case writes
    READS(__wmemmove_chk(wide[10], f, 2, 16) == wide[10], &f[1], &f[2]); //@case reads
    WRITES(__wmemmove_chk(wide[11], L"abcd", 2, 16) == wide[11], &wide[11][1], &wide[11][2]); //@case writes
    WRITES(__wmemset_chk(wide[12], L'x', 2, 16) == wide[12], &wide[12][1], &wide[12][2]); //@case writes

    WRITES(__mbstowcs_chk(wide[13], "xyz", 16, 16) == 3, &wide[13][3], &wide[13][4]); //@case writes
    WRITES(__mbsrtowcs_chk(wide[14], &from, 16, &state[0], 16) == 3, &wide[14][3], &wide[14][4]); //@case writes
    DOES(from = "xyz");
    WRITES(__mbsnrtowcs_chk(wide[15], &from, 2, 16, &state[1], 16) == 2, &wide[15][1], &wide[15][2]); //@case writes
    WRITES(__wcstombs_chk(bytes[2], L"xyz", 16, 16) == 3, &bytes[2][3], &bytes[2][4]); //@case writes
    WRITES(__wcsrtombs_chk(bytes[3], &units, 16, &state[2], 16) == 3, &bytes[3][3], &bytes[3][4]); //@case writes
    DOES(units = L"xyz");
    WRITES(__wcsnrtombs_chk(bytes[4], &units, 2, 16, &state[3], 16) == 2, &bytes[4][1], &bytes[4][2]); //@case writes
    WRITES(__wcrtomb_chk(bytes[5], L'x', &state[4], 16) == 1, &bytes[5][0], &bytes[5][1]); //@case writes
    WRITES(__wctomb_chk(bytes[6], L'x', 16) == 1, &bytes[6][0], &bytes[6][1]); //@case writes
}

CASES_MAIN
