/* SPDX-License-Identifier: Apache-2.0
 *
 * Suppressions: the file's syntax, the patterns, which part of which report they are held against.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "report/suppress.h"
#include "tests/support/fake_env.h"

static struct fake_env memory;

static struct gl_suppressions parsed(const char *text)
{
    struct gl_suppressions s = {.env = &memory.env};
    struct gl_suppress_error error;
    assert_true(gl_suppress_parse(&s, text, strlen(text), &error));
    return s;
}

static void patterns(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *name;
        bool match;
    } table[] = {
        {"foo", "foo", true},           {"foo", "a::foo()", true},       {"foo", "fo", false},          {"foo", "", false},
        {"foo", NULL, false},           {"^foo", "foobar", true},        {"^foo", "afoo", false},       {"foo$", "afoo", true},
        {"foo$", "foob", false},        {"^foo$", "foo", true},          {"^foo$", "foo1", false},      {"f*o", "fxyzo", true},
        {"f*o", "xfo", true},           {"^f*o$", "fxxo", true},         {"^f*z$", "fxxo", false},      {"*", "x", true},
        {"*", "", false},               {"^*foo", "afoo", true},         {"a*b*c", "a1b2c3", true},     {"a*b*c", "acb", false},
        {"foo*$", "foobar", true},      {"foo*bar$", "foo_bar_", false}, {"$", "x", false},             {"x$junk", "x", false},
        {"^", "x", true},               {"lib.so", "/usr/lib.so.6", true},
        {"aab", "aaab", true},          {"^^x", "^x", true},             {"foo$", "foofoo", false}, /* the first place counts */
        {"^main::$_0::op", "main::$_0::operator()", true}, {"x$y$", "ax$y", true}, {"x$y$", "x$yz", false},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (gl_suppress_pattern(table[i].pattern, strlen(table[i].pattern), table[i].name) != table[i].match)
            fail_msg("pattern '%s' and name '%s': %d", table[i].pattern, table[i].name ? table[i].name : "(none)", !table[i].match);
}

static void files(void **state)
{
    (void)state;
    struct gl_suppressions s = parsed("# a comment\n\n  race:foo \r\n\trace_top:^bar$\nmutex:m\nthread:t\nsignal:s\n"
                                      "deadlock:d:e\ncalled_from_lib:libx.so");
    assert_int_equal(s.count, 7);
    for (unsigned i = 0; i < GL_SUPPRESS_TYPES; i++)
        assert_int_equal(s.of_type[i], 1);
    assert_memory_equal(s.item[0].pattern, "foo", s.item[0].length);
    assert_int_equal(s.item[5].type, GL_SUPPRESS_DEADLOCK);
    assert_memory_equal(s.item[5].pattern, "d:e", s.item[5].length);
    assert_string_equal(gl_suppress_word(s.item[6].type), "called_from_lib");
    assert_ptr_equal(gl_suppress_find(&s, GL_SUPPRESS_RACE, "afoo"), &s.item[0]);
    assert_null(gl_suppress_find(&s, GL_SUPPRESS_RACE, "bar"));
    gl_suppress_fini(&s);
    /* Comments behind a pattern, and blanks around it. */
    s = parsed("\xef\xbb\xbfrace:a # why\nrace: b\t#why\r\n  # race:no\nrace:{closure#0}\nrace:f(int, int)#1 ## two # more\n#\n # race:no");
    static const char *const wanted[] = {"a", "b", "{closure#0}", "f(int, int)#1"};
    assert_int_equal(s.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(s.item[i].length, strlen(wanted[i]));
        assert_memory_equal(s.item[i].pattern, wanted[i], s.item[i].length);
    }
    gl_suppress_fini(&s);
    s = parsed("");
    assert_int_equal(s.count, 0);
    gl_suppress_fini(&s);
    assert_true(fake_env_is_clean(&memory));
}

static void bad_files(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t n;
        int what;
        size_t line;
        const char *word;
    } table[] = {
#define TEXT(t) t, sizeof t - 1
        {TEXT("race:a\n\n  rcae:b\n"), GL_SUPPRESS_BAD_TYPE, 3, "rcae"},
        {TEXT("race"), GL_SUPPRESS_NO_COLON, 1, "race"},
        {TEXT("race foo # why: so"), GL_SUPPRESS_NO_COLON, 1, "race foo"},
        {TEXT("race :x"), GL_SUPPRESS_BAD_TYPE, 1, "race "},
        {TEXT(":x"), GL_SUPPRESS_BAD_TYPE, 1, ""},
        {TEXT("# c\nleak:libfoo"), GL_SUPPRESS_BAD_TYPE, 2, "leak"},
        {TEXT("race: # why"), GL_SUPPRESS_NO_PATTERN, 1, "race:"},
        {TEXT("\nrace:^$"), GL_SUPPRESS_NO_PATTERN, 2, "race:^$"},
        {TEXT("race:$"), GL_SUPPRESS_NO_PATTERN, 1, "race:$"},
        {TEXT("race:^"), GL_SUPPRESS_NO_PATTERN, 1, "race:^"},
        {TEXT("race:  \n"), GL_SUPPRESS_NO_PATTERN, 1, "race:"},
        {TEXT("race:a\0b"), GL_SUPPRESS_BAD_BYTE, 1, "race:a"},
        {TEXT("race\0\0:foo"), GL_SUPPRESS_BAD_BYTE, 1, "race"},
#undef TEXT
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct gl_suppressions s = {.env = &memory.env};
        struct gl_suppress_error error;
        assert_false(gl_suppress_parse(&s, table[i].text, table[i].n, &error));
        assert_int_equal(error.what, table[i].what);
        assert_int_equal(error.line, table[i].line);
        assert_memory_equal(error.word, table[i].word, strlen(table[i].word));
        assert_true(table[i].what == GL_SUPPRESS_BAD_BYTE || error.length == strlen(table[i].word));
        gl_suppress_fini(&s);
    }
}

static void no_memory(void **state)
{
    (void)state;
    char text[20 * 200] = "";
    for (int i = 0; i < 200; i++)
        strcat(text, "race:function\n");
    for (unsigned long at = 1; at <= 3; at++) {
        struct fake_env poor;
        fake_env_init(&poor);
        poor.fail_at = at;
        struct gl_suppressions s = {.env = &poor.env};
        struct gl_suppress_error error;
        assert_false(gl_suppress_parse(&s, text, strlen(text), &error));
        assert_int_equal(error.what, GL_SUPPRESS_NO_MEMORY);
        assert_int_equal(error.line, at == 1 ? 1 : at == 2 ? 65 : 129);
        gl_suppress_fini(&s);
        assert_true(fake_env_is_clean(&poor));
    }
}

static int two_inlined(void *ctx, uintptr_t pc, struct gl_report_frame *out, int max)
{
    assert_true(max >= 2);
    out[0] = (struct gl_report_frame){.function = pc == 1 ? "leaf" : "caller", .file = "src/a.c", .module = "/bin/prog"};
    out[1] = (struct gl_report_frame){.function = ctx};
    return 2;
}

/* Is the report held back by this one line? */
static bool held_back(const char *line, const struct gl_report *r)
{
    struct gl_suppressions s = parsed(line);
    struct gl_suppression *by = gl_suppress_report(&s, r, two_inlined, "outer");
    assert_true(!by || by == s.item);
    gl_suppress_fini(&s);
    return by != NULL;
}

static void reports(void **state)
{
    (void)state;
    static const struct gl_report_frame frame = {.function = "first", .file = "f.c"};
    const struct gl_report_stack pcs = {.pc = (const uintptr_t[]){1, 2}, .pcs = 2}, frames = {.frame = &frame, .frames = 1};
    struct gl_report race = {.type = GL_REPORT_VPTR_RACE,
                             .access = {{.stack = frames}, {.stack = pcs}},
                             .location = {.place = GL_PLACE_GLOBAL, .name = "table", .module = "/lib/libtable.so"}};
    assert_true(held_back("race:first", &race));
    assert_true(held_back("race:^caller$", &race));
    assert_true(held_back("race:outer", &race));
    assert_true(held_back("race:src/a.c", &race));
    assert_true(held_back("race:prog", &race));
    assert_true(held_back("race_top:leaf", &race));
    assert_true(held_back("race_top:first", &race));
    assert_false(held_back("race_top:caller", &race));
    assert_false(held_back("race_top:outer", &race)); /* it is inlined into: not the innermost */
    assert_true(held_back("race:^table$", &race));
    assert_true(held_back("race:libtable.so", &race));
    assert_false(held_back("mutex:first", &race));
    assert_false(held_back("deadlock:*", &race));
    assert_false(held_back("called_from_lib:*", &race));

    struct gl_report_edge edge = {.acquired_at = pcs, .held_since = frames};
    struct gl_report deadlock = {.type = GL_REPORT_DEADLOCK, .edge = &edge, .edges = 1};
    assert_true(held_back("deadlock:leaf", &deadlock));
    assert_true(held_back("deadlock:first", &deadlock));
    assert_false(held_back("race:leaf", &deadlock));

    struct gl_report misuse = {.type = GL_REPORT_BAD_UNLOCK, .stack = &pcs, .stacks = 1};
    assert_true(held_back("mutex:caller", &misuse));
    assert_false(held_back("mutex:first", &misuse));
    misuse.type = GL_REPORT_SIGNAL_UNSAFE;
    assert_true(held_back("signal:caller", &misuse));

    struct gl_report_thread thread = {.created_at = frames};
    struct gl_report leak = {.type = GL_REPORT_THREAD_LEAK, .thread = &thread, .threads = 1};
    assert_true(held_back("thread:first", &leak));
    race.thread = &thread;
    race.threads = 1;
    thread.created_at = pcs;
    race.access[1].stack = frames;
    assert_false(held_back("race:leaf", &race)); /* who created a thread is no reason */
    assert_true(fake_env_is_clean(&memory));
}

int main(void)
{
    fake_env_init(&memory);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns), cmocka_unit_test(files), cmocka_unit_test(bad_files),
        cmocka_unit_test(no_memory), cmocka_unit_test(reports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
