/* SPDX-License-Identifier: Apache-2.0
 *
 * Races of managed programs as text, as a line and as JSON, letter by letter; names that are no UTF-8.
 */
#include "report/managed.h"
#include "tests/support/page.h"

typedef void printer(const struct gl_managed_report *r, gl_managed_write *write, void *ctx);

static const char *print(printer *as, const struct gl_managed_report *r)
{
    static struct page page;
    page.n = 0;
    as(r, page_append, &page);
    return page.text;
}

static const struct gl_managed_frame now[] = {{"a.B", "run", "B.java", 12}, {"a.C", "call", "C.java", 0}};
static const struct gl_managed_frame then[] = {{"a.B", "get", NULL, 0}};

static struct gl_managed_report race(void)
{
    return (struct gl_managed_report){.pid = 7,
                                      .variable = "a.B.x",
                                      .object = "a.B@1f",
                                      .access = {{.write = true, .thread = "main", .number = 1, .frame = now, .frames = 2, .whole = true},
                                                 {.thread = "w", .thread_id = 3, .number = 3, .frame = then, .frames = 1}},
                                      .why = "so",
                                      .occurrences = 9};
}

static void texts(void **state)
{
    (void)state;
    struct gl_managed_report r = race();
    assert_string_equal(print(gl_managed_text, &r), "==================\n"
                                                    "WARNING: Goldilocks: data race (pid=7)\n"
                                                    "  Write of a.B.x by thread \"main\":\n"
                                                    "    at a.B.run(B.java:12)\n"
                                                    "    at a.C.call(C.java)\n"
                                                    "\n"
                                                    "  Previous read of a.B.x by thread \"w\" #3:\n"
                                                    "    at a.B.get(Unknown Source)\n"
                                                    "    (callers are not kept; history=stack keeps them)\n"
                                                    "\n"
                                                    "  The object is a.B@1f.\n"
                                                    "\n"
                                                    "  Nothing orders the two accesses: so\n"
                                                    "\n"
                                                    "  This pair of places has raced 9 times.\n"
                                                    "\n"
                                                    "SUMMARY: Goldilocks: data race a.B.run(B.java:12)\n"
                                                    "==================\n");
    assert_string_equal(print(gl_managed_line, &r), "Goldilocks: data race on a.B.x: write by thread \"main\" at a.B.run(B.java:12), "
                                                    "after read by thread \"w\" #3 at a.B.get(Unknown Source)\n");
    r.access[0].write = false;
    r.access[1].write = true;
    r.access[1].thread = NULL;
    r.access[1].thread_id = 0;
    r.object = r.why = NULL;
    r.occurrences = 1;
    assert_string_equal(print(gl_managed_text, &r), "==================\n"
                                                    "WARNING: Goldilocks: data race (pid=7)\n"
                                                    "  Read of a.B.x by thread \"main\":\n"
                                                    "    at a.B.run(B.java:12)\n"
                                                    "    at a.C.call(C.java)\n"
                                                    "\n"
                                                    "  Previous write of a.B.x by an unknown thread:\n"
                                                    "    at a.B.get(Unknown Source)\n"
                                                    "    (callers are not kept; history=stack keeps them)\n"
                                                    "\n"
                                                    "SUMMARY: Goldilocks: data race a.B.run(B.java:12)\n"
                                                    "==================\n");
    r.access[1].thread_id = 4;
    assert_non_null(strstr(print(gl_managed_line, &r), ", after write by thread \"\" #4 at "));
}

static void json(void **state)
{
    (void)state;
    struct gl_managed_report r = race();
    assert_string_equal(print(gl_managed_json, &r),
                        "{\"type\":\"data-race\",\"title\":\"data race\",\"pid\":7,\"variable\":\"a.B.x\",\"object\":\"a.B@1f\",\"accesses\":["
                        "{\"kind\":\"write\",\"size\":null,\"address\":null,\"thread\":{\"id\":1,\"name\":\"main\"},\"stack\":["
                        "{\"function\":\"a.B.run\",\"file\":\"B.java\",\"line\":12,\"column\":0,\"module\":null,\"offset\":null,\"class\":\"a.B\",\"method\":\"run\"},"
                        "{\"function\":\"a.C.call\",\"file\":\"C.java\",\"line\":0,\"column\":0,\"module\":null,\"offset\":null,\"class\":\"a.C\",\"method\":\"call\"}],\"stack_is_whole\":true,\"mutexes\":null},"
                        "{\"kind\":\"read\",\"size\":null,\"address\":null,\"thread\":{\"id\":3,\"name\":\"w\"},\"stack\":["
                        "{\"function\":\"a.B.get\",\"file\":null,\"line\":0,\"column\":0,\"module\":null,\"offset\":null,\"class\":\"a.B\",\"method\":\"get\"}],\"stack_is_whole\":false,\"mutexes\":null}],"
                        "\"location\":{\"kind\":\"field\",\"name\":\"a.B.x\",\"object\":\"a.B@1f\"},\"why\":\"so\",\"occurrences\":9}\n");
    r.variable = "int[3]";
    assert_non_null(strstr(print(gl_managed_json, &r), "],\"location\":{\"kind\":\"array element\",\"name\":\"int[3]\",\"object\":\"a.B@1f\"},"));
    r.object = r.why = r.access[0].thread = NULL;
    r.access[0].number = 0;
    assert_non_null(strstr(print(gl_managed_json, &r), "\"object\":null,\"accesses\":[{\"kind\":\"write\",\"size\":null,\"address\":null,"
                                                       "\"thread\":{\"id\":null,\"name\":null},"));
    assert_non_null(strstr(print(gl_managed_json, &r), "\"location\":{\"kind\":\"static field\",\"name\":\"int[3]\",\"object\":null},\"why\":null,"));
}

static void allocations(void **state)
{
    (void)state;
    struct gl_managed_report r = race();
    struct gl_managed_allocation a = {.thread = "m\"", .number = 9, .at = {"a.F", "make", "F.java", 5}};
    r.tells_allocation = true;
    assert_non_null(strstr(print(gl_managed_text, &r), "  The object is a.B@1f.\n\n"));
    assert_non_null(strstr(print(gl_managed_json, &r),
                           "\"object\":\"a.B@1f\",\"thread\":{\"id\":null,\"name\":null},\"allocated_at\":[]},\"why\""));
    r.allocated = &a;
    assert_non_null(strstr(print(gl_managed_text, &r),
                           "  The object is a.B@1f,\n  allocated by thread \"m\"\" at a.F.make(F.java:5).\n\n  Nothing"));
    assert_non_null(strstr(print(gl_managed_json, &r),
                           "\"object\":\"a.B@1f\",\"thread\":{\"id\":9,\"name\":\"m\\\"\"},\"allocated_at\":["
                           "{\"function\":\"a.F.make\",\"file\":\"F.java\",\"line\":5,\"column\":0,\"module\":null,\"offset\":null,\"class\":\"a.F\",\"method\":\"make\"}]},"));
    a.thread = NULL;
    a.thread_id = 9;
    assert_non_null(strstr(print(gl_managed_text, &r), ",\n  allocated by thread \"\" #9 at "));
    assert_non_null(strstr(print(gl_managed_json, &r), ",\"thread\":{\"id\":9,\"name\":null},\"allocated_at\":[{"));
    a.thread_id = 0;
    assert_non_null(strstr(print(gl_managed_text, &r), ",\n  allocated by an unknown thread at "));
}

static void names(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *json; /* json: NULL: as the text */
    } cases[] = {
        {"q\"\\\n\x1f\x7f", "q\"\\\n\x1f\x7f", "q\\\"\\\\\\u000a\\u001f\x7f"},
        {"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x9A\x80", "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x9A\x80", NULL},
        {"\xED\xA0\xBD\xED\xBA\x80.", "\xF0\x9F\x9A\x80.", NULL},                      /* U+1F680 as two surrogates */
        {"\xED\xA0\x80\xED\xB0\x80", "\xF0\x90\x80\x80", NULL},                        /* the first of these */
        {"\xED\xAF\xBF\xED\xBF\xBF", "\xF4\x8F\xBF\xBF", NULL},                        /* and the last */
        {"\xED\xA0\xBD.", "\xEF\xBF\xBD.", NULL},                                      /* one alone */
        {"\xED\xBA\x80\xED\xA0\xBD", "\xEF\xBF\xBD\xEF\xBF\xBD", NULL},                /* the wrong way round */
        {"a\xC0\x80z", "a\xEF\xBF\xBDz", NULL},                                        /* NUL */
        {"cut\xC3", "cut\xEF\xBF\xBD", NULL},
        {"cut\xED\xA0", "cut\xEF\xBF\xBD\xEF\xBF\xBD", NULL},
        {"cut\xED\xA0\xBD\xED", "cut\xEF\xBF\xBD\xEF\xBF\xBD", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gl_managed_report r = race();
        char wanted[256];
        r.access[0].thread = cases[i].name;
        strcat(strcpy(wanted, " by thread \""), cases[i].text);
        assert_non_null(strstr(print(gl_managed_text, &r), strcat(wanted, "\":\n")));
        strcat(strcpy(wanted, ",\"thread\":{\"id\":1,\"name\":\""), cases[i].json ? cases[i].json : cases[i].text);
        assert_non_null(strstr(print(gl_managed_json, &r), strcat(wanted, "\"},\"stack\"")));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(texts), cmocka_unit_test(json), cmocka_unit_test(allocations),
                                       cmocka_unit_test(names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
