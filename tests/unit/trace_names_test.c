/* SPDX-License-Identifier: Apache-2.0
 *
 * The interner: numbers in order of mention, kinds apart, the dense space of data, and no memory at any point.
 */
#include <stdio.h>

#include "tests/support/check.h"
#include "tests/unit/trace_support.h"
#include "trace/scan.h"
#include "trace/token.h"

static uint32_t number(struct gl_names *n, enum gl_name_kind kind, const char *name)
{
    return gl_name_number(n, kind, name, strlen(name));
}

static void numbers_are_dense_per_kind(void **state)
{
    (void)state;
    struct fake_env env;
    fake_env_init(&env);
    struct gl_names *n = gl_names_create(&env.env);
    for (int kind = 0; kind < GL_NAME_KINDS; kind++) {
        uint32_t first = kind == GL_NAME_LOCATION; /* location 0 is none */
        assert_int_equal(gl_names_count(n, kind), first);
        assert_int_equal(gl_name_find(n, kind, "a", 1), UINT32_MAX);
        assert_int_equal(number(n, kind, "a"), first);
        assert_int_equal(number(n, kind, "b"), first + 1);
        assert_int_equal(number(n, kind, "a"), first);
        assert_int_equal(gl_name_find(n, kind, "b", 1), first + 1);
        assert_int_equal(gl_name_find(n, kind, "bc", 2), UINT32_MAX);
        assert_int_equal(gl_names_count(n, kind), first + 2);
        assert_string_equal(gl_name_of(n, kind, first + 1), "b");
        assert_null(gl_name_of(n, kind, first + 2));
    }
    assert_string_equal(gl_name_of(n, GL_NAME_LOCATION, 0), "");
    assert_int_equal(number(n, GL_NAME_LOCATION, ""), 0);
    gl_names_destroy(n);
    gl_names_destroy(NULL);
    assert_true(fake_env_is_clean(&env));
}

static void many_names_stay_where_they_are(void **state)
{
    (void)state;
    enum { NAMES = 50000 };
    struct fake_env env;
    fake_env_init(&env);
    struct gl_names *n = gl_names_create(&env.env);
    const char **at = malloc(NAMES * sizeof *at);
    char name[200];
    for (uint32_t i = 0; i < NAMES; i++) {
        int length = snprintf(name, sizeof name, "%0*u", (int)(1 + i % 100), i);
        assert_int_equal(gl_name_number(n, GL_NAME_MUTEX, name, (size_t)length), i);
        at[i] = gl_name_of(n, GL_NAME_MUTEX, i);
    }
    for (uint32_t i = 0; i < NAMES; i++) {
        int length = snprintf(name, sizeof name, "%0*u", (int)(1 + i % 100), i);
        assert_int_equal(gl_name_find(n, GL_NAME_MUTEX, name, (size_t)length), i);
        assert_ptr_equal(gl_name_of(n, GL_NAME_MUTEX, i), at[i]);
        assert_string_equal(at[i], name);
    }
    char *huge = malloc(20 << 20);
    memset(huge, 'x', 20 << 20);
    assert_int_equal(gl_name_number(n, GL_NAME_DATA, huge, 20 << 20), 0);
    assert_memory_equal(gl_name_of(n, GL_NAME_DATA, 0), huge, 20 << 20);
    free(huge);
    free(at);
    assert_true(env.maps < 200); /* not one per name */
    gl_names_destroy(n);
    assert_true(fake_env_is_clean(&env));
}

/* Room that was asked for changes no answer, and is enough; without memory for it all is as it was. */
static void room_for_names(void **state)
{
    (void)state;
    enum { NAMES = 3000 };
    struct fake_env env;
    fake_env_init(&env);
    struct gl_names *n = gl_names_create(&env.env);
    char name[16];
    assert_int_equal(number(n, GL_NAME_DATA, "first"), 0);
    assert_true(gl_names_reserve(n, GL_NAME_DATA, NAMES));
    unsigned long maps = env.maps;
    for (uint32_t i = 1; i <= NAMES; i++) {
        int length = snprintf(name, sizeof name, "V%u", i);
        assert_int_equal(gl_name_number(n, GL_NAME_DATA, name, (size_t)length), i);
    }
    assert_true(env.maps <= maps + 1); /* a block of characters */
    assert_int_equal(gl_name_find(n, GL_NAME_DATA, "first", 5), 0);
    assert_true(gl_names_reserve(n, GL_NAME_DATA, 0));
    env.fail_at = env.maps + 1;
    assert_false(gl_names_reserve(n, GL_NAME_DATA, 1 << 20));
    assert_int_equal(number(n, GL_NAME_DATA, "V3000"), NAMES);
    assert_int_equal(gl_names_count(n, GL_NAME_DATA), NAMES + 1);
    gl_names_destroy(n);
    assert_true(fake_env_is_clean(&env));
}

/* A run of names against the same names one by one: lengths around what is read at a time, some of which begin others. */
static void runs_of_names(void **state)
{
    (void)state;
    struct rng rng = rng_seed(7);
    for (unsigned round = 0; round < 200; round++) {
        struct fake_env env;
        fake_env_init(&env);
        struct gl_names *a = gl_names_create(&env.env), *b = gl_names_create(&env.env);
        enum gl_name_kind kind = (enum gl_name_kind)rng_below(&rng, GL_NAME_KINDS);
        char text[2048];
        size_t bytes = 0, used = 0;
        uint32_t count = rng_below(&rng, 60), first = kind == GL_NAME_LOCATION;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t length = rng_below(&rng, 20);
            char name[40];
            memset(name, 'a' + (int)rng_below(&rng, 2), length);
            bytes += (size_t)snprintf(text + bytes, sizeof text - bytes, "%u%.*s", i, (int)length, name) + 1;
        }
        char *exact = malloc(bytes ? bytes : 1); /* nothing is read beyond its end */
        memcpy(exact, text, bytes);
        assert_int_equal(gl_names_run(a, kind, exact, bytes, count, &used), GL_RUN_FINE);
        assert_int_equal(used, bytes);
        const char *name = text;
        for (uint32_t i = 0; i < count; name += strlen(name) + 1, i++) {
            assert_int_equal(number(b, kind, name), first + i);
            assert_int_equal(number(a, kind, name), first + i);
            assert_string_equal(gl_name_of(a, kind, first + i), name);
            assert_int_equal(gl_name_find(a, kind, name, strlen(name)), first + i);
        }
        assert_int_equal(gl_names_count(a, kind), gl_names_count(b, kind));
        assert_int_equal(number(a, kind, "another"), first + count);
        if (count) {
            assert_int_equal(gl_names_run(a, kind, exact, bytes, count, &used), GL_RUN_TWICE);
            assert_int_equal(gl_names_run(b, kind, "new\0new", 8, 2, &used), GL_RUN_TWICE);
            assert_int_equal(gl_names_run(b, kind, "one\0two", 7, 2, &used), GL_RUN_NO_END);
        }
        assert_int_equal(gl_names_run(b, kind, "x\0more", 6, 1, &used), GL_RUN_FINE);
        assert_int_equal(used, 2);
        free(exact);
        gl_names_destroy(a);
        gl_names_destroy(b);
        assert_true(fake_env_is_clean(&env));
    }
    struct fake_env env;
    fake_env_init(&env);
    struct gl_names *n = gl_names_create(&env.env);
    size_t used;
    assert_int_equal(gl_names_run(n, GL_NAME_LOCATION, "", 1, 1, &used), GL_RUN_TWICE); /* that is location 0 */
    assert_int_equal(gl_names_run(n, GL_NAME_DATA, "", 0, 0, &used), GL_RUN_FINE);
    assert_int_equal(used, 0);
    env.fail_at = env.maps + 1;
    assert_int_equal(gl_names_run(n, GL_NAME_THREAD, "t", 2, 1, &used), GL_RUN_NO_MEMORY);
    gl_names_destroy(n);
    assert_true(fake_env_is_clean(&env));
}

static void data_is_dense(void **state)
{
    (void)state;
    struct fake_env env;
    fake_env_init(&env);
    struct gl_names *n = gl_names_create(&env.env);
    char text[32];
    uint64_t base;
    assert_int_equal(gl_data_end(n), 0);
    assert_int_equal(gl_data_find_address(n, 0x7fff12345678), UINT64_MAX);
    assert_int_equal(gl_data_of_address(n, 0x7fff12345678), 0x678);
    for (uint32_t i = 0; i < 1025; i++) {
        snprintf(text, sizeof text, "v%u", i);
        assert_int_equal(number(n, GL_NAME_DATA, text), i);
    }
    assert_int_equal(gl_data_of_name(n, 3), 4096 + 12);
    assert_int_equal(gl_data_of_address(n, 0), 2 * 4096);
    assert_int_equal(gl_data_of_name(n, 1024), 3 * 4096);
    assert_int_equal(gl_data_of_name(n, 1023), 4096 + 4092);
    assert_int_equal(gl_data_of_address(n, 0x7fff12345001), 1);
    assert_int_equal(gl_data_find_address(n, 0x7fff12345fff), 0xfff);
    assert_int_equal(gl_data_find_address(n, 0x7fff12346000), UINT64_MAX);
    assert_int_equal(gl_data_of_address(n, UINT64_MAX), 4 * 4096 + 4095);
    assert_int_equal(gl_data_end(n), 5 * 4096);

    assert_true(gl_data_page(n, 0, &base));
    assert_int_equal(base, 0x7fff12345000);
    assert_false(gl_data_page(n, 3, &base));
    assert_int_equal(base, 1024);

    static const struct {
        uint64_t data;
        const char *name;
    } names[] = {
        {0x678, "0x7fff12345678"}, {4096 + 12, "v3"}, {4096 + 14, "v3+2"}, {3 * 4096, "v1024"},
        {3 * 4096 + 4, "?"},       {5 * 4096, "?"},   {2 * 4096, "0x0"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        gl_data_name(n, names[i].data, text, sizeof text);
        assert_string_equal(text, names[i].name);
    }
    gl_data_name(n, 3 * 4096, text, 4);
    assert_string_equal(text, "v10");

    for (uint64_t i = 0; i < 3000; i++) /* the table of pages grows */
        assert_int_equal(gl_data_of_address(n, (i << 12 | 5) ^ 0x5500000000000000), (5 + i) * 4096 + 5);
    for (uint64_t i = 0; i < 3000; i++)
        assert_int_equal(gl_data_find_address(n, (i << 12 | 7) ^ 0x5500000000000000), (5 + i) * 4096 + 7);
    gl_names_destroy(n);
    assert_true(fake_env_is_clean(&env));
}

static void no_memory_is_said(void **state)
{
    (void)state;
    for (unsigned long at = 1;; at++) {
        struct fake_env env;
        fake_env_init(&env);
        env.fail_at = at;
        struct gl_names *n = gl_names_create(&env.env);
        bool all = n != NULL;
        for (uint32_t i = 0; n && i < 400; i++) {
            char name[300];
            int length = snprintf(name, sizeof name, "%0*u", 290, i);
            all = gl_name_number(n, GL_NAME_LOCATION, name, (size_t)length) != UINT32_MAX && all;
            all = gl_data_of_name(n, i * 1000) != UINT64_MAX && all;
            all = gl_data_of_address(n, i << 12) != UINT64_MAX && all;
        }
        if (n) { /* a failure leaves all else right */
            all = gl_name_number(n, GL_NAME_MUTEX, "m", 1) == 0 && all;
            assert_int_equal(gl_name_number(n, GL_NAME_MUTEX, "m", 1), 0);
        }
        gl_names_destroy(n);
        assert_true(fake_env_is_clean(&env));
        if (at > env.maps) {
            assert_true(all && at > 15);
            break;
        }
        assert_false(all);
    }
}

static void kinds_follow_classes(void **state)
{
    (void)state;
    assert_int_equal(gl_name_kind_of_class(GL_CLASS_DATA), GL_NAME_DATA);
    assert_int_equal(gl_name_kind_of_class(GL_CLASS_MUTEX), GL_NAME_MUTEX);
    assert_int_equal(gl_name_kind_of_class(GL_CLASS_RWLOCK), GL_NAME_RWLOCK);
    assert_int_equal(gl_name_kind_of_class(GL_CLASS_VOLATILE), GL_NAME_VOLATILE);
    assert_int_equal(gl_name_kind_of_class(GL_CLASS_ATOMIC), GL_NAME_ATOMIC);
    assert_int_equal(gl_name_kind_of_class(GL_CLASS_BARRIER), GL_NAME_BARRIER);
    assert_int_equal(gl_name_kind_of_class(GL_CLASS_SEMAPHORE), GL_NAME_SEMAPHORE);
    assert_int_equal(gl_name_kind_of_class(GL_CLASS_THREAD), GL_NAME_THREAD);
    assert_int_equal(gl_name_kind_of_class(GL_CLASS_NONE), GL_NAME_KINDS);
    assert_int_equal(gl_name_kind_of_class(GL_CLASS_TRANSACTION), GL_NAME_KINDS);
}

/* ---- scan.h ---- */

static void punctuation_is_found(void **state)
{
    (void)state;
    static const char likely[] = "|(){}'*~`!\n\r\t \x1f\x20\x7c\xfc\xa8\x29\x80\xff\xa9";
    struct rng r = rng_seed(1);
    for (int round = 0; round < 200000; round++) {
        unsigned char b[32];
        uint32_t expected = 0;
        for (unsigned i = 0; i < sizeof b; i++) {
            b[i] = rng_chance(&r, 66) ? (unsigned char)likely[rng_below(&r, sizeof likely - 1)]
                                      : (unsigned char)rng_next(&r);
            if (b[i] == '|' || b[i] == '(' || b[i] == ')' || b[i] < ' ')
                expected |= 1u << i;
        }
        assert_int_equal(gl_specials_swar(b), expected);
        assert_int_equal(gl_specials(b), expected);
    }
}

static bool short_token(const char *text, struct gl_short_token *token)
{
    char padded[8];
    memset(padded, '7', sizeof padded); /* what follows in the line is not looked at */
    memcpy(padded, text, strlen(text));
    return gl_short_token(gl_load8(padded), (unsigned)strlen(text), token);
}

static void short_tokens_are_a_letter_and_a_number(void **state)
{
    (void)state;
    struct gl_short_token token;
    static const char *const others[] = {"V",   "V01", "00",  "01",  "VV1",  "1V",
                                         "V1V", "V1 ", "V:1", "V1/", "--12", "1.5"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_false(short_token(others[i], &token));
    for (int c = 1; c < 256; c++) {
        if (c >= '0' && c <= '9')
            continue;
        char text[] = {(char)c, '4', '2', 0};
        assert_true(short_token(text, &token));
        assert_int_equal(token.prefix, c);
        assert_int_equal(token.number, 42);
        char inside[] = {'V', '4', (char)c, '2', 0};
        assert_false(short_token(inside, &token));
    }
    struct rng r = rng_seed(2);
    for (int round = 0; round < 100000; round++) {
        uint32_t number = rng_below(&r, 1u << rng_below(&r, 27));
        char text[12];
        bool prefix = rng_chance(&r, 50);
        int length = snprintf(text, sizeof text, "%s%u", prefix ? "V" : "", number);
        if (length > 8)
            continue;
        assert_true(short_token(text, &token));
        assert_int_equal(token.prefix, prefix ? 'V' : 0);
        assert_int_equal(token.number, number);
    }
}

/* What the arrays remember is what the table knows, in every order of mention. */
static void tokens_answer_as_names_do(void **state)
{
    (void)state;
    struct fake_env env;
    fake_env_init(&env);
    struct gl_names *n = gl_names_create(&env.env);
    static struct gl_tokens t;
    gl_tokens_init(&t, &env.env, n, true);
    struct rng r = rng_seed(3);
    for (int round = 0; round < 200000; round++) {
        char text[16];
        const char *why;
        enum gl_name_kind kind = rng_chance(&r, 50) ? GL_NAME_MUTEX : GL_NAME_DATA;
        uint32_t limit = rng_chance(&r, 99) ? 20000 : 99999999; /* the latter far too sparse for an array */
        int length = snprintf(text, sizeof text, "%c%u", "VLxyzabcdefghijkl0"[rng_below(&r, 18)],
                              rng_below(&r, limit));
        uint32_t answer = gl_token(&t, kind, text, (size_t)length, &why);
        uint32_t expected = gl_name_number(n, kind, text, (size_t)length);
        if (kind == GL_NAME_DATA)
            expected = (uint32_t)(gl_data_of_name(n, expected) / 4);
        assert_int_equal(answer, expected);
        assert_int_equal(gl_token(&t, kind, text, (size_t)length, &why), expected);
        assert_int_equal(gl_token_found(&t, kind, text, (size_t)length), expected);
    }
    size_t names = gl_names_count(n, GL_NAME_DATA) + gl_names_count(n, GL_NAME_MUTEX);
    assert_true(env.bytes < names * 300 + (1 << 20)); /* bounded by the names, not by their numbers */
    gl_tokens_fini(&t);
    gl_names_destroy(n);
    assert_true(fake_env_is_clean(&env));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_dense_per_kind),
        cmocka_unit_test(many_names_stay_where_they_are),
        cmocka_unit_test(room_for_names),
        cmocka_unit_test(runs_of_names),
        cmocka_unit_test(data_is_dense),
        cmocka_unit_test(no_memory_is_said),
        cmocka_unit_test(kinds_follow_classes),
        cmocka_unit_test(punctuation_is_found),
        cmocka_unit_test(short_tokens_are_a_letter_and_a_number),
        cmocka_unit_test(tokens_answer_as_names_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
