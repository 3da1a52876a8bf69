/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes, read as a trace of every format (libFuzzer).  What must hold for all of them:
 *
 *   1. no crash, no undefined behaviour, no endless reading;
 *   2. memory is bounded by the size of the input, all of it is given back, and what does not fit is an error;
 *   3. an error has a sentence, and a place within the input;
 *   4. what was read, written as STD text and in our binary form, and read again, is the same;
 *   5. what the validator lets through, the engine takes;
 *   6. text that comes in pieces gives the same events, or the same error; nothing that comes in pieces crashes.
 *
 * A binary trace has sums, which no mutation keeps right: such bytes are read once more with all sums made right, so that what is behind
 * them is met.
 *
 * tests/fuzz/run builds and runs it.  By hand: trace_fuzz FILE repeats one input.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/detector.h"
#include "goldilocks/trace_format.h"
#include "tests/support/slow_stream.h"
#include "trace/checksum.h"
#include "trace/validate.h"
#include "trace/writer.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum {
    EVENTS_MAX = 1 << 16, /* of one input; more are not looked at */
    BATCH = 61,           /* small and odd: batches end everywhere */
    PER_BYTE = 256,       /* memory of a text format, per byte of input */
    ROOM = 8 << 20,       /* and for itself */
    BINARY_ROOM = 256 << 20
};

static struct memory {
    size_t mapped, most;
} memory;

_Noreturn static void fail(const char *what, ...)
{
    va_list ap;
    va_start(ap, what);
    fprintf(stderr, "trace_fuzz: ");
    vfprintf(stderr, what, ap);
    fprintf(stderr, "\n");
    va_end(ap);
    abort();
}

static void *map(void *ctx, size_t bytes)
{
    (void)ctx;
    memory.mapped += bytes;
    memory.most = memory.mapped > memory.most ? memory.mapped : memory.most;
    return calloc(1, bytes);
}

static void unmap(void *ctx, void *p, size_t bytes)
{
    (void)ctx;
    memory.mapped -= bytes;
    free(p);
}

static void wait(void *ctx, unsigned rounds) { (void)ctx, (void)rounds; }

static const struct gl_env env = {.map = map, .unmap = unmap, .pause = wait};

/* Bytes that a writer gives. */
struct output {
    unsigned char *at;
    size_t n, capacity;
};

static bool put(void *ctx, const void *bytes, size_t n)
{
    struct output *o = ctx;
    if (o->n + n > o->capacity) {
        o->capacity = 2 * (o->n + n);
        o->at = realloc(o->at, o->capacity);
        if (!o->at)
            fail("no memory for what is written");
    }
    memcpy(o->at + o->n, bytes, n);
    o->n += n;
    return true;
}

/* Hands the events to both writers and to the engine. */
struct sinks {
    struct output std, binary;
    struct gl_trace_writer *to_std, *to_binary;
    struct gl_validator *validator;
    struct gl_state *state;
    size_t events;
};

static void take(struct sinks *s, enum gl_trace_format from, const struct gl_event *e)
{
    s->events++;
    if (s->to_std && !gl_trace_write(s->to_std, e, 1)) {
        if (from != GL_TRACE_BINARY) /* which can hold what the text has no form for */
            fail("an event of format %s cannot be written as text", gl_trace_format_name(from));
        (void)gl_trace_writer_close(s->to_std);
        s->to_std = NULL;
    }
    if (s->to_binary && !gl_trace_write(s->to_binary, e, 1))
        fail("an event of format %s cannot be written as binary", gl_trace_format_name(from));
    enum gl_fault fault;
    if (s->validator && gl_validate(s->validator, e, 1, &fault) == 1) {
        if (gl_detector_goldilocks.event(s->state, e, NULL) == GL_INVALID)
            fail("the validator let through what the engine calls impossible: %s", gl_op_name(e->op));
    }
}

/* Reads all of it.  False: *error is filled. */
static bool read_all(struct gl_trace_reader *r, struct sinks *s, struct gl_trace_error *error)
{
    struct gl_event events[BATCH];
    uint64_t records[BATCH], last = 0;
    struct gl_trace_batch batch = {events, records, BATCH, 0};
    int more;
    while (s->events < EVENTS_MAX && (more = gl_trace_read(r, &batch, error)) != 0) {
        if (more < 0)
            return false;
        if (batch.count == 0 || batch.count > BATCH)
            fail("a batch of %zu events", batch.count);
        for (size_t i = 0; i < batch.count; i++) {
            if (records[i] < last)
                fail("record %llu after %llu", (unsigned long long)records[i], (unsigned long long)last);
            last = records[i];
            take(s, gl_trace_format_of(r), &events[i]);
        }
    }
    return true;
}

static void check_error(const struct gl_trace_error *e, size_t size)
{
    if (!e->text[0] || !memchr(e->text, 0, sizeof e->text) || e->offset > size || (e->line && !e->column))
        fail("an error without a sentence or a place: '%s', line %llu, offset %llu", e->text,
             (unsigned long long)e->line, (unsigned long long)e->offset);
}

/* The text that the bytes mean, in *text.  stream: NULL, or where they come from instead.  False: an error. */
static bool text_of(const void *bytes, size_t size, const struct gl_trace_stream *stream, enum gl_trace_format format,
                    struct output *text, size_t *events, struct gl_trace_error *error)
{
    *text = (struct output){0};
    *events = 0;
    struct gl_trace_reader *r =
        stream ? gl_trace_open_stream(&env, stream, format, error) : gl_trace_open(&env, bytes, size, format, error);
    if (!r)
        return false;
    struct sinks s = {0};
    s.to_std = gl_trace_writer_open(&env, GL_TRACE_STD, gl_trace_names(r), put, &s.std);
    bool good = read_all(r, &s, error);
    if (s.to_std)
        (void)gl_trace_writer_close(s.to_std);
    gl_trace_close(r);
    *text = s.std;
    *events = s.events;
    return good;
}

/* The written form, read again, gives the same text. */
static void check_again(const struct output *form, enum gl_trace_format format, const struct output *text,
                        size_t events)
{
    struct output again;
    size_t events_again;
    struct gl_trace_error error = {.text = "?"};
    if (!text_of(form->at, form->n, NULL, format, &again, &events_again, &error))
        fail("what was written as %s cannot be read: line %llu:%u, offset %llu: %s",
             gl_trace_format_name(format), (unsigned long long)error.line, error.column,
             (unsigned long long)error.offset, error.text);
    if (events != events_again || again.n != text->n ||
        (text->n > 0 && memcmp(again.at, text->at, text->n) != 0))
        fail("read again from %s it is another trace:\n%.*s\n---\n%.*s", gl_trace_format_name(format),
             (int)text->n, (char *)text->at, (int)again.n, (char *)again.at);
    free(again.at);
}

static void check_pieces(const uint8_t *bytes, size_t size, enum gl_trace_format format)
{
    struct output whole, piecewise;
    struct gl_trace_error error = {0}, same = {0};
    size_t events, events_again;
    struct slow_stream s;
    slow_stream_begin(&s, bytes, size, 1 + size % 90);
    bool good_again = text_of(NULL, 0, &s.trace, format, &piecewise, &events_again, &same);
    slow_stream_end(&s);
    bool text = format == GL_TRACE_STD || format == GL_TRACE_CSV || format == GL_TRACE_ROADRUNNER;
    if (!text) {
        free(piecewise.at);
        return;
    }
    bool good = text_of(bytes, size, NULL, format, &whole, &events, &error);
    if (good != good_again || events != events_again || whole.n != piecewise.n ||
        (whole.n > 0 && memcmp(whole.at, piecewise.at, whole.n) != 0) ||
        (!good && (strcmp(error.text, same.text) != 0 || error.line != same.line || error.column != same.column ||
                   error.offset != same.offset)))
        fail("in pieces it is another trace: '%s', '%s'", error.text, same.text);
    free(whole.at);
    free(piecewise.at);
}

/* Who leaves out locations gets as many events, and an error only where there is one. */
static void check_without_locations(const uint8_t *bytes, size_t size, enum gl_trace_format format, bool good, size_t events)
{
    struct gl_trace_error error = {0};
    struct gl_trace_reader *r = gl_trace_open(&env, bytes, size, format, &error);
    gl_trace_leave_out_locations(r);
    struct sinks without = {0};
    bool good_again = read_all(r, &without, &error);
    gl_trace_close(r);
    if (!good_again)
        check_error(&error, size);
    if (good && events < EVENTS_MAX && (!good_again || without.events != events))
        fail("without locations it is another trace: '%s'", error.text);
}

static void one_format(const uint8_t *bytes, size_t size, enum gl_trace_format format)
{
    struct gl_trace_error error = {0};
    memory = (struct memory){0};
    struct gl_trace_reader *r = gl_trace_open(&env, bytes, size, format, &error);
    if (!r) {
        check_error(&error, size);
        if (memory.mapped)
            fail("memory was not given back");
        return;
    }
    struct sinks nothing = {0};
    bool good = read_all(r, &nothing, &error);
    enum gl_trace_format found = gl_trace_format_of(r);
    gl_trace_close(r);
    if (!good)
        check_error(&error, size);
    check_without_locations(bytes, size, format, good, nothing.events);
    if (memory.mapped)
        fail("memory was not given back");
    size_t allowed = found == GL_TRACE_BINARY ? BINARY_ROOM : ROOM + PER_BYTE * size;
    if (memory.most > allowed)
        fail("%zu bytes of memory for %zu bytes of input", memory.most, size);
    if (!good || nothing.events >= EVENTS_MAX || nothing.events == 0)
        return;

    r = gl_trace_open(&env, bytes, size, format, &error);
    struct sinks s = {.validator = gl_validator_create(&env), .state = gl_detector_goldilocks.create(&env)};
    s.to_std = gl_trace_writer_open(&env, GL_TRACE_STD, gl_trace_names(r), put, &s.std);
    s.to_binary = gl_trace_writer_open(&env, GL_TRACE_BINARY, gl_trace_names(r), put, &s.binary);
    if (!read_all(r, &s, &error) || s.events != nothing.events)
        fail("reading twice gives two answers");
    bool text = s.to_std && gl_trace_writer_close(s.to_std);
    if (!gl_trace_writer_close(s.to_binary))
        fail("the binary writer fails at its end");
    if (text) {
        check_again(&s.std, GL_TRACE_STD, &s.std, s.events);
        check_again(&s.binary, GL_TRACE_BINARY, &s.std, s.events);
    }
    gl_trace_close(r);
    gl_validator_destroy(s.validator);
    gl_detector_goldilocks.destroy(s.state);
    free(s.std.at);
    free(s.binary.at);
}

/* The sums of all sections are made right. */
static void seal(uint8_t *bytes, size_t size)
{
    struct goldilocks_trace_section s;
    for (size_t at = sizeof(struct goldilocks_trace_head); at + sizeof s <= size; at += sizeof s + s.size) {
        memcpy(&s, bytes + at, sizeof s);
        if (s.size > size - at - sizeof s)
            return;
        s.payload_sum = gl_xxh64(bytes + at + sizeof s, s.size);
        s.head_sum = gl_xxh64(&s, offsetof(struct goldilocks_trace_section, head_sum));
        memcpy(bytes + at, &s, sizeof s);
    }
}

static void check_sealed(const uint8_t *bytes, size_t size)
{
    if (size < 8 || memcmp(bytes, GOLDILOCKS_TRACE_MAGIC, 8) != 0)
        return;
    uint8_t *sealed = malloc(size);
    if (!sealed)
        fail("no memory for a copy");
    memcpy(sealed, bytes, size);
    seal(sealed, size);
    one_format(sealed, size, GL_TRACE_BINARY);
    check_pieces(sealed, size, GL_TRACE_BINARY);
    free(sealed);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    check_sealed(bytes, size);
    for (int f = GL_TRACE_UNKNOWN; f <= GL_TRACE_BINARY; f++)
        one_format(bytes, size, (enum gl_trace_format)f);
    for (int f = GL_TRACE_UNKNOWN; f <= GL_TRACE_BINARY; f++)
        check_pieces(bytes, size, (enum gl_trace_format)f);
    return 0;
}
