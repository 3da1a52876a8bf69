/* SPDX-License-Identifier: Apache-2.0
 *
 * A light look at a class.
 */
#include <stdlib.h>

#include "java/classfile.h"

static void scan_class(struct gl_jfile *f, const struct gl_jscan *scan)
{
    if (scan->klass) {
        struct gl_jclass_view view = {.name = f->name,
                                      .super_name = f->super_class ? gl_jfile_class(f, f->super_class) : NULL,
                                      .source_file = f->source,
                                      .major = f->major,
                                      .access = f->access,
                                      .n_fields = f->n_fields};
        scan->klass(scan->ctx, &view);
    }
    for (unsigned i = 0; scan->interface && i < f->n_interfaces; i++)
        scan->interface(scan->ctx, gl_jfile_class(f, gl_jget2(f->in + f->interfaces + 2 * i)));
    for (unsigned i = 0; scan->field && i < f->n_fields; i++)
        scan->field(scan->ctx, i, gl_jfile_text(f, f->fields[i].name), gl_jfile_text(f, f->fields[i].desc),
                    f->fields[i].access);
    for (unsigned i = 0; scan->method && i < f->n_methods; i++)
        scan->method(scan->ctx, gl_jfile_text(f, f->methods[i].name), gl_jfile_text(f, f->methods[i].desc),
                     f->methods[i].access);
}

int gl_jclass_scan(const uint8_t *in, size_t n, const struct gl_jscan *scan, char error[GL_JERROR_BYTES])
{
    struct gl_jfile *f = calloc(1, sizeof *f); /* see gl_jrewrite */
    error[0] = 0;
    if (!f) {
        memcpy(error, "out of memory", sizeof "out of memory");
        return -1;
    }
    f->error = error;
    int result;
    if (setjmp(f->failed) == 0) {
        gl_jfile_read(f, in, n);
        scan_class(f, scan);
        result = 0;
    } else {
        result = -1;
    }
    gl_jfile_close(f);
    free(f);
    return result;
}

struct copy {
    char *out;
    size_t room, n;
};

static void copy_name(void *ctx, const struct gl_jclass_view *view)
{
    struct copy *c = ctx;
    c->n = strlen(view->name);
    if (c->room) {
        size_t n = c->n < c->room - 1 ? c->n : c->room - 1;
        memcpy(c->out, view->name, n);
        c->out[n] = 0;
    }
}

size_t gl_jclass_name(const uint8_t *in, size_t n, char *out, size_t room)
{
    struct copy c = {out, room, 0};
    struct gl_jscan scan = {.ctx = &c, .klass = copy_name};
    char error[GL_JERROR_BYTES];
    return gl_jclass_scan(in, n, &scan, error) == 0 ? c.n : 0;
}
