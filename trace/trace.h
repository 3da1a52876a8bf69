/* SPDX-License-Identifier: Apache-2.0
 *
 * A recorded execution: a stream of events with names for what their numbers stand for.
 *
 * A reader turns bytes of any known format into struct gl_event, a writer does the opposite.  Neither
 * opens files, and neither trusts a byte: what cannot be an event is one error that says where.
 *
 * Ownership: the caller owns the bytes (usually a mapped file) and keeps them until close; names and
 * transaction operands belong to the reader.  Thread-safety: one caller at a time per object; several
 * readers may read the same bytes at once.
 */
#ifndef GL_TRACE_TRACE_H
#define GL_TRACE_TRACE_H

#include "core/detector.h"
#include "trace/names.h"

enum gl_trace_format {
    GL_TRACE_UNKNOWN,    /* find out from the bytes */
    GL_TRACE_STD,        /* T0|acq(L34)|120, with our extension (docs/trace-text.md) */
    GL_TRACE_CSV,        /* RAPID's */
    GL_TRACE_ROADRUNNER, /* RoadRunner's log text */
    GL_TRACE_RAPIDBIN,   /* WasmGrind's */
    GL_TRACE_BINARY      /* ours (docs/trace-format.md) */
};

/* What is wrong, and where.  Text formats give a line (from 1) and column (from 1), binary ones a byte offset. */
struct gl_trace_error {
    char text[200];      /* a sentence without the place */
    uint64_t line;       /* 0: not a text format */
    uint32_t column;
    uint64_t offset;     /* of the first byte that is wrong */
};

/* Up to `capacity` events, filled by gl_trace_read(). */
struct gl_trace_batch {
    struct gl_event *events;
    uint64_t *records;   /* of each event: its line from 1 (text) or record number from 1 (binary) */
    size_t capacity;     /* the caller's arrays hold this many */
    size_t count;
};

struct gl_trace_reader;

/* Begins to read bytes[0..size).  NULL: *error says why (no known format, broken header, no memory). */
struct gl_trace_reader *gl_trace_open(const struct gl_env *env, const void *bytes, size_t size,
                                      enum gl_trace_format format, struct gl_trace_error *error);
void gl_trace_close(struct gl_trace_reader *r);

/* A trace that is not all there yet, as it comes through a pipe.  Its bytes lie as in a mapped file, at an address that never
 * moves: the end grows, and what has been read may go. */
struct gl_trace_stream {
    void *ctx;         /* for the functions */
    const void *bytes; /* where byte 0 is, or was */
    /* Waits for bytes behind the first *size, and raises *size; the same *size: there are no more.  False: they cannot
     * be had (the reader says so; why is the stream's to tell). */
    bool (*more)(void *ctx, size_t *size);
    /* Nobody looks at bytes[0..n) again. */
    void (*release)(void *ctx, size_t n);
};

enum { GL_TRACE_DETECTED = 1 << 16 }; /* bytes, from the first on, that tell the format of something longer */

/* Are these the first bytes of a longer trace, of whichever format? */
bool gl_trace_begins(const void *bytes, size_t size);

/* As gl_trace_open(), for a stream, which outlives the reader.  Memory for the bytes that are there together is bounded: by the
 * longest line, or section of a binary trace.  A reader of a stream has no chunks and cannot seek, and reads the
 * stream to its end.  The struct is copied. */
struct gl_trace_reader *gl_trace_open_stream(const struct gl_env *env, const struct gl_trace_stream *stream,
                                             enum gl_trace_format format, struct gl_trace_error *error);

/* The next events.  1: at least one; 0: the end; -1: *error is filled, and reading is over.
 * event.site is the number of the location's name (GL_NAME_LOCATION), 0 when the trace gives none.
 * reads[] and writes[] of a COMMIT live until the next call. */
int gl_trace_read(struct gl_trace_reader *r, struct gl_trace_batch *batch, struct gl_trace_error *error);

/* Events have site 0 from here on, before the first is read: who does not look at locations need not wait for them.  What is wrong
 * with a location goes unnoticed then. */
void gl_trace_leave_out_locations(struct gl_trace_reader *r);

/* A binary trace is made of chunks, which can be read on their own: in parallel, each range by a reader of its own.
 * How many there are; 0: the format has none. */
uint64_t gl_trace_chunks(const struct gl_trace_reader *r);
/* As gl_trace_open(), but reads only `count` chunks from chunk `first` (from 0) on, fewer at the end of the file.  All
 * numbers are as in the whole.  NULL also when the format has no chunks, or no chunk `first`. */
struct gl_trace_reader *gl_trace_open_chunks(const struct gl_env *env, const void *bytes, size_t size, uint64_t first,
                                             uint64_t count, struct gl_trace_error *error);
/* The next gl_trace_read() begins with this record (from 1), forward or backward; also after the end, not after an
 * error.  Cheap: one chunk is unpacked.  False: *error says why (the format cannot, or there is no such record);
 * after "no such record" reading can go on as if nothing had been asked. */
bool gl_trace_seek(struct gl_trace_reader *r, uint64_t record, struct gl_trace_error *error);
/* False: a binary trace without its end, because what wrote it was stopped.  It can be read up to its last full
 * chunk like any other. */
bool gl_trace_is_complete(const struct gl_trace_reader *r);

/* The names met so far; valid until close. */
const struct gl_names *gl_trace_names(const struct gl_trace_reader *r);
enum gl_trace_format gl_trace_format_of(const struct gl_trace_reader *r);
const char *gl_trace_format_name(enum gl_trace_format f); /* std csv roadrunner rapidbin binary */
enum gl_trace_format gl_trace_format_by_name(const char *name); /* GL_TRACE_UNKNOWN: none */

#endif
