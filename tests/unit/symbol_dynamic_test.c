/* SPDX-License-Identifier: Apache-2.0
 *
 * Which loaded object has which dynamic symbol: this program, libc, addresses that are nobody's.
 */
#include <dlfcn.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* All of them at once, and two at a time. */
static void lists(void **state)
{
    (void)state;
    struct gl_module_loaded all[256], some[3], untouched;
    size_t n = gl_modules_loaded(0, all, 256);
    assert_true(n >= 3 && n < 256);
    memset(&untouched, 0xEE, sizeof untouched);
    for (size_t from = 0; from <= n; from++) {
        memset(some, 0xEE, sizeof some);
        size_t got = gl_modules_loaded(from, some, 2);
        assert_int_equal(got, n - from < 2 ? n - from : 2);
        for (size_t i = 0; i < 3; i++)
            assert_memory_equal(&some[i], i < got ? &all[from + i] : &untouched, sizeof untouched);
    }
}

/* Libraries of one symbol each, which is in the first bucket of the hash table or in the second. */
static void small_libraries(void **state)
{
    (void)state;
    char folder[] = "/tmp/goldilocks-dynamic-XXXXXX", command[512], before[4096];
    assert_non_null(mkdtemp(folder));
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    static const char *const names[] = {"a", "b"};
    for (int i = 0; i < 2; i++) {
        snprintf(command, sizeof command,
                 "mkdir -p in && echo 'int %s(void) { return 1; }' >%s.c && "
                 "gcc -shared -fPIC -nostartfiles -Wl,--hash-style=gnu %s.c -o in/%s.so",
                 names[i], names[i], names[i], names[i]);
        assert_int_equal(system(command), 0);
        /* as the linker finds it in a folder of LD_LIBRARY_PATH that is no whole path */
        snprintf(command, sizeof command, "in/%s.so", names[i]);
        void *library = dlopen(command, RTLD_NOW);
        assert_non_null(library);
        uintptr_t in_it = (uintptr_t)dlsym(library, names[i]);
        assert_true(gl_module_needs(in_it, names[i], 0));
        assert_false(gl_module_needs(in_it, names[1 - i], 0));
        struct seen seen = {0};
        gl_modules_each(names[i], in_it, see, &seen);
        assert_int_equal(seen.owners, 1);
        dlclose(library);
    }
    /* One that defines nothing for others: its hash table is empty, and does not say how many symbols it wants. */
    static const char *const wants[] = {"wanted()", "&wanted != 0"}; /* a call, an address */
    for (int i = 0; i < 2; i++) {
        snprintf(command, sizeof command,
                 "echo 'extern int wanted(void) __attribute__((weak)); static int kept(void) { return %s; } "
                 "static int (*const volatile use)(void) __attribute__((used)) = kept;' >w.c && "
                 "gcc -shared -fPIC -nostartfiles -O0 -w -Wl,--hash-style=gnu -Wl,-z,lazy w.c -o in/w%d.so",
                 wants[i], i);
        assert_int_equal(system(command), 0);
        snprintf(command, sizeof command, "in/w%d.so", i);
        struct link_map *library = dlopen(command, RTLD_LAZY);
        assert_non_null(library);
        assert_true(gl_module_needs((uintptr_t)library->l_ld, "wanted", 0));
        assert_false(gl_module_needs((uintptr_t)library->l_ld, "wanted_not", 0));
        dlclose(library);
    }
    assert_int_equal(chdir(before), 0);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
}

static void find_dlopen(void *ctx, const char *name, const struct gl_slot *slot)
{
    struct gl_slot *found = ctx;
    if (strcmp(name, "dlopen") == 0)
        *found = *slot;
}

/* What this program calls of others, and what it is after it was called. */
static void slots_of_calls(void **state)
{
    (void)state;
    struct gl_slot slot = {0};
    void *self = dlopen(NULL, RTLD_NOW);
    uintptr_t lo = 0, hi = 0;
    gl_program_slots(find_dlopen, &slot);
    assert_non_null(slot.at);
    assert_int_equal(*slot.at, (uintptr_t)dlsym(self, "dlopen"));
    char line[512], rights[5] = "";
    FILE *maps = fopen("/proc/self/maps", "r");
    assert_non_null(maps);
    while (fgets(line, sizeof line, maps)) {
        unsigned long from, to;
        char has[5];
        if (sscanf(line, "%lx-%lx %4s", &from, &to, has) == 3 && (uintptr_t)slot.at >= from && (uintptr_t)slot.at < to)
            strcpy(rights, has);
    }
    fclose(maps);
    assert_int_equal(slot.read_only, rights[1] == '-');
    assert_true(gl_module_constants((uintptr_t)dlsym(self, "dlopen"), &lo, &hi) && lo < hi); /* the C library has some */
    assert_false(gl_module_constants((uintptr_t)&slot, &lo, &hi));
    dlclose(self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slots_of_calls), cmocka_unit_test(tables_of_symbols), cmocka_unit_test(modules), cmocka_unit_test(lists),
                                       cmocka_unit_test(small_libraries)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
