/* SPDX-License-Identifier: Apache-2.0
 *
 * Executions, see execution.h.  The text form is made from the table in core/event.h.
 */
#include "tests/support/execution.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

void execution_init(struct execution *x, size_t max)
{
    x->n = 0;
    x->max = max;
    x->event = check_alloc(max * sizeof *x->event);
    x->pool = check_alloc(max * EXECUTION_COMMIT_MAX * sizeof *x->pool);
}

void execution_fini(struct execution *x)
{
    free(x->event);
    free(x->pool);
    *x = (struct execution){0};
}

void execution_add(struct execution *x, const struct gl_event *e)
{
    check(x->n < x->max, "an execution is full");
    check(e->n_reads + e->n_writes <= EXECUTION_COMMIT_MAX, "a commit is too large");
    struct gl_event *to = &x->event[x->n];
    uint64_t *pool = &x->pool[x->n++ * EXECUTION_COMMIT_MAX];
    *to = *e;
    to->reads = pool;
    to->writes = pool + e->n_reads;
    if (e->n_reads)
        memcpy(pool, e->reads, e->n_reads * sizeof *pool);
    if (e->n_writes)
        memcpy(pool + e->n_reads, e->writes, e->n_writes * sizeof *pool);
}

void execution_drop(struct execution *x)
{
    x->n--;
}

void execution_copy(struct execution *to, const struct execution *from)
{
    to->n = 0;
    for (size_t i = 0; i < from->n && i < to->max; i++)
        execution_add(to, &from->event[i]);
}

uint64_t event_byte(const struct gl_event *e, unsigned bit)
{
    if (e->op != GL_OP_COMMIT)
        return e->object + bit;
    return bit < e->n_reads ? e->reads[bit] : e->writes[bit - e->n_reads];
}

static void bytes_print(char name, const uint64_t *byte, uint32_t n, FILE *out)
{
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            fprintf(out, ",0x%" PRIx64, byte[i]);
        else
            fprintf(out, "%c:0x%" PRIx64, name, byte[i]);
    }
}

void event_print(const struct gl_event *e, FILE *out)
{
    static const struct { const char *name; enum gl_class class; } ops[] = {
#define X(op, cls, text, sentence) {text, GL_CLASS_##cls},
        GL_OPS(X)
#undef X
    };
    static const char *const orders[] = {"rlx", "acq", "rel", "ar", "sc"};
    fprintf(out, "T%u|%s(", e->thread, ops[e->op].name);
    switch (ops[e->op].class) {
    case GL_CLASS_NONE:
        if (e->op == GL_OP_FENCE)
            fprintf(out, "%s", orders[e->order]);
        break;
    case GL_CLASS_DATA:
        fprintf(out, "0x%" PRIx64 ",%u", e->object, e->size);
        break;
    case GL_CLASS_ATOMIC:
        fprintf(out, "0x%" PRIx64 ",%u,%s", e->object, e->size, orders[e->order]);
        break;
    case GL_CLASS_THREAD:
        fprintf(out, "T%" PRIu64, e->object);
        break;
    case GL_CLASS_TRANSACTION:
        bytes_print('r', e->reads, e->n_reads, out);
        if (e->n_reads && e->n_writes)
            fputc(';', out);
        bytes_print('w', e->writes, e->n_writes, out);
        break;
    default:
        fprintf(out, "0x%" PRIx64, e->object);
    }
    fprintf(out, ")|%u\n", e->site);
}

void execution_print(const struct execution *x, FILE *out)
{
    for (size_t i = 0; i < x->n; i++)
        event_print(&x->event[i], out);
}
