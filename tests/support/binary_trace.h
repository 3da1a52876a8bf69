/* SPDX-License-Identifier: Apache-2.0
 *
 * Executions as binary traces in memory: what the tests of trace/binary_*.c work on.
 */
#ifndef GL_TESTS_SUPPORT_BINARY_TRACE_H
#define GL_TESTS_SUPPORT_BINARY_TRACE_H

#include "tests/support/execution.h"
#include "trace/writer.h"

/* Bytes that grow; free(at) when done. */
struct buffer {
    unsigned char *at;
    size_t n, room;
};

/* A gl_bytes_fn with a struct buffer as its context. */
bool buffer_put(void *buffer, const void *bytes, size_t n);

/* Names for all that the events mention: threads T0.., locations L1.., m0.. and so on; data are the addresses
 * themselves, so that a place in the data space is its address. */
struct gl_names *names_for(const struct gl_env *env, const struct gl_event *events, size_t n);

/* The events as a file in *to. */
void write_binary(const struct gl_env *env, const struct gl_names *names, const struct gl_event *events,
                  size_t n, struct buffer *to);

bool same_event(const struct gl_event *a, const struct gl_event *b);

#endif
