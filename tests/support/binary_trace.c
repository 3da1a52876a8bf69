/* SPDX-License-Identifier: Apache-2.0
 *
 * See binary_trace.h.
 */
#include "tests/support/binary_trace.h"

#include <string.h>

#include "tests/support/check.h"

bool buffer_put(void *buffer, const void *bytes, size_t n)
{
    struct buffer *b = buffer;
    if (b->n + n > b->room) {
        b->room = (b->n + n) * 2;
        b->at = realloc(b->at, b->room);
        check(b->at, "out of memory");
    }
    memcpy(b->at + b->n, bytes, n);
    b->n += n;
    return true;
}

static void name_up_to(struct gl_names *names, enum gl_name_kind kind, const char *prefix, uint64_t number)
{
    while (gl_names_count(names, kind) <= number) {
        char name[32];
        int length = snprintf(name, sizeof name, "%s%u", prefix, gl_names_count(names, kind));
        check(gl_name_number(names, kind, name, (size_t)length) != UINT32_MAX, "out of memory");
    }
}

static void data_up_to(struct gl_names *names, uint64_t place)
{
    while (gl_data_end(names) <= place)
        check(gl_data_of_address(names, gl_data_end(names)) != UINT64_MAX, "out of memory");
}

struct gl_names *names_for(const struct gl_env *env, const struct gl_event *events, size_t n)
{
    static const char *const prefix[GL_NAME_KINDS] = {"T", "x", "m", "rw", "v", "a", "b", "s", "L"};
    struct gl_names *names = gl_names_create(env);
    check(names, "out of memory");
    for (size_t i = 0; i < n; i++) {
        const struct gl_event *e = &events[i];
        enum gl_class class = gl_op_class(e->op);
        enum gl_name_kind kind = gl_name_kind_of_class(class);
        name_up_to(names, GL_NAME_THREAD, "T", e->thread);
        name_up_to(names, GL_NAME_LOCATION, "L", e->site);
        if (class == GL_CLASS_DATA || e->size > 0)
            data_up_to(names, e->object + e->size);
        else if (kind != GL_NAME_KINDS)
            name_up_to(names, kind, prefix[kind], e->object);
        for (uint32_t r = 0; r < e->n_reads; r++)
            data_up_to(names, e->reads[r]);
        for (uint32_t w = 0; w < e->n_writes; w++)
            data_up_to(names, e->writes[w]);
    }
    return names;
}

void write_binary(const struct gl_env *env, const struct gl_names *names, const struct gl_event *events,
                  size_t n, struct buffer *to)
{
    struct gl_trace_writer *w = gl_trace_writer_open(env, GL_TRACE_BINARY, names, buffer_put, to);
    check(w && gl_trace_write(w, events, n), "the writer failed");
    check(gl_trace_writer_close(w), "the writer failed at its end");
}

bool same_event(const struct gl_event *a, const struct gl_event *b)
{
    enum gl_class class = gl_op_class(a->op);
    bool objects = class != GL_CLASS_NONE && class != GL_CLASS_TRANSACTION;
    bool ordered = a->op == GL_OP_LOAD || a->op == GL_OP_STORE || a->op == GL_OP_RMW || a->op == GL_OP_FENCE;
    if (a->op != b->op || a->thread != b->thread || a->site != b->site || a->size != b->size ||
        (ordered && a->order != b->order) || (objects && a->object != b->object) ||
        a->n_reads != b->n_reads || a->n_writes != b->n_writes)
        return false;
    return (a->n_reads == 0 || memcmp(a->reads, b->reads, a->n_reads * sizeof *a->reads) == 0) &&
           (a->n_writes == 0 || memcmp(a->writes, b->writes, a->n_writes * sizeof *a->writes) == 0);
}
