/* SPDX-License-Identifier: Apache-2.0
 *
 * Traces that come a few bytes at a time: the same events, the same names and the same errors as those of the whole, whatever
 * the pieces, and no look at a byte that was released.  And the same events, for who leaves out locations.
 */
#include "tests/support/binary_trace.h"
#include "tests/support/generate.h"
#include "tests/support/slow_stream.h"
#include "tests/unit/trace_support.h"

static const size_t pieces[] = {1, 2, 3, 7, 64, 71, 500, 1 << 20};
enum { PIECES = sizeof pieces / sizeof pieces[0] };

/* What a reader gave. */
struct outcome {
    struct trace_bytes text;
    uint64_t records[TRACE_EVENTS];
    size_t events;
    bool failed, complete;
    struct gl_trace_error error;
};

static void read_on(struct outcome *o, struct fake_env *env, struct gl_trace_reader *r)
{
    static struct gl_event events[13];
    static uint64_t records[13];
    o->failed = !r;
    o->events = o->text.n = 0;
    o->text.at[0] = 0;
    if (!r)
        return;
    struct gl_trace_writer *w =
        gl_trace_writer_open(&env->env, GL_TRACE_STD, gl_trace_names(r), trace_put, &o->text);
    struct gl_trace_batch b = {events, records, 13, 0};
    int got;
    while ((got = gl_trace_read(r, &b, &o->error)) > 0) {
        assert_true(gl_trace_write(w, b.events, b.count));
        assert_true(o->events + b.count <= TRACE_EVENTS);
        memcpy(o->records + o->events, records, b.count * sizeof *records);
        o->events += b.count;
    }
    assert_true(gl_trace_writer_close(w));
    o->failed = got < 0;
    o->complete = gl_trace_is_complete(r);
    assert_int_equal(gl_trace_read(r, &b, &o->error), got); /* the answer stays */
}

static struct outcome whole, piecewise;

static void read_whole(enum gl_trace_format format, const void *bytes, size_t size)
{
    struct fake_env env;
    fake_env_init(&env);
    struct gl_trace_reader *r = gl_trace_open(&env.env, bytes, size, format, &whole.error);
    read_on(&whole, &env, r);
    gl_trace_close(r);
    assert_true(fake_env_is_clean(&env));
}

static void read_pieces(enum gl_trace_format format, const void *bytes, size_t size, size_t piece,
                        size_t fail_at)
{
    struct fake_env env;
    struct slow_stream s;
    fake_env_init(&env);
    slow_stream_begin(&s, bytes, size, piece);
    s.fail_at = fail_at;
    struct gl_trace_reader *r = gl_trace_open_stream(&env.env, &s.trace, format, &piecewise.error);
    if (r) {
        struct gl_trace_error error;
        assert_int_equal(gl_trace_chunks(r), 0);
        assert_false(gl_trace_seek(r, 1, &error));
        assert_string_equal(error.text,
                            "what comes through a pipe cannot be entered in the middle; give a file");
    }
    read_on(&piecewise, &env, r);
    if (!piecewise.failed)
        assert_int_equal(s.come, size); /* who writes it came to its end */
    gl_trace_close(r);
    slow_stream_end(&s);
    assert_true(fake_env_is_clean(&env));
}

static void assert_same(bool errors_too)
{
    assert_string_equal(piecewise.text.at, whole.text.at);
    assert_int_equal(piecewise.events, whole.events);
    assert_memory_equal(piecewise.records, whole.records, whole.events * sizeof *whole.records);
    assert_int_equal(piecewise.failed, whole.failed);
    if (!whole.failed)
        assert_int_equal(piecewise.complete, whole.complete);
    if (!errors_too || !whole.failed)
        return;
    assert_string_equal(piecewise.error.text, whole.error.text);
    assert_int_equal(piecewise.error.line, whole.error.line);
    assert_int_equal(piecewise.error.column, whole.error.column);
    assert_int_equal(piecewise.error.offset, whole.error.offset);
}

/* Cuts `|location` off each line. */
static void strip_locations(struct trace_bytes *text)
{
    char *to = text->at;
    unsigned bars = 0;
    for (const char *from = text->at; *from; from++) {
        bars = *from == '\n' ? 0 : bars + (*from == '|');
        if (bars < 2)
            *to++ = *from;
    }
    *to = 0;
}

/* Who leaves out locations gets the same events, without them. */
static void assert_without_locations(enum gl_trace_format format, const void *bytes, size_t size)
{
    struct fake_env env;
    fake_env_init(&env);
    struct gl_trace_reader *r = gl_trace_open(&env.env, bytes, size, format, &piecewise.error);
    if (r)
        gl_trace_leave_out_locations(r);
    read_on(&piecewise, &env, r);
    gl_trace_close(r);
    assert_true(fake_env_is_clean(&env));
    assert_null(strstr(piecewise.text.at, ")|"));
    strip_locations(&whole.text);
    strip_locations(&piecewise.text); /* a fence */
    assert_same(true);
}

static void assert_streams(enum gl_trace_format format, const void *bytes, size_t size)
{
    read_whole(format, bytes, size);
    assert_without_locations(format, bytes, size);
    read_whole(format, bytes, size);
    for (int i = 0; i < PIECES; i++) {
        read_pieces(format, bytes, size, pieces[i], SIZE_MAX);
        assert_same(true);
    }
}

static void text_formats(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "# nothing",
        "T0|r(x)|1",
        "T0|r(x)|1\r\nT0|w(y)\r\n\n# "
        "what\nT1|commit(x,y;z)|9\nT1|alloc(@10f0+8192)|9\nT0|r(@1ffe+8)\nT0|fence.sc||\n",
        "T0|r(x)|1\nT0|r(x)|1\nT0|r(x)|1\nT0|r(x)|1\nT0|r(x)|1\nT0|r(x)|1\nT0|r(x)|1\nT0|r(x)|1\nT0|r(x)|"
        "1\nT0|r(x)|1\n"
        "T0|r(x)|1\nT0|r(x)|1\nT0|r(x)|1\nT0|r(x)|1\nT0|r(x)|1\nT0|what(x)|1\nT0|r(x)|1\n",
        "thread,op,operand,loc\nT0,r,x,1\n1, w , y \n# no "
        "event\n\r\nT0,fork,1,9\r\nT1,begin\n\"T1\",fence.sc,,4\n",
        "T0,r,x\nT0,what,x\n",
        "[main: a, b]\nhello\n  Rd(0,@01.x)\n@   Acquire(0,@01)\n@   Release(0,@01)",
        "no trace\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_streams(GL_TRACE_UNKNOWN, texts[i], strlen(texts[i]));
}

/* A line that is longer than a piece, and than what tells the format. */
static void long_line(void **state)
{
    (void)state;
    enum { LONG = 200000 };
    char *text = malloc(LONG + 64);
    assert_non_null(text);
    size_t n = (size_t)sprintf(text, "T0|r(x)|1\n#");
    memset(text + n, '-', LONG);
    sprintf(text + n + LONG, "\nT1|w(x)|2\n");
    read_whole(GL_TRACE_STD, text, strlen(text));
    assert_int_equal(whole.events, 2);
    for (int i = 3; i < PIECES; i++) {
        read_pieces(GL_TRACE_STD, text, strlen(text), pieces[i], SIZE_MAX);
        assert_same(true);
    }
    free(text);
}

static void number(unsigned char *to, unsigned bytes, uint64_t n)
{
    while (bytes-- > 0) {
        to[bytes] = (unsigned char)n;
        n >>= 8;
    }
}

static void rapidbin(void **state)
{
    (void)state;
    enum { EVENTS = 9 };
    unsigned char file[18 + 8 * EVENTS] = {0};
    number(file, 2, 3);
    number(file + 2, 4, 1);
    number(file + 6, 4, 4);
    number(file + 10, 8, EVENTS);
    for (unsigned i = 0; i < EVENTS; i++)
        number(file + 18 + 8 * i, 8,
               (uint64_t)(i + 1) << 48 | (uint64_t)(i % 4) << 14 | (uint64_t)(2 + i % 2) << 10 | i % 3);
    assert_streams(GL_TRACE_UNKNOWN, file, sizeof file);
    assert_int_equal(whole.events, EVENTS);
    /* Of a stream, the number of events can only be held against the header at the end. */
    for (int longer = 0; longer < 2; longer++) {
        number(file + 10, 8, longer ? EVENTS - 2 : EVENTS + 2);
        read_whole(GL_TRACE_RAPIDBIN, file, sizeof file);
        assert_true(whole.failed);
        read_pieces(GL_TRACE_RAPIDBIN, file, sizeof file, 5, SIZE_MAX);
        assert_true(piecewise.failed);
        assert_string_equal(piecewise.error.text, whole.error.text);
        assert_int_equal(piecewise.error.offset, whole.error.offset);
    }
}

/* As text, cut anywhere: the last line is what is there of it. */
static void cut_anywhere(void **state)
{
    (void)state;
    static const char text[] = "T0|acq(L1)|1\nT0|w(x)|2\nT0|commit(x;y)|2\nT0|rel(L1)|3\n";
    for (size_t n = 0; n < sizeof text - 1; n++) {
        read_whole(GL_TRACE_STD, text, n);
        read_pieces(GL_TRACE_STD, text, n, 3, SIZE_MAX);
        assert_same(true);
    }
}

/* A stream that fails: the events before it, then the error. */
static void failing(void **state)
{
    (void)state;
    static const char text[] = "T0|acq(L1)|1\nT0|w(x)|2\nT0|rel(L1)|3\n";
    read_pieces(GL_TRACE_STD, text, sizeof text - 1, 1, 0);
    assert_true(piecewise.failed);
    assert_string_equal(piecewise.error.text, "the bytes that follow cannot be read");
    assert_int_equal(piecewise.error.offset, 0);
}

static void binary(void **state)
{
    (void)state;
    char text[8192];
    size_t n = 0;
    for (int i = 0; i < 120; i++)
        n += (size_t)sprintf(text + n, "T%d|%s(@%x+8)|f%d.c:%d\nT%d|commit(x%d,y;z)|7\n", i % 5,
                             i % 3 ? "r" : "w", 0x1000 + 16 * i, i % 4, i, i % 5, i % 9);
    struct trace_read *t = malloc(sizeof *t);
    struct trace_bytes *file = calloc(1, sizeof *file);
    assert_true(t && file);
    trace_read(t, GL_TRACE_STD, text);
    assert_false(t->failed);
    struct gl_trace_writer *w =
        gl_trace_writer_open(&t->env.env, GL_TRACE_BINARY, gl_trace_names(t->reader), trace_put, file);
    assert_true(w && gl_trace_write(w, t->events, 64));
    assert_true(gl_trace_writer_flush(w) && gl_trace_write(w, t->events + 64, t->n - 64) &&
                gl_trace_writer_close(w));
    trace_close(t);
    assert_streams(GL_TRACE_UNKNOWN, file->at, file->n);
    assert_true(whole.events == 240 && whole.complete);
    /* Cut anywhere: up to its last full chunk, both ways.  A byte changed: an error, or the same. */
    for (size_t cut = 0; cut < file->n; cut++) {
        read_whole(GL_TRACE_UNKNOWN, file->at, cut);
        read_pieces(GL_TRACE_UNKNOWN, file->at, cut, 40, SIZE_MAX);
        assert_same(true);
    }
    size_t tail = file->n - 16;
    for (size_t at = 0; at < tail; at++) {
        file->at[at] ^= 0x10;
        read_pieces(GL_TRACE_BINARY, file->at, file->n, 100, SIZE_MAX);
        read_whole(GL_TRACE_BINARY, file->at, tail); /* without the tail that leads to the index */
        assert_same(true);
        file->at[at] ^= 0x10;
    }
    free(file);
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_formats), cmocka_unit_test(long_line), cmocka_unit_test(rapidbin),
        cmocka_unit_test(cut_anywhere), cmocka_unit_test(failing),   cmocka_unit_test(binary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
