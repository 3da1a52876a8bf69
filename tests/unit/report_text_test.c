/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports as text, letter by letter.  The expected texts of GL_STYLE_TSAN follow what the
 * ThreadSanitizer of gcc 12 printed for programs with these races.
 */
#include "report/text.h"
#include "tests/support/page.h"

static const char *print(const struct gl_report *r, struct gl_text t)
{
    static struct page page;
    page.n = 0;
    t.write = page_append;
    t.write_ctx = &page;
    gl_text_report(r, &t);
    return page.text;
}

#define FRAMES(...)                                                                                  \
    {                                                                                                \
        .frame = (const struct gl_report_frame[]){__VA_ARGS__},                                      \
        .frames = sizeof((const struct gl_report_frame[]){__VA_ARGS__}) / sizeof(struct gl_report_frame) \
    }
#define AT(fn, f, l, off) \
    {.function = fn, .file = f, .line = l, .module = "/home/me/bin/race", .offset = off}

static const struct gl_report on_a_global = {
    .type = GL_REPORT_RACE,
    .pid = 7711,
    .access = {{.kind = GL_REPORT_READ,
                .address = 0x555555559188,
                .size = 4,
                .thread = 2,
                .held = (const struct gl_report_held[]){{9, true}, {10, false}},
                .n_held = 2,
                .stack = FRAMES(AT("A::inc(int*)", "/src/race.cc", 8, 0x25eb),
                                {.function = "operator()", .file = "/src/race.cc", .line = 13, .column = 5,
                                 .module = "race", .offset = 0x25eb},
                                {.module = "/usr/lib/libstdc++.so.6", .offset = 0xd44a2})},
               {.kind = GL_REPORT_WRITE,
                .address = 0x555555559188,
                .size = 4,
                .thread = 1,
                .stack = FRAMES(AT("A::inc(int*)", "/src/race.cc", 8, 0x2385))}},
    .location = {.place = GL_PLACE_GLOBAL,
                 .name = "counter",
                 .start = 0x555555559188,
                 .size = 4,
                 .module = "/home/me/bin/race",
                 .offset = 0x5188},
    .mutex = (const struct gl_report_mutex[]){{.number = 9,
                                               .address = 0x555555559160,
                                               .created_at = FRAMES(AT("main", "/src/race.cc", 10, 0x25c9))},
                                              {.number = 10, .destroyed = true}},
    .mutexes = 2,
    .thread = (const struct gl_report_thread[]){{.number = 2,
                                                 .os_tid = 7715,
                                                 .running = true,
                                                 .created_at = FRAMES(AT("main", "/src/race.cc", 14, 0x2700))},
                                                {.number = 1,
                                                 .os_tid = 7714,
                                                 .name = "bob",
                                                 .parent = 3,
                                                 .created_at = FRAMES(AT("main", "/src/race.cc", 13, 0x26f0))}},
    .threads = 2,
    .occurrences = 1,
};

static void the_layout_of_threadsanitizer(void **state)
{
    (void)state;
    assert_string_equal(print(&on_a_global, (struct gl_text){.style = GL_STYLE_TSAN}),
                        "==================\n"
                        "WARNING: ThreadSanitizer: data race (pid=7711)\n"
                        "  Read of size 4 at 0x555555559188 by thread T2 (mutexes: write M9, read M10):\n"
                        "    #0 A::inc(int*) /src/race.cc:8 (race+0x25eb)\n"
                        "    #1 operator() /src/race.cc:13:5 (race+0x25eb)\n"
                        "    #2 <null> <null> (libstdc++.so.6+0xd44a2)\n"
                        "\n"
                        "  Previous write of size 4 at 0x555555559188 by thread T1:\n"
                        "    #0 A::inc(int*) /src/race.cc:8 (race+0x2385)\n"
                        "\n"
                        "  Location is global 'counter' of size 4 at 0x555555559188 (race+0x5188)\n"
                        "\n"
                        "  Mutex M9 (0x555555559160) created at:\n"
                        "    #0 main /src/race.cc:10 (race+0x25c9)\n"
                        "\n"
                        "  Mutex M10 is already destroyed.\n"
                        "\n"
                        "  Thread T2 (tid=7715, running) created by main thread at:\n"
                        "    #0 main /src/race.cc:14 (race+0x2700)\n"
                        "\n"
                        "  Thread T1 'bob' (tid=7714, finished) created by thread T3 at:\n"
                        "    #0 main /src/race.cc:13 (race+0x26f0)\n"
                        "\n"
                        "SUMMARY: ThreadSanitizer: data race /src/race.cc:8 in A::inc(int*)\n"
                        "==================\n");
}

static const struct gl_report on_the_heap = {
    .type = GL_REPORT_USE_AFTER_FREE,
    .pid = 1,
    .access = {{.kind = GL_REPORT_ATOMIC_WRITE,
                .address = 0x7b0c0000000c,
                .size = 4,
                .stack = FRAMES(AT("main", "race.c", 15, 0x28de))},
               {.kind = GL_REPORT_FREE,
                .address = 0x7b0c00000000,
                .size = 40,
                .thread = 4,
                .stack = FRAMES(AT("drop", "race.c", 20, 0x2efa))}},
    .location = {.place = GL_PLACE_HEAP,
                 .start = 0x7b0c00000000,
                 .size = 40,
                 .thread = 0,
                 .allocated_at = FRAMES(AT("main", "race.c", 12, 0x2685))},
    .thread = (const struct gl_report_thread[]){{.number = 4, .os_tid = 9, .running = true,
                                                 .parent = GL_REPORT_NO_THREAD}},
    .threads = 1,
    .why = "T4 released nothing that the main thread took",
    .occurrences = 3,
};

static void our_own_words(void **state)
{
    (void)state;
    assert_string_equal(print(&on_the_heap, (struct gl_text){.style = GL_STYLE_OWN}),
                        "==================\n"
                        "WARNING: Goldilocks: heap-use-after-free (pid=1)\n"
                        "  Atomic write of size 4 at 0x7b0c0000000c by main thread:\n"
                        "    #0 main race.c:15 (race+0x28de)\n"
                        "\n"
                        "  Previous free of size 40 at 0x7b0c00000000 by thread T4:\n"
                        "    #0 drop race.c:20 (race+0x2efa)\n"
                        "\n"
                        "  Location is heap block of size 40 at 0x7b0c00000000 allocated by main thread:\n"
                        "    #0 main race.c:12 (race+0x2685)\n"
                        "\n"
                        "  Thread T4 (tid=9, running) created by an unknown thread\n"
                        "\n"
                        "  Nothing orders the two accesses: T4 released nothing that the main thread took\n"
                        "\n"
                        "  This pair of stacks has raced 3 times.\n"
                        "\n"
                        "SUMMARY: Goldilocks: heap-use-after-free race.c:15 in main\n"
                        "==================\n");
}

static void the_same_race_in_threadsanitizers_words(void **state)
{
    (void)state;
    const char *text = print(&on_the_heap, (struct gl_text){.style = GL_STYLE_TSAN});
    assert_non_null(strstr(text, "WARNING: ThreadSanitizer: heap-use-after-free (pid=1)\n"));
    assert_non_null(strstr(text, "  Previous write of size 40 at 0x7b0c00000000 by thread T4:\n"));
    assert_non_null(strstr(text, "SUMMARY: ThreadSanitizer: heap-use-after-free race.c:15 in main\n"));
    assert_null(strstr(text, "Nothing orders"));
    assert_null(strstr(text, "raced"));
}

static void kinds_and_places(void **state)
{
    (void)state;
    static const struct {
        enum gl_report_kind kind;
        const char *first, *second;
    } kinds[] = {
        {GL_REPORT_READ, "  Read of size 8 at 0x000000001000 by main thread:\n", "  Previous read of size 8 at"},
        {GL_REPORT_WRITE, "  Write of size 8 at", "  Previous write of size 8 at"},
        {GL_REPORT_ATOMIC_READ, "  Atomic read of size 8 at", "  Previous atomic read of size 8 at"},
        {GL_REPORT_ATOMIC_WRITE, "  Atomic write of size 8 at", "  Previous atomic write of size 8 at"},
        {GL_REPORT_FREE, "  Free of size 8 at", "  Previous free of size 8 at"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct gl_report r = {.access = {{.kind = kinds[i].kind, .address = 0x1000, .size = 8},
                                         {.kind = kinds[i].kind, .address = 0x1000, .size = 8}}};
        const char *text = print(&r, (struct gl_text){.style = GL_STYLE_OWN});
        assert_non_null(strstr(text, kinds[i].first));
        assert_non_null(strstr(text, kinds[i].second));
        assert_null(strstr(text, "Location"));
    }
    static const struct {
        struct gl_report_location l;
        const char *text;
    } places[] = {
        {{.place = GL_PLACE_STACK, .thread = 0}, "\n  Location is stack of main thread.\n\n"},
        {{.place = GL_PLACE_STACK, .thread = 7}, "\n  Location is stack of thread T7.\n\n"},
        {{.place = GL_PLACE_TLS, .thread = 12}, "\n  Location is TLS of thread T12.\n\n"},
        {{.place = GL_PLACE_GLOBAL, .start = 0x4010, .module = "/lib/libx.so", .offset = 0x10},
         "\n  Location is global '<null>' at 0x000000004010 (libx.so+0x10)\n\n"},
        {{.place = GL_PLACE_GLOBAL, .name = "v", .start = 0x4010, .size = 2},
         "\n  Location is global 'v' of size 2 at 0x000000004010\n\n"},
        {{.place = GL_PLACE_HEAP, .start = 0x4010, .size = 2, .thread = 1},
         "\n  Location is heap block of size 2 at 0x000000004010 allocated by thread T1:\n"
         "    [failed to restore the stack]\n\n"},
        {{.place = GL_PLACE_FD, .fd = 3, .thread = 0},
         "\n  Location is file descriptor 3 created by main thread at:\n    [failed to restore the stack]\n\n"},
        {{.place = GL_PLACE_FD, .fd = 30, .closed = true, .thread = 2},
         "\n  Location is file descriptor 30 destroyed by thread T2 at:\n    [failed to restore the stack]\n\n"},
        {{.place = GL_PLACE_FD, .thread = GL_REPORT_NO_THREAD}, "\n  Location is file descriptor 0.\n\n"},
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct gl_report r = {.location = places[i].l};
        const char *text = print(&r, (struct gl_text){.style = GL_STYLE_OWN});
        if (!strstr(text, places[i].text))
            fail_msg("'%s' is not in:\n%s", places[i].text, text);
    }
}

static void a_race_of_which_nothing_is_known(void **state)
{
    (void)state;
    struct gl_report r = {.pid = 5};
    assert_string_equal(print(&r, (struct gl_text){.style = GL_STYLE_OWN}),
                        "==================\n"
                        "WARNING: Goldilocks: data race (pid=5)\n"
                        "  Read of size 0 at 0x000000000000 by main thread:\n"
                        "    [failed to restore the stack]\n"
                        "\n"
                        "  Previous read of size 0 at 0x000000000000 by main thread:\n"
                        "    [failed to restore the stack]\n"
                        "\n"
                        "SUMMARY: Goldilocks: data race\n"
                        "==================\n");
}

/* Two inlined frames for odd program counters, none for 0x40. */
static int fake_symbolize(void *ctx, uintptr_t pc, struct gl_report_frame *out, int max)
{
    assert_string_equal(ctx, "mine");
    assert_true(max >= 2);
    if (pc == 0x40)
        return 0;
    out[0] = (struct gl_report_frame){.pc = pc, .function = "inlined", .file = "/b/./src/a.h", .line = 1,
                                      .module = "/b/prog", .offset = pc};
    out[1] = (struct gl_report_frame){.pc = pc, .function = "outer", .module = "/b/prog", .offset = pc};
    return pc % 2 ? 2 : 1;
}

static void program_counters_are_symbolized_while_printing(void **state)
{
    (void)state;
    struct gl_report r = {
        .access = {{.stack = {.pc = (const uintptr_t[]){0x11, 0x40, 0x20}, .pcs = 3}},
                   {.stack = {.pc = (const uintptr_t[]){0x40}, .pcs = 1}}},
    };
    struct gl_text t = {.style = GL_STYLE_OWN, .symbolize = fake_symbolize, .symbolize_ctx = "mine",
                        .strip_prefix = "/b/"};
    const char *text = print(&r, t);
    assert_non_null(strstr(text, "    #0 inlined src/a.h:1 (prog+0x11)\n"
                                 "    #1 outer <null> (prog+0x11)\n"
                                 "    #2 <null> <null> (0x000000000040)\n"
                                 "    #3 inlined src/a.h:1 (prog+0x20)\n\n"));
    assert_non_null(strstr(text, "SUMMARY: Goldilocks: data race src/a.h:1 in inlined\n"));
    t.symbolize = NULL;
    text = print(&r, t);
    assert_non_null(strstr(text, "    #0 <null> <null> (0x000000000011)\n    #1 <null> <null> (0x000000000040)\n"));
}

static void a_summary_without_file(void **state)
{
    (void)state;
    struct gl_report r = on_a_global;
    struct gl_report_frame f = {.function = "f", .module = "/home/me/bin/race", .offset = 0x25eb};
    r.access[0].stack = (struct gl_report_stack){.frame = &f, .frames = 1};
    const char *text = print(&r, (struct gl_text){.style = GL_STYLE_TSAN});
    assert_non_null(strstr(text, "SUMMARY: ThreadSanitizer: data race (/home/me/bin/race+0x25eb) in f\n"));
}

static void prefixes_are_stripped(void **state)
{
    (void)state;
    static const struct {
        const char *prefix, *file;
    } table[] = {{"", "/src/race.cc"}, {"/src/", "race.cc"}, {"/other/", "/src/race.cc"}, {"src/", "race.cc"},
                 {"/src/race.cc/and/more", "/src/race.cc"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char expected[128] = "SUMMARY: Goldilocks: data race ";
        strcat(strcat(expected, table[i].file), ":8 in A::inc(int*)\n");
        const char *text = print(&on_a_global, (struct gl_text){.strip_prefix = table[i].prefix});
        if (!strstr(text, expected))
            fail_msg("%s is not in:\n%s", expected, text);
    }
}

/* With colours the text is the same, escape sequences come in pairs and never span a line. */
static void colours(void **state)
{
    (void)state;
    static char plain[16384], stripped[16384];
    strcpy(plain, print(&on_the_heap, (struct gl_text){.style = GL_STYLE_OWN}));
    const char *text = print(&on_the_heap, (struct gl_text){.style = GL_STYLE_OWN, .colour = true});
    size_t n = 0;
    int escapes = 0;
    bool on = false;
    for (const char *s = text; *s; s++) {
        if (*s == '\033') {
            if (strncmp(s, "\033[0m", 4) == 0) {
                assert_true(on);
                on = false;
                s += 3;
                continue;
            }
            on = true;
            escapes++;
            s = strchr(s, 'm');
            continue;
        }
        assert_false(on && *s == '\n');
        stripped[n++] = *s;
    }
    assert_false(on);
    assert_int_equal(escapes, 2 * 6); /* heading, two accesses, location, thread, reason; bold and colour each */
    assert_string_equal(stripped, plain);
}

static void long_names_come_out_whole(void **state)
{
    (void)state;
    static char name[5001];
    memset(name, 'n', 5000);
    struct gl_report_frame f = {.function = name, .file = "f.c", .line = 1};
    struct gl_report r = {.access = {{.stack = {.frame = &f, .frames = 1}}}};
    const char *text = print(&r, (struct gl_text){.style = GL_STYLE_OWN});
    const char *at = strstr(text, "#0 n");
    assert_non_null(at);
    assert_int_equal(strspn(at + 3, "n"), 5000);
    assert_true(strncmp(at + 5003, " f.c:1 (", 8) == 0);
}

static void the_closing_line(void **state)
{
    (void)state;
    static const struct {
        enum gl_style style;
        uint64_t races, others;
        const char *text;
    } table[] = {{GL_STYLE_OWN, 0, 0, ""},
                 {GL_STYLE_OWN, 1, 0, "Goldilocks: reported 1 race\n"},
                 {GL_STYLE_OWN, 12, 1, "Goldilocks: reported 12 races and 1 other mistake\n"},
                 {GL_STYLE_OWN, 0, 2, "Goldilocks: reported 2 other mistakes\n"},
                 {GL_STYLE_TSAN, 1, 0, "ThreadSanitizer: reported 1 warnings\n"},
                 {GL_STYLE_TSAN, 1, 2, "ThreadSanitizer: reported 3 warnings\n"},
                 {GL_STYLE_TSAN, UINT64_MAX, 0, "ThreadSanitizer: reported 18446744073709551615 warnings\n"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct page page = {.n = 0};
        gl_text_closing(table[i].races, table[i].others, &(struct gl_text){.style = table[i].style, .write = page_append, .write_ctx = &page});
        assert_string_equal(page.text, table[i].text);
    }
}

/* What ThreadSanitizer (of gcc 12, of clang 14) printed for programs with these mistakes. */
static void mistakes_that_are_no_races(void **state)
{
    (void)state;
    const struct gl_report_mutex m[] = {{.number = 0, .address = 0x555555558100, .created_at = FRAMES(AT("main", "m.c", 5, 0x10))},
                                               {.number = 1, .address = 0x555555558140}};
    const struct gl_report_thread t[] = {
        {.number = 1, .os_tid = 23446, .created_at = FRAMES(AT("main", "m.c", 24, 0x153a))}};
    const struct gl_report_edge edge[] = {
        {.from = 0, .to = 1, .thread = 1, .acquired_at = FRAMES(AT("ab", "m.c", 14, 0x12ef)), .held_since = FRAMES(AT("ab", "m.c", 13, 0x12e0))},
        {.from = 1, .to = 0, .thread = 0, .acquired_at = FRAMES(AT("ba", "m.c", 15, 0x1356)), .held_since = FRAMES(AT("ba", "m.c", 11, 0x1347))}};
    struct gl_report r = {.type = GL_REPORT_DEADLOCK, .pid = 7, .edge = edge, .edges = 2, .mutex = m, .mutexes = 2, .thread = t, .threads = 1};
    assert_string_equal(print(&r, (struct gl_text){.style = GL_STYLE_TSAN}),
                        "==================\n"
                        "WARNING: ThreadSanitizer: lock-order-inversion (potential deadlock) (pid=7)\n"
                        "  Cycle in lock order graph: M0 (0x555555558100) => M1 (0x555555558140) => M0\n"
                        "\n"
                        "  Mutex M1 acquired here while holding mutex M0 in thread T1:\n"
                        "    #0 ab m.c:14 (race+0x12ef)\n"
                        "\n"
                        "  Mutex M0 previously acquired by the same thread here:\n"
                        "    #0 ab m.c:13 (race+0x12e0)\n"
                        "\n"
                        "  Mutex M0 acquired here while holding mutex M1 in main thread:\n"
                        "    #0 ba m.c:15 (race+0x1356)\n"
                        "\n"
                        "  Mutex M1 previously acquired by the same thread here:\n"
                        "    #0 ba m.c:11 (race+0x1347)\n"
                        "\n"
                        "  Thread T1 (tid=23446, finished) created by main thread at:\n"
                        "    #0 main m.c:24 (race+0x153a)\n"
                        "\n"
                        "SUMMARY: ThreadSanitizer: lock-order-inversion (potential deadlock) m.c:14 in ab\n"
                        "==================\n");
    struct gl_report_edge short_edge[2] = {edge[0], edge[1]};
    short_edge[0].held_since = short_edge[1].held_since = (struct gl_report_stack){0};
    r.edge = short_edge;
    assert_non_null(strstr(print(&r, (struct gl_text){.style = GL_STYLE_TSAN}),
                           "    #0 ab m.c:14 (race+0x12ef)\n"
                           "\n"
                           "    Hint: use TSAN_OPTIONS=second_deadlock_stack=1 to get more informative warning message\n"
                           "\n"
                           "  Mutex M0 acquired here while holding mutex M1 in main thread:\n"));
    assert_non_null(strstr(print(&r, (struct gl_text){.style = GL_STYLE_OWN}),
                           "  Mutex M0 (0x555555558100) created at:\n    #0 main m.c:5 (race+0x10)\n"));

    const struct gl_report_stack stacks[] = {FRAMES(AT("main", "m.c", 27, 0x15f6)), FRAMES(AT("main", "m.c", 26, 0x15ea))};
    r = (struct gl_report){.type = GL_REPORT_DESTROY_LOCKED, .pid = 7, .stack = stacks, .stacks = 2, .mutex = m, .mutexes = 1,
                           .location = {.place = GL_PLACE_STACK}};
    assert_string_equal(print(&r, (struct gl_text){.style = GL_STYLE_TSAN}),
                        "==================\n"
                        "WARNING: ThreadSanitizer: destroy of a locked mutex (pid=7)\n"
                        "    #0 main m.c:27 (race+0x15f6)\n"
                        "\n"
                        "  and:\n"
                        "    #0 main m.c:26 (race+0x15ea)\n"
                        "\n"
                        "  Location is stack of main thread.\n"
                        "\n"
                        "  Mutex M0 (0x555555558100) created at:\n"
                        "    #0 main m.c:5 (race+0x10)\n"
                        "\n"
                        "SUMMARY: ThreadSanitizer: destroy of a locked mutex m.c:27 in main\n"
                        "==================\n");
    r = (struct gl_report){.type = GL_REPORT_THREAD_LEAK, .pid = 7, .thread = t, .threads = 1, .similar = 2};
    assert_string_equal(print(&r, (struct gl_text){.style = GL_STYLE_TSAN}),
                        "==================\n"
                        "WARNING: ThreadSanitizer: thread leak (pid=7)\n"
                        "  Thread T1 (tid=23446, finished) created by main thread at:\n"
                        "    #0 main m.c:24 (race+0x153a)\n"
                        "\n"
                        "  And 2 more similar thread leaks.\n"
                        "\n"
                        "SUMMARY: ThreadSanitizer: thread leak m.c:24 in main\n"
                        "==================\n");
    r = (struct gl_report){.type = GL_REPORT_ERRNO_IN_SIGNAL, .pid = 7, .stack = stacks, .stacks = 1, .signal = 10};
    assert_non_null(strstr(print(&r, (struct gl_text){.style = GL_STYLE_TSAN}),
                           "WARNING: ThreadSanitizer: signal handler spoils errno (pid=7)\n"
                           "  Signal 10 handler invoked at:\n"
                           "    #0 main m.c:27 (race+0x15f6)\n"
                           "\n"
                           "SUMMARY: ThreadSanitizer: signal handler spoils errno m.c:27 in main\n"));
}

static void fatal_signals(void **state)
{
    (void)state;
    const struct gl_report_stack stacks[] = {FRAMES(AT("f", "f.c", 3, 0x10), AT("main", "m.c", 9, 0x20))};
    struct gl_report r = {.type = GL_REPORT_FATAL_SIGNAL, .pid = 7, .stack = stacks, .stacks = 1, .signal = 11,
                          .fault = {.addressed = true, .address = 0x14, .access = GL_FAULT_WRITE, .thread = 3, .pc = 0x401, .sp = 0x7f0, .bp = 5}};
    assert_string_equal(print(&r, (struct gl_text){0}), "==================\n"
                                                         "WARNING: Goldilocks: fatal signal (pid=7)\n"
                                                         "  SIGSEGV at a write of address 0x000000000014 by thread T3:\n"
                                                         "    #0 f f.c:3 (race+0x10)\n"
                                                         "    #1 main m.c:9 (race+0x20)\n"
                                                         "\n"
                                                         "SUMMARY: Goldilocks: SIGSEGV f.c:3 in f\n"
                                                         "==================\n");
    assert_string_equal(print(&r, (struct gl_text){.style = GL_STYLE_TSAN}),
                        "ThreadSanitizer:DEADLYSIGNAL\n"
                        "==7==ERROR: ThreadSanitizer: SEGV on unknown address 0x000000000014 (pc 0x000000000401 bp 0x000000000005 sp 0x0000000007f0 T3)\n"
                        "==7==The signal is caused by a WRITE memory access.\n"
                        "==7==Hint: address points to the zero page.\n"
                        "    #0 f f.c:3 (race+0x10)\n"
                        "    #1 main m.c:9 (race+0x20)\n"
                        "\n"
                        "ThreadSanitizer can not provide additional info.\n"
                        "SUMMARY: ThreadSanitizer: SEGV f.c:3 in f\n"
                        "==7==ABORTING\n");
    r.fault.stack_full = true;
    assert_non_null(strstr(print(&r, (struct gl_text){0}), "  SIGSEGV at a write of address 0x000000000014, past the end of the stack, by thread T3:\n"));
    assert_non_null(strstr(print(&r, (struct gl_text){0}), "SUMMARY: Goldilocks: stack overflow f.c:3 in f\n"));
    assert_string_equal(print(&r, (struct gl_text){.style = GL_STYLE_TSAN}),
                        "ThreadSanitizer:DEADLYSIGNAL\n"
                        "==7==ERROR: ThreadSanitizer: stack-overflow on address 0x000000000014 (pc 0x000000000401 bp 0x000000000005 sp 0x0000000007f0 T3)\n"
                        "    #0 f f.c:3 (race+0x10)\n"
                        "    #1 main m.c:9 (race+0x20)\n"
                        "\n"
                        "SUMMARY: ThreadSanitizer: stack-overflow f.c:3 in f\n"
                        "==7==ABORTING\n");
    r.fault = (struct gl_report_fault){.addressed = true, .address = 0x20000, .access = GL_FAULT_READ};
    assert_non_null(strstr(print(&r, (struct gl_text){0}), "  SIGSEGV at a read of address 0x000000020000 by main thread:\n"));
    assert_null(strstr(print(&r, (struct gl_text){.style = GL_STYLE_TSAN}), "zero page"));
    r.fault.access = GL_FAULT_EXECUTE;
    assert_non_null(strstr(print(&r, (struct gl_text){0}), "  SIGSEGV at a call or jump to address 0x000000020000 by main thread:\n"));
    r.fault.access = GL_FAULT_UNKNOWN;
    assert_non_null(strstr(print(&r, (struct gl_text){0}), "  SIGSEGV at an access of address 0x000000020000 by main thread:\n"));
    r.fault = (struct gl_report_fault){.sent = true, .sender = 99, .thread = 1};
    r.signal = 7;
    assert_non_null(strstr(print(&r, (struct gl_text){0}), "  SIGBUS sent by process 99 to thread T1:\n"));
    r.fault.sent = false;
    r.signal = 8;
    assert_non_null(strstr(print(&r, (struct gl_text){0}), "  SIGFPE in thread T1:\n"));
    r.signal = 200; /* no report of ours has it */
    assert_non_null(strstr(print(&r, (struct gl_text){0}), "  a signal in thread T1:\n"));
    assert_non_null(strstr(print(&r, (struct gl_text){.style = GL_STYLE_TSAN}), "ERROR: ThreadSanitizer: a signal on unknown"));
}

static void titles(void **state)
{
    (void)state;
    static const char *const title[] = {
        "data race", "data race on vptr (ctor/dtor vs virtual call)", "heap-use-after-free", "heap-use-after-free (virtual call vs free)",
        "lock-order-inversion (potential deadlock)", "destroy of a locked mutex", "double lock of a mutex",
        "use of an invalid mutex (e.g. uninitialized or destroyed)", "unlock of an unlocked mutex (or by a wrong thread)",
        "read lock of a write locked mutex", "read unlock of a write locked mutex", "thread leak",
        "signal-unsafe call inside of a signal", "signal handler spoils errno", "fatal signal", "mutex held in the wrong context"};
    assert_int_equal(sizeof title / sizeof *title, GL_REPORT_TYPES);
    for (unsigned i = 0; i < GL_REPORT_TYPES; i++)
        assert_string_equal(gl_report_title(i), title[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_layout_of_threadsanitizer),
        cmocka_unit_test(our_own_words),
        cmocka_unit_test(the_same_race_in_threadsanitizers_words),
        cmocka_unit_test(kinds_and_places),
        cmocka_unit_test(a_race_of_which_nothing_is_known),
        cmocka_unit_test(program_counters_are_symbolized_while_printing),
        cmocka_unit_test(a_summary_without_file),
        cmocka_unit_test(prefixes_are_stripped),
        cmocka_unit_test(colours),
        cmocka_unit_test(long_names_come_out_whole),
        cmocka_unit_test(the_closing_line),
        cmocka_unit_test(mistakes_that_are_no_races),
        cmocka_unit_test(fatal_signals),
        cmocka_unit_test(titles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
