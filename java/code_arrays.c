/* SPDX-License-Identifier: Apache-2.0
 *
 * Where arrays come from, by the walk of code_flow.c with other values.
 *
 * It tells which local variable an array comes from: LOCAL + i for what was loaded from variable i, as long as
 * nothing else is stored there; MADE + pc for the array that the instruction at pc made.  At a frame the stack is forgotten,
 * but for objects that are not initialised: no method may get them.  And it tells which arrays
 * never leave the method: those that are made in it, put into at most one variable, in which nothing else is ever put, and used for their elements and their
 * length only.  No other thread can have them.
 */
#include "java/code_flow.h"

/* Something else is in the variable now. */
static void forget_local(struct flow *w, uint32_t index)
{
    if (index >= LOCALS)
        return;
    gl_jflow_set_local(w, index, LOCAL + index);
    for (uint32_t k = 0; k < w->n_stack; k++)
        if (w->stack[k] == LOCAL + index) {
            gl_jflow_let_out(w, w->stack[k]);
            w->stack[k] = OTHER;
        }
}

/* A reference is put into a variable. */
static void keep_in(struct flow *w, uint32_t value, uint32_t index)
{
    struct leaks *l = w->leaks;
    uint16_t *in = value >= MADE ? &l->in[value - MADE] : NULL;
    if (in && index < LOCALS && (!*in || *in == index + 1)) {
        *in = (uint16_t)(index + 1);
        return;
    }
    gl_jflow_let_out(w, value);
    if (index < LOCALS)
        l->local[index] = true;
}

static void walk_store(struct flow *w, uint32_t pc)
{
    const uint8_t *p = w->c->code + pc;
    unsigned op = *p == GL_JOPC_WIDE ? p[1] : *p;
    uint32_t index = *p == GL_JOPC_WIDE     ? gl_jget2(p + 2)
                     : op <= GL_JOPC_ASTORE ? p[1]
                                            : (op - GL_JOPC_ISTORE_0) % 4u;
    if (op == GL_JOPC_ASTORE || op >= GL_JOPC_ASTORE_0)
        keep_in(w, w->n_stack ? w->stack[w->n_stack - 1] : OTHER, index);
    gl_jflow_store(w, op, index);
    if (index < w->c->max_locals)
        w->locals[index] = OTHER;
    forget_local(w, index);
    forget_local(w, index + 1); /* of a long or a double; else for nothing */
}

/* The word of the stack that holds the array, from the top; 0: it is no access to an element. */
static unsigned depth_of_array(unsigned op)
{
    bool wide = op == GL_JOPC_IASTORE + 1 || op == GL_JOPC_IASTORE + 3; /* lastore, dastore */
    if (op >= GL_JOPC_IALOAD && op <= GL_JOPC_SALOAD)
        return 2;
    return op < GL_JOPC_IASTORE || op > GL_JOPC_SASTORE ? 0 : wide ? 4 : 3;
}

static bool may_jump(unsigned op)
{
    return (op >= GL_JOPC_IFEQ && op <= GL_JOPC_LOOKUPSWITCH) || (op >= GL_JOPC_IFNULL && op <= GL_JOPC_LAST);
}

static void walk_one(struct flow *w, uint32_t pc)
{
    const uint8_t *p = w->c->code + pc;
    unsigned op = *p, depth = depth_of_array(op);
    bool moves = (op >= GL_JOPC_POP && op <= GL_JOPC_SWAP) ||
                 op == GL_JOPC_ARRAYLENGTH; /* on the stack, or nothing of the array */
    if (gl_jflow_is_store(p)) {
        w->c->f->work += w->n_stack;
        walk_store(w, pc);
    } else if (op == GL_JOPC_NEWARRAY || op == GL_JOPC_ANEWARRAY) {
        gl_jflow_take(w);
        gl_jflow_put(w, MADE + pc);
    } else if (op == GL_JOPC_MONITORENTER || op == GL_JOPC_MONITOREXIT) {
        gl_jflow_take(w);
    } else {
        uint32_t array = depth && depth <= w->n_stack ? w->n_stack - depth : w->room;
        if (array < w->room)
            w->stack[array] = OTHER; /* that an element is accessed lets nothing out */
        w->lets_out = !moves;
        gl_jflow_effect(w, pc);
        w->lets_out = false;
    }
    if (may_jump(op)) /* to a frame, where the stack is forgotten */
        for (uint32_t k = 0; k < w->n_stack; k++)
            gl_jflow_let_out(w, w->stack[k]);
    gl_jflow_hand_on(w, pc);
}

/* What is in a variable leaves with it, and the variable with what is in it. */
static void close_leaks(struct leaks *l, uint32_t n)
{
    for (uint32_t pc = 0; pc < n; pc++)
        if (l->in[pc] && l->made[pc])
            l->local[l->in[pc] - 1] = true;
    for (uint32_t pc = 0; pc < n; pc++)
        l->made[pc] = l->made[pc] || (l->in[pc] && l->local[l->in[pc] - 1]);
}

static struct leaks *leaks_of(struct gl_jcode *c)
{
    struct leaks *l = gl_jfile_scratch(c->f, sizeof *l);
    unsigned result, self = c->method->access & GL_JACC_STATIC ? 0 : 1;
    unsigned arguments = self + gl_jdesc_arguments(c->f, gl_jfile_text(c->f, c->method->desc), &result);
    memset(l, 0, sizeof *l);
    l->made = gl_jfile_scratch(c->f, c->n);
    l->in = gl_jfile_scratch(c->f, sizeof *l->in * c->n);
    memset(l->made, 0, c->n);
    memset(l->in, 0, sizeof *l->in * c->n);
    for (unsigned k = 0; k < arguments && k < LOCALS; k++)
        l->local[k] = true; /* others may have what the caller passed */
    return l;
}

bool gl_jcode_array_locals(struct gl_jcode *c)
{
    struct gl_jfile *f = c->f;
    c->array_local = NULL;
    if (f->major < 50 || (!c->frames && c->n_handlers) || gl_jflow_too_long(f))
        return false; /* where control joins is not known */
    struct leaks *leaks = leaks_of(c);
    struct flow w = {.c = c, .room = c->max_stack + 1u, .known = true, .leaks = leaks};
    w.locals = gl_jfile_scratch(f, sizeof *w.locals * (c->max_locals + w.room));
    w.stack = w.locals + c->max_locals;
    f->work += c->max_locals + w.room + c->n;
    for (uint32_t k = 0; k < c->max_locals; k++)
        w.locals[k] = k < LOCALS ? LOCAL + k : OTHER;
    uint32_t *from = gl_jfile_scratch(f, sizeof *from * (c->n_looked + 1));
    gl_jframes_open(&w.frames, c, false, NULL);
    w.frame = gl_jframes_next(&w.frames);
    uint32_t k = 0;
    for (uint32_t pc = 0; pc < c->n; pc += gl_jcode_size(c, pc)) {
        if (c->code[pc] == GL_JOPC_WIDE && gl_jflow_is_store(c->code + pc) &&
            gl_jget2(c->code + pc + 2) < LOCALS)
            return false; /* no compiler writes that */
        if (!c->frames && may_jump(c->code[pc]))
            return false; /* as above */
        gl_jflow_arrive(&w, pc);
        unsigned depth = gl_jflow_is_store(c->code + pc) ? 1 : depth_of_array(c->code[pc]);
        if (k < c->n_looked && c->looked[k] == pc)
            from[k++] = depth && depth <= w.n_stack ? w.stack[w.n_stack - depth] : OTHER;
        walk_one(&w, pc);
        if (gl_jflow_too_long(f))
            return false;
    }
    close_leaks(leaks, c->n);
    c->array_local = gl_jfile_scratch(f, sizeof *c->array_local * (c->n_looked + 1));
    for (uint32_t j = 0; j < c->n_looked; j++) {
        bool alone = from[j] >= MADE ? !leaks->made[from[j] - MADE]
                                     : from[j] >= LOCAL && !leaks->local[from[j] - LOCAL];
        bool object = gl_jflow_is_store(c->code + c->looked[j]) && from[j] >= THIS && from[j] < LOCAL;
        c->array_local[j] = (uint16_t)(alone || object                      ? GL_JARRAY_ALONE
                                       : from[j] >= LOCAL && from[j] < MADE ? from[j] - LOCAL + 1
                                                                            : 0);
    }
    return true;
}
