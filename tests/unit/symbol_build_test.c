/* SPDX-License-Identifier: Apache-2.0
 *
 * How a file was compiled: the answer for each line that compilers write, in a file made for it; for the files that the installed
 * compilers make; and for files of which anything may be wrong.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <elf.h>

#include "symbol/build.h"

/* A file with the section names and, in .debug_str, these strings. */
static size_t make(char *out, size_t strings, const char *const *string, uint64_t flags)
{
    static const char names[] = "\0.shstrtab\0.debug_str";
    Elf64_Ehdr head = {.e_shoff = sizeof head, .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 3, .e_shstrndx = 1};
    Elf64_Shdr s[3] = {{0}};
    size_t at = sizeof head + sizeof s;
    memcpy(head.e_ident, ELFMAG, SELFMAG);
    head.e_ident[EI_CLASS] = ELFCLASS64;
    s[1] = (Elf64_Shdr){.sh_name = 1, .sh_type = SHT_STRTAB, .sh_offset = at, .sh_size = sizeof names};
    memcpy(out + at, names, sizeof names);
    at += sizeof names;
    s[2] = (Elf64_Shdr){.sh_name = 11, .sh_type = SHT_PROGBITS, .sh_offset = at, .sh_flags = flags};
    for (size_t i = 0; i < strings; i++) {
        size_t n = strlen(string[i]) + 1;
        memcpy(out + at, string[i], n);
        at += n;
        s[2].sh_size += n;
    }
    memcpy(out, &head, sizeof head);
    memcpy(out + sizeof head, s, sizeof s);
    return at;
}

#define GCC       "GNU C17 12.2.0 -mtune=generic -g"
#define GPP       "GNU C++17 12.2.0 -mtune=generic -g"
#define CLANG     "Debian clang version 14.0.6"
#define CLANG_CMD CLANG " /usr/bin/clang -g -grecord-command-line"

static void answers(void **state)
{
    (void)state;
    static const struct {
        enum gl_build build;
        const char *string[3];
    } cases[] = {
        {GL_BUILD_UNKNOWN, {""}},
        {GL_BUILD_UNKNOWN, {"main", "int"}},
        {GL_BUILD_UNKNOWN, {GCC " -O2"}}, /* not instrumented */
        {GL_BUILD_GCC_HOLES, {GCC " -O2 -fsanitize=thread"}},
        {GL_BUILD_GCC_HOLES, {GPP " -Og -fsanitize=thread"}},
        {GL_BUILD_WHOLE, {GPP " -Og -fsanitize=thread -fplugin=/usr/local/lib/goldilocks/complete-gcc-12.so"}},
        {GL_BUILD_GCC_HOLES, {GCC " -O0 -O1 -fsanitize=thread"}},
        {GL_BUILD_GCC_HOLES, {GCC " -fsanitize=thread -fno-builtin-memcpy -O2", "main", GCC " -O2 -fsanitize=thread"}},
        {GL_BUILD_WHOLE, {GCC " -fsanitize=thread"}},
        {GL_BUILD_WHOLE, {GCC " -O2 -O0 -fsanitize=thread"}},
        {GL_BUILD_WHOLE, {GCC " -O2 -fsanitize=thread -fno-builtin-memcpy", GCC " -O2"}},
        {GL_BUILD_CLANG_HOLES, {CLANG}},
        {GL_BUILD_CLANG_HOLES, {CLANG_CMD " -O2 -fsanitize=thread"}},
        {GL_BUILD_WHOLE, {CLANG_CMD " -O0 -fsanitize=thread"}},
        {GL_BUILD_WHOLE, {CLANG_CMD " -O2 -fsanitize=thread -fno-vectorize -fno-slp-vectorize"}},
        {GL_BUILD_WHOLE, {CLANG, CLANG_CMD " -O2 -fsanitize=thread -fno-vectorize -fno-slp-vectorize"}},
        {GL_BUILD_UNKNOWN, {CLANG_CMD " -O2"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char file[2048];
        size_t n = 0;
        while (n < 3 && cases[i].string[n])
            n++;
        size_t size = make(file, n, cases[i].string, 0);
        if (gl_bytes_build(file, size) != cases[i].build)
            fail_msg("case %zu: %d, expected %d", i, (int)gl_bytes_build(file, size), (int)cases[i].build);
        make(file, n, cases[i].string, SHF_COMPRESSED);
        assert_int_equal(gl_bytes_build(file, size), GL_BUILD_UNKNOWN);
    }
}

/* Whatever is cut off or changed: some answer, and no byte is read outside. The block ends where the file does. */
static void damaged(void **state)
{
    (void)state;
    static const char *const strings[] = {GCC " -O2 -fsanitize=thread", CLANG, "x"};
    char whole[1024];
    size_t size = make(whole, 3, strings, 0);
    for (size_t n = 0; n <= size; n++) {
        char *cut = malloc(n ? n : 1);
        assert_non_null(cut);
        memcpy(cut, whole, n);
        enum gl_build build = gl_bytes_build(cut, n);
        assert_int_equal(build, n == size ? GL_BUILD_GCC_HOLES : GL_BUILD_UNKNOWN);
        free(cut);
    }
    unsigned seed = 1;
    for (int round = 0; round < 20000; round++) {
        char *changed = malloc(size);
        assert_non_null(changed);
        memcpy(changed, whole, size);
        for (int k = rand_r(&seed) % 4; k >= 0; k--)
            changed[(size_t)rand_r(&seed) % (sizeof(Elf64_Ehdr) + 3 * sizeof(Elf64_Shdr))] = (char)rand_r(&seed);
        enum gl_build build = gl_bytes_build(changed, size);
        assert_true(build == GL_BUILD_UNKNOWN || build == GL_BUILD_GCC_HOLES || build == GL_BUILD_CLANG_HOLES);
        free(changed);
    }
}

static enum gl_build compiled_by(const char *command)
{
    char folder[] = "/tmp/symbol_build.XXXXXX", line[1024], path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(line, sizeof line, "cd %s && echo 'int x; int f(void) { return x; }' >a.c && %s -shared -fPIC a.c -o a.so -nostdlib 2>/dev/null",
             folder, command);
    int failed = system(line);
    snprintf(path, sizeof path, "%s/a.so", folder);
    enum gl_build build = failed ? GL_BUILD_UNKNOWN : gl_file_build(path);
    snprintf(line, sizeof line, "rm -r %s", folder);
    assert_int_equal(system(line), 0);
    return build;
}

static void compilers(void **state)
{
    (void)state;
    assert_int_equal(compiled_by("gcc -g -O2 -fsanitize=thread"), GL_BUILD_GCC_HOLES);
    assert_int_equal(compiled_by("gcc -g -O2 -fsanitize=thread -fno-builtin-memcpy"), GL_BUILD_WHOLE);
    assert_int_equal(compiled_by("gcc -O2 -fsanitize=thread"), GL_BUILD_UNKNOWN);
    if (system("clang --version >/dev/null 2>&1") == 0) {
        assert_int_equal(compiled_by("clang -g -O2 -fsanitize=thread"), GL_BUILD_CLANG_HOLES);
        assert_int_equal(compiled_by("clang -g -O2 -fsanitize=thread -grecord-command-line -fno-slp-vectorize"), GL_BUILD_WHOLE);
    }
    assert_int_equal(gl_file_build("/"), GL_BUILD_UNKNOWN);
    assert_int_equal(gl_file_build("/none"), GL_BUILD_UNKNOWN);
    assert_int_equal(gl_file_build("/dev/null"), GL_BUILD_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers), cmocka_unit_test(damaged), cmocka_unit_test(compilers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
