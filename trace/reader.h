/* SPDX-License-Identifier: Apache-2.0
 *
 * What a format of recorded executions implements (private to trace/).  trace.c finds the format, makes the
 * reader and calls it; nobody else looks in here.
 *
 * A format's reader is a struct that begins with struct gl_trace_reader.  trace.c allocates it zeroed, fills the
 * common part (with empty names), then calls open().  close() is called once, also after an open() that failed; names
 * and the struct itself go after it.  After read() has returned 0 or -1 it is not called again, unless a seek()
 * succeeds after 0: trace.c repeats the answer.
 */
#ifndef GL_TRACE_READER_H
#define GL_TRACE_READER_H

#include "trace/text.h"
#include "trace/trace.h"

struct gl_trace_reader {
    const struct gl_trace_kind *kind;
    struct gl_env env;
    struct gl_names *names;
    const unsigned char *bytes; /* the whole trace, the caller's; of a stream, what was not released */
    size_t size;                /* of a stream: so far */
    struct gl_trace_stream stream;
    bool no_locations; /* gl_trace_leave_out_locations() */
    bool growing; /* a stream: gl_reader_more() may find more */
    int state; /* trace.c: 1 events may come, 0 the end, -1 *error */
    struct gl_trace_error error;
};

struct gl_trace_kind {
    enum gl_trace_format format;
    size_t size; /* of the format's reader */

    /* Do the bytes look like this format?  Reads only the beginning.  Called before there is a reader.  whole: there are no
     * others; else these are enough to say. */
    bool (*detect)(const unsigned char *bytes, size_t size, bool whole);

    /* False: *error is filled.  NULL: nothing to prepare. */
    bool (*open)(struct gl_trace_reader *r, struct gl_trace_error *error);
    /* As gl_trace_read(); batch->count is 0 at the call, batch->capacity > 0.  -1 with events in the batch: they come
     * before what is wrong (the caller sees them first, and the error at its next call). */
    int (*read)(struct gl_trace_reader *r, struct gl_trace_batch *batch, struct gl_trace_error *error);
    void (*close)(struct gl_trace_reader *r); /* NULL: nothing of its own to give back */

    /* For formats that can be entered in the middle; all or none (NULL).  See gl_trace_chunks(),
     * gl_trace_open_chunks(), gl_trace_seek() and gl_trace_is_complete() in trace.h. */
    uint64_t (*chunks)(const struct gl_trace_reader *r);
    bool (*select)(struct gl_trace_reader *r, uint64_t first, uint64_t count, struct gl_trace_error *error);
    bool (*seek)(struct gl_trace_reader *r, uint64_t record, struct gl_trace_error *error);
    bool (*is_complete)(const struct gl_trace_reader *r);
};

/* Bytes that are there together in a stream, at most: a line, or a section. */
enum { GL_STREAM_PIECE = 1 << 26 };

/* Waits for bytes behind the first r->size.  1: r->size grew; 0: there are no more; -1: *error is filled. */
int gl_reader_more(struct gl_trace_reader *r, struct gl_trace_error *error);
/* Bytes before r->bytes[n] are not looked at again. */
static inline void gl_reader_release(struct gl_trace_reader *r, size_t n)
{
    if (r->stream.release)
        r->stream.release(r->stream.ctx, n);
}

extern const struct gl_trace_kind gl_trace_std, gl_trace_csv, gl_trace_roadrunner, gl_trace_rapidbin,
    gl_trace_binary;

#endif
