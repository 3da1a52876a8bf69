/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports as JSON, letter by letter: docs/report-json.md as a test.
 */
#include "report/json.h"
#include "tests/support/page.h"

static const char *print(const struct gl_report *r)
{
    static struct page page;
    page.n = 0;
    gl_json_report(r, &(struct gl_text){.write = page_append, .write_ctx = &page, .strip_prefix = "/src/"});
    return page.text;
}

static void a_race(void **state)
{
    (void)state;
    const struct gl_report_frame at = {.function = "f", .file = "/src/a.c", .line = 3, .column = 4, .module = "/bin/p", .offset = 0x1f};
    const struct gl_report_frame nowhere = {.pc = 0x77};
    const struct gl_report_thread t[] = {{.number = 2, .os_tid = 11, .name = "x", .running = true, .parent = GL_REPORT_NO_THREAD,
                                          .created_at = {.frame = &at, .frames = 1}}};
    const struct gl_report_mutex m[] = {{.number = 5, .address = 0x50, .destroyed = true}};
    const struct gl_report_held held[] = {{5, true}, {6, false}};
    struct gl_report r = {.type = GL_REPORT_RACE,
                          .pid = 7,
                          .access = {{.kind = GL_REPORT_ATOMIC_WRITE, .address = 0x4010, .size = 4, .thread = 2, .held = held, .n_held = 2,
                                      .stack = {.frame = &at, .frames = 1}},
                                     {.kind = GL_REPORT_FREE, .stack = {.frame = &nowhere, .frames = 1}}},
                          .location = {.place = GL_PLACE_GLOBAL, .name = "x", .start = 0x4010, .size = 4, .module = "/bin/p", .offset = 0x10},
                          .mutex = m,
                          .mutexes = 1,
                          .thread = t,
                          .threads = 1,
                          .why = "so",
                          .occurrences = 9};
#define FRAME "{\"function\":\"f\",\"file\":\"a.c\",\"line\":3,\"column\":4,\"module\":\"/bin/p\",\"offset\":\"0x1f\"}"
#define THREAD "{\"id\":2,\"name\":\"x\",\"os_id\":11,\"running\":true,\"parent\":null,\"created_at\":[" FRAME "]}"
    assert_string_equal(print(&r), "{\"type\":\"data-race\",\"title\":\"data race\",\"pid\":7,\"accesses\":["
                                   "{\"kind\":\"atomic write\",\"size\":4,\"address\":\"0x4010\",\"thread\":" THREAD ",\"stack\":[" FRAME "],"
                                   "\"mutexes\":[{\"id\":5,\"mode\":\"write\",\"address\":\"0x50\",\"destroyed\":true,\"created_at\":[]},"
                                   "{\"id\":6,\"mode\":\"read\"}]},"
                                   "{\"kind\":\"free\",\"size\":0,\"address\":\"0x0\",\"thread\":{\"id\":0,\"name\":\"main\"},\"stack\":["
                                   "{\"function\":null,\"file\":null,\"line\":0,\"column\":0,\"module\":null,\"offset\":\"0x77\"}],\"mutexes\":[]}],"
                                   "\"location\":{\"kind\":\"global\",\"name\":\"x\",\"address\":\"0x4010\",\"size\":4,\"module\":\"/bin/p\","
                                   "\"offset\":\"0x10\"},\"why\":\"so\",\"occurrences\":9}\n");
    r.location = (struct gl_report_location){.place = GL_PLACE_HEAP, .start = 0x10, .size = 8, .thread = 2};
    assert_non_null(strstr(print(&r), "\"location\":{\"kind\":\"heap\",\"address\":\"0x10\",\"size\":8,\"thread\":" THREAD ",\"allocated_at\":[]}"));
    r.location = (struct gl_report_location){.place = GL_PLACE_TLS, .thread = GL_REPORT_NO_THREAD};
    r.why = NULL;
    r.location = (struct gl_report_location){.place = GL_PLACE_FD, .fd = 3, .closed = true, .thread = 2};
    assert_non_null(strstr(print(&r), "\"location\":{\"kind\":\"fd\",\"thread\":" THREAD ",\"fd\":3,\"closed\":true,\"at\":[]}"));
    r.location = (struct gl_report_location){.place = GL_PLACE_TLS, .thread = GL_REPORT_NO_THREAD};
    assert_non_null(strstr(print(&r), "\"location\":{\"kind\":\"tls\",\"thread\":{\"id\":null,\"name\":null}},\"why\":null,"));
}

static void mistakes(void **state)
{
    (void)state;
    const struct gl_report_edge edge[] = {{.from = 1, .to = 2}, {.from = 2, .to = 1, .thread = 3}};
    struct gl_report r = {.type = GL_REPORT_DEADLOCK, .pid = 1, .edge = edge, .edges = 2};
    assert_string_equal(print(&r),
                        "{\"type\":\"lock-order-inversion\",\"title\":\"lock-order-inversion (potential deadlock)\",\"pid\":1,\"cycle\":["
                        "{\"held\":{\"id\":1},\"acquired\":{\"id\":2},\"thread\":{\"id\":0,\"name\":\"main\"},\"stack\":[],\"held_since\":[]},"
                        "{\"held\":{\"id\":2},\"acquired\":{\"id\":1},\"thread\":{\"id\":3,\"name\":null},\"stack\":[],\"held_since\":[]}]}\n");
    const struct gl_report_stack stacks[2] = {{0}};
    const struct gl_report_thread t = {.number = 1, .os_tid = 2, .parent = 0};
    r = (struct gl_report){.type = GL_REPORT_ERRNO_IN_SIGNAL, .pid = 1, .stack = stacks, .stacks = 2, .signal = 10};
    assert_string_equal(print(&r), "{\"type\":\"errno-in-signal-handler\",\"title\":\"signal handler spoils errno\",\"pid\":1,"
                                   "\"stacks\":[[],[]],\"mutexes\":[],\"threads\":[],\"location\":null,\"signal\":10}\n");
    r = (struct gl_report){.type = GL_REPORT_FATAL_SIGNAL, .pid = 1, .stack = stacks, .stacks = 1, .signal = 11,
                           .fault = {.addressed = true, .address = 0x14, .access = GL_FAULT_WRITE}};
    assert_string_equal(print(&r), "{\"type\":\"fatal-signal\",\"title\":\"fatal signal\",\"pid\":1,\"stacks\":[[]],\"mutexes\":[],\"threads\":[],"
                                   "\"location\":null,\"signal\":11,\"sender\":null,\"address\":\"0x14\",\"access\":\"write\","
                                   "\"thread\":{\"id\":0,\"name\":\"main\"},\"stack_full\":false}\n");
    r.fault.stack_full = true;
    assert_non_null(strstr(print(&r), ",\"stack_full\":true}\n"));
    r.fault = (struct gl_report_fault){.sent = true, .sender = 9, .thread = 1};
    assert_non_null(strstr(print(&r), "\"signal\":11,\"sender\":9,\"address\":null,\"access\":null,\"thread\":{\"id\":1,"));
    r = (struct gl_report){.type = GL_REPORT_THREAD_LEAK, .pid = 1, .thread = &t, .threads = 1, .similar = 4};
    assert_string_equal(print(&r), "{\"type\":\"thread-leak\",\"title\":\"thread leak\",\"pid\":1,\"stacks\":[],\"mutexes\":[],\"threads\":["
                                   "{\"id\":1,\"name\":null,\"os_id\":2,\"running\":false,\"parent\":0,\"created_at\":[]}],"
                                   "\"location\":null,\"similar\":4}\n");
}

/* What is a list has commas: two stacks, two mutexes, two threads. */
static void lists(void **state)
{
    (void)state;
    const struct gl_report_frame f[] = {{.function = "f"}, {.function = "g"}};
    const struct gl_report_stack stacks[] = {{.frame = f, .frames = 2}, {.frame = f, .frames = 1}};
    const struct gl_report_mutex m[] = {{.number = 5}, {.number = 6}};
    const struct gl_report_thread t[] = {{.number = 1}, {.number = 2}};
    const struct gl_report r = {
        .type = GL_REPORT_DOUBLE_LOCK, .pid = 1, .stack = stacks, .stacks = 2, .mutex = m, .mutexes = 2, .thread = t, .threads = 2};
#define SHORT(name) "{\"function\":\"" name "\",\"file\":null,\"line\":0,\"column\":0,\"module\":null,\"offset\":\"0x0\"}"
#define MUTEX(number) "{\"id\":" number ",\"address\":\"0x0\",\"destroyed\":false,\"created_at\":[]}"
#define NEW_THREAD(number) "{\"id\":" number ",\"name\":null,\"os_id\":0,\"running\":false,\"parent\":0,\"created_at\":[]}"
    assert_string_equal(print(&r), "{\"type\":\"mutex-double-lock\",\"title\":\"double lock of a mutex\",\"pid\":1,"
                                   "\"stacks\":[[" SHORT("f") "," SHORT("g") "],[" SHORT("f") "]],"
                                   "\"mutexes\":[" MUTEX("5") "," MUTEX("6") "],"
                                   "\"threads\":[" NEW_THREAD("1") "," NEW_THREAD("2") "],\"location\":null}\n");
}

/* Two frames at one program counter, and one that nothing is known of. */
static int two_frames(void *ctx, uintptr_t pc, struct gl_report_frame *out, int max)
{
    (void)ctx;
    if (pc != 0x10 || max < 2)
        return 0;
    out[0] = (struct gl_report_frame){.function = "inner"};
    out[1] = (struct gl_report_frame){.function = "outer"};
    return 2;
}

static void symbolized(void **state)
{
    (void)state;
    static struct page page;
    const uintptr_t pcs[] = {0x10, 0x20};
    const struct gl_report_stack stack = {.pc = pcs, .pcs = 2};
    gl_json_report(&(struct gl_report){.type = GL_REPORT_BAD_UNLOCK, .stack = &stack, .stacks = 1},
                   &(struct gl_text){.write = page_append, .write_ctx = &page, .symbolize = two_frames});
    assert_non_null(strstr(page.text, "\"stacks\":[[" SHORT("inner") "," SHORT("outer") ",{\"function\":null,\"file\":null,"
                                      "\"line\":0,\"column\":0,"
                                      "\"module\":null,\"offset\":\"0x20\"}]],"));
    page.n = 0;
    const struct gl_report_access access = {.kind = GL_REPORT_WRITE, .stack = {.pc = pcs + 1, .pcs = 1, .called = 0x10}};
    gl_json_report(&(struct gl_report){.type = GL_REPORT_RACE, .access = {access}},
                   &(struct gl_text){.write = page_append, .write_ctx = &page, .symbolize = two_frames});
    assert_non_null(strstr(page.text, "\"called\":\"outer\",\"stack\":[{\"function\":null,"));
}

/* Names come from programs and file systems: any bytes. */
static void strings(void **state)
{
    (void)state;
    static const struct {
        const char *name, *json;
    } table[] = {
        {"a\"b\\c\n\x01", "a\\\"b\\\\c\\u000a\\u0001"},
        {"\xc3\xa4\xe2\x82\xac\xf0\x9f\x90\xbb", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x90\xbb"},
        {"\xff" "a\xc3", "\\ufffda\\ufffd"},                   /* no character; cut off */
        {"\xc0\xaf", "\\ufffd\\ufffd"},                        /* longer than need be */
        {"\xed\xa0\x80", "\\ufffd\\ufffd\\ufffd"},             /* half of a pair */
        {"\xf4\x90\x80\x80", "\\ufffd\\ufffd\\ufffd\\ufffd"},  /* beyond the last */
        {"\xe2\x82", "\\ufffd\\ufffd"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct gl_report_frame f = {.function = table[i].name};
        const struct gl_report_stack s = {.frame = &f, .frames = 1};
        char expected[128] = "[{\"function\":\"";
        strcat(strcat(expected, table[i].json), "\",");
        const char *text = print(&(struct gl_report){.type = GL_REPORT_BAD_UNLOCK, .stack = &s, .stacks = 1});
        if (!strstr(text, expected))
            fail_msg("%s is not in %s", expected, text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_race), cmocka_unit_test(mistakes), cmocka_unit_test(lists),
                                       cmocka_unit_test(symbolized), cmocka_unit_test(strings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
