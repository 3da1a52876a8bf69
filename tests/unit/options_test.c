/* SPDX-License-Identifier: Apache-2.0
 *
 * Holds the option parser to its header: defaults, both variables and their order, quoting, every
 * kind of mistake with its exact sentence, and texts made of random bytes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "native/options.h"

static struct rt_options got;
static char error[256];

static void expect_good(const char *tsan, const char *own)
{
    if (!rt_options_parse(tsan, own, &got, error, sizeof error)) fail_msg("%s", error);
    assert_string_equal(error, "");
}

static void expect_bad(const char *tsan, const char *own, const char *sentence)
{
    assert_false(rt_options_parse(tsan, own, &got, error, sizeof error));
    assert_string_equal(error, sentence);
}

static void defaults(void **state)
{
    (void)state;
    expect_good(NULL, NULL);
    assert_int_equal(got.on_race, RT_ON_RACE_REPORT);
    assert_int_equal(got.exitcode, 66);
    assert_string_equal(got.log_path, "stderr");
    assert_int_equal(got.report_limit, 1000);
    assert_true(got.dedup);
    assert_int_equal(got.format, RT_FORMAT_GOLDILOCKS);
    assert_int_equal(got.color, RT_COLOR_AUTO);
    assert_string_equal(got.strip_path_prefix, "");
    assert_true(got.symbolize);
    assert_false(got.stats);
    assert_int_equal(got.verbosity, 0);
    assert_false(got.help);
    expect_good("", " :,\t\n");
}

static void values(void **state)
{
    (void)state;
    expect_good(
        NULL,
        "on_race=trap:exitcode=3,report_limit=0 dedup=no\tformat=tsan\ncolor=never:stats=1:verbosity=2");
    assert_int_equal(got.on_race, RT_ON_RACE_TRAP);
    assert_int_equal(got.exitcode, 3);
    assert_int_equal(got.report_limit, 0);
    assert_false(got.dedup);
    assert_int_equal(got.format, RT_FORMAT_TSAN);
    assert_int_equal(got.color, RT_COLOR_NEVER);
    assert_true(got.stats);
    assert_int_equal(got.verbosity, 2);
    expect_good(NULL, "stats=on:stats=off:symbolize=false:help=true");
    assert_false(got.stats);
    assert_false(got.symbolize);
    assert_true(got.help);
}

static void quotes(void **state)
{
    (void)state;
    expect_good(NULL, "log_path='/tmp/a b:c',strip_path_prefix=\"it's\":exitcode=1");
    assert_string_equal(got.log_path, "/tmp/a b:c");
    assert_string_equal(got.strip_path_prefix, "it's");
    assert_int_equal(got.exitcode, 1);
    expect_good(NULL, "log_path=''");
    assert_string_equal(got.log_path, "");
    expect_bad(NULL, "log_path='/tmp",
               "GOLDILOCKS_OPTIONS: the value of 'log_path' begins with a quote that never ends");
}

static void both_variables(void **state)
{
    (void)state;
    expect_good("exitcode=1:color=always:history_size=7:report_signal_unsafe=0:nonsense", "exitcode=2");
    assert_int_equal(got.exitcode, 2);
    assert_int_equal(got.color, RT_COLOR_ALWAYS);
    expect_good("suppress_equal_stacks=0:log_path=x", NULL);
    assert_false(got.dedup);
    assert_string_equal(got.log_path, "x");
    /* Our own names mean nothing in TSAN_OPTIONS, and an empty name does not match "no tsan name". */
    expect_good("on_race=halt:dedup=0:format=tsan:=5:help=1", NULL);
    assert_int_equal(got.on_race, RT_ON_RACE_REPORT);
    assert_true(got.dedup);
    assert_int_equal(got.format, RT_FORMAT_GOLDILOCKS);
    assert_false(got.help);
    /* A name that we honour is held to its type there too. */
    expect_bad("exitcode=abc", NULL,
               "TSAN_OPTIONS: option exitcode cannot be 'abc'; expected a whole number in 0..255");
    expect_bad("suppress_equal_stacks=2", NULL,
               "TSAN_OPTIONS: option suppress_equal_stacks cannot be '2'; expected yes or no");
}

static void halt_on_error(void **state)
{
    (void)state;
    expect_good("halt_on_error=1", NULL);
    assert_int_equal(got.on_race, RT_ON_RACE_HALT);
    expect_good("halt_on_error=1", "halt_on_error=0");
    assert_int_equal(got.on_race, RT_ON_RACE_REPORT);
    expect_good("halt_on_error=1", "on_race=trap");
    assert_int_equal(got.on_race, RT_ON_RACE_TRAP);
}

static void mistakes(void **state)
{
    (void)state;
    expect_bad(NULL, "exitcod=1",
               "GOLDILOCKS_OPTIONS: unknown option 'exitcod' (did you mean 'exitcode'?); "
               "'goldilocks options' lists them all");
    expect_bad(NULL, "zebra=1",
               "GOLDILOCKS_OPTIONS: unknown option 'zebra'; 'goldilocks options' lists them all");
    expect_bad(NULL, "=1", "GOLDILOCKS_OPTIONS: unknown option ''; 'goldilocks options' lists them all");
    expect_bad(NULL, "stats", "GOLDILOCKS_OPTIONS: 'stats' has no value; write NAME=VALUE");
    expect_bad(NULL, "stats:exitcode=1", "GOLDILOCKS_OPTIONS: 'stats' has no value; write NAME=VALUE");
    expect_bad(NULL, "stats=", "GOLDILOCKS_OPTIONS: option stats cannot be ''; expected yes or no");
    expect_bad(NULL, "format=xml",
               "GOLDILOCKS_OPTIONS: option format cannot be 'xml'; expected one of goldilocks|tsan|json");
    expect_bad(NULL, "format=tsan|",
               "GOLDILOCKS_OPTIONS: option format cannot be 'tsan|'; expected one of goldilocks|tsan|json");
    expect_bad(NULL,
               "format=", "GOLDILOCKS_OPTIONS: option format cannot be ''; expected one of goldilocks|tsan|json");
    static const char *const numbers[] = {"256", "-1", "", "-", "1x", "99999999999999999999999999"};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        char text[64] = "exitcode=", sentence[160] = "GOLDILOCKS_OPTIONS: option exitcode cannot be '";
        strcat(text, numbers[i]);
        strcat(sentence, numbers[i]);
        strcat(sentence, "'; expected a whole number in 0..255");
        expect_bad(NULL, text, sentence);
    }
    expect_good(NULL, "exitcode=255:report_limit=1000000000");
    assert_int_equal(got.report_limit, 1000000000);
    expect_bad(NULL, "a\x01\xff\nb=1", "GOLDILOCKS_OPTIONS: 'a\?\?' has no value; write NAME=VALUE");
    /* What came before the mistake holds, and the rest keeps its default. */
    assert_false(rt_options_parse(NULL, "exitcode=9:oops=1:stats=1", &got, error, sizeof error));
    assert_int_equal(got.exitcode, 9);
    assert_false(got.stats);
}

static void lengths(void **state)
{
    (void)state;
    char text[GL_OPTION_TEXT_MAX + 16] = "log_path=";
    size_t n = strlen(text);
    memset(text + n, 'x', GL_OPTION_TEXT_MAX - 1);
    expect_good(NULL, text);
    assert_int_equal(strlen(got.log_path), GL_OPTION_TEXT_MAX - 1);
    text[n + GL_OPTION_TEXT_MAX - 1] = 'x';
    expect_bad(NULL, text,
               "GOLDILOCKS_OPTIONS: option log_path cannot be "
               "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'; "
               "expected at most 1023 bytes");
    assert_string_equal(got.log_path, "stderr");
    /* A message that does not fit is cut, never overrun. */
    char small[8] = "", guard[8] = "1234567";
    assert_false(rt_options_parse(NULL, text, &got, small, sizeof small));
    assert_int_equal(strlen(small), 7);
    assert_string_equal(guard, "1234567");
    char one = 'x';
    assert_false(rt_options_parse(NULL, "x", &got, &one, 1));
    assert_int_equal(one, 0);
}

static void random_bytes(void **state)
{
    (void)state;
    static const char alphabet[] = "abeghilmnoprstxy_=:, '\"019-.|\x80\n";
    uint64_t seed = 88172645463325252u;
    unsigned good = 0, bad = 0;
    for (int round = 0; round < 20000; round++) {
        char *text = malloc(64); /* exact block, so that a checker of memory sees an overrun */
        seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
        size_t n = seed % 64;
        for (size_t i = 0; i < n; i++) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            text[i] = alphabet[seed % (sizeof alphabet - 1)];
        }
        text[n] = 0;
        if (round % 2) memcpy(text, "stats=", n < 6 ? n : 6);
        text = realloc(text, n + 1);
        if (rt_options_parse(round % 4 < 2 ? text : NULL, round % 4 < 2 ? NULL : text, &got, error,
                             sizeof error))
            good++;
        else
            bad++;
        assert_true(strlen(error) < sizeof error);
        assert_null(strchr(error, '\n'));
        free(text);
    }
    assert_true(good > 100 && bad > 100);
}

static void collect(void *ctx, const char *text, size_t n)
{
    strncat(ctx, text, n);
}

static void table(void **state)
{
    (void)state;
    static char all[16384];
    assert_true(rt_option_count >= 10);
    rt_options_print(collect, all);
    for (size_t i = 0; i < rt_option_count; i++) {
        const struct gl_option *o = &rt_option_table[i];
        char setting[128];
        assert_non_null(strstr(all, o->name));
        assert_non_null(strstr(all, o->sentence));
        /* What the table calls the default is what parsing it gives. */
        struct rt_options plain;
        expect_good(NULL, NULL);
        plain = got;
        snprintf(setting, sizeof setting, "%s='%s'", o->name, o->deflt);
        expect_good(NULL, setting);
        assert_memory_equal(&plain, &got, sizeof got);
        if (*o->alias) {
            snprintf(setting, sizeof setting, "%s='%s'", o->alias, o->deflt);
            expect_good(setting, NULL);
            assert_memory_equal(&plain, &got, sizeof got);
        }
    }
}

static void nearest(void **state)
{
    (void)state;
    static const char *const names[] = {"run", "cc", "options"};
    assert_string_equal(gl_nearest_name("runn", 4, names, 3), "run");
    assert_string_equal(gl_nearest_name("optoins", 7, names, 3), "options");
    assert_null(gl_nearest_name("zebra", 5, names, 3));
    assert_null(gl_nearest_name("", 0, names, 3));
    assert_null(gl_nearest_name("optionsoptionsoptionsoptionsoptions", 35, names, 3));
}

/* What the program says comes before what its environment says. */
static void the_programs_own(void **state)
{
    (void)state;
    struct rt_options got;
    char error[512];
    assert_true(rt_options_parse_with("exitcode=3:report_thread_leaks=0:unknown=1", "TSAN_OPTIONS", "exitcode=4", NULL, &got, error, sizeof error));
    assert_int_equal(got.exitcode, 4);
    assert_false(got.report_thread_leaks);
    assert_false(rt_options_parse_with("exitcode=x", "TSAN_OPTIONS", NULL, NULL, &got, error, sizeof error));
    assert_non_null(strstr(error, "__tsan_default_options()"));
}

static void ignored_ones(void **state)
{
    (void)state;
    size_t n = 0;
    for (const struct rt_ignored_option *i = rt_ignored_options; i->name; i++, n++) {
        assert_true(i->why[0] != 0);
        for (size_t k = 0; k < rt_option_count; k++)
            assert_string_not_equal(rt_option_table[k].alias, i->name);
    }
    assert_true(n > 10);
    assert_true(rt_options_mention("a=1:history_size=7", "history_size"));
    assert_true(rt_options_mention("history_size=7", "history_size"));
    assert_false(rt_options_mention("my_history_size=7", "history_size"));
    assert_false(rt_options_mention("history_sizes=7", "history_size"));
    assert_false(rt_options_mention(NULL, "history_size"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),       cmocka_unit_test(values),        cmocka_unit_test(quotes),
        cmocka_unit_test(both_variables), cmocka_unit_test(halt_on_error), cmocka_unit_test(mistakes),
        cmocka_unit_test(lengths),        cmocka_unit_test(random_bytes),  cmocka_unit_test(table),
        cmocka_unit_test(nearest),
        cmocka_unit_test(the_programs_own),
        cmocka_unit_test(ignored_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
