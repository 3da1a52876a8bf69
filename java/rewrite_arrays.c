/* SPDX-License-Identifier: Apache-2.0
 *
 * Probes of array elements, and the local variables that keep the shadows of arrays.  What is inserted stands in rewrite_probes.c.
 */
#include "java/rewrite_class.h"

static const char *const array_types[8] = {"[I", "[J", "[F", "[D", "[Ljava/lang/Object;", "[B", "[C", "[S"};

/* The virtual machine does not compile methods of more bytes (HugeMethodLimit): there it would only be longer. */
enum { COMPILED_MOST = 8000 };

/* Places of a method where more than the filter is put into the program: it would take the virtual machine too long to compile. */
enum { INNER_MOST = 8 };

/* Words of stack that the sequences need on top. */
enum { STACK_ARRAY = 4, STACK_KEPT = 5, STACK_SHADOW = 2 };

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

/* Nothing is kept of what is in the variable. */
static void keep_none(struct gl_jrewriter *r, unsigned kept)
{
    gl_jop(r, GL_JOPC_ACONST_NULL);
    gl_jprobe_variable(r, GL_JOPC_ASTORE, kept);
    gl_jprobe_needs(r, 1);
}

/* The shadow of the array on the stack, in its place. */
static void find_shadow(struct gl_jrewriter *r)
{
    gl_jprobe_thread(r);
    gl_jop_ref(r, GL_JOPC_INVOKESTATIC, gl_jprobe_ref(r, GL_JP_SHADOW));
    gl_jprobe_needs(r, STACK_SHADOW);
}

/* Does the instruction at pc jump back?  *to: where. */
static bool jumps_back(const struct gl_jcode *c, uint32_t pc, uint32_t *to)
{
    unsigned op = c->code[pc];
    if ((op < GL_JOPC_IFEQ || op > GL_JOPC_GOTO) && op != GL_JOPC_IFNULL && op != GL_JOPC_IFNONNULL)
        return false;
    *to = pc + (uint32_t)(int16_t)gl_jget2(c->code + pc + 1);
    return *to <= pc;
}

/* Is there a jump back?  *makes: does it make arrays? */
static bool has_loop(const struct gl_jcode *c, bool *makes)
{
    bool back = false;
    uint32_t to;
    for (uint32_t pc = 0; pc < c->n; pc += gl_jcode_size(c, pc)) {
        unsigned op = c->code[pc];
        back = back || jumps_back(c, pc, &to);
        *makes = *makes || op == GL_JOPC_NEWARRAY || op == GL_JOPC_ANEWARRAY;
    }
    return back;
}

/* Position of the array's type in array_types; 8: the opcode does not access an element. */
static unsigned type_of(unsigned opcode)
{
    if (opcode >= GL_JOPC_IALOAD && opcode <= GL_JOPC_SALOAD)
        return opcode - GL_JOPC_IALOAD;
    return opcode >= GL_JOPC_IASTORE && opcode <= GL_JOPC_SASTORE ? opcode - GL_JOPC_IASTORE : 8;
}

/* A loop is what lies between the target of a jump back and the last such jump. */
static void find_inner_loops(struct gl_jrewriter *r)
{
    struct gl_jcode *c = &r->code;
    uint32_t *end = gl_jfile_scratch(&r->f, sizeof *end * c->n), to, next = c->n;
    r->inner = gl_jfile_scratch(&r->f, c->n);
    memset(r->inner, 0, c->n);
    memset(end, 0, sizeof *end * c->n);
    for (uint32_t pc = 0; pc < c->n; pc += gl_jcode_size(c, pc))
        if (jumps_back(c, pc, &to))
            end[to] = pc;
    for (uint32_t pc = c->n; pc-- > 0;)
        if (end[pc]) {
            if (end[pc] < next)
                memset(r->inner + pc, true, end[pc] - pc);
            next = pc;
        }
    unsigned n = 0;
    for (uint32_t k = 0; k < c->n_looked; k++)
        n += r->inner[c->looked[k]] && type_of(c->code[c->looked[k]]) < GL_JINNER;
    r->few_inner = n <= INNER_MOST;
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
    if (r->loops)
        find_inner_loops(r);
    if (r->loops || makes)
        gl_jcode_array_locals(c);
}

/* The variable into which the instruction stores a reference. */
static unsigned stored_to(const struct gl_jcode *c, uint32_t pc)
{
    unsigned opcode = c->code[pc];
    return opcode == GL_JOPC_ASTORE ? c->code[pc + 1] : opcode - GL_JOPC_ASTORE_0;
}

static bool is_store(unsigned opcode) { return opcode >= GL_JOPC_ASTORE && opcode < GL_JOPC_IASTORE; }

/* Gives the variable one of our own, if there is none yet and room for it. */
static bool keep(struct gl_jrewriter *r, unsigned index)
{
    struct gl_jcode *c = &r->code;
    if (r->kept[index] || c->max_locals + c->more_locals >= GL_JKEPT_BELOW)
        return false;
    r->kept[index] = (uint16_t)(c->max_locals + c->more_locals++);
    return true;
}

/* The type of the argument that comes in variable `index`, as its descriptor begins; 0: none does. */
static char argument(struct gl_jrewriter *r, unsigned index)
{
    const char *desc = r->method_desc + 1;
    for (unsigned at = r->code.method->access & GL_JACC_STATIC ? 0 : 1; *desc != ')' && at <= index;) {
        char type = *desc;
        if (at == index)
            return type;
        at += gl_jdesc_words(&r->f, &desc);
    }
    return 0;
}

/* Which variables: those whose arrays are accessed, and those from which these get theirs. */
static void choose_kept(struct gl_jrewriter *r)
{
    struct gl_jcode *c = &r->code;
    for (uint32_t k = 0; k < c->n_looked; k++)
        if (type_of(c->code[c->looked[k]]) < 8 && c->array_local[k] && c->array_local[k] != GL_JARRAY_ALONE)
            keep(r, c->array_local[k] - 1u);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t k = 0; k < c->n_looked; k++)
            if (is_store(c->code[c->looked[k]]) && c->array_local[k] &&
                c->array_local[k] != GL_JARRAY_ALONE && r->kept[stored_to(c, c->looked[k])])
                more = keep(r, c->array_local[k] - 1u) || more;
    }
}

/* In a method with a loop, shadows of the arrays in its variables are kept in variables of our own.  (Arrays that never leave it need none.) */
void gl_jprobe_keep_arrays(struct gl_jrewriter *r)
{
    memset(r->kept, 0, sizeof r->kept);
    if (!r->code.array_local || !r->loops)
        return;
    choose_kept(r);
    for (unsigned index = 0; index < sizeof r->kept / sizeof r->kept[0]; index++)
        if (r->kept[index] && argument(r, index) == '[') {
            gl_jprobe_variable(r, GL_JOPC_ALOAD, index);
            find_shadow(r);
            gl_jprobe_variable(r, GL_JOPC_ASTORE, r->kept[index]);
        } else if (r->kept[index]) {
            keep_none(r, r->kept[index]);
        }
}

void gl_jprobe_array_store(struct gl_jrewriter *r, uint32_t at)
{
    struct gl_jcode *c = &r->code;
    uint32_t pc = c->looked[at];
    unsigned kept = r->kept[stored_to(c, pc)], from = c->array_local ? c->array_local[at] : 0;
    if (!kept)
        return;
    struct gl_jedit *e = gl_jedit_begin(c, pc);
    bool unknown = !from, copy = !unknown && from != GL_JARRAY_ALONE && r->kept[from - 1];
    if (unknown) {
        gl_jop(r, GL_JOPC_DUP);
        find_shadow(r);
        gl_jop(r, GL_JOPC_SWAP);
    }
    keep_none(r, kept); /* Thread.stop() can break in anywhere */
    gl_jedit_replace(c, e);
    if (copy)
        gl_jprobe_variable(r, GL_JOPC_ALOAD, r->kept[from - 1]);
    if (unknown || copy)
        gl_jprobe_variable(r, GL_JOPC_ASTORE, kept);
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
    unsigned type = type_of(opcode);
    struct gl_jedit *e = gl_jedit_begin(c, pc);
    if (!write) {
        gl_jop(r, GL_JOPC_DUP2);
    } else if (type == 1 || type == 3) { /* long, double */
        gl_jop(r, GL_JOPC_DUP2_X2);
        gl_jop(r, GL_JOPC_POP2);
        gl_jop(r, GL_JOPC_DUP2_X2);
    } else if (opcode == GL_JOPC_AASTORE) { /* with the value, which the array may refuse */
        gl_jprobe_copy_three(r);
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
        bool inner = r->few_inner && r->inner[pc] && type < GL_JINNER;
        unsigned probe = write ? GL_JP_KEPT_WRITE : GL_JP_KEPT_READ;
        if (inner)
            probe = write ? GL_JP_INNER_WRITE : GL_JP_INNER_READ;
        gl_jop_ref(r, GL_JOPC_INVOKESTATIC, gl_jprobe_ref(r, probe + type));
    } else {
        gl_jop_ref(r, GL_JOPC_INVOKESTATIC, gl_jprobe_ref(r, (write ? GL_JP_AWRITE : GL_JP_AREAD) + type));
    }
    gl_jedit_replace(c, e);
    gl_jedit_done(c, e);
    gl_jprobe_needs(r, (kept ? STACK_KEPT : STACK_ARRAY) + (opcode == GL_JOPC_AASTORE));
}
