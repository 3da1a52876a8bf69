/* SPDX-License-Identifier: Apache-2.0
 *
 * Go's table of lines: a small one, made by hand, and each way to cut it short or to change a byte of it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "symbol/pclntab.h"

enum { TEXT = 0x1000, NAMES = 72, UNITS = 96, FILES = 104, PROGRAMS = 128, TABLE = 160, SIZE = 300 };

/* a.f [0x1000, 0x1010): lines 5 up to 0x1004, then 3, all in b.go; a.g [0x1010, 0x1020): line 70 in a.go. */
static void make(unsigned char *t)
{
    static const uint64_t head[] = {0x08010000FFFFFFF1, 2, 2, TEXT, NAMES, UNITS, FILES, PROGRAMS, TABLE};
    static const uint32_t units[] = {0, 5}, functions[] = {0, 20, 0x10, 60, 0x20};
    static const unsigned char programs[] = {0, /* 1: */ 12, 4, 3, 12, 0, /* 6: */ 4, 16, 0, /* 9: */ 0x8E, 1, 16, 0, /* 13: */ 2, 16, 0};
    static const uint32_t f[9] = {0, 0, 0, 0, 0, 6, 1, 0, 0}, g[9] = {0x10, 4, 0, 0, 0, 13, 9, 0, 0};
    memset(t, 0, SIZE);
    memcpy(t, head, sizeof head);
    memcpy(t + NAMES, "a.f\0a.g", 8);
    memcpy(t + UNITS, units, sizeof units);
    memcpy(t + FILES, "a.go\0b.go", 10);
    memcpy(t + PROGRAMS, programs, sizeof programs);
    memcpy(t + TABLE, functions, sizeof functions);
    memcpy(t + TABLE + 20, f, sizeof f);
    memcpy(t + TABLE + 60, g, sizeof g);
}

static void says(const unsigned char *t, uintptr_t pc, const char *function, const char *file, uint32_t line)
{
    struct gl_go_line out;
    bool known = gl_pclntab_line((struct gl_bytes){(const char *)t, SIZE}, pc, &out);
    assert_int_equal(known, function != NULL);
    if (!function)
        return;
    assert_string_equal(out.function, function);
    assert_string_equal(out.file, file);
    assert_int_equal(out.line, line);
}

static void answers(void **state)
{
    (void)state;
    unsigned char t[SIZE];
    make(t);
    says(t, TEXT - 1, NULL, NULL, 0);
    says(t, TEXT, "a.f", "b.go", 5);
    says(t, TEXT + 3, "a.f", "b.go", 5);
    says(t, TEXT + 4, "a.f", "b.go", 3);
    says(t, TEXT + 0xF, "a.f", "b.go", 3);
    says(t, TEXT + 0x10, "a.g", "a.go", 70);
    says(t, TEXT + 0x1F, "a.g", "a.go", 70);
    says(t, TEXT + 0x20, NULL, NULL, 0);
    t[0] = 0xF0; /* Go 1.18 and 1.19 */
    says(t, TEXT, "a.f", "b.go", 5);
    t[0] = 0xFB;
    says(t, TEXT, NULL, NULL, 0);
}

static void damaged(void **state)
{
    (void)state;
    struct gl_go_line out;
    for (size_t size = 0; size <= SIZE; size++) {
        unsigned char whole[SIZE], *cut = malloc(size ? size : 1); /* so that a sanitizer sees its end */
        make(whole);
        memcpy(cut, whole, size);
        for (uintptr_t pc = TEXT - 1; pc < TEXT + 0x22; pc++)
            (void)gl_pclntab_line((struct gl_bytes){(const char *)cut, size}, pc, &out);
        free(cut);
    }
    for (size_t at = 0; at < SIZE; at++)
        for (int byte = 0; byte < 256; byte += 5) {
            unsigned char *t = malloc(SIZE);
            make(t);
            t[at] = (unsigned char)byte;
            for (uintptr_t pc = TEXT - 1; pc < TEXT + 0x22; pc += 3)
                if (gl_pclntab_line((struct gl_bytes){(const char *)t, SIZE}, pc, &out))
                    assert_true(strlen(out.function) < SIZE && strlen(out.file) < SIZE);
            free(t);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers), cmocka_unit_test(damaged)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
