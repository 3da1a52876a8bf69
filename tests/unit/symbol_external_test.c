/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines from another program: real ones on debug information that libbacktrace cannot read, and scripts that answer badly or not at
 * all.  A choice of program is for the whole process, so each test is a child of its own, which says what it thinks by its exit code.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "symbol/symbol.h"

extern char **environ;

static char folder[] = "/tmp/symbol_external_test.XXXXXX";

static const char source[] =
    "static inline __attribute__((always_inline)) void *inner(void *(*where)(void))\n" /* 1 */
    "{\n"                                                                              /* 2 */
    "    void *pc = where();\n"                                                        /* 3 */
    "    __asm__ volatile(\"\");\n"                                                    /* 4 */
    "    return pc;\n"                                                                 /* 5 */
    "}\n"                                                                              /* 6 */
    "void *outer(void *(*where)(void))\n"                                              /* 7 */
    "{\n"                                                                              /* 8 */
    "    void *pc = inner(where);\n"                                                   /* 9 */
    "    __asm__ volatile(\"\");\n"                                                    /* 10 */
    "    return pc;\n"                                                                 /* 11 */
    "}\n";

__attribute__((noinline)) static void *where(void) { return __builtin_return_address(0); }

static void write_file(const char *name, const char *text, mode_t mode)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    fclose(f);
    assert_int_equal(chmod(path, mode), 0);
}

static const char *llvm_symbolizer;

/* The first that is on the path; the test fails without one. */
static const char *first(const char *const *names)
{
    char command[64];
    for (; *names; names++) {
        snprintf(command, sizeof command, "command -v %s >/dev/null", *names);
        if (system(command) == 0)
            return *names;
    }
    fail_msg("neither clang 19 nor another one is installed");
    return NULL;
}

static void build(const char *compiler, const char *flags, const char *so)
{
    char command[512];
    snprintf(command, sizeof command, "cd %s && %s -g %s -O1 -shared -fPIC plugin.c -o %s", folder, compiler, flags, so);
    if (system(command) != 0)
        fail_msg("cannot build: %s", command);
}

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return 1;
    write_file("plugin.c", source, 0644);
    llvm_symbolizer = first((const char *const[]){"llvm-symbolizer-19", "llvm-symbolizer-21", "llvm-symbolizer-15", "llvm-symbolizer", NULL});
    build("gcc", "-gsplit-dwarf", "gcc.so");
    build(first((const char *const[]){"clang-19", "clang-21", "clang", NULL}), "-gsplit-dwarf", "clang.so");
    build("gcc", "", "plain.so");
    bool zstd = system("ld --help | grep -q 'compress-debug-sections=.*zstd'") == 0; /* binutils 2.40 and later */
    build("gcc", zstd ? "-Wl,--compress-debug-sections=zstd" : "-Wl,--compress-debug-sections=zlib", "zstd.so");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

/* ---- in the child ----------------------------------------------------------------------------- */

static int failed_line; /* its exit code; lines of this file fit */

#define SAY(condition)                    \
    do {                                  \
        if (!(condition) && !failed_line) \
            failed_line = __LINE__;       \
    } while (0)

static void use(const char *program)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, program);
    const char *why = gl_symbol_use(strchr(program, '!') ? path : program, environ);
    SAY(why == NULL);
}

/* The frames of the call inside `name`. */
static int ask(const char *name, struct gl_frame *f, int max)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    void *so = dlopen(path, RTLD_NOW);
    void *(*outer)(void *(*)(void)) = so ? (void *(*)(void *(*)(void)))dlsym(so, "outer") : NULL;
    SAY(outer != NULL);
    return outer ? gl_symbolize((uintptr_t)outer(where), GL_PC_RETURN, f, max) : 0;
}

static bool is(const struct gl_frame *f, const char *function, uint32_t line)
{
    const char *file = f->file ? strrchr(f->file, '/') : NULL;
    return f->function && strcmp(f->function, function) == 0 && file && strcmp(file, "/plugin.c") == 0 && f->line == line;
}

static void right_answer(const char *name, bool inlined, bool columns)
{
    struct gl_frame f[8];
    int n = ask(name, f, 8);
    if (inlined) {
        SAY(n == 2 && is(&f[0], "inner", 3) && is(&f[1], "outer", 9));
        SAY(n < 2 || (f[0].column != 0) == columns);
        SAY(n < 2 || (f[1].column != 0) == columns);
    } else {
        SAY(n == 1 && is(&f[0], "outer", 3));
    }
}

static void run(void work(void))
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(240);
        work();
        _exit(failed_line ? failed_line - (failed_line > 255 ? 255 : 0) : 0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) != 0)
        fail_msg("line %d (or 255 more)", WEXITSTATUS(status));
}

/* ---- real programs ---------------------------------------------------------------------------- */

/* Of split debug information libbacktrace and addr2line tell the line, and not what was inlined; those of gcc 11 and its time only the
 * function. */
static void right_split_answer(void)
{
    struct gl_frame f[8];
    int n = ask("gcc.so", f, 8);
    if (n == 1 && f[0].line == 0 && __GNUC__ < 12)
        SAY(f[0].function && strcmp(f[0].function, "outer") == 0);
    else
        right_answer("gcc.so", false, false);
}

static void without(void)
{
    struct gl_frame f[8];
    right_split_answer();
    int n = ask("zstd.so", f, 8); /* perhaps not even the line */
    if (n == 1 && f[0].line == 0)
        SAY(f[0].function && strcmp(f[0].function, "outer") == 0);
    else /* that of gcc 14 does */
        right_answer("zstd.so", true, false);
    right_answer("plain.so", true, false);
    SAY(gl_symbol_trouble() == NULL);
}

static void llvm(void)
{
    use(llvm_symbolizer);
    right_answer("gcc.so", true, true);
    right_answer("clang.so", true, true);
    right_answer("zstd.so", true, true);
    right_answer("plain.so", true, true);
    right_answer("gcc.so", true, true); /* from the cache */
    SAY(gl_symbol_trouble() == NULL);
}

static void gnu(void)
{
    use("addr2line");
    right_split_answer();
    right_answer("zstd.so", true, false);
    right_answer("plain.so", true, false);
    struct gl_frame f[8];
    int n = gl_symbolize((uintptr_t)gnu, GL_PC_EXACT, f, 8); /* a third process, for this program itself */
    SAY(n == 1 && f[0].function && strcmp(f[0].function, "gnu") == 0);
    SAY(gl_symbol_trouble() == NULL);
}

static void many_files(void)
{
    char name[32], command[512];
    use("addr2line");
    for (int i = 0; i < 12; i++) { /* more than there are processes at a time */
        snprintf(name, sizeof name, "copy%d.so", i);
        snprintf(command, sizeof command, "cp %s/plain.so %s/%s", folder, folder, name);
        SAY(system(command) == 0);
        right_answer(name, true, false);
    }
    SAY(gl_symbol_trouble() == NULL);
}

static void by_real_programs(void **state)
{
    (void)state;
    run(without);
    run(llvm);
    run(gnu);
    run(many_files);
}

/* ---- bad ones --------------------------------------------------------------------------------- */

static void refused(void)
{
    char path[256];
    snprintf(path, sizeof path, "%s/llvm-symbolizer-data", folder);
    write_file("llvm-symbolizer-data", "no program", 0644);
    SAY(gl_symbol_use("/bin/cat", environ) != NULL);
    SAY(gl_symbol_use("llvm-symbolizer-0", environ) != NULL);
    SAY(gl_symbol_use("/tmp/llvm-symbolizer/llvm-symbolizer", environ) != NULL);
    SAY(gl_symbol_use("/usr/lib/llvm-symbolizer/..", environ) != NULL);
    SAY(gl_symbol_use(path, environ) != NULL); /* not executable */
    const char *trouble = gl_symbol_trouble();
    SAY(trouble && strstr(trouble, "llvm-symbolizer-data: "));
    right_answer("plain.so", true, false);
}

/* A script that is asked; libbacktrace answers in its place. */
static const char *script;

static void bad_script(void)
{
    write_file("llvm-symbolizer!", script, 0755);
    use("llvm-symbolizer!");
    right_answer("plain.so", true, false);
    for (uintptr_t i = 0; i < 8; i++) { /* others, so that it fails often enough */
        struct gl_frame f[8];
        int n = gl_symbolize((uintptr_t)bad_script + i, GL_PC_EXACT, f, 8);
        SAY(n == 1 && f[0].function && strcmp(f[0].function, "bad_script") == 0);
    }
    const char *trouble = gl_symbol_trouble();
    SAY(trouble && strstr(trouble, "/llvm-symbolizer!: it ") && strstr(trouble, "lines come from what can be read without it"));
}

static void unknown_script(void)
{
    write_file("llvm-symbolizer!", "#!/bin/sh\nwhile read -r line; do printf '??\\n??:0:0\\n\\n'; done\n", 0755);
    use("llvm-symbolizer!");
    right_answer("plain.so", true, false);
    SAY(gl_symbol_trouble() == NULL); /* it has answered */
}

static void by_bad_programs(void **state)
{
    (void)state;
    run(refused);
    static const char *const scripts[] = {
        "#!/bin/sh\nexit 0\n",
        "#!/bin/sh\nread -r line\nexit 0\n",
        "#!/bin/sh\nread -r line\nprintf 'main\\n/a/plugin.c:1'\nexit 0\n",               /* half an answer */
        "#!/bin/sh\nread -r line\nkill -9 $$\n",
        "#!/bin/sh\nread -r line\nexec dd if=/dev/zero bs=4096 count=100 2>/dev/null\n", /* more than any answer */
        "#!/nowhere/sh\n",                                                               /* cannot be executed */
    };
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
        script = scripts[i];
        run(bad_script);
    }
    run(unknown_script);
}

/* ---- what the program notices ----------------------------------------------------------------- */

static volatile sig_atomic_t child_signals;

static void count_signal(int sig)
{
    (void)sig;
    child_signals++;
}

static void unnoticed(void)
{
    signal(SIGCHLD, count_signal);
    signal(SIGPIPE, count_signal);
    use(llvm_symbolizer);
    right_answer("plain.so", true, true);
    errno = 0;
    SAY(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD); /* no child that it could meet */
    SAY(wait(NULL) == -1 && errno == ECHILD);
    write_file("llvm-symbolizer!", "#!/bin/sh\nexit 0\n", 0755);
    use("llvm-symbolizer!");
    struct gl_frame f[8];
    gl_symbolize((uintptr_t)unnoticed, GL_PC_EXACT, f, 8);
    SAY(child_signals == 0);
}

/* What the child has: its descriptors (of which `ls` has one more), the signals that it ignores or blocks, and variables. */
static void clean_child(void)
{
    write_file("llvm-symbolizer!",
               "#!/bin/sh\nwhile read -r line; do\n"
               "echo \"$(ls /proc/self/fd | tr '\\n' ' ')|$(grep -E 'Sig(Ign|Blk)' /proc/self/status | tr -d '\\t\\n')|$TSAN_OPTIONS$LD_AUDIT|$KEPT\"\n"
               "printf 'plugin.c:1:2\\n\\n'\ndone\n",
               0755);
    for (int i = 0; i < 5; i++)
        SAY(open("/dev/null", O_RDONLY) >= 0); /* not marked to be closed */
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, count_signal);
    sigset_t some;
    sigemptyset(&some);
    sigaddset(&some, SIGUSR1);
    sigprocmask(SIG_BLOCK, &some, NULL);
    setenv("TSAN_OPTIONS", "history_size=3", 1);
    setenv("KEPT", "kept", 1);
    use("llvm-symbolizer!");
    struct gl_frame f[8];
    ask("plain.so", f, 8);
    SAY(f[0].function && strcmp(f[0].function, "0 1 2 3 |SigBlk:0000000000000000SigIgn:0000000000000000||kept") == 0);
    SAY(f[0].line == 1 && f[0].column == 2);
    sigset_t now;
    sigprocmask(SIG_BLOCK, NULL, &now);
    SAY(sigismember(&now, SIGUSR1) == 1 && sigismember(&now, SIGTERM) == 0); /* ours are as they were */
}

/* The program closes all that it did not open, and opens files of its own, which take the numbers. */
static void closed(void)
{
    enum { FILES = 700 };
    char path[256];
    snprintf(path, sizeof path, "%s/own", folder);
    use(llvm_symbolizer);
    right_answer("plain.so", true, true);
    for (int fd = 3; fd < 1024; fd++)
        close(fd);
    for (int i = 0; i < FILES; i++)
        SAY(open(path, O_RDWR | O_CREAT, 0644) >= 0);
    right_answer("gcc.so", true, true);
    struct stat st;
    SAY(stat(path, &st) == 0 && st.st_size == 0); /* nobody has written into it */
    for (int fd = 3; fd < 3 + FILES; fd++)
        SAY(fcntl(fd, F_GETFD) == 0); /* nor closed it */
    SAY(gl_symbol_trouble() == NULL);
}

/* A child of the program asks, too, and its parent goes on. */
static void forked(void)
{
    use(llvm_symbolizer);
    right_answer("plain.so", true, true);
    gl_symbol_fork_before();
    pid_t child = fork();
    gl_symbol_fork_after();
    if (child == 0) {
        right_answer("gcc.so", true, true);
        SAY(gl_symbol_trouble() == NULL);
        _exit(failed_line ? 1 : 0);
    }
    int status;
    SAY(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    right_answer("clang.so", true, true);
    SAY(gl_symbol_trouble() == NULL);
}

static void beside_the_program(void **state)
{
    (void)state;
    run(unnoticed);
    run(clean_child);
    run(closed);
    run(forked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_real_programs),
        cmocka_unit_test(by_bad_programs),
        cmocka_unit_test(beside_the_program),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
