/* SPDX-License-Identifier: Apache-2.0
 *
 * What a format that can be written implements (private to trace/).  writer.c makes the writer and calls it.
 *
 * A format's writer is a struct that begins with struct gl_trace_writer.  writer.c allocates it zeroed, fills the
 * common part, then calls open().  close() is called once, also after an open() that failed.
 */
#ifndef GL_TRACE_WRITER_IMPL_H
#define GL_TRACE_WRITER_IMPL_H

#include "trace/writer.h"

struct gl_trace_writer {
    const struct gl_trace_writer_kind *kind;
    struct gl_env env;
    const struct gl_names *names;
    gl_bytes_fn *out;
    void *ctx;
    bool failed; /* some bytes could not be written, or memory ran out: nothing more is written */
};

struct gl_trace_writer_kind {
    enum gl_trace_format format;
    size_t size;                             /* of the format's writer */
    bool (*open)(struct gl_trace_writer *w); /* false: no memory, or nothing can be written */
    /* False: as gl_trace_write(). */
    bool (*write)(struct gl_trace_writer *w, const struct gl_event *events, size_t n);
    /* As gl_trace_writer_flush() and gl_trace_writer_seal(); both or none (NULL). */
    bool (*flush)(struct gl_trace_writer *w);
    bool (*seal)(struct gl_trace_writer *w, uint64_t *end);
    /* Writes what is left unless `failed`, and gives back what open() took.  False: it could not be written. */
    bool (*close)(struct gl_trace_writer *w);
};

/* out(), which is not called any more once it has failed. */
static inline bool gl_writer_put(struct gl_trace_writer *w, const void *bytes, size_t n)
{
    if (!w->failed && n > 0 && !w->out(w->ctx, bytes, n))
        w->failed = true;
    return !w->failed;
}

extern const struct gl_trace_writer_kind gl_trace_std_writer, gl_trace_binary_writer;

#endif
