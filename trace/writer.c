/* SPDX-License-Identifier: Apache-2.0
 *
 * Hands every call on to the writer of the format (writer_impl.h).
 */
#include "trace/writer_impl.h"

struct gl_trace_writer *gl_trace_writer_open(const struct gl_env *env, enum gl_trace_format format,
                                             const struct gl_names *names, gl_bytes_fn *out, void *ctx)
{
    const struct gl_trace_writer_kind *kind = format == GL_TRACE_STD      ? &gl_trace_std_writer
                                              : format == GL_TRACE_BINARY ? &gl_trace_binary_writer
                                                                          : NULL;
    struct gl_trace_writer *w = kind ? env->map(env->ctx, kind->size) : NULL;
    if (!w)
        return NULL;
    w->kind = kind;
    w->env = *env;
    w->names = names;
    w->out = out;
    w->ctx = ctx;
    if (!kind->open(w)) {
        w->failed = true;
        (void)gl_trace_writer_close(w);
        return NULL;
    }
    return w;
}

bool gl_trace_write(struct gl_trace_writer *w, const struct gl_event *events, size_t n)
{
    if (!w->failed && !w->kind->write(w, events, n))
        w->failed = true;
    return !w->failed;
}

bool gl_trace_writer_flush(struct gl_trace_writer *w)
{
    if (!w->kind->flush)
        return false;
    if (!w->failed && !w->kind->flush(w))
        w->failed = true;
    return !w->failed;
}

bool gl_trace_writer_seal(struct gl_trace_writer *w, uint64_t *end)
{
    if (!w->kind->seal)
        return false;
    if (!w->failed && !w->kind->seal(w, end))
        w->failed = true;
    return !w->failed;
}

void gl_trace_writer_abandon(struct gl_trace_writer *w)
{
    if (gl_trace_writer_flush(w))
        w->failed = true;
    (void)gl_trace_writer_close(w);
}

bool gl_trace_writer_close(struct gl_trace_writer *w)
{
    struct gl_env env = w->env;
    bool written = w->kind->close(w) && !w->failed;
    env.unmap(env.ctx, w, w->kind->size);
    return written;
}
