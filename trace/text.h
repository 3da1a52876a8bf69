/* SPDX-License-Identifier: Apache-2.0
 *
 * Sentences and numbers as text, without libc (private to trace/).
 */
#ifndef GL_TRACE_TEXT_H
#define GL_TRACE_TEXT_H

#include "trace/trace.h"

/* Characters in someone's array of `size` > 0, always zero-terminated; what does not fit is dropped. */
struct gl_text {
    char *at;
    size_t size;
    size_t n; /* characters so far, < size */
};

struct gl_text gl_text_in(char *at, size_t size);
void gl_text_add(struct gl_text *t, const char *words);
/* A piece of input: what is not printable ASCII comes as `?`, and it is cut after 40 characters. */
void gl_text_quote(struct gl_text *t, const void *bytes, size_t n);
void gl_text_number(struct gl_text *t, uint64_t n);
void gl_text_hex(struct gl_text *t, uint64_t n);

/* strlen() */
size_t gl_text_length(const char *s);

/* Writes n at `to` (room for 20 characters), decimal or lower-case hexadecimal; the number of characters. */
size_t gl_decimal(char *to, uint64_t n);
size_t gl_hexadecimal(char *to, uint64_t n);

/* The sentence for what any part of reading may meet. */
#define GL_TRACE_NO_MEMORY "there is not enough memory; end other programs, or raise the limit (ulimit -v)"

/* *error := sentence at a byte offset, not a line.  Always false. */
bool gl_trace_fail(struct gl_trace_error *error, uint64_t offset, const char *sentence);

#endif
