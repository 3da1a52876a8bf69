/* SPDX-License-Identifier: Apache-2.0
 *
 * Which loaded object has which dynamic symbol: this program, libc, addresses that are nobody's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tables_of_symbols)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
