/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions of x86-64 in real code: they end where objdump says so, and functions begin where it has an instruction. And in what is no code nothing
 * is read beyond its end.
 */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "symbol/functions.h"
#include "symbol/instruction.h"
#include "tests/support/check.h"

#if defined(__x86_64__)
static struct {
    const char *path;
    uintptr_t base;
    struct gl_code code;
    unsigned char *begins; /* one for each byte of code: an instruction begins there */
    size_t functions, astray, inside; /* inside: `function` was met, as a whole */
    uintptr_t function;
} object;

static void find(void *ctx, const char *path, const struct gl_code *code)
{
    (void)ctx, (void)path;
    if (code->holds)
        object.code = *code;
}

static void function(void *ctx, uintptr_t at, size_t size)
{
    assert_ptr_equal(ctx, &object);
    object.functions++;
    object.astray += at >= object.code.lo && at < object.code.hi && !object.begins[at - object.code.lo];
    object.inside += at == object.function && size > 16;
}

static void as_objdump(uintptr_t address)
{
    Dl_info info;
    assert_int_not_equal(dladdr((void *)address, &info), 0);
    memset(&object, 0, sizeof object);
    object.path = info.dli_fname;
    object.base = (uintptr_t)info.dli_fbase;
    object.function = address;
    gl_code_each(address, find, NULL);
    assert_true(object.code.hi > object.code.lo);
    object.begins = calloc(object.code.hi - object.code.lo, 1);
    assert_non_null(object.begins);
    char command[4096 + 100], line[512];
    snprintf(command, sizeof command, "objdump -d -w --no-show-raw-insn -j .text '%s'", object.path);
    FILE *f = popen(command, "r");
    assert_non_null(f);
    uintptr_t expected = 0;
    size_t instructions = 0, wrong = 0;
    while (fgets(line, sizeof line, f)) {
        char *end;
        uintptr_t at = strtoul(line, &end, 16) + object.base;
        if (line[0] != ' ' || *end != ':' || at < object.code.lo || at >= object.code.hi)
            continue;
        object.begins[at - object.code.lo] = 1;
        instructions++;
        wrong += expected && expected != at;
        struct gl_instruction i;
        bool known = gl_instruction_at((const uint8_t *)at, object.code.hi - at, &i);
        wrong += !known && !strstr(line, "(bad)");
        expected = known ? at + i.length : 0;
    }
    assert_int_equal(pclose(f), 0);
    assert_true(instructions > 10000);
    assert_int_equal(wrong, 0);
    assert_true(gl_functions_each(&object.code, function, &object));
    assert_true(object.functions > 1000);
    assert_true(object.astray <= 64); /* outside of .text: the linkage tables, .init */
    assert_int_equal(object.inside, 1);
    free(object.begins);
}

static void the_c_library(void **state)
{
    (void)state;
    as_objdump((uintptr_t)strtoul);
}

static void no_code(void **state)
{
    (void)state;
    struct rng r = rng_seed(7);
    uint8_t bytes[16];
    for (int round = 0; round < 2000000; round++) {
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)(rng_next(&r) >> 32);
        size_t size = round % 17;
        struct gl_instruction i;
        if (gl_instruction_at(bytes, size, &i)) {
            assert_in_range(i.length, 1, size);
            assert_in_range(i.displacement_at + i.displacement_size + i.immediate_size, 0, i.length);
        }
    }
}
#else
static void the_c_library(void **state) { (void)state, skip(); }
static void no_code(void **state) { (void)state, skip(); }
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_c_library), cmocka_unit_test(no_code)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
