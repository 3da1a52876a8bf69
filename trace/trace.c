/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the format of a trace and hands every call on to the format's reader (reader.h).
 */
#include <string.h>

#include "trace/reader.h"

static const char *const format_names[] = {"unknown", "std", "csv", "roadrunner", "rapidbin", "binary"};

/* In the order in which they are asked: those that are sure come first. */
static const struct gl_trace_kind *const kinds[] = {
    &gl_trace_binary, &gl_trace_rapidbin, &gl_trace_std, &gl_trace_roadrunner, &gl_trace_csv,
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static const char cannot_read[] = "the bytes that follow cannot be read";

const char *gl_trace_format_name(enum gl_trace_format f) { return format_names[f]; }

enum gl_trace_format gl_trace_format_by_name(const char *name)
{
    for (int f = GL_TRACE_STD; f <= GL_TRACE_BINARY; f++) {
        const char *a = format_names[f], *b = name;
        while (*a && *a == *b)
            a++, b++;
        if (*a == *b)
            return (enum gl_trace_format)f;
    }
    return GL_TRACE_UNKNOWN;
}

static const struct gl_trace_kind *kind_of(enum gl_trace_format format, const void *bytes, size_t size, bool whole)
{
    for (int i = 0; i < KINDS; i++)
        if (format == GL_TRACE_UNKNOWN ? kinds[i]->detect(bytes, size, whole) : kinds[i]->format == format)
            return kinds[i];
    return NULL;
}

bool gl_trace_begins(const void *bytes, size_t size) { return kind_of(GL_TRACE_UNKNOWN, bytes, size, false) != NULL; }

/* What it is instead, where the first bytes tell. */
static const char *no_trace(const unsigned char *b, size_t size)
{
    static const struct {
        const char *first, *what;
    } known[] = {
        {"\x1f\x8b", "compressed by gzip; give its contents: zcat FILE | goldilocks ... -"},
        {"\x28\xb5\x2f\xfd", "compressed by zstd; give its contents: zstdcat FILE | goldilocks ... -"},
        {"\xfd" "7zXZ", "compressed by xz; give its contents: xzcat FILE | goldilocks ... -"},
        {"BZh", "compressed by bzip2; give its contents: bzcat FILE | goldilocks ... -"},
        {"\xff\xfe", "text in UTF-16; give it in UTF-8: iconv -f UTF-16 -t UTF-8 FILE | goldilocks ... -"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        size_t n = strlen(known[i].first);
        if (size >= n && memcmp(b, known[i].first, n) == 0)
            return known[i].what;
    }
    return "not a trace of a known format (std, csv, roadrunner, rapidbin, binary); --from NAME says what is wrong with a damaged one";
}

/* stream: NULL, or where bytes after the first `size` come from. */
static struct gl_trace_reader *open(const struct gl_env *env, const void *bytes, size_t size, const struct gl_trace_stream *stream,
                                    enum gl_trace_format format, struct gl_trace_error *error)
{
    const struct gl_trace_kind *kind = kind_of(format, bytes, size, !stream);
    if (!kind) {
        gl_trace_fail(error, 0, no_trace(bytes, size));
        return NULL;
    }
    struct gl_trace_reader *r = env->map(env->ctx, kind->size);
    if (!r) {
        gl_trace_fail(error, 0, GL_TRACE_NO_MEMORY);
        return NULL;
    }
    r->kind = kind;
    r->env = *env;
    r->bytes = bytes;
    r->size = size;
    r->growing = stream;
    if (stream)
        r->stream = *stream;
    r->state = 1;
    r->names = gl_names_create(env);
    if (!r->names)
        gl_trace_fail(error, 0, GL_TRACE_NO_MEMORY);
    if (!r->names || (kind->open && !kind->open(r, error))) {
        gl_trace_close(r);
        return NULL;
    }
    return r;
}

struct gl_trace_reader *gl_trace_open(const struct gl_env *env, const void *bytes, size_t size,
                                      enum gl_trace_format format, struct gl_trace_error *error)
{
    return open(env, bytes, size, NULL, format, error);
}

struct gl_trace_reader *gl_trace_open_stream(const struct gl_env *env, const struct gl_trace_stream *stream,
                                             enum gl_trace_format format, struct gl_trace_error *error)
{
    size_t size = 0;
    for (size_t was = SIZE_MAX; size < GL_TRACE_DETECTED && size != was;) {
        was = size;
        if (!stream->more(stream->ctx, &size)) {
            gl_trace_fail(error, size, cannot_read);
            return NULL;
        }
    }
    return open(env, stream->bytes, size, stream, format, error);
}

int gl_reader_more(struct gl_trace_reader *r, struct gl_trace_error *error)
{
    size_t was = r->size;
    if (!r->growing)
        return 0;
    if (!r->stream.more(r->stream.ctx, &r->size)) {
        gl_trace_fail(error, was, cannot_read);
        return -1;
    }
    r->growing = r->size > was;
    return r->growing;
}

void gl_trace_close(struct gl_trace_reader *r)
{
    if (!r)
        return;
    struct gl_env env = r->env;
    if (r->kind->close)
        r->kind->close(r);
    gl_names_destroy(r->names);
    env.unmap(env.ctx, r, r->kind->size);
}

int gl_trace_read(struct gl_trace_reader *r, struct gl_trace_batch *batch, struct gl_trace_error *error)
{
    batch->count = 0;
    if (r->state > 0)
        r->state = r->kind->read(r, batch, &r->error);
    if (r->state < 0 && batch->count > 0)
        return 1; /* the events before the error come first */
    if (r->state < 0)
        *error = r->error;
    return r->state;
}

void gl_trace_leave_out_locations(struct gl_trace_reader *r) { r->no_locations = true; }

uint64_t gl_trace_chunks(const struct gl_trace_reader *r)
{
    return r->kind->chunks && !r->stream.more ? r->kind->chunks(r) : 0;
}

struct gl_trace_reader *gl_trace_open_chunks(const struct gl_env *env, const void *bytes, size_t size,
                                             uint64_t first, uint64_t count, struct gl_trace_error *error)
{
    struct gl_trace_reader *r = gl_trace_open(env, bytes, size, GL_TRACE_UNKNOWN, error);
    if (!r)
        return NULL;
    bool selected = r->kind->select
                        ? r->kind->select(r, first, count, error)
                        : gl_trace_fail(error, 0, "this format has no chunks; convert it to binary");
    if (selected)
        return r;
    gl_trace_close(r);
    return NULL;
}

bool gl_trace_seek(struct gl_trace_reader *r, uint64_t record, struct gl_trace_error *error)
{
    if (r->stream.more)
        return gl_trace_fail(error, 0, "what comes through a pipe cannot be entered in the middle; give a file");
    if (!r->kind->seek)
        return gl_trace_fail(error, 0, "this format cannot be entered in the middle; convert it to binary");
    if (r->state < 0) {
        *error = r->error;
        return false;
    }
    if (!r->kind->seek(r, record, error))
        return false;
    r->state = 1;
    return true;
}

bool gl_trace_is_complete(const struct gl_trace_reader *r)
{
    return !r->kind->is_complete || r->kind->is_complete(r);
}

const struct gl_names *gl_trace_names(const struct gl_trace_reader *r) { return r->names; }
enum gl_trace_format gl_trace_format_of(const struct gl_trace_reader *r) { return r->kind->format; }
