/* SPDX-License-Identifier: Apache-2.0
 *
 * The recording wrapper: it passes on what it is told, and what it wrote is judged the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/binary_trace.h"
#include "tests/support/generate.h"
#include "tests/unit/trace_env.h"
#include "trace/record.h"
#include "trace/validate.h"

/* Calls `each` for every event of the file; the names live until it returns. */
static void read_all(const struct buffer *file, void (*each)(void *ctx, const struct gl_names *, const struct gl_event *), void *ctx)
{
    enum { BATCH = 64 };
    struct gl_event events[BATCH];
    uint64_t records[BATCH];
    struct gl_trace_batch batch = {events, records, BATCH, 0};
    struct gl_trace_error error;
    struct gl_trace_reader *r = gl_trace_open(env, file->at, file->n, GL_TRACE_BINARY, &error);
    assert_non_null(r);
    assert_true(gl_trace_is_complete(r));
    int answer;
    while ((answer = gl_trace_read(r, &batch, &error)) > 0)
        for (size_t i = 0; i < batch.count; i++)
            each(ctx, gl_trace_names(r), &events[i]);
    assert_int_equal(answer, 0);
    gl_trace_close(r);
}

/* ---- random executions ---- */

struct judge {
    struct gl_state *state;
    bool raced[GENERATE_MAX + 1]; /* by site */
};

static void judge_event(void *ctx, const struct gl_names *names, const struct gl_event *e)
{
    struct judge *j = ctx;
    struct gl_race race;
    gl_status status = gl_detector_goldilocks.event(j->state, e, &race);
    const char *name = gl_name_of(names, GL_NAME_LOCATION, e->site);
    int site = atoi(name + 1);
    assert_true(name[0] == 'L' && site >= 1 && site <= GENERATE_MAX);
    assert_true(status == GL_OK || status == GL_RACE);
    j->raced[site] |= status == GL_RACE;
}

static void recorded_and_judged_again(void **state)
{
    (void)state;
    struct generator *g = generator_new();
    struct execution x;
    execution_init(&x, GENERATE_MAX);
    unsigned races = 0;
    for (size_t p = 0; p < n_profiles; p++)
        for (uint64_t seed = 1; seed <= 10; seed++) {
            struct buffer file = {0};
            struct judge live = {.state = gl_detector_goldilocks.create(env)}, later = {.state = gl_detector_goldilocks.create(env)};
            struct gl_state *both = gl_record_over(env, &gl_detector_goldilocks, live.state, buffer_put, &file);
            assert_non_null(both);
            generate(g, &profiles[p], seed, &x);
            for (size_t i = 0; i < x.n; i++) /* all atomics of a trace are with data, or none */
                if (gl_op_class(x.event[i].op) == GL_CLASS_ATOMIC)
                    x.event[i].size = seed % 2 ? 0 : x.event[i].size ? x.event[i].size : 1;
            for (size_t i = 0; i < x.n; i++) {
                struct gl_race race;
                gl_status status = gl_detector_record.event(both, &x.event[i], &race);
                assert_true(status == GL_OK || status == GL_RACE);
                live.raced[x.event[i].site] = status == GL_RACE;
                races += status == GL_RACE;
            }
            assert_true(gl_record_close(both));
            read_all(&file, judge_event, &later);
            assert_memory_equal(live.raced, later.raced, sizeof live.raced);
            gl_detector_goldilocks.destroy(live.state);
            gl_detector_goldilocks.destroy(later.state);
            free(file.at);
        }
    assert_true(races > 100);
    execution_fini(&x);
    generator_delete(g);
}

/* ---- memory ---- */

struct expect {
    struct gl_event event[16];
    char name[16][32];
    unsigned n;
};

static void note(void *ctx, const struct gl_names *names, const struct gl_event *e)
{
    struct expect *x = ctx;
    assert_in_range(x->n, 0, 15);
    gl_data_name(names, e->object, x->name[x->n], sizeof x->name[0]);
    x->event[x->n++] = *e;
}

struct noting {
    struct gl_names *names;
    struct expect *expect;
};

static bool note_put(void *ctx, const struct gl_event *e)
{
    struct noting *n = ctx;
    note(n->expect, n->names, e);
    return true;
}

static void expect_piece(const struct expect *x, unsigned i, const char *name, uint32_t size)
{
    assert_string_equal(x->name[i], name);
    assert_int_equal(x->event[i].size, size);
}

static void pieces_of_memory(void **state)
{
    (void)state;
    struct expect x = {.n = 0};
    struct noting n = {gl_names_create(env), &x};
    assert_true(gl_record_places(n.names, &(struct gl_event){.op = GL_OP_WRITE, .object = 0x10fe0}, 100, note_put, &n));
    assert_int_equal(x.n, 3); /* the page ends after 32 bytes */
    expect_piece(&x, 0, "0x10fe0", 32);
    expect_piece(&x, 1, "0x11000", 64);
    expect_piece(&x, 2, "0x11040", 4);
    x.n = 0;
    assert_true(gl_record_places(n.names, &(struct gl_event){.op = GL_OP_RMW, .object = 0x10ffc}, 8, note_put, &n));
    assert_int_equal(x.n, 1);
    expect_piece(&x, 0, "0x10ffc", 4);
    x.n = 0; /* a page that is new, and both known ones of a terabyte, the last in part */
    assert_true(gl_record_places(n.names, &(struct gl_event){.op = GL_OP_ALLOC, .object = 0x800}, 0x11100 - 0x800, note_put, &n));
    assert_int_equal(x.n, 3);
    expect_piece(&x, 0, "0x800", 0x800);
    expect_piece(&x, 1, "0x10000", 4096);
    expect_piece(&x, 2, "0x11000", 0x100);
    x.n = 0;
    assert_true(gl_record_places(n.names, &(struct gl_event){.op = GL_OP_ALLOC, .object = 0x1000}, 1ull << 40, note_put, &n));
    assert_int_equal(x.n, 3);
    expect_piece(&x, 0, "0x1000", 4096);
    x.n = 0;
    assert_true(gl_record_places(n.names, &(struct gl_event){.op = GL_OP_ALLOC, .object = 0x1000}, 0, note_put, &n));
    assert_int_equal(x.n, 0);
    gl_names_destroy(n.names);
}

/* ---- names, and what goes wrong ---- */

static void site_names(void **state)
{
    (void)state;
    struct buffer file = {0};
    struct gl_state *s = gl_record_over(env, NULL, NULL, buffer_put, &file);
    assert_true(gl_record_site(s, 7, "parser.c:12"));
    for (uint32_t site = 7; site <= 8; site++)
        assert_int_equal(gl_detector_record.event(s, &(struct gl_event){.op = GL_OP_READ, .size = 4, .site = site, .thread = 5}, NULL), GL_OK);
    assert_true(gl_record_close(s));
    struct gl_trace_error error;
    struct gl_trace_reader *r = gl_trace_open(env, file.at, file.n, GL_TRACE_BINARY, &error);
    struct gl_event e[4];
    uint64_t records[4];
    struct gl_trace_batch batch = {e, records, 4, 0};
    assert_int_equal(gl_trace_read(r, &batch, &error), 1);
    assert_string_equal(gl_name_of(gl_trace_names(r), GL_NAME_LOCATION, e[0].site), "parser.c:12");
    assert_string_equal(gl_name_of(gl_trace_names(r), GL_NAME_LOCATION, e[1].site), "L8");
    assert_string_equal(gl_name_of(gl_trace_names(r), GL_NAME_THREAD, e[0].thread), "T5");
    gl_trace_close(r);
    free(file.at);
}

static void variable_names(void **state)
{
    (void)state;
    struct buffer file = {0};
    char name[32];
    struct gl_state *s = gl_record_over(env, NULL, NULL, buffer_put, &file);
    assert_true(gl_record_variable(s, 0x2004, 4, "Box.x@1f"));
    assert_true(gl_record_variable(s, 0x2008, 8, "Box.y@1f"));
    for (uint64_t at = 0x2000; at <= 0x200c; at += 4)
        assert_int_equal(gl_detector_record.event(s, &(struct gl_event){.op = GL_OP_READ, .object = at, .size = 4}, NULL), GL_OK);
    assert_true(gl_record_flush(s));
    struct gl_trace_error error; /* what was flushed is there though nothing ended the file */
    struct gl_trace_reader *r = gl_trace_open(env, file.at, file.n, GL_TRACE_BINARY, &error);
    struct gl_event e[8];
    uint64_t records[8];
    struct gl_trace_batch batch = {e, records, 8, 0};
    assert_int_equal(gl_trace_read(r, &batch, &error), 1);
    assert_int_equal(batch.count, 4);
    assert_false(gl_trace_is_complete(r));
    static const char *const expected[] = {NULL, "Box.x@1f", "Box.y@1f", "Box.y@1f+4"};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(gl_data_symbol_name(gl_trace_names(r), e[i].object, name, sizeof name), expected[i] != NULL);
        if (expected[i])
            assert_string_equal(name, expected[i]);
    }
    gl_trace_close(r);
    assert_true(gl_record_close(s));
    free(file.at);
}

static bool put_some(void *left, const void *bytes, size_t n)
{
    (void)bytes;
    size_t *room = left;
    bool fits = n <= *room;
    *room -= fits ? n : 0;
    return fits;
}

static void play(struct gl_state *s)
{
    (void)gl_record_variable(s, 8, 4, "x"); /* without memory it has no name */
    uint64_t bytes[2] = {1, 9000};
    const struct gl_event events[] = {
        {.op = GL_OP_WRITE, .object = 8, .size = 4, .site = 1},
        {.op = GL_OP_FORK, .object = 1},
        {.op = GL_OP_ACQ, .object = 3, .thread = 1, .site = 3000},
        {.op = GL_OP_COMMIT, .thread = 1, .n_reads = 1, .n_writes = 1, .reads = &bytes[0], .writes = &bytes[1]},
    };
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        assert_int_equal(gl_detector_record.event(s, &events[i], NULL), GL_OK);
}

static void no_room(void **state)
{
    (void)state;
    size_t none = 0, head = 16;
    assert_null(gl_record_over(env, NULL, NULL, put_some, &none));
    struct gl_state *s = gl_record_over(env, NULL, NULL, put_some, &head);
    play(s);
    assert_false(gl_record_close(s));
}

static void both_sorts_of_atomics(void **state)
{
    (void)state;
    struct buffer file = {0};
    struct gl_state *s = gl_record_over(env, NULL, NULL, buffer_put, &file);
    assert_int_equal(gl_detector_record.event(s, &(struct gl_event){.op = GL_OP_LOAD, .object = 8, .size = 4}, NULL), GL_OK);
    assert_int_equal(gl_detector_record.event(s, &(struct gl_event){.op = GL_OP_LOAD, .object = 8}, NULL), GL_OK);
    assert_false(gl_record_close(s));
    free(file.at);
}

static void count(void *ctx, const struct gl_names *names, const struct gl_event *e)
{
    (void)names, (void)e;
    ++*(unsigned *)ctx;
}

/* What is closed as whole has all events, whatever could not be named. */
static void no_memory(void **state)
{
    (void)state;
    unsigned whole = 0;
    for (unsigned long k = 1; !whole; k++) {
        fake.fail_at = fake.maps + k;
        struct buffer file = {0};
        struct gl_state *s = gl_record_over(env, NULL, NULL, buffer_put, &file);
        if (s) {
            play(s);
            bool closed = gl_record_close(s);
            whole = closed && fake.maps < fake.fail_at;
            fake.fail_at = 0;
            unsigned events = 0;
            if (closed)
                read_all(&file, count, &events);
            assert_int_equal(events, closed ? 4 : 0);
        }
        free(file.at);
        assert_true(fake_env_is_clean(&fake));
    }
    fake.fail_at = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(recorded_and_judged_again, setup, teardown),
        cmocka_unit_test_setup_teardown(pieces_of_memory, setup, teardown),
        cmocka_unit_test_setup_teardown(site_names, setup, teardown),
        cmocka_unit_test_setup_teardown(variable_names, setup, teardown),
        cmocka_unit_test_setup_teardown(no_room, setup, teardown),
        cmocka_unit_test_setup_teardown(both_sorts_of_atomics, setup, teardown),
        cmocka_unit_test_setup_teardown(no_memory, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
