/* SPDX-License-Identifier: Apache-2.0
 *
 * Events to bytes: the text form that people write (STD with our extension) and our binary form.
 * One caller at a time per writer.
 */
#ifndef GL_TRACE_WRITER_H
#define GL_TRACE_WRITER_H

#include "trace/trace.h"

/* Takes bytes in order; false: they could not be written (the writer reports that from then on). */
typedef bool gl_bytes_fn(void *ctx, const void *bytes, size_t n);

struct gl_trace_writer;

/* format: GL_TRACE_STD or GL_TRACE_BINARY.  `names` is the caller's; it may still grow between writes, and
 * lives until close.  NULL: no memory or another format. */
struct gl_trace_writer *gl_trace_writer_open(const struct gl_env *env, enum gl_trace_format format,
                                             const struct gl_names *names, gl_bytes_fn *out, void *ctx);
/* Numbers, sites (location names) and data places as gl_trace_read() gives them.  False: bytes could not be written, or
 * an event is none that a reader can give (STD text has no form for a part of a named variable). */
bool gl_trace_write(struct gl_trace_writer *w, const struct gl_event *events, size_t n);
/* For the binary format; false, and nothing is done, for others.  Everything that was given goes out as whole sections,
 * so that a reader finds it should nothing follow. */
bool gl_trace_writer_flush(struct gl_trace_writer *w);
/* The same with the index: the file is complete, and the writer stays open.  Who writes on first cuts what was written
 * to *end bytes. */
bool gl_trace_writer_seal(struct gl_trace_writer *w, uint64_t *end);
/* Writes what is left, but in the binary format no index: a reader is told that there should be more.  Frees the writer. */
void gl_trace_writer_abandon(struct gl_trace_writer *w);
/* Writes what is left (and the index); false: some bytes could not be written.  Frees the writer. */
bool gl_trace_writer_close(struct gl_trace_writer *w);

#endif
