/* SPDX-License-Identifier: Apache-2.0
 *
 * gl_format against libc's snprintf: the same text and the same length for every form we use.
 */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "platform/platform.h"

#define SAME(...)                                                            \
    do {                                                                     \
        char ours[256], libc[256];                                           \
        int n = gl_format(ours, sizeof ours, __VA_ARGS__);                   \
        assert_int_equal(n, snprintf(libc, sizeof libc, __VA_ARGS__));       \
        assert_string_equal(ours, libc);                                     \
    } while (0)

static void integers(void **state)
{
    (void)state;
    static const int values[] = {0, 1, -1, 9, 10, -10, INT_MAX, INT_MIN};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        int v = values[i];
        SAME("%d|%i|%u|%x|%X", v, v, v, v, v);
        SAME("%5d|%-5d|%05d|%+d|% d|%.3d|%8.3d|%-8.3dx", v, v, v, v, v, v, v, v);
        SAME("%#x|%#10x|%#010x|%-#10x|", v, v, v, v);
        SAME("%hhd %hd %hhu %hu", (signed char)v, (short)v, (unsigned char)v, (unsigned short)v);
        SAME("%*d|%-*d|%*d", 7, v, 7, v, -7, v);
    }
    SAME("%ld %lu %lx", LONG_MIN, ULONG_MAX, ULONG_MAX);
    SAME("%lld %llu %llx", LLONG_MIN, ULLONG_MAX, ULLONG_MAX);
    SAME("%zu %zx %zd %jd %td", (size_t)-1, (size_t)1 << 40, (size_t)7, (intmax_t)-8, (ptrdiff_t)-9);
    SAME("%.0d|%5.0d|%.0x", 0, 0, 0);
}

static void text(void **state)
{
    (void)state;
    char *volatile absent = NULL;
    char unterminated[3] = {'a', 'b', 'c'};
    SAME("plain");
    SAME("%s|%10s|%-10s|", "abc", "abc", "abc");
    SAME("%.2s|%.*s|%10.2s|%-10.2s|%.0s|", "abc", 1, "abc", "abc", "abc", "abc");
    SAME("%.3s", unterminated);
    SAME("%.*s", -1, "all of it");
    SAME("%c%c|%3c|%-3c|", 'x', 'y', 'z', 'w');
    SAME("100%%");
    SAME("%s", absent);
}

static void pointers(void **state)
{
    (void)state;
    SAME("%p|%20p|%-20p|", (void *)0x7fff12345678, (void *)0x1000, (void *)0x1000);
    SAME("%p|%10p", NULL, NULL);
}

static void cut_text_is_terminated_and_counted(void **state)
{
    (void)state;
    for (size_t cap = 0; cap < 16; cap++) {
        char ours[16], libc[16];
        memset(ours, '#', sizeof ours);
        memset(libc, '#', sizeof libc);
        int n = gl_format(ours, cap, "%s-%06d", "ab", -42);
        assert_int_equal(n, snprintf(libc, cap, "%s-%06d", "ab", -42));
        assert_memory_equal(ours, libc, sizeof ours); /* nothing is written behind cap */
    }
}

/* Without the attribute that lets the compiler reject what is tested here. */
static int raw(char *buf, size_t cap, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = gl_vformat(buf, cap, fmt, ap);
    va_end(ap);
    return n;
}

/* What it does not know comes out as it stands; nothing is read from the wrong place. */
static void unknown_conversions_stay(void **state)
{
    (void)state;
    char ours[64];
    assert_int_equal(raw(ours, sizeof ours, "%d %f %s", 1, 2.0, "x"), 7);
    assert_string_equal(ours, "1 %f %s");
    assert_int_equal(raw(ours, sizeof ours, "end%"), 4);
    assert_string_equal(ours, "end%");
    assert_int_equal(raw(ours, sizeof ours, "%5"), 2);
    assert_string_equal(ours, "%5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers),
        cmocka_unit_test(text),
        cmocka_unit_test(pointers),
        cmocka_unit_test(cut_text_is_terminated_and_counted),
        cmocka_unit_test(unknown_conversions_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
