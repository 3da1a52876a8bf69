// SPDX-License-Identifier: Apache-2.0
// Formats of which C says nothing, as glibc takes them: "%hs" is a narrow string, "%llf" a long double, "%as" allocates under the name of
// C89 only; and directives that the program has defined.
// flags: -Wno-format -Wno-format-extra-args -Wno-deprecated-declarations
// peer-skip: libtsan stops at such formats
#include "tests/programs/cases.h"
#include <printf.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <wchar.h>

static char text[8][8] = {"abc", "abc", "abc", "abc", "abc", "abc"};
static wchar_t wide[4][8] = {L"abc", L"abc"};
static char out[256];
static long double number_ld[2];
static double number_d[4];
static float number_f[2];
static wchar_t got[8][8];
static char word[8][8];

// At the end of what is mapped.
static char *at_end(const char *s) {
    size_t n = strlen(s) + 1;
    char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MUST(p != MAP_FAILED && mprotect(p + 4096, 4096, PROT_NONE) == 0);
    return memcpy(p + 4096 - n, s, n);
}

// "%k" takes a double, "%S" too.
static int print_double(FILE *f, const struct printf_info *info, const void *const *arg) {
    (void)info;
    return fprintf(f, "<%g>", **(const double *const *)arg);
}

static int takes_double(const struct printf_info *info, size_t n, int *type, int *size) {
    (void)info, (void)size;
    if (n > 0)
        type[0] = PA_DOUBLE;
    return 1;
}

static int took_double(const struct printf_info *info, size_t n, int *type) {
    return takes_double(info, n, type, NULL);
}

static void cases(enum runs who) {
    READS(snprintf(out, sizeof out, "%hs", text[0]) == 3, &text[0][3], &text[0][4]); //@case reads
    READS(snprintf(out, sizeof out, "%hhs", text[1]) == 3, &text[1][3], &text[1][4]); //@case reads
    READS(snprintf(out, sizeof out, "%zs", (void *)wide[0]) == 3, &wide[0][3], &wide[0][4]); //@case reads
    READS(snprintf(out, sizeof out, "%d%d%d%d%d%d%llf%s", 1, 2, 3, 4, 5, 6, 1.5L, text[2]) == 17, &text[2][3], &text[2][4]); //@case reads
    READS(snprintf(out, sizeof out, "%hc%hs", 'x', text[3]) == 4, &text[3][3], &text[3][4]); //@case reads
    DOES(MUST(snprintf(out, sizeof out, "%hs%hhs", at_end("ab"), at_end("cd")) == 4 && strcmp(out, "abcd") == 0));

    WRITES(sscanf("1.5", "%llf", (void *)&number_ld[0]) == 1, (char *)&number_ld[0] + 8, &number_ld[1]); //@case writes
    WRITES(sscanf("1.5", "%jf", (void *)&number_d[0]) == 1, (char *)&number_d[0] + 7, &number_d[1]); //@case writes
    WRITES(sscanf("1.5s", "%as", (void *)&number_f[0]) == 1, &number_f[0], &number_f[1]); //@case writes
    WRITES(sscanf("5 ab", "%'*d %s", word[0]) == 1, &word[0][2], &word[0][3]); //@case writes
    WRITES(sscanf("ab", "%ls", got[0]) == 1, &got[0][2], &got[0][3]); //@case writes
    WRITES(sscanf("ab", "%l[a]", got[1]) == 1, &got[1][1], &got[1][2]); //@case writes
    WRITES(sscanf("abc", "%2lc", got[2]) == 1, &got[2][1], &got[2][2]); //@case writes
    WRITES(sscanf("ab", "%S%C", got[3], got[4]) == 1, &got[3][2], &got[3][3]); //@case writes

    // The arguments behind one that the program defined are not known.
    DOES(MUST(register_printf_specifier('k', print_double, takes_double) == 0 && register_printf_function('S', print_double, took_double) == 0));
    DOES(MUST(snprintf(out, sizeof out, "%S%k%s", 2.5, 3.5, text[4]) == 13 && strcmp(out, "<2.5><3.5>abc") == 0));
    DOES(MUST(register_printf_modifier(L"mine") > 0));
    DOES(MUST(snprintf(out, sizeof out, "%d%s", 5, text[5]) == 4));
}

CASES_MAIN
