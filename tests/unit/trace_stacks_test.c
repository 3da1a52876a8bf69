/* SPDX-License-Identifier: Apache-2.0
 *
 * Call stacks and variables of the program in binary traces, and files that are made whole and go on.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "goldilocks/trace_format.h"
#include "tests/support/binary_trace.h"
#include "tests/unit/trace_env.h"
#include "trace/checksum.h"

static uint32_t name(struct gl_names *n, enum gl_name_kind kind, const char *text)
{
    return gl_name_number(n, kind, text, strlen(text));
}

static struct gl_event event_at(uint32_t site) { return (struct gl_event){.op = GL_OP_FENCE, .order = GL_SC, .site = site}; }

/* How many events a file gives; the reader stays open. */
static struct gl_trace_reader *open_and_count(const struct buffer *file, size_t n, uint64_t *count)
{
    struct gl_event e[64];
    uint64_t records[64];
    struct gl_trace_batch batch = {e, records, 64, 0};
    struct gl_trace_error error;
    struct gl_trace_reader *r = gl_trace_open(env, file->at, n, GL_TRACE_BINARY, &error);
    assert_non_null(r);
    int got;
    for (*count = 0; (got = gl_trace_read(r, &batch, &error)) > 0; *count += batch.count)
        ;
    assert_int_equal(got, 0);
    return r;
}

/* ---- stacks ---- */

static void what_is_set_is_there(void **state)
{
    (void)state;
    struct gl_names *n = gl_names_create(env);
    uint32_t f = name(n, GL_NAME_STRING, "main"), where = name(n, GL_NAME_LOCATION, "main.c:3"), other = name(n, GL_NAME_LOCATION, "y");
    const struct gl_stack_frame frames[] = {{f, UINT32_MAX, 3}, {UINT32_MAX, UINT32_MAX, 0}}, unknown = {f + 1, UINT32_MAX, 1}, *got;
    assert_int_equal(gl_stack_of(n, where, &got), 0);
    assert_false(gl_stack_set(n, 0, frames, 2));         /* "none" has no stack */
    assert_false(gl_stack_set(n, other + 1, frames, 2)); /* no such location */
    assert_false(gl_stack_set(n, where, &unknown, 1));   /* no such string */
    assert_false(gl_stack_set(n, where, frames, 0));
    assert_true(gl_stack_set(n, other, frames, 2));
    assert_false(gl_stack_set(n, other, frames, 2)); /* it has one */
    assert_int_equal(gl_stack_of(n, where, &got), 0);
    assert_int_equal(gl_stack_of(n, other, &got), 2);
    assert_memory_equal(got, frames, sizeof frames);
    assert_int_equal(gl_stack_of(n, UINT32_MAX, &got), 0);
    assert_int_equal(gl_stacks_count(n), 1);
    gl_names_destroy(n);
}

enum { MANY = 70000 }; /* locations: more than a section of stacks holds, in two chunks of events */

/* Every third location has a stack: of 1 to 5 frames. */
static void add_location(struct gl_names *n, uint32_t k)
{
    char text[32];
    snprintf(text, sizeof text, "at %u", k);
    uint32_t number = name(n, GL_NAME_LOCATION, text);
    struct gl_stack_frame frames[5];
    for (uint32_t i = 0; i < 5; i++)
        frames[i] = (struct gl_stack_frame){i % 2, UINT32_MAX, k + i};
    if (k % 3 == 0)
        assert_true(gl_stack_set(n, number, frames, 1 + k % 5));
}

static void stacks_come_back(void **state)
{
    (void)state;
    struct buffer file = {0};
    struct gl_names *n = gl_names_create(env);
    name(n, GL_NAME_THREAD, "T");
    name(n, GL_NAME_STRING, "f");
    name(n, GL_NAME_STRING, "g");
    struct gl_trace_writer *w = gl_trace_writer_open(env, GL_TRACE_BINARY, n, buffer_put, &file);
    for (uint32_t k = 1; k <= MANY; k++) {
        add_location(n, k);
        struct gl_event e = event_at(k);
        assert_true(gl_trace_write(w, &e, 1));
    }
    assert_true(gl_trace_writer_close(w));
    uint64_t events;
    struct gl_trace_reader *r = open_and_count(&file, file.n, &events);
    assert_int_equal(events, MANY);
    const struct gl_names *back = gl_trace_names(r);
    assert_int_equal(gl_stacks_count(back), gl_stacks_count(n));
    for (uint32_t k = 1; k <= MANY; k++) {
        const struct gl_stack_frame *a, *b;
        uint32_t count = gl_stack_of(n, k, &a);
        assert_int_equal(gl_stack_of(back, k, &b), count);
        assert_int_equal(count, k % 3 ? 0 : 1 + k % 5);
        if (count)
            assert_memory_equal(a, b, count * sizeof *a);
    }
    gl_trace_close(r);
    gl_names_destroy(n);
    free(file.at);
}

/* ---- variables of the program ---- */

static void variables_have_names(void **state)
{
    (void)state;
    struct buffer file = {0};
    struct gl_names *n = gl_names_create(env);
    assert_false(gl_data_symbol_add(n, &(struct gl_data_symbol){.start = 0x6000, .size = 4})); /* there is no data yet */
    name(n, GL_NAME_THREAD, "T");
    uint32_t list = name(n, GL_NAME_STRING, "list"), count = name(n, GL_NAME_STRING, "count");
    uint64_t first = gl_data_of_address(n, 0x5000), second = gl_data_of_address(n, 0x6000),
             other = gl_data_of_name(n, name(n, GL_NAME_DATA, "x"));
    struct gl_data_symbol s = {.start = 0x5ff0, .size = 0x20, .page = (uint32_t)(first / 4096), .name = list};
    assert_true(gl_data_symbol_add(n, &s));
    s.page = (uint32_t)(second / 4096);
    assert_true(gl_data_symbol_add(n, &s));
    assert_true(gl_data_symbol_add(n, &(struct gl_data_symbol){0x6010, 4, (uint32_t)(second / 4096), count}));
    s.page = (uint32_t)(other / 4096);
    assert_false(gl_data_symbol_add(n, &s)); /* named variables have names */
    s.page++;
    assert_false(gl_data_symbol_add(n, &s)); /* no such page */
    struct gl_trace_writer *w = gl_trace_writer_open(env, GL_TRACE_BINARY, n, buffer_put, &file);
    struct gl_event e = event_at(0);
    assert_true(gl_trace_write(w, &e, 1));
    assert_true(gl_trace_writer_close(w));
    uint64_t events;
    struct gl_trace_reader *r = open_and_count(&file, file.n, &events);
    const struct gl_names *back = gl_trace_names(r);
    char text[32];
    assert_int_equal(gl_data_symbols_count(back), 3);
    assert_true(gl_data_symbol_name(back, first + 0xff0, text, sizeof text));
    assert_string_equal(text, "list");
    assert_true(gl_data_symbol_name(back, second + 0xc, text, sizeof text));
    assert_string_equal(text, "list+28");
    assert_true(gl_data_symbol_name(back, second + 0x10, text, sizeof text));
    assert_string_equal(text, "count");
    assert_false(gl_data_symbol_name(back, first + 0xfec, text, sizeof text));
    assert_false(gl_data_symbol_name(back, second + 0x14, text, sizeof text));
    assert_false(gl_data_symbol_name(back, other, text, sizeof text));
    assert_false(gl_data_symbol_name(back, UINT64_MAX, text, sizeof text));
    gl_trace_close(r);
    gl_names_destroy(n);
    free(file.at);
}

/* ---- hostile sections ---- */

static void put_section(struct buffer *to, uint32_t type, const void *bytes, size_t n)
{
    struct goldilocks_trace_block block = {.unpacked = (uint32_t)n, .packed = (uint32_t)n};
    struct buffer payload = {0};
    buffer_put(&payload, &block, sizeof block);
    buffer_put(&payload, bytes, n);
    struct goldilocks_trace_section head = {.type = type, .size = payload.n, .payload_sum = gl_xxh64(payload.at, payload.n)};
    head.head_sum = gl_xxh64(&head, offsetof(struct goldilocks_trace_section, head_sum));
    buffer_put(to, &head, sizeof head);
    buffer_put(to, payload.at, payload.n);
    free(payload.at);
}

/* One location, one string, the page 0x5000, and these words as the section.  NULL: read; otherwise the sentence. */
static const char *read_section(uint32_t type, const uint32_t *words, size_t n)
{
    uint64_t page = 0x5000;
    static char sentence[200];
    struct {
        struct goldilocks_trace_name_run run;
        char text[2];
    } __attribute__((packed)) location = {{GOLDILOCKS_TRACE_NAME_LOCATION, 1, 1, 2}, "L"}, string = {{GOLDILOCKS_TRACE_NAME_STRING, 0, 1, 2}, "f"};
    struct buffer file = {0};
    struct goldilocks_trace_head head = {.version = GOLDILOCKS_TRACE_VERSION};
    memcpy(head.magic, GOLDILOCKS_TRACE_MAGIC, 8);
    buffer_put(&file, &head, sizeof head);
    put_section(&file, GOLDILOCKS_TRACE_NAMES, &location, sizeof location);
    put_section(&file, GOLDILOCKS_TRACE_NAMES, &string, sizeof string);
    put_section(&file, GOLDILOCKS_TRACE_PAGES, &page, sizeof page);
    put_section(&file, type, words, n);
    struct gl_event e[4];
    uint64_t records[4];
    struct gl_trace_batch batch = {e, records, 4, 0};
    struct gl_trace_error error;
    struct gl_trace_reader *r = gl_trace_open(env, file.at, file.n, GL_TRACE_BINARY, &error);
    int got = gl_trace_read(r, &batch, &error);
    if (got < 0)
        memcpy(sentence, error.text, sizeof sentence);
    gl_trace_close(r);
    free(file.at);
    return got < 0 ? sentence : NULL;
}

#define READ_AS(type, ...) read_section(type, (const uint32_t[]){__VA_ARGS__}, sizeof(const uint32_t[]){__VA_ARGS__})
#define READ(...)          READ_AS(GOLDILOCKS_TRACE_STACKS, __VA_ARGS__)

static void hostile_stacks(void **state)
{
    (void)state;
    assert_null(READ(1, 1, 0, UINT32_MAX, 5));
    assert_null(READ(1, 2, 0, UINT32_MAX, 5, UINT32_MAX, 0, 0));
    assert_non_null(READ(0, 1, 0, 0, 5));                      /* "none" */
    assert_non_null(READ(2, 1, 0, 0, 5));                      /* no such location */
    assert_non_null(READ(1, 1, 1, 0, 5));                      /* no such function */
    assert_non_null(READ(1, 1, 0, 1, 5));                      /* no such file */
    assert_non_null(READ(1, 0));                               /* no frame */
    assert_non_null(READ(1, 2, 0, 0, 5));                      /* a frame is missing */
    assert_non_null(READ(1, UINT32_MAX, 0, 0, 5));             /* many are */
    assert_non_null(READ(1, 1, 0, 0, 5, 1, 1, 0, 0, 5));       /* twice */
    assert_non_null(READ(1, 1, 0, 0, 5, 1));                   /* half a head */
    static uint32_t deep[2 + 3 * 1000] = {1, 1000};
    assert_null(read_section(GOLDILOCKS_TRACE_STACKS, deep, sizeof deep)); /* cut, not refused */
}

static void hostile_variables(void **state)
{
    (void)state;
    const uint32_t type = GOLDILOCKS_TRACE_SYMBOLS;
    assert_null(READ_AS(type, 0x5ffc, 0, 8, 0, 0, 0));
    assert_null(READ_AS(type, 0x4000, 0, 0x1001, 0, 0, 0));
    assert_non_null(READ_AS(type, 0x4000, 0, 0x1000, 0, 0, 0));               /* ends before the page */
    assert_non_null(READ_AS(type, 0x6000, 0, 8, 0, 0, 0));                    /* begins behind it */
    assert_non_null(READ_AS(type, 0x5000, 0, 0, 0, 0, 0));                    /* no bytes */
    assert_non_null(READ_AS(type, 0x5000, 0, UINT32_MAX, UINT32_MAX, 0, 0)); /* around the end of memory */
    assert_non_null(READ_AS(type, 0x5000, 0, 8, 0, 1, 0));                    /* no such page */
    assert_non_null(READ_AS(type, 0x5000, 0, 8, 0, 0, 1));                    /* no such name */
    assert_non_null(READ_AS(type, 0x5000, 0, 8, 0, 0));
}

/* ---- flush and seal ---- */

static void flushed_is_there(void **state)
{
    (void)state;
    struct buffer file = {0};
    struct gl_names *n = gl_names_create(env);
    name(n, GL_NAME_THREAD, "T");
    struct gl_trace_writer *w = gl_trace_writer_open(env, GL_TRACE_BINARY, n, buffer_put, &file);
    struct gl_event e = event_at(0);
    uint64_t events;
    for (uint64_t i = 1; i <= 5; i++) {
        assert_true(gl_trace_write(w, &e, 1) && gl_trace_writer_flush(w));
        struct gl_trace_reader *r = open_and_count(&file, file.n, &events);
        assert_int_equal(events, i);
        assert_false(gl_trace_is_complete(r));
        gl_trace_close(r);
    }
    size_t before = file.n;
    assert_true(gl_trace_writer_flush(w)); /* nothing is new */
    assert_int_equal(file.n, before);
    assert_true(gl_trace_writer_close(w));
    gl_trace_close(open_and_count(&file, file.n, &events));
    assert_int_equal(events, 5);
    gl_names_destroy(n);
    free(file.at);
}

static void sealed_and_gone_on(void **state)
{
    (void)state;
    struct buffer file = {0};
    struct gl_names *n = gl_names_create(env);
    name(n, GL_NAME_THREAD, "T");
    struct gl_trace_writer *w = gl_trace_writer_open(env, GL_TRACE_BINARY, n, buffer_put, &file);
    struct gl_event e = event_at(0);
    for (uint64_t i = 1; i <= 4; i++) {
        uint64_t end = 0, events;
        assert_true(gl_trace_write(w, &e, 1) && gl_trace_writer_seal(w, &end));
        struct gl_trace_reader *r = open_and_count(&file, file.n, &events);
        assert_true(gl_trace_is_complete(r));
        assert_int_equal(events, i);
        assert_true(gl_trace_seek(r, i, &(struct gl_trace_error){.line = 0})); /* by the index */
        gl_trace_close(r);
        file.n = end;
    }
    assert_true(gl_trace_writer_close(w));
    uint64_t events;
    struct gl_trace_reader *r = open_and_count(&file, file.n, &events);
    assert_true(gl_trace_is_complete(r));
    assert_int_equal(events, 4);
    gl_trace_close(r);
    gl_names_destroy(n);
    free(file.at);
}

static void text_has_neither(void **state)
{
    (void)state;
    struct buffer file = {0};
    struct gl_names *n = gl_names_create(env);
    struct gl_trace_writer *w = gl_trace_writer_open(env, GL_TRACE_STD, n, buffer_put, &file);
    uint64_t end;
    assert_false(gl_trace_writer_flush(w));
    assert_false(gl_trace_writer_seal(w, &end));
    assert_true(gl_trace_writer_close(w));
    gl_names_destroy(n);
    free(file.at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_set_is_there, setup, teardown),
        cmocka_unit_test_setup_teardown(stacks_come_back, setup, teardown),
        cmocka_unit_test_setup_teardown(variables_have_names, setup, teardown),
        cmocka_unit_test_setup_teardown(hostile_stacks, setup, teardown),
        cmocka_unit_test_setup_teardown(hostile_variables, setup, teardown),
        cmocka_unit_test_setup_teardown(flushed_is_there, setup, teardown),
        cmocka_unit_test_setup_teardown(sealed_and_gone_on, setup, teardown),
        cmocka_unit_test_setup_teardown(text_has_neither, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
