/* SPDX-License-Identifier: Apache-2.0
 *
 * The symbolizer on code of every compiler that is installed: shared objects are compiled here, loaded,
 * asked about, unloaded and replaced; a non-PIE executable is built from our own sources.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "symbol/symbol.h"

static char folder[] = "/tmp/symbol_lines_test.XXXXXX";

static const char plugin_source[] =
    "int shared_number = 3;\n"                                                             /* 1 */
    "static long hidden_array[5] = {1};\n"                                                 /* 2 */
    "long *array_middle(void) { return &hidden_array[2]; }\n"                              /* 3 */
    "static inline __attribute__((always_inline)) void *inner(void *(*where)(void))\n"     /* 4 */
    "{\n"                                                                                  /* 5 */
    "    void *pc = where();\n"                                                            /* 6 */
    "    __asm__ volatile(\"\");\n"                                                        /* 7 */
    "    return pc;\n"                                                                     /* 8 */
    "}\n"                                                                                  /* 9 */
    "void *outer(void *(*where)(void))\n"                                                  /* 10 */
    "{\n"                                                                                  /* 11 */
    "    shared_number++;\n"                                                               /* 12 */
    "    void *pc = inner(where);\n"                                                       /* 13 */
    "    hidden_array[2]++;\n"                                                             /* 14 */
    "    return pc;\n"                                                                     /* 15 */
    "}\n";

__attribute__((noinline)) static void *where(void) { return __builtin_return_address(0); }

static bool have(const char *compiler)
{
    char command[256];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", compiler);
    return system(command) == 0;
}

static void write_file(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    fclose(f);
}

/* Compiles in `from`, where the compiler is told the source's name. */
static void build_in(const char *from, const char *compiler, const char *flags, const char *source, const char *so)
{
    char command[1024];
    snprintf(command, sizeof command, "cd %s && %s %s -O1 -shared -fPIC %s -o %s/%s", from, compiler, flags, source,
             folder, so);
    if (system(command) != 0)
        fail_msg("cannot build: %s", command);
}

static void build(const char *compiler, const char *flags, const char *source, const char *so)
{
    build_in(folder, compiler, flags, source, so);
}

struct plugin {
    char path[256];
    void *handle;
    void *(*outer)(void *(*)(void));
    long *(*array_middle)(void);
    int *shared_number;
};

static struct plugin load(const char *so)
{
    struct plugin p;
    snprintf(p.path, sizeof p.path, "%s/%s", folder, so);
    p.handle = dlopen(p.path, RTLD_NOW);
    if (!p.handle)
        fail_msg("%s", dlerror());
    *(void **)&p.outer = dlsym(p.handle, "outer");
    *(void **)&p.array_middle = dlsym(p.handle, "array_middle");
    p.shared_number = dlsym(p.handle, "shared_number");
    assert_non_null(p.outer);
    assert_non_null(p.array_middle);
    assert_non_null(p.shared_number);
    return p;
}

static uintptr_t base_of(const struct plugin *p)
{
    Dl_info info;
    assert_true(dladdr(p->shared_number, &info));
    return (uintptr_t)info.dli_fbase;
}

static void check_lines(const struct plugin *p, const char *file)
{
    struct gl_frame f[4];
    uintptr_t pc = (uintptr_t)p->outer(where);
    for (int again = 0; again < 2; again++) { /* the second time from the cache */
        assert_int_equal(gl_symbolize(pc, GL_PC_RETURN, f, 4), 2);
        assert_string_equal(f[0].function, "inner");
        assert_string_equal(f[1].function, "outer");
        assert_string_equal(f[0].file, file);
        assert_string_equal(f[1].file, file);
        assert_int_equal(f[0].line, 6);
        assert_int_equal(f[1].line, 13);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(f[i].pc, pc);
            assert_string_equal(f[i].module, p->path);
            assert_int_equal(f[i].offset, pc - 1 - base_of(p));
        }
    }
    assert_int_equal(gl_symbolize(pc, GL_PC_RETURN, f, 1), 1); /* cut to what there is room for */
    assert_string_equal(f[0].function, "inner");
    assert_int_equal(gl_symbolize(pc - 1, GL_PC_EXACT, f, 4), 2);
    assert_int_equal(f[0].line, 6);
    assert_int_equal(f[0].pc, pc - 1);
}

static void check_variables(const struct plugin *p)
{
    struct gl_object o;
    assert_true(gl_symbol_object((uintptr_t)p->shared_number + 3, &o));
    assert_string_equal(o.name, "shared_number");
    assert_int_equal(o.start, (uintptr_t)p->shared_number);
    assert_int_equal(o.size, 4);
    assert_string_equal(o.module, p->path);
    assert_int_equal(o.offset, o.start - base_of(p));
    assert_true(gl_symbol_object((uintptr_t)p->array_middle(), &o));
    assert_string_equal(o.name, "hidden_array");
    assert_int_equal(o.start, (uintptr_t)p->array_middle() - 2 * sizeof(long));
    assert_int_equal(o.size, 5 * sizeof(long));
}

/* Every compiler and version of DWARF, the source named as absolute and as relative path. */
static void code_of_every_compiler(void **state)
{
    (void)state;
    static const char *const compilers[] = {"gcc", "clang", "clang-14", "clang-19"};
    static const char *const formats[] = {"-gdwarf-5", "-gdwarf-4"};
    char absolute[256], flags[64], so[64];
    snprintf(absolute, sizeof absolute, "%s/plugin.c", folder);
    int done = 0;
    for (size_t c = 0; c < 4; c++)
        for (size_t f = 0; have(compilers[c]) && f < 2; f++)
            for (int relative = 0; relative < 2; relative++) {
                snprintf(flags, sizeof flags, "%s", formats[f]);
                snprintf(so, sizeof so, "plugin%zu%zu%d.so", c, f, relative);
                if (relative)
                    build(compilers[c], flags, "plugin.c", so);
                else
                    build_in("/usr", compilers[c], flags, absolute, so);
                struct plugin p = load(so);
                check_lines(&p, absolute);
                check_variables(&p);
                done++;
            }
    assert_true(done >= 4);
}

static void code_without_debug_information(void **state)
{
    (void)state;
    build("gcc", "-g0", "plugin.c", "nodebug.so");
    struct plugin p = load("nodebug.so");
    struct gl_frame f[4];
    uintptr_t pc = (uintptr_t)p.outer(where);
    assert_int_equal(gl_symbolize(pc, GL_PC_RETURN, f, 4), 1);
    assert_string_equal(f[0].function, "outer");
    assert_null(f[0].file);
    assert_int_equal(f[0].line, 0);
    assert_string_equal(f[0].module, p.path);
    check_variables(&p);
}

/* Only the dynamic symbols are left: exported names are known, others are said to be unknown. */
static void stripped_code(void **state)
{
    (void)state;
    build("gcc", "-g -s", "plugin.c", "stripped.so");
    struct plugin p = load("stripped.so");
    struct gl_frame f[4];
    assert_int_equal(gl_symbolize((uintptr_t)p.outer(where), GL_PC_RETURN, f, 4), 1);
    assert_string_equal(f[0].function, "outer");
    struct gl_object o;
    assert_true(gl_symbol_object((uintptr_t)p.shared_number, &o));
    assert_string_equal(o.name, "shared_number");
    uintptr_t hidden = (uintptr_t)p.array_middle();
    assert_true(gl_symbol_object(hidden, &o));
    assert_null(o.name);
    assert_int_equal(o.start, hidden);
    assert_int_equal(o.size, 0);
    assert_string_equal(o.module, p.path);
}

/* How often the file was opened since the watch began. */
static int opened(int watch)
{
    char events[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
    int n = 0;
    for (ssize_t got; (got = read(watch, events, sizeof events)) > 0;)
        n += (int)(got / (ssize_t)sizeof(struct inotify_event)); /* no names: a file is watched, not a folder */
    assert_int_equal(errno, EAGAIN);
    return n;
}

/* The debug information of a module that nobody asks about is not read: a C library's takes long. */
static void only_the_module_asked_about_is_read(void **state)
{
    (void)state;
    build("gcc", "-g", "plugin.c", "read.so");
    build("gcc", "-g", "plugin.c", "unread.so");
    struct plugin p = load("read.so"), other = load("unread.so");
    int watch = inotify_init1(IN_NONBLOCK);
    assert_true(watch >= 0 && inotify_add_watch(watch, other.path, IN_OPEN) >= 0);
    struct gl_frame f[4];
    assert_int_equal(gl_symbolize((uintptr_t)p.outer(where), GL_PC_RETURN, f, 4), 2);
    assert_int_equal(f[0].line, 6);
    check_variables(&p);
    uintptr_t pc = (uintptr_t)other.outer(where);
    assert_true(gl_symbol_module(pc, GL_PC_RETURN, f));
    assert_string_equal(f[0].module, other.path);
    assert_int_equal(f[0].offset, pc - 1 - base_of(&other));
    assert_null(f[0].function);
    assert_int_equal(opened(watch), 0);
    assert_int_equal(gl_symbolize(pc, GL_PC_RETURN, f, 4), 2);
    assert_int_equal(f[0].line, 6);
    check_variables(&other);
    assert_true(opened(watch) > 0);
    close(watch);
}

/* A plugin is unloaded, rebuilt, and loaded again under the same name and, most often, at the same place,
 * with the same program headers; only lines have moved.  In every other round nobody asks in between. */
static void a_replaced_plugin_is_read_anew(void **state)
{
    (void)state;
    char absolute[256], source[4096];
    snprintf(absolute, sizeof absolute, "%s/replaced.c", folder);
    for (int round = 0; round < 6; round++) {
        snprintf(source, sizeof source, "%.*s%s", round, "\n\n\n\n\n\n", plugin_source);
        write_file("replaced.c", source);
        build("gcc", "-g", absolute, "replaced.so");
        struct plugin p = load("replaced.so");
        struct gl_frame f[4];
        uintptr_t pc = (uintptr_t)p.outer(where);
        assert_int_equal(gl_symbolize(pc, GL_PC_RETURN, f, 4), 2);
        assert_int_equal(f[0].line, 6 + round);
        assert_int_equal(f[1].line, 13 + round);
        uintptr_t variable = (uintptr_t)p.shared_number;
        struct gl_object o;
        assert_true(gl_symbol_object(variable, &o));
        dlclose(p.handle);
        if (round % 2) {
            assert_int_equal(gl_symbolize(pc, GL_PC_RETURN, f, 4), 1); /* gone, and not from the cache */
            assert_null(f[0].function);
            assert_null(f[0].module);
            assert_false(gl_symbol_object(variable, &o));
        }
    }
}

static void cxx_names(void **state)
{
    (void)state;
    if (!have("g++"))
        skip();
    write_file("names.cc", "namespace ns { template <class T> struct Box { static int count;\n"
                           "  __attribute__((noinline)) static void *call(T, void *(*where)()) {\n"
                           "    void *pc = where(); count++; return pc; } };\n"
                           "template <class T> int Box<T>::count = 1; }\n"
                           "extern \"C\" void *outer(void *(*where)()) {\n"
                           "  void *pc = ns::Box<int>::call(1, where); asm volatile(\"\"); return pc; }\n"
                           "extern \"C\" long *array_middle() { return (long *)&ns::Box<int>::count; }\n"
                           "int shared_number;\n");
    build("g++", "-g", "-x c++ names.cc", "names.so");
    char path[256];
    snprintf(path, sizeof path, "%s/names.so", folder);
    void *handle = dlopen(path, RTLD_NOW);
    assert_non_null(handle);
    void *(*outer)(void *(*)(void));
    long *(*count)(void);
    *(void **)&outer = dlsym(handle, "outer");
    *(void **)&count = dlsym(handle, "array_middle");
    struct gl_frame f[4];
    assert_int_equal(gl_symbolize((uintptr_t)outer(where), GL_PC_RETURN, f, 4), 1);
    assert_string_equal(f[0].function, "ns::Box<int>::call(int, void* (*)())");
    assert_int_equal(f[0].line, 3);
    struct gl_object o;
    assert_true(gl_symbol_object((uintptr_t)count(), &o));
    assert_string_equal(o.name, "ns::Box<int>::count");
}

/* Functions that two objects have and the linker keeps once: what follows the one that both name in their debug
 * information belongs to the first object alone.  And one that it leaves out, longer than all that it keeps. */
static void functions_of_several_objects(void **state)
{
    (void)state;
    static const char *const compilers[] = {"g++", "clang++", "clang++-19"};
    static const char *const formats[] = {"-gdwarf-5", "-gdwarf-4"};
    write_file("common.h", "typedef void *where();\n"
                           "template <int n> void *at(where *w) {\n"
                           "  return w(); }\n"
                           "struct both { static void *unshared(where *w) {\n"
                           "  return w(); }\n"
                           "static void *at(where *w) {\n"
                           "  return w(); } };\n");
    write_file("one.cc", "#include \"common.h\"\n"
                         "extern \"C\" void *before(where *w) { return both::unshared(w); }\n"
                         "extern \"C\" void *shared(where *w) { return both::at(w); }\n"
                         "extern \"C\" void *after(where *w) { return at<2>(w); }\n");
    write_file("two.cc", "#include \"common.h\"\n"
                         "void *shared_too(where *w) { return both::at(w); }\n"
                         "__attribute__((visibility(\"hidden\"))) void nobody() { asm(\".skip 1 << 20\"); }\n");
    char path[256], so[64], flags[128];
    for (size_t c = 0; c < 3; c++)
        for (size_t f = 0; have(compilers[c]) && f < 2; f++) {
            snprintf(so, sizeof so, "several%zu%zu.so", c, f);
            snprintf(flags, sizeof flags, "%s -ffunction-sections -Wl,--gc-sections", formats[f]);
            build(compilers[c], flags, "one.cc two.cc -O0", so);
            snprintf(path, sizeof path, "%s/%s", folder, so);
            void *handle = dlopen(path, RTLD_NOW);
            assert_non_null(handle);
            static const struct {
                const char *name, *inner;
                uint32_t inner_line, line;
            } of[] = {{"before", "both::unshared", 5, 2}, {"shared", "both::at", 7, 3}, {"after", "at<2>", 3, 4}};
            for (int i = 0; i < 3; i++) {
                struct gl_frame frame[4];
                void *(*function)(void *(*)(void));
                *(void **)&function = dlsym(handle, of[i].name);
                assert_int_equal(gl_symbolize((uintptr_t)function, GL_PC_EXACT, frame, 4), 1);
                assert_string_equal(frame[0].function, of[i].name);
                assert_int_equal(frame[0].line, of[i].line);
                assert_int_equal(gl_symbolize((uintptr_t)function(where), GL_PC_RETURN, frame, 4), 1);
                assert_non_null(strstr(frame[0].function, of[i].inner));
                assert_non_null(frame[0].file);
                assert_non_null(strstr(frame[0].file, "/common.h"));
                assert_int_equal(frame[0].line, of[i].inner_line);
            }
        }
}

static int of_this_executable = 5;

static void the_executable_itself(void **state)
{
    (void)state;
    char exe[4096];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    exe[n] = 0;
    struct gl_frame f[4];
    assert_true(gl_symbolize((uintptr_t)&the_executable_itself, GL_PC_EXACT, f, 4) >= 1);
    assert_string_equal(f[0].function, "the_executable_itself");
    assert_string_equal(f[0].module, exe);
    struct gl_object o;
    assert_true(gl_symbol_object((uintptr_t)&of_this_executable, &o));
    assert_string_equal(o.name, "of_this_executable");
    assert_int_equal(o.start, (uintptr_t)&of_this_executable);
    assert_int_equal(o.size, sizeof of_this_executable);
}

static void wrong_addresses_are_no_harm(void **state)
{
    (void)state;
    int on_stack;
    uintptr_t wrong[] = {0, 1, 4096, UINTPTR_MAX, (uintptr_t)1 << 63, (uintptr_t)&on_stack};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        for (int kind = 0; kind < 2; kind++) {
            struct gl_frame f[2];
            struct gl_object o;
            assert_int_equal(gl_symbolize(wrong[i], kind ? GL_PC_RETURN : GL_PC_EXACT, f, 2), 1);
            assert_int_equal(f[0].pc, wrong[i]);
            assert_null(f[0].function);
            assert_null(f[0].module);
            assert_false(gl_symbol_module(wrong[i], kind ? GL_PC_RETURN : GL_PC_EXACT, f));
            assert_null(f[0].module);
            assert_false(gl_symbol_object(wrong[i], &o));
        }
    struct gl_object o;
    assert_false(gl_symbol_object((uintptr_t)&wrong_addresses_are_no_harm, &o)); /* code is no variable */
}

/* Non-PIE: the same sources linked the other way; the program prints what it finds about itself. */
static void a_non_pie_executable(void **state)
{
    (void)state;
    char root[256], command[1024], line[512];
    snprintf(root, sizeof root, "./%s", __FILE__); /* as the compiler was told: absolute, or from here */
    char *start = __FILE__[0] == '/' ? root + 2 : root;
    char *tests = strstr(start, "tests/unit/");
    assert_non_null(tests);
    *tests = 0;
    write_file("nopie.c", "#include <stdio.h>\n#include \"symbol/symbol.h\"\nstatic int data = 1;\n"
                          "int main(void) {\n"
                          "  struct gl_frame f; struct gl_object o;\n"
                          "  gl_symbolize((uintptr_t)&main, GL_PC_EXACT, &f, 1);\n"
                          "  int found = gl_symbol_object((uintptr_t)&data, &o);\n"
                          "  printf(\"%s %u %d %d %s %d\\n\", f.function, f.line, f.offset == (uintptr_t)&main,\n"
                          "         found, o.name, o.offset == (uintptr_t)&data);\n}\n");
    snprintf(command, sizeof command,
             "cd %s && gcc -D_GNU_SOURCE -g -no-pie -I. %s/nopie.c symbol/*.c platform/*.c platform/linux/*.c "
             GL_LIBBACKTRACE " -liberty -o %s/nopie && $GOLDILOCKS_EMULATOR %s/nopie",
             start, folder, folder, folder);
    FILE *f = popen(command, "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    assert_int_equal(pclose(f), 0);
    assert_string_equal(line, "main 4 1 1 data 1\n");
}

/* ---- from everywhere -------------------------------------------------------------------------- */

static struct plugin shared;
static _Atomic int failures;
static _Atomic int handled;
static _Atomic int stop;

static void *ask(void *arg)
{
    (void)arg;
    struct gl_frame f[2];
    for (int i = 0; i < 200; i++) {
        uintptr_t pc = (uintptr_t)(i % 2 ? (void *)shared.outer : (void *)&ask) + (uintptr_t)(i % 7);
        if (gl_symbolize(pc, GL_PC_EXACT, f, 2) < 1 || !f[0].module)
            failures++;
    }
    return NULL;
}

static void threads_with_little_stack(void **state)
{
    (void)state;
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    assert_int_equal(pthread_attr_setstacksize(&attr, (size_t)sysconf(_SC_THREAD_STACK_MIN) + (48 << 10)), 0);
    pthread_t t[8];
    for (int i = 0; i < 8; i++)
        assert_int_equal(pthread_create(&t[i], &attr, ask, NULL), 0);
    for (int i = 0; i < 8; i++)
        pthread_join(t[i], NULL);
    assert_int_equal(failures, 0);
}

static void on_signal(int sig)
{
    (void)sig;
    struct gl_frame f;
    /* May know nothing (it interrupted a call of this very thread), but comes back. */
    if (gl_symbolize((uintptr_t)&on_signal, GL_PC_EXACT, &f, 1) != 1)
        failures++;
    handled++;
}

static void signals_in_the_middle_of_a_call(void **state)
{
    (void)state;
    struct sigaction act = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, old;
    sigaction(SIGALRM, &act, &old);
    struct itimerval often = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &often, NULL);
    struct gl_frame f[2];
    uintptr_t start = (uintptr_t)&signals_in_the_middle_of_a_call;
    for (uintptr_t i = 0; handled < 200 || i < 500; i++)
        assert_true(gl_symbolize(start + i % 5000, GL_PC_EXACT, f, 2) >= 1);
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, &old, NULL);
    assert_int_equal(failures, 0);
}

static void *ask_until_stopped(void *arg)
{
    while (!stop)
        ask(arg);
    return NULL;
}

static void children_of_fork_can_ask(void **state)
{
    (void)state;
    pthread_t t;
    assert_int_equal(pthread_create(&t, NULL, ask_until_stopped, NULL), 0);
    for (int i = 0; i < 20; i++) {
        gl_symbol_fork_before();
        pid_t child = fork();
        gl_symbol_fork_after();
        if (child == 0) {
            alarm(5);
            struct gl_frame f;
            gl_symbolize((uintptr_t)&children_of_fork_can_ask, GL_PC_EXACT, &f, 1);
            _exit(f.function && strcmp(f.function, "children_of_fork_can_ask") == 0 ? 0 : 1);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
    stop = 1;
    pthread_join(t, NULL);
}

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    write_file("plugin.c", plugin_source);
    build("gcc", "-g", "plugin.c", "shared.so");
    shared = load("shared.so");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    char command[256];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_of_every_compiler),
        cmocka_unit_test(code_without_debug_information),
        cmocka_unit_test(stripped_code),
        cmocka_unit_test(only_the_module_asked_about_is_read),
        cmocka_unit_test(a_replaced_plugin_is_read_anew),
        cmocka_unit_test(cxx_names),
        cmocka_unit_test(functions_of_several_objects),
        cmocka_unit_test(the_executable_itself),
        cmocka_unit_test(wrong_addresses_are_no_harm),
        cmocka_unit_test(a_non_pie_executable),
        cmocka_unit_test(threads_with_little_stack),
        cmocka_unit_test(signals_in_the_middle_of_a_call),
        cmocka_unit_test(children_of_fork_can_ask),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
