/* SPDX-License-Identifier: Apache-2.0
 *
 * Handlers that unlock.  javac ends a synchronized block, when something is thrown, with
 *
 *     H:  astore e;  aload x;  monitorexit
 *     L:  aload e;  athrow               and the table has  [H, L) -> H, for everything
 *
 * A call before that monitorexit would be in its own handler's range, and C1 does not compile a handler that something in itself may throw
 * to (monitorexit counts as nothing).  So the call gets a handler of its own, a stub behind the code, that does the rest of H:
 *
 *     aload x;  monitorexit;  athrow     with the frame of H, less e
 *
 * Without any handler over the call, neither compiler would take the method: its monitors would not balance.  A method without frames
 * (the virtual machine has none of its own classes, which it does not verify) gets none for its stubs.
 */
#include "java/code.h"

enum { STUBS = 16 };

/* The variable of a load or store of a reference in its short or its usual form, or -1.  *pc goes behind it. */
static int variable_of(const struct gl_jcode *c, uint32_t *pc, unsigned usual, unsigned first)
{
    unsigned op = c->code[*pc];
    if (op >= first && op < first + 4) {
        *pc += 1;
        return (int)(op - first);
    }
    if (op != usual)
        return -1;
    *pc += 2;
    return c->code[*pc - 1];
}

void gl_jstub_add(struct gl_jcode *c, uint32_t exit)
{
    if (c->stubs_asked == STUBS)
        return;
    c->stubs_asked++;
    c->f->work += c->n_handlers;
    for (unsigned k = 0; k < c->n_handlers; k++) {
        const uint8_t *h = c->handlers + 8 * k;
        uint32_t at = gl_jget2(h + 4), pc = at;
        if (gl_jget2(h) != at || gl_jget2(h + 6) != 0 || gl_jget2(h + 2) <= exit || at >= exit || !(c->marks[at] & GL_JM_START))
            continue;
        int caught = variable_of(c, &pc, GL_JOPC_ASTORE, GL_JOPC_ASTORE_0);
        int lock = caught < 0 ? -1 : variable_of(c, &pc, GL_JOPC_ALOAD, GL_JOPC_ALOAD_0);
        if (lock < 0 || pc != exit)
            continue;
        if (!c->stubs)
            c->stubs = gl_jfile_scratch(c->f, sizeof *c->stubs * STUBS);
        c->stubs[c->n_stubs++] =
            (struct gl_jstub){.exit = exit, .handler = at, .entry = k, .lock = (uint16_t)lock, .caught = (uint16_t)caught};
        return;
    }
}

static uint32_t size_of(const struct gl_jstub *s) { return (s->lock < 4 ? 1 : 2) + 2; }

uint32_t gl_jstub_place(struct gl_jcode *c, uint32_t at)
{
    for (uint32_t k = 0; k < c->n_stubs; k++) {
        c->stubs[k].at = at;
        at += size_of(&c->stubs[k]);
    }
    return at;
}

void gl_jstub_code(const struct gl_jcode *c, struct gl_jbuf *out)
{
    for (uint32_t k = 0; k < c->n_stubs; k++) {
        if (c->stubs[k].lock < 4) {
            gl_jbuf_1(out, GL_JOPC_ALOAD_0 + c->stubs[k].lock);
        } else {
            gl_jbuf_1(out, GL_JOPC_ALOAD);
            gl_jbuf_1(out, c->stubs[k].lock);
        }
        gl_jbuf_1(out, GL_JOPC_MONITOREXIT);
        gl_jbuf_1(out, GL_JOPC_ATHROW);
    }
}

static void entry(struct gl_jbuf *out, uint32_t from, uint32_t to, uint32_t handler, const uint8_t *type)
{
    gl_jbuf_2(out, from);
    gl_jbuf_2(out, to);
    gl_jbuf_2(out, handler);
    gl_jbuf_bytes(out, type, 2);
}

uint32_t gl_jstub_handlers(const struct gl_jcode *c, unsigned k, struct gl_jbuf *out)
{
    const uint8_t *h = c->handlers + 8 * k;
    uint32_t start = gl_jget2(h), end = gl_jget2(h + 2), at = c->land[gl_jget2(h + 4)], from = gl_jcode_range(c, start, false), n = 1;
    for (uint32_t i = 0; i < c->n_stubs; i++) {
        const struct gl_jstub *s = &c->stubs[i];
        if (s->entry == k) {
            entry(out, from, c->land[s->exit], at, h + 6);
            entry(out, c->land[s->exit], c->self[s->exit], s->at, h + 6);
            from = c->self[s->exit];
            n += 2;
        } else if (start <= s->exit && s->exit < end) {
            entry(out, s->at, s->at + size_of(s), at, h + 6); /* what is around the block */
            n++;
        }
    }
    entry(out, from, gl_jcode_range(c, end, true), at, h + 6);
    return n;
}
