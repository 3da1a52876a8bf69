/* SPDX-License-Identifier: Apache-2.0
 *
 * What comes through a pipe, as a trace that is not all there yet (struct gl_trace_stream).
 *
 * The bytes lie one after the other in a large piece of address space, of which only the part between what was released
 * and what has come is backed by memory.
 */
#ifndef GL_CLI_STREAM_H
#define GL_CLI_STREAM_H

#include "trace/trace.h"

struct gl_stream {
    struct gl_trace_stream trace; /* hand this out; its ctx is this struct, which must not move */
    int fd;                       /* the caller's */
    int error;                    /* errno of the read that failed; 0 */
    char *at;
    size_t room;     /* address space, from at */
    size_t backed;   /* memory ends here */
    size_t come;     /* bytes */
    size_t released; /* bytes; memory of whole steps before is used again, or given back */
    size_t begin;    /* memory begins here */
};

/* False: there is no address space (errno). */
bool gl_stream_open(struct gl_stream *s, int fd);
void gl_stream_close(struct gl_stream *s);

#endif
