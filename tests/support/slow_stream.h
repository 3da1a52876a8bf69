/* SPDX-License-Identifier: Apache-2.0
 *
 * A trace that comes a few bytes at a time.  Bytes that were not asked for, and those that were released, are not those of the
 * trace: who looks at them reads another one.
 */
#ifndef GL_TESTS_SUPPORT_SLOW_STREAM_H
#define GL_TESTS_SUPPORT_SLOW_STREAM_H

#include <stdlib.h>
#include <string.h>

#include "trace/trace.h"

struct slow_stream {
    struct gl_trace_stream trace; /* hand this out */
    const unsigned char *bytes;   /* the trace */
    unsigned char *shown;         /* malloc */
    size_t size, come, released;
    size_t piece;   /* bytes that come at a time */
    size_t fail_at; /* after so many bytes there is an error; SIZE_MAX: none */
};

static bool slow_more(void *ctx, size_t *size)
{
    struct slow_stream *s = ctx;
    size_t n = s->size - s->come < s->piece ? s->size - s->come : s->piece;
    if (s->come + n > s->fail_at)
        return false;
    memcpy(s->shown + s->come, s->bytes + s->come, n);
    *size = s->come += n;
    return true;
}

static void slow_release(void *ctx, size_t n)
{
    struct slow_stream *s = ctx;
    if (n > s->come || n < s->released)
        abort(); /* released before it came, or again */
    memset(s->shown + s->released, 0xee, n - s->released);
    s->released = n;
}

static inline void slow_stream_begin(struct slow_stream *s, const void *bytes, size_t size, size_t piece)
{
    *s = (struct slow_stream){
        .bytes = bytes, .shown = malloc(size + 1), .size = size, .piece = piece, .fail_at = SIZE_MAX};
    if (!s->shown)
        abort();
    memset(s->shown, 0xee, size + 1);
    s->trace =
        (struct gl_trace_stream){.ctx = s, .bytes = s->shown, .more = slow_more, .release = slow_release};
}

static inline void slow_stream_end(struct slow_stream *s) { free(s->shown); }

#endif
