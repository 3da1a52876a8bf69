/* SPDX-License-Identifier: Apache-2.0
 *
 * Which loaded object has which dynamic symbol: this program, libc, addresses that are nobody's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "symbol/dynamic.h"

static int mine;

static void tables_of_symbols(void **state)
{
    (void)state;
    uintptr_t here = (uintptr_t)__builtin_return_address(0);
    uintptr_t in_libc = (uintptr_t)atoi;
    assert_true(gl_module_needs((uintptr_t)tables_of_symbols, "_cmocka_run_group_tests", 0)); /* wanted from another */
    assert_false(gl_module_needs((uintptr_t)tables_of_symbols, "__tsan_func_entry", 0));
    assert_true(gl_module_needs((uintptr_t)tables_of_symbols, "__tsan_func_entry", (uintptr_t)&mine)); /* it holds the address */
    assert_true(gl_module_needs(in_libc, "qsort", 0)); /* defined there */
    assert_true(gl_module_needs(in_libc, "__tls_get_addr", 0)); /* libc wants it from the loader */
    assert_false(gl_module_needs(in_libc, "_cmocka_run_group_tests", 0));
    assert_true(gl_module_needs(here, "cmocka_set_message_output", 0)); /* the library that called us */
    assert_false(gl_module_needs(16, "qsort", 0));
}

struct seen {
    unsigned modules, executables, libraries, owners;
};

static void see(void *ctx, const char *path, bool has_symbol, bool holds)
{
    struct seen *seen = ctx;
    seen->modules++;
    seen->executables += strcmp(path, "/proc/self/exe") == 0 && has_symbol;
    seen->libraries += strstr(path, "libcmocka") && has_symbol;
    seen->owners += holds;
    assert_true(strchr(path, '/')); /* the vdso has no file */
}

static void modules(void **state)
{
    (void)state;
    struct seen seen = {0};
    gl_modules_each("_cmocka_run_group_tests", (uintptr_t)&mine, see, &seen);
    assert_true(seen.modules >= 3);
    assert_int_equal(seen.executables, 1); /* which wants it */
    assert_int_equal(seen.libraries, 1);   /* which has it */
    assert_int_equal(seen.owners, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tables_of_symbols), cmocka_unit_test(modules)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
