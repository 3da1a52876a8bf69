/* SPDX-License-Identifier: Apache-2.0
 *
 * Probes of array elements, and the local variables that keep the shadows of arrays.  What is inserted stands in rewrite_probes.c.
 */
#include "java/rewrite_class.h"

static const char *const array_types[8] = {"[I", "[J", "[F", "[D", "[Ljava/lang/Object;", "[B", "[C", "[S"};

/* The virtual machine does not compile methods of more bytes (HugeMethodLimit): there it would only be longer. */
enum { COMPILED_MOST = 8000 };

/* Words of stack that the sequences need on top. */
enum { STACK_ARRAY = 4, STACK_KEPT = 5 };

void gl_jprobe_variable(struct gl_jrewriter *r, unsigned opcode, unsigned index)
{
    if (index > 255)
        gl_jop(r, GL_JOPC_WIDE);
    gl_jop(r, opcode);
    if (index > 255)
        gl_jbuf_2(&r->code.inserted, index);
    else
        gl_jop(r, index);
}

static void forget_shadow(struct gl_jrewriter *r, unsigned kept)
{
    gl_jop(r, GL_JOPC_ACONST_NULL);
    gl_jprobe_variable(r, GL_JOPC_ASTORE, kept);
    gl_jprobe_needs(r, 1);
}

/* Is there a jump back?  *makes: does it make arrays? */
static bool has_loop(const struct gl_jcode *c, bool *makes)
{
    bool back = false;
    for (uint32_t pc = 0; pc < c->n; pc += gl_jcode_size(c, pc)) {
        unsigned op = c->code[pc];
        bool jump =
            (op >= GL_JOPC_IFEQ && op <= GL_JOPC_GOTO) || op == GL_JOPC_IFNULL || op == GL_JOPC_IFNONNULL;
        back = back || (jump && c->code[pc + 1] & 0x80);
        *makes = *makes || op == GL_JOPC_NEWARRAY || op == GL_JOPC_ANEWARRAY;
    }
    return back;
}

void gl_jprobe_find_arrays(struct gl_jrewriter *r)
{
    struct gl_jcode *c = &r->code;
    c->array_local = NULL;
    r->loops = false;
    if (!(r->policy->flags & GL_JR_DATA) || r->policy->flags & GL_JR_NO_ARRAYS)
        return;
    bool makes = false;
    r->loops = has_loop(c, &makes) && c->n <= COMPILED_MOST;
    if (r->loops || makes)
        gl_jcode_array_locals(c);
}

/* In a method with a loop, shadows of the arrays in its variables are kept in variables of our own.  (Arrays that never leave it need none.) */
void gl_jprobe_keep_arrays(struct gl_jrewriter *r)
{
    struct gl_jcode *c = &r->code;
    memset(r->kept, 0, sizeof r->kept);
    for (uint32_t k = 0; c->array_local && r->loops && k < c->n_looked; k++) {
        uint16_t from = c->array_local[k];
        if (from && from != GL_JARRAY_ALONE && !r->kept[from - 1] && c->max_locals + c->more_locals < GL_JKEPT_BELOW) {
            r->kept[from - 1] = (uint16_t)(c->max_locals + c->more_locals++);
            forget_shadow(r, r->kept[from - 1]);
        }
    }
}

void gl_jprobe_array_store(struct gl_jrewriter *r, uint32_t pc)
{
    struct gl_jcode *c = &r->code;
    unsigned opcode = c->code[pc],
             index = opcode == GL_JOPC_ASTORE ? c->code[pc + 1] : opcode - GL_JOPC_ASTORE_0;
    if (!r->kept[index])
        return;
    struct gl_jedit *e = gl_jedit_begin(c, pc);
    forget_shadow(r, r->kept[index]);
    gl_jedit_replace(c, e);
    gl_jedit_done(c, e);
}

void gl_jprobe_array(struct gl_jrewriter *r, uint32_t at)
{
    struct gl_jcode *c = &r->code;
    uint32_t pc = c->looked[at];
    unsigned opcode = c->code[pc], from = c->array_local ? c->array_local[at] : 0;
    if (from == GL_JARRAY_ALONE)
        return;
    unsigned kept = from ? r->kept[from - 1] : 0;
    bool write = opcode >= GL_JOPC_IASTORE;
    unsigned type = opcode - (write ? GL_JOPC_IASTORE : GL_JOPC_IALOAD);
    struct gl_jedit *e = gl_jedit_begin(c, pc);
    if (!write) {
        gl_jop(r, GL_JOPC_DUP2);
    } else if (type == 1 || type == 3) { /* long, double */
        gl_jop(r, GL_JOPC_DUP2_X2);
        gl_jop(r, GL_JOPC_POP2);
        gl_jop(r, GL_JOPC_DUP2_X2);
    } else {
        gl_jop(r, GL_JOPC_DUP_X2);
        gl_jop(r, GL_JOPC_POP);
        gl_jop(r, GL_JOPC_DUP2_X1);
    }
    if (kept)
        gl_jprobe_variable(r, GL_JOPC_ALOAD, kept);
    gl_jprobe_thread(r);
    gl_jprobe_site(r, pc, write ? GL_JOP_ARRAY_STORE : GL_JOP_ARRAY_LOAD, NULL, NULL, array_types[type],
                   GL_JKIND_PLAIN);
    if (kept) {
        gl_jop_ref(r, GL_JOPC_INVOKESTATIC,
                   gl_jprobe_ref(r, (write ? GL_JP_KEPT_WRITE : GL_JP_KEPT_READ) + type));
        gl_jprobe_variable(r, GL_JOPC_ASTORE, kept);
    } else {
        gl_jop_ref(r, GL_JOPC_INVOKESTATIC, gl_jprobe_ref(r, (write ? GL_JP_AWRITE : GL_JP_AREAD) + type));
    }
    gl_jedit_replace(c, e);
    gl_jedit_done(c, e);
    gl_jprobe_needs(r, kept ? STACK_KEPT : STACK_ARRAY);
}
