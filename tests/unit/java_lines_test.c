/* SPDX-License-Identifier: Apache-2.0
 *
 * The map of lines that compilers leave in class files: what it says, what a place in a rewritten class gets of it, and bytes that are
 * no map.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "java/classfile_lines.h"
#include "tests/unit/java_policy.h"

/* As Kotlin writes it: of a function of the file itself, and of one of the library's. */
#define KOTLIN                                                                                               \
    "SMAP\nBox.kt\nKotlin\n"                                                                                 \
    "*S Kotlin\n"                                                                                            \
    "*F\n"                                                                                                   \
    "+ 1 Box.kt\nBoxKt\n"                                                                                    \
    "+ 2 _Arrays.kt\nkotlin/Arrays\n"                                                                        \
    "*L\n"                                                                                                   \
    "1#1,42:1\n"                                                                                             \
    "12#1,3:43\n"                                                                                            \
    "700#2:46\n"                                                                                             \
    "9,2:47,3\n"                                                                                             \
    "*E\n"                                                                                                   \
    "*S KotlinDebug\n"                                                                                       \
    "*F\n"                                                                                                   \
    "+ 1 Box.kt\nBoxKt\n"                                                                                    \
    "*L\n"                                                                                                   \
    "30#1,100:43\n"                                                                                          \
    "*E\n"

/* "FILE:LINE", or "". */
static const char *asked(const char *map, size_t n, uint32_t line)
{
    static char text[128];
    struct gl_jsource_line found;
    char *own = malloc(n + 1); /* so that a read behind the end is noticed */
    memcpy(own, map, n);
    text[0] = 0;
    if (gl_jsource_line(own, n, line, &found))
        snprintf(text, sizeof text, "%.*s:%u", (int)found.file_n, found.file, found.line);
    free(own);
    return text;
}

static void says(const char *map, uint32_t line, const char *want)
{
    assert_string_equal(asked(map, strlen(map), line), want);
}

static void test_map(void **state)
{
    (void)state;
    says(KOTLIN, 1, "Box.kt:1");
    says(KOTLIN, 42, "Box.kt:42");
    says(KOTLIN, 43, "Box.kt:12");
    says(KOTLIN, 45, "Box.kt:14");
    says(KOTLIN, 46, "_Arrays.kt:700");
    says(KOTLIN, 47, "_Arrays.kt:9"); /* the file of the line before */
    says(KOTLIN, 49, "_Arrays.kt:9");
    says(KOTLIN, 50, "_Arrays.kt:10");
    says(KOTLIN, 52, "_Arrays.kt:10");
    says(KOTLIN, 53, ""); /* the other stratum does not count */
    says(KOTLIN, 0, "");
}

static void test_shapes(void **state)
{
    (void)state;
    says("SMAP\r\nx_jsp.java\r\nJSP\r\n*S JSP\r\n*F\r\n0 x.jsp\r\n*L\r\n5:60,4\r\n*E\r\n", 63, "x.jsp:5");
    says("SMAP\rx_jsp.java\rJSP\r*S JSP\r*L\r5:60\r*F\r0 a b.jsp\r*E", 60, "a b.jsp:5");
    says("SMAP\nX.java\nJava\n*E\n", 7, "");
    says("SMAP\nX.java\nA\n*S B\n*F\n0 b\n*L\n1:1\n*S A\n*F\n0 a\n*L\n2:1\n*E\n", 1, "a:2");
    says("SMAP\nX.java\nA\n*O A\nSMAP\nY\nA\n*S A\n*F\n0 inner\n*L\n1:1\n*E\n*C A\n*S A\n*F\n0 "
         "a\n*L\n2:1\n*E\n",
         1, "a:2");
    says("SMAP\nX.java\nA\n*S A\n*F\n0 a\n*L\n3:1,0\n*E\n", 1, "a:3");
}

static void test_no_map(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "SMAP",
        "SMAP\nX\n",
        "SMAQ\nX\nA\n*S A\n*F\n0 a\n*L\n1:1\n",
        "SMAP\nX\nA\n*S A\n*F\n1 a\n*L\n1:1\n", /* file 0 is not there */
        "SMAP\nX\nA\n*S A\n*F\n0\n*L\n1:1\n",
        "SMAP\nX\nA\n*S A\n*F\n0 a\n*L\n1\n:1\nx:1\n1#:1\n1,:1\n1:1,\n99999999999:1\n0:1\n1,0:1\n"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        says(bad[i], 1, "");
    says("SMAP\nX\nA\n*S A\n*F\n0 a\n*L\n2147483640,2147483640:1\n", 2147483640, "");
}

/* Every end, and every byte changed: it answers something, and stays inside. */
static void test_hostile(void **state)
{
    (void)state;
    char map[] = KOTLIN;
    size_t n = strlen(map);
    for (size_t i = 0; i < n; i++) {
        asked(map, i, 46);
        char old = map[i];
        for (const char *c = "\n*#,:+ 9OC\xff"; *c; c++) {
            map[i] = *c;
            asked(map, n, 46);
        }
        map[i] = old;
    }
}

static struct {
    char file[64];
    uint32_t line;
} told;

static uint32_t tell(void *ctx, const struct gl_jplace *place)
{
    (void)ctx;
    snprintf(told.file, sizeof told.file, "%s", place->source_file);
    told.line = place->line;
    return 1;
}

/* A class that reads a field in that line. */
static void rewrite(const char *map, unsigned line)
{
    struct maker *m = make(48, STATIC, "m", "()V");
    struct bytes lines = {.n = 0};
    m->map = map;
    op2(m, 0xb2, own_field(m, STATIC, "f", "I"));
    op(m, 0xb1);
    b2(&lines, 1);
    b2(&lines, 0);
    b2(&lines, line);
    attribute(m, "LineNumberTable", &lines);
    policy.site = tell;
    free(rewritten(m).at);
}

static void test_place(void **state)
{
    (void)state;
    rewrite(NULL, 46);
    assert_string_equal(told.file, "X.java");
    assert_int_equal(told.line, 46);
    rewrite(KOTLIN, 46);
    assert_string_equal(told.file, "_Arrays.kt");
    assert_int_equal(told.line, 700);
    rewrite(KOTLIN, 99);
    assert_string_equal(told.file, "X.java");
    assert_int_equal(told.line, 99);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup(name, set_up)
        TEST(test_map), TEST(test_shapes), TEST(test_no_map), TEST(test_hostile), TEST(test_place),
#undef TEST
    };
    return cmocka_run_group_tests_name("java_lines", tests, NULL, NULL);
}
