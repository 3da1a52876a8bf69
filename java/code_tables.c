/* SPDX-License-Identifier: Apache-2.0
 *
 * Attributes of the code that speak of positions: lines, local variables, type annotations.  Each keeps its
 * size, so it is copied and its positions are corrected in the copy.
 */
#include "java/code.h"

/* New position of something that begins or ends at pc; what begins at 0 begins with the prologue. */
static uint32_t moved(const struct gl_jcode *c, uint32_t pc) { return pc ? c->land[pc] : 0; }

static void lines(struct gl_jcode *c, uint8_t *p, uint32_t n)
{
    if (n < 2 || n != 2 + 4u * gl_jget2(p))
        gl_jfile_fail(c->f, "a LineNumberTable has another length than its entries");
    for (uint32_t at = 2; at < n; at += 4) {
        uint32_t pc = gl_jget2(p + at);
        if (pc >= c->n)
            gl_jfile_fail(c->f, "a LineNumberTable names a position outside of the code");
        gl_jset2(p + at, moved(c, pc));
    }
}

static void range(struct gl_jcode *c, uint8_t *p)
{
    uint32_t start = gl_jget2(p), end = start + gl_jget2(p + 2);
    if (end > c->n)
        gl_jfile_fail(c->f, "a local variable's range is outside of the code");
    gl_jset2(p, moved(c, start));
    gl_jset2(p + 2, moved(c, end) - moved(c, start));
}

static void variables(struct gl_jcode *c, uint8_t *p, uint32_t n)
{
    if (n < 2 || n != 2 + 10u * gl_jget2(p))
        gl_jfile_fail(c->f, "a table of local variables has another length than its entries");
    for (uint32_t at = 2; at < n; at += 10)
        range(c, p + at);
}

/* ---- type annotations (JVMS 4.7.20) -------------------------------------------------------------------------- */

/* The virtual machine does not look into them, so a malformed one is nobody's error: it is copied as it is. */
struct annotations {
    struct gl_jcode *c;
    uint8_t *p;
    uint32_t at, n;
    bool bad;
};

enum { VALUES_IN_VALUES = 32 };

static uint32_t take(struct annotations *a, uint32_t bytes)
{
    if (a->bad || bytes > a->n - a->at) {
        a->bad = true;
        return 0;
    }
    const uint8_t *p = a->p + a->at;
    a->at += bytes;
    return bytes == 1 ? p[0] : bytes == 2 ? gl_jget2(p) : 0;
}

static void skip_annotation(struct annotations *a, int depth);

static void skip_value(struct annotations *a, int depth)
{
    if (depth > VALUES_IN_VALUES)
        a->bad = true;
    switch (take(a, 1)) {
    case 'e':
        take(a, 4);
        break;
    case '@':
        skip_annotation(a, depth + 1);
        break;
    case '[':
        for (uint32_t n = take(a, 2); n && !a->bad; n--)
            skip_value(a, depth + 1);
        break;
    default:
        take(a, 2);
    }
}

static void skip_annotation(struct annotations *a, int depth)
{
    if (depth > VALUES_IN_VALUES)
        a->bad = true;
    take(a, 2);
    for (uint32_t n = take(a, 2); n && !a->bad; n--) {
        take(a, 2);
        skip_value(a, depth + 1);
    }
}

/* Corrects the position at hand, of an instruction. */
static void instruction(struct annotations *a)
{
    uint32_t at = a->at, pc = take(a, 2);
    if (a->bad || pc >= a->c->n)
        a->bad = true;
    else
        gl_jset2(a->p + at, a->c->self[pc]);
}

static void target(struct annotations *a)
{
    uint32_t kind = take(a, 1);
    switch (kind) {
    case 0x00: /* type parameter */
    case 0x01:
    case 0x16: /* parameter */
        take(a, 1);
        break;
    case 0x10: /* supertype */
    case 0x11: /* bound of a type parameter */
    case 0x12:
    case 0x17: /* throws */
    case 0x42: /* catch: an index into the table of handlers, to whose end ours is added */
        take(a, 2);
        break;
    case 0x13: /* field, return, receiver */
    case 0x14:
    case 0x15:
        break;
    case 0x40: /* local variable */
    case 0x41: /* resource */
        for (uint32_t n = take(a, 2); n && !a->bad; n--) {
            uint32_t at = a->at;
            take(a, 6);
            if (a->bad || gl_jget2(a->p + at) + (uint32_t)gl_jget2(a->p + at + 2) > a->c->n)
                a->bad = true;
            else
                range(a->c, a->p + at);
        }
        break;
    case 0x43: /* instanceof, new, method references */
    case 0x44:
    case 0x45:
    case 0x46:
        instruction(a);
        break;
    case 0x47: /* cast, type arguments */
    case 0x48:
    case 0x49:
    case 0x4A:
    case 0x4B:
        instruction(a);
        take(a, 1);
        break;
    default:
        a->bad = true;
    }
}

/* False: malformed. */
static bool type_annotations(struct gl_jcode *c, uint8_t *p, uint32_t n)
{
    struct annotations a = {.c = c, .p = p, .n = n};
    for (uint32_t k = take(&a, 2); k && !a.bad; k--) {
        target(&a);
        take(&a, 2 * take(&a, 1)); /* the path into the type */
        skip_annotation(&a, 0);
    }
    return !a.bad && a.at == n;
}

bool gl_jcode_table(struct gl_jcode *c, struct gl_jattribute a, struct gl_jbuf *out)
{
    struct gl_jfile *f = c->f;
    bool line = GL_JFILE_IS(f, a.name, "LineNumberTable");
    bool variable =
        GL_JFILE_IS(f, a.name, "LocalVariableTable") || GL_JFILE_IS(f, a.name, "LocalVariableTypeTable");
    bool annotation = GL_JFILE_IS(f, a.name, "RuntimeVisibleTypeAnnotations") ||
                      GL_JFILE_IS(f, a.name, "RuntimeInvisibleTypeAnnotations");
    if (!line && !variable && !annotation)
        return false;
    uint32_t n = a.end - a.at;
    size_t start = out->n;
    gl_jbuf_bytes(out, f->in + a.at, n);
    if (line)
        lines(c, out->at + start, n);
    else if (variable)
        variables(c, out->at + start, n);
    else if (!type_annotations(c, out->at + start, n))
        memcpy(out->at + start, f->in + a.at, n);
    return true;
}
