/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of trace readers share: a trace in memory, read whole, and written as text.
 */
#ifndef GL_TESTS_UNIT_TRACE_SUPPORT_H
#define GL_TESTS_UNIT_TRACE_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/fake_env.h"
#include "trace/writer.h"

enum { TRACE_EVENTS = 512 };

/* A trace that has been read, to its end or to its error.  Close it. */
struct trace_read {
    struct fake_env env;
    struct gl_trace_reader *reader; /* NULL: not even opened */
    struct gl_event events[TRACE_EVENTS];
    uint64_t records[TRACE_EVENTS];
    size_t n;
    bool failed;
    struct gl_trace_error error;
};

/* In batches of `batch` events. */
static inline void trace_read_batches(struct trace_read *t, enum gl_trace_format format, const void *bytes,
                                      size_t size, size_t batch)
{
    memset(t, 0, sizeof *t);
    fake_env_init(&t->env);
    t->reader = gl_trace_open(&t->env.env, bytes, size, format, &t->error);
    t->failed = !t->reader;
    int more = !t->failed;
    while (more > 0) {
        assert_true(t->n + batch <= TRACE_EVENTS);
        struct gl_trace_batch b = {t->events + t->n, t->records + t->n, batch, 0};
        more = gl_trace_read(t->reader, &b, &t->error);
        assert_true(b.count <= batch && (more > 0) == (b.count > 0));
        t->n += b.count;
        if (more <= 0) {
            struct gl_trace_error again;
            assert_int_equal(gl_trace_read(t->reader, &b, &again), more); /* the answer stays */
        }
    }
    t->failed = t->failed || more < 0;
}

static inline void trace_read(struct trace_read *t, enum gl_trace_format format, const char *text)
{
    trace_read_batches(t, format, text, strlen(text), 64);
}

static inline void trace_close(struct trace_read *t)
{
    gl_trace_close(t->reader);
    assert_true(fake_env_is_clean(&t->env));
}

/* Bytes that were written. */
struct trace_bytes {
    char at[1 << 16];
    size_t n;
    size_t room; /* fewer bytes than sizeof at: what comes after them cannot be written */
};

static inline bool trace_put(void *ctx, const void *bytes, size_t n)
{
    struct trace_bytes *b = ctx;
    size_t room = b->room ? b->room : sizeof b->at - 1;
    if (n > room - b->n)
        return false;
    memcpy(b->at + b->n, bytes, n);
    b->n += n;
    b->at[b->n] = 0;
    return true;
}

/* The events as STD text. */
static inline bool trace_write(struct trace_bytes *b, struct trace_read *t)
{
    struct fake_env env;
    fake_env_init(&env);
    b->n = 0;
    b->at[0] = 0;
    struct gl_trace_writer *w =
        gl_trace_writer_open(&env.env, GL_TRACE_STD, gl_trace_names(t->reader), trace_put, b);
    assert_non_null(w);
    bool written = gl_trace_write(w, t->events, t->n);
    bool closed = gl_trace_writer_close(w);
    assert_true(fake_env_is_clean(&env));
    return written && closed;
}

/* The text is read without error, and written again it is `expected`. */
static inline void assert_trace(enum gl_trace_format format, const char *text, const char *expected)
{
    struct trace_read *t = malloc(sizeof *t);
    struct trace_bytes *b = calloc(1, sizeof *b);
    assert_true(t && b);
    trace_read(t, format, text);
    if (t->failed)
        fail_msg("%s\n%d:%u: %s", text, (int)t->error.line, t->error.column, t->error.text);
    assert_true(trace_write(b, t));
    assert_string_equal(b->at, expected);
    trace_close(t);
    free(t);
    free(b);
}

/* The text is not read: this sentence, at this place, after so many events. */
static inline void assert_trace_fails(enum gl_trace_format format, const char *text, uint64_t line,
                                      uint32_t column, const char *sentence)
{
    struct trace_read *t = malloc(sizeof *t);
    assert_non_null(t);
    trace_read(t, format, text);
    if (!t->failed)
        fail_msg("this was read: %s", text);
    assert_string_equal(t->error.text, sentence);
    if (t->error.line != line || t->error.column != column)
        fail_msg("%s: at %d:%u", sentence, (int)t->error.line, t->error.column);
    trace_close(t);
    free(t);
}

#endif
