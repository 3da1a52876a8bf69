// SPDX-License-Identifier: Apache-2.0
// Wide strings, and strings of other encodings: what each function reads and writes.
// peer-skip: libtsan does not know all of these
#include "tests/programs/cases.h"
#include <iconv.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static wchar_t a[8] = L"abc", b[8] = L"abc", c[8] = L"abc", d[8] = L"abc", e[8] = L"abc", f[8] = L"abc", g[8] = L"abc";
static wchar_t h[8] = L"abc", i[8] = L"abc", j[8] = L"abc", k[8] = L"abc";
static wchar_t to[24][8];
static char bytes[24][16];
static char text[16] = "abcd";
static mbstate_t state[8];

size_t __strxfrm_l(char *to, const char *from, size_t n, locale_t locale);
size_t __wcsxfrm_l(wchar_t *to, const wchar_t *from, size_t n, locale_t locale);

static void cases(enum runs who) {
    wchar_t *copy = NULL;
    const char *from = "xyz";
    const wchar_t *wide = L"xyz";
    char *in = text, *out = bytes[10];
    size_t in_left = 4, out_left = 16;
    static locale_t locale;
    DOES(locale = newlocale(LC_ALL_MASK, "C", NULL); MUST(locale));

    READS(wcscmp(a, b) == 0, &a[3], &a[4]); //@case reads
    READS(wcscmp(c, d) == 0, &d[3], &d[4]); //@case reads
    READS(wcsnlen(e, UNKNOWN((size_t)2)) == 2, &e[1], &e[2]); //@case reads
    READS((copy = wcsdup(f)) != NULL, &f[3], &f[4]); //@case reads
    WRITES((copy = wcsdup(L"abcd")) != NULL, &copy[4], NULL); //@case writes
    READS(wcsncpy(to[0], g, 2) == to[0], &g[1], &g[2]); //@case reads
    WRITES(wcsncpy(to[1], L"a", 3) == to[1], &to[1][2], &to[1][3]); //@case writes
    READS(wmemcpy(to[2], h, UNKNOWN((size_t)2)) == to[2], &h[1], &h[2]); //@case reads
    WRITES(wmemcpy(to[3], L"abcd", UNKNOWN((size_t)2)) == to[3], &to[3][1], &to[3][2]); //@case writes
    READS(wmemmove(to[4], i, UNKNOWN((size_t)2)) == to[4], &i[1], &i[2]); //@case reads
    WRITES(wmemmove(to[5], L"abcd", UNKNOWN((size_t)2)) == to[5], &to[5][1], &to[5][2]); //@case writes
    READS(wcsxfrm(to[6], j, 8) == 3, &j[3], &j[4]); //@case reads
    WRITES(wcsxfrm(to[7], L"ab", 8) == 2, &to[7][2], &to[7][3]); //@case writes
    READS(wcsxfrm_l(to[8], k, 8, locale) == 3, &k[3], &k[4]); //@case reads
    WRITES(wcsxfrm_l(to[9], L"ab", 8, locale) == 2, &to[9][2], &to[9][3]); //@case writes
    WRITES(__wcsxfrm_l(to[10], L"ab", 8, locale) == 2, &to[10][2], &to[10][3]); //@case writes
    WRITES(mbsrtowcs(to[11], &from, 8, &state[0]) == 3, &to[11][3], &to[11][4]); //@case writes
    DOES(from = "xyz");
    WRITES(mbsnrtowcs(to[12], &from, 2, 8, &state[1]) == 2, &to[12][1], &to[12][2]); //@case writes
    WRITES(wcsrtombs(bytes[0], &wide, 8, &state[2]) == 3, &bytes[0][3], &bytes[0][4]); //@case writes
    DOES(wide = L"xyz");
    WRITES(wcsnrtombs(bytes[1], &wide, 2, 8, &state[3]) == 2, &bytes[1][1], &bytes[1][2]); //@case writes
    WRITES(wcrtomb(bytes[2], L'x', &state[4]) == 1, &bytes[2][0], &bytes[2][1]); //@case writes
    WRITES(wctomb(bytes[3], L'x') == 1, &bytes[3][0], &bytes[3][1]); //@case writes
    READS(strxfrm_l(bytes[4], text, 16, locale) == 4, &text[4], &text[5]); //@case reads
    WRITES(strxfrm_l(bytes[6], "ab", 16, locale) == 2, &bytes[6][2], &bytes[6][3]); //@case writes
    WRITES(__strxfrm_l(bytes[7], "ab", 16, locale) == 2, &bytes[7][2], &bytes[7][3]); //@case writes
    WRITES(iconv(iconv_open("UTF-8", "ASCII"), &in, &in_left, &out, &out_left) == 0, &bytes[10][3], &bytes[10][4]); //@case writes
}

CASES_MAIN
