/* SPDX-License-Identifier: Apache-2.0
 *
 * Mangled names of C++, Rust and D, wrong ones, and ones that do not fit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "symbol/demangle.h"

static void names(void **state)
{
    (void)state;
    static const struct {
        const char *mangled, *readable;
    } table[] = {
        {"_ZN2ns1BIiE1fEi", "ns::B<int>::f(int)"},
        {"_ZZ4mainENKUlvE_clEv", "main::{lambda()#1}::operator()() const"},
        {"_ZNSt6vectorIiSaIiEE9push_backERKi", "std::vector<int, std::allocator<int> >::push_back(int const&)"},
        {"_ZN3foo3barEv.cold", "foo::bar() [clone .cold]"},
        {"_ZTV1A", "vtable for A"},
        {"_RNvCs1234_7mycrate4main", "mycrate::main"},
        {"_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar"},
        {"_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", "core::fmt::Write::write_fmt"},
        {"_Dmain", "D main"},
        {"_D3std5stdio__T7writelnTAyaZQnFNfQjZv", "std.stdio.writeln!(immutable(char)[]).writeln(immutable(char)[])"},
        {"_D4core6thread8osthread6Thread5startMFNbZCQBoQBmQBiQBc", "core.thread.osthread.Thread.start()"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char buf[256];
        if (!gl_demangle(table[i].mangled, buf, sizeof buf))
            fail_msg("%s is refused", table[i].mangled);
        assert_string_equal(buf, table[i].readable);
    }
}

static void others_are_refused(void **state)
{
    (void)state;
    static const char *const table[] = {"", "_", "main", "_start", "Z4main", "_Z", "_ZN", "_R", "_ZN2ns", "_Zwrong!", "_D", "_Default", "_D3foo", "_D99a"};
    char buf[256];
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (gl_demangle(table[i], buf, sizeof buf))
            fail_msg("'%s' became '%s'", table[i], buf);
}

static void long_names_are_cut(void **state)
{
    (void)state;
    const char *readable = "ns::B<int>::f(int)";
    for (size_t cap = 5; cap <= strlen(readable); cap++) {
        char buf[64];
        memset(buf, '#', sizeof buf);
        assert_true(gl_demangle("_ZN2ns1BIiE1fEi", buf, cap));
        assert_int_equal(strlen(buf), cap - 1);
        assert_memory_equal(buf, readable, cap - 4);
        assert_string_equal(buf + cap - 4, "...");
        assert_int_equal(buf[cap], '#');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(others_are_refused),
        cmocka_unit_test(long_names_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
