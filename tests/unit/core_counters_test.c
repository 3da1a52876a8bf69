/* SPDX-License-Identifier: Apache-2.0
 *
 * core/counters.def through the detector interface: an execution in which every rule and every short circuit answers
 * once, event by event, and a long one in which the log is cut.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/core.h"
#include "tests/support/fake_env.h"

#define T(t, o, ...) {.op = GL_OP_##o, .thread = (t), __VA_ARGS__}
#define X(x) .object = (x)
#define AT(x) .object = (x), .size = 4

static struct fake_env env;
static struct gl_state *s;

static int begin(void **state)
{
    (void)state;
    fake_env_init(&env);
    s = gl_detector_goldilocks.create(&env.env);
    return s ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    gl_detector_goldilocks.destroy(s);
    return fake_env_is_clean(&env) ? 0 : -1;
}

static gl_status event(struct gl_event e) { return gl_detector_goldilocks.event(s, &e, NULL); }
#define EVENT(...) event((struct gl_event)T(__VA_ARGS__))

struct counts {
    const char *name[GL_COUNT_END + 1];
    uint64_t value[GL_COUNT_END + 1];
    unsigned n;
};

static void collect(void *ctx, const char *name, const char *sentence, uint64_t value)
{
    struct counts *c = ctx;
    assert_true(*sentence && c->n < GL_COUNT_END);
    c->name[c->n] = name;
    c->value[c->n++] = value;
}

static struct counts counts_now(void)
{
    struct counts c = {.n = 0};
    gl_detector_goldilocks.counts(s, collect, &c);
    assert_int_equal(c.n, GL_COUNT_END);
    return c;
}

static bool among(const char *names, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = names; (p = strstr(p, name)) != NULL; p += n)
        if ((p == names || p[-1] == ' ') && (p[n] == ' ' || !p[n]))
            return true;
    return false;
}

static bool starts(const char *name, const char *with) { return strncmp(name, with, strlen(with)) == 0; }

/* Each event raises exactly the counters beside it, by one.  "*": and other rules, since a plain access may take the
 * short way through a cell; an atomic one does where the thread made one before.  (Replaying is lazy and belongs to no event.) */
static void rules(void **state)
{
    (void)state;
    enum { m = 1, p = 1, f = 0x80, x = 0x100, y = 0x200, z = 0x300, u = 0x380, v = 0x400, g = 0x500, l = 0x600 };
#define LOADS(t, a) T(t, LOAD, AT(a), .order = GL_RLX)
    static const struct {
        struct gl_event e;
        const char *raises;
    } step[] = {
        {T(0, FORK, X(1)), "sources"},
        {T(0, FORK, X(2)), "sources"},
        {T(0, FORK, X(4)), "sources"},
        {T(1, ACQ, X(m)), "sink_empty"},
        {LOADS(1, f), "reads segments rule_fresh"},
        {LOADS(1, f), "reads rule_same_segment"},
        {T(1, WRITE, X(x), .size = 8), "writes *"}, /* two cells */
        {T(1, REL, X(m)), "sources epochs"},
        {LOADS(1, x), "reads segments"}, /* its own, from a segment that it remembers */
        {T(1, ACQ, X(m)), "sink_own"},
        {T(1, ACQ, X(m)), ""}, /* an inner one */
        {T(1, REL, X(m)), ""},
        {T(1, WRITE, X(y), .size = 16), "writes *"}, /* four cells */
        {T(1, REL, X(m)), "sources epochs"},
        {T(4, ACQ, X(m)), "sinks"},
        {T(4, REL, X(m)), "sources"}, /* so that the next sink says nothing of thread 1 */
        {T(2, ACQ, X(m)), "sinks"},
        {LOADS(2, y), "reads segments rule_lock_held"},
        {T(2, REL, X(m)), "sources epochs"},
        {LOADS(0, y + 4), "reads segments rule_column rule_race"},
        {LOADS(0, y + 8), "reads rule_no_sink rule_race"},
        {T(0, ACQ, X(m)), "sinks"},
        {T(0, REL, X(m)), "sources epochs"},
        {LOADS(0, y + 12), "reads segments rule_column"},
        {LOADS(0, x + 4), "reads rule_hint"}, /* an earlier epoch */
        {T(1, POST, X(p)), "sources"}, /* nothing was accessed: no epoch ends */
        {T(0, WAIT, X(p)), "sinks"},
        {T(0, WAIT, X(p)), "sink_seen"},
        {LOADS(1, z), "reads segments rule_fresh"},
        {LOADS(2, z), "reads segments cells_split *"},
        {T(0, WRITE, AT(z)), "writes rule_race cells_joined *"},
        {T(0, ALLOC, AT(z)), ""},
        {LOADS(1, z), "reads rule_fresh"},
        {LOADS(2, u), "reads rule_fresh"},
        {T(2, END), "sources epochs"},
        {T(0, JOIN, X(2)), "sinks"},
        {T(0, FORK, X(3)), "sources epochs slots_reused"},
        {LOADS(3, u), "reads segments quick rule_own_thread"}, /* of thread 2, whose slot it is now */
        {T(3, FREE, AT(v)), "writes *"},
        {T(3, ACQ, X(l)), "sink_empty"},
        {T(3, WRITE, AT(l)), "writes *"},
        {T(3, REL, X(l)), "sources epochs"},
        {T(3, ACQ, X(l)), "sink_own resumed"},
        {T(3, WRITE, AT(l + 4)), "writes *"},
        {T(3, REL, X(l)), "source_again"},
        {T(1, READ, AT(g)), "reads *"},
        {T(1, READ, AT(g + 4)), "reads *"},
        {T(1, READ, AT(g + 8)), "reads *"},
        {T(4, READ, AT(g)), "reads segments cells_split *"},
        {T(4, READ, AT(g + 4)), "reads groups *"}, /* the same a second time */
        {T(4, READ, AT(g + 8)), "reads stepped *"},
    };
#undef LOADS
    struct counts was = counts_now();
    for (unsigned i = 0; i < GL_COUNT_END; i++)
        assert_int_equal(was.value[i], 0);
    for (size_t k = 0; k < sizeof step / sizeof *step; k++) {
        const char *raises = step[k].raises;
        gl_status status = gl_detector_goldilocks.event(s, &step[k].e, NULL);
        assert_int_equal(status, among(raises, "rule_race") ? GL_RACE : GL_OK);
        struct counts now = counts_now();
        for (unsigned i = 0; i < GL_COUNT_END; i++) {
            uint64_t rise = now.value[i] - was.value[i], cells = (step[k].e.size + 3) / 4;
            bool listed = among(raises, now.name[i]);
            if (strcmp(now.name[i], "replayed_records") == 0 ||
                (!listed && among(raises, "*") && (starts(now.name[i], "rule_") || starts(now.name[i], "quick"))))
                continue;
            if (rise != (listed ? (strcmp(now.name[i], "writes") == 0 ? cells : 1) : 0))
                fail_msg("step %zu (%s by %u): %s + %llu", k, gl_op_name(step[k].e.op), step[k].e.thread, now.name[i],
                         (unsigned long long)rise);
        }
        was = now;
    }
    for (unsigned i = 0; i < GL_COUNT_END; i++) { /* no rule is left out above, but for the next test's, and what want of memory counts */
        if (!starts(was.name[i], "quick") && !starts(was.name[i], "seen_beside") && !among("spread gathered", was.name[i])) /* those are the front ends' */
            assert_int_equal(was.value[i] == 0, among("rule_horizon log_trims groups_lost holds_lost walked_records sweeps ids_freed", was.name[i]));
        if (strcmp(was.name[i], "replayed_records") == 0) /* one block, and at most what was appended */
            assert_in_range(was.value[i], 1, 40);
    }
}

/* A long run: the log is cut, memory does not grow, and what was ordered stays so. */
static void log_trims(void **state)
{
    (void)state;
    enum { EVERY = 16 * GL_LOG_CHUNK, x = 0x100, y = 0x200 };
    EVENT(0, FORK, X(1));
    EVENT(0, FORK, X(2));
    EVENT(1, WRITE, AT(x));
    EVENT(1, WRITE, AT(y));
    EVENT(1, POST, X(1));
    EVENT(0, WAIT, X(1)); /* records 0..3 */
    for (int i = 4; i < EVERY; i++)
        if (EVENT(0, POST, X(2 + i % 2)) != GL_OK) /* the same again would add nothing */
            fail_msg("post %d", i);
    struct counts c = counts_now();
    assert_string_equal(c.name[GL_COUNT_log_trims], "log_trims");
    assert_int_equal(c.value[GL_COUNT_log_trims], 1);
    assert_in_range(c.value[GL_COUNT_replayed_records], EVERY, EVERY + GL_ROOM_MOST); /* and what the last thread took for later */
    assert_int_equal(EVENT(0, WRITE, AT(x)), GL_OK);
    assert_int_equal(EVENT(2, WRITE, AT(y)), GL_RACE);
    assert_int_equal(EVENT(2, WAIT, X(2)), GL_OK); /* after 0's early past only */
    assert_int_equal(EVENT(2, WRITE, AT(x)), GL_RACE);
    unsigned long bytes = env.bytes;
    for (int i = 0; i < EVERY; i++)
        if (EVENT(0, POST, X(2 + i % 2)) != GL_OK)
            fail_msg("post %d of the second round", i);
    assert_int_equal(counts_now().value[GL_COUNT_log_trims], 2);
    assert_int_equal(env.bytes, bytes);
}

#define counters_test(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        counters_test(rules),
        counters_test(log_trims),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
