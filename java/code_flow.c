/* SPDX-License-Identifier: Apache-2.0
 *
 * Which objects are not initialised yet: before this() or super() a constructor may store into fields of `this`, but not pass it to a
 * method; nor may any method pass on what `new` made before its constructor ran.
 *
 * One walk over the code from its begin to its end, with a value for each local variable and each word of the stack: 0 for anything that
 * is initialised or a number, THIS for the uninitialised `this`, NEW + pc for what the `new` at pc made.
 *
 *   - At a stack map frame the state is what the frame says.  So with frames (all classes since Java 6) the walk is exact: control that does not
 *     come from the instruction before has a frame.
 *   - Without frames, a jump forward hands its state to its target (the first one counts: the verifier makes sure that they
 *     agree where it matters).  An exception handler begins with the variables at the begin of its range.  What is
 *     reached by jumps backward only goes on with the variables at hand and an empty stack: such loops come after super().
 *
 * A mistake here could only make the virtual machine's verifier refuse the method, never change what it does.
 *
 * Behind super() of a class right below Object, `this` is FRESH as long as it was used for nothing but its fields, and copied: no other thread
 * can have it, and who gets it later gets it from this thread.  At a frame, and where control joins without one, it is so no more.
 */
#include "java/code_flow.h"

/* Work is bounded: words of states that are cleared, copied and searched, for all methods of a class together. */
enum { WORDS_MOST = 1 << 24, WORDS_PER_BYTE = 64 };

bool gl_jflow_too_long(const struct gl_jfile *f)
{
    return f->work > WORDS_MOST + (uint64_t)WORDS_PER_BYTE * f->n;
}

/* Words taken and put by instructions that treat all values alike: low and high half of a byte; F: looked at below. */
#define R2(x)      x, x
#define R4(x)      R2(x), R2(x)
#define ARITHMETIC 0x12, 0x24, 0x12, 0x24 /* int long float double */
static const uint8_t effects[GL_JOPC_LAST + 1] =
    {
        0x00,       R4(0x10),   R4(0x10),   R2(0x20),   R2(0x10), 0x10,
        R2(0x20), /* 00: nop .. dconst_1 */
        R4(0x10),   0x20,       0x10,       0x20,       0x10,     0x20,
        0xff,       R4(0x10),   R2(0x20),                               /* 10: bipush .. lload_1 */
        R2(0x20),   R4(0x10),   R4(0x20),   R4(0xff),   0x12,     0x22, /* 20: lload_2 .. laload */
        0x12,       0x22,       R4(0x12),   R4(0xff),   0xff,     R4(0xff),
        0xff,                                                           /* 30: faload .. stores */
        R4(0xff),   R4(0xff),   R4(0xff),   R2(0xff),   0xff,     0x03, /* 40: stores .. iastore */
        0x04,       0x03,       0x04,       R4(0x03),   0x01,     0x02,
        R4(0xff),   R2(0xff),   0xff,                   /* 50: lastore .. swap */
        ARITHMETIC, ARITHMETIC, ARITHMETIC, ARITHMETIC, /* 60: add sub mul div */
        ARITHMETIC, 0x11,       0x22,       0x11,       0x22,     0x12,
        0x23,       0x12,       0x23,       0x12,       0x23,     0x12,
        0x24, /* 70: rem neg shifts and */
        0x12,       0x24,       0x12,       0x24,       0xff,     0x21,
        0x11,       0x21,       0x12,       0x12,       0x22,     0x11,
        0x21,       0x21,       0x12,       0x22, /* 80: or xor iinc i2l .. d2l */
        0x12,       R2(0x11),   0x11,       0x14,       R2(0x12), R2(0x14),
        R4(0x01),   R2(0x01),   0x02, /* 90: d2f .. if_icmpeq */
        R4(0x02),   R2(0x02),   0x02,       0x00,       0x10,     0x00,
        R2(0x01),   0x01,       0x02,       0x01,       0x02, /* a0: if_icmpne .. dreturn */
        0x01,       0x00,       R4(0xff),   R4(0xff),   0xff,     0xff,
        R2(0x11),   0x11,       0x01, /* b0: areturn .. athrow */
        R2(0x11),   R2(0x01),   0xff,       0xff,       R2(0x01), 0x00,
        0x10 /* c0: checkcast .. jsr_w */
};
_Static_assert(sizeof effects == 202, "one for each opcode");

void gl_jflow_put(struct flow *w, uint32_t value)
{
    if (w->n_stack < w->room)
        w->stack[w->n_stack++] = value;
}

static void put_words(struct flow *w, unsigned n)
{
    while (n--)
        gl_jflow_put(w, OTHER);
}

/* What is `from` is `to` now. */
static void become(struct flow *w, uint32_t from, uint32_t to)
{
    uint32_t n = w->c->max_locals + w->n_stack;
    w->c->f->work += n;
    for (uint32_t k = 0; k < n; k++)
        if (w->locals[k] == from)
            w->locals[k] = to;
}

void gl_jflow_let_out(struct flow *w, uint32_t value)
{
    if (!w->leaks) {
        if (value == FRESH)
            become(w, FRESH, OTHER);
        return;
    }
    if (value >= MADE)
        w->leaks->made[value - MADE] = true;
    else if (value >= LOCAL)
        w->leaks->local[value - LOCAL] = true;
}

uint32_t gl_jflow_take(struct flow *w)
{
    uint32_t value = w->n_stack ? w->stack[--w->n_stack] : OTHER;
    if (w->lets_out)
        gl_jflow_let_out(w, value);
    return value;
}

static void take_words(struct flow *w, unsigned n)
{
    while (n-- && w->n_stack)
        gl_jflow_take(w);
}

void gl_jflow_set_local(struct flow *w, uint32_t index, uint32_t value)
{
    if (index < w->c->max_locals)
        w->locals[index] = value;
}

static void store_local(struct flow *w, uint32_t index, unsigned words)
{
    uint32_t value = gl_jflow_take(w);
    if (words == 2)
        gl_jflow_take(w);
    gl_jflow_set_local(w, index, words == 1 ? value : OTHER);
    if (words == 2)
        gl_jflow_set_local(w, index + 1, OTHER);
}

/* dup and its kin: `n` words are copied below `below` more. */
static void duplicate(struct flow *w, unsigned n, unsigned below)
{
    uint32_t v[4] = {0};
    for (unsigned k = n + below; k-- > 0;)
        v[k] = gl_jflow_take(w);
    for (unsigned k = 0; k < n; k++)
        gl_jflow_put(w, v[below + k]);
    for (unsigned k = 0; k < n + below; k++)
        gl_jflow_put(w, v[k]);
}

/* The constructor of `value` ran, that of the class `owner`. */
static void initialised(struct flow *w, uint32_t value, const char *owner)
{
    bool fresh = value == THIS && w->c->fresh && !w->no_fresh && w->c->f->major >= 51 &&
                 strcmp(owner, "java/lang/Object") == 0;
    if (value == THIS || (value >= NEW && value < LOCAL))
        become(w, value, fresh ? FRESH : OTHER);
}

/* ---- states at positions ---------------------------------------------------------------------------------------- */

static void hand_to(struct flow *w, uint32_t pc, bool handler)
{
    struct gl_jcode *c = w->c;
    if (!w->waits || pc >= c->n || w->waits[pc])
        return;
    w->no_fresh = true;
    become(w, FRESH, OTHER);
    uint32_t n = c->max_locals + (handler ? 0 : w->n_stack), count = 0;
    c->f->work += n;
    if (gl_jflow_too_long(c->f))
        return;
    for (uint32_t k = 0; k < n; k++)
        count += w->locals[k] != OTHER;
    struct waiting *s = gl_jfile_scratch(c->f, sizeof *s + sizeof s->values[0] * count);
    *s = (struct waiting){.pc = pc, .n_stack = handler ? 1 : w->n_stack, .n = count};
    count = 0;
    for (uint32_t k = 0; k < n; k++)
        if (w->locals[k] != OTHER) {
            s->values[count].index = k;
            s->values[count++].value = w->locals[k];
        }
    w->waits[pc] = s;
}

static void clear(struct flow *w)
{
    w->c->f->work += w->c->max_locals + w->room;
    memset(w->locals, 0, sizeof *w->locals * (w->c->max_locals + w->room));
    w->n_stack = 0;
}

static uint32_t value_of(struct gl_jvtype t)
{
    return t.kind == GL_JV_THIS_RAW ? THIS : t.kind == GL_JV_NEW ? NEW + t.value : OTHER;
}

static void take_frame(struct flow *w)
{
    struct gl_jframes *i = &w->frames;
    uint32_t slot = 0, at = i->stack;
    w->c->f->work += i->n_all + i->n_stack;
    if (w->leaks)
        while (w->n_stack)
            gl_jflow_let_out(w, w->stack[--w->n_stack]);
    else
        clear(w);
    for (uint32_t k = 0; k < i->n_all && !w->leaks; k++) {
        gl_jflow_set_local(w, slot, value_of(i->all[k]));
        slot += i->all[k].kind == GL_JV_LONG || i->all[k].kind == GL_JV_DOUBLE ? 2 : 1;
    }
    for (uint32_t k = 0; k < i->n_stack; k++) {
        struct gl_jvtype t = gl_jframes_type(w->c, &at);
        gl_jflow_put(w, value_of(t));
        if (t.kind == GL_JV_LONG || t.kind == GL_JV_DOUBLE)
            gl_jflow_put(w, OTHER);
    }
    w->frame = gl_jframes_next(i);
}

void gl_jflow_arrive(struct flow *w, uint32_t pc)
{
    if (w->frame && w->frames.pc == pc) {
        take_frame(w);
    } else if (w->waits && w->waits[pc]) {
        const struct waiting *s = w->waits[pc];
        clear(w);
        for (uint32_t k = 0; k < s->n; k++)
            w->locals[s->values[k].index] =
                s->values[k].value; /* index < max_locals + room, as it came from there */
        w->n_stack = s->n_stack < w->room ? s->n_stack : w->room;
    } else if (!w->known) {
        w->n_stack = 0;
        become(w, FRESH, OTHER);
    }
    w->known = true;
}

/* ---- instructions ----------------------------------------------------------------------------------------------- */

static void invoke(struct flow *w, unsigned op, const uint8_t *p)
{
    struct gl_jfile *f = w->c->f;
    const char *desc, *owner = NULL; /* of a constructor */
    if (op == GL_JOPC_INVOKEDYNAMIC) {
        const uint8_t *dynamic = gl_jfile_const(f, gl_jget2(p + 1), GL_JC_INVOKE_DYNAMIC);
        const uint8_t *pair = gl_jfile_const(f, gl_jget2(dynamic + 2), GL_JC_NAME_AND_TYPE);
        desc = gl_jfile_text(f, gl_jget2(pair + 2));
    } else {
        struct gl_jref ref = gl_jfile_ref(f, gl_jget2(p + 1));
        desc = ref.desc;
        if (op == GL_JOPC_INVOKESPECIAL && strcmp(ref.name, "<init>") == 0)
            owner = ref.owner;
    }
    unsigned result;
    take_words(w, gl_jdesc_arguments(f, desc, &result));
    if (op != GL_JOPC_INVOKESTATIC && op != GL_JOPC_INVOKEDYNAMIC) {
        uint32_t object = gl_jflow_take(w);
        if (owner && !w->leaks)
            initialised(w, object, owner);
    }
    put_words(w, result);
}

static void field(struct flow *w, uint32_t pc)
{
    struct gl_jfile *f = w->c->f;
    const uint8_t *p = w->c->code + pc;
    const char *desc = gl_jfile_ref(f, gl_jget2(p + 1)).desc;
    unsigned words = gl_jdesc_words(f, &desc);
    if (*p == GL_JOPC_PUTSTATIC || *p == GL_JOPC_PUTFIELD)
        take_words(w, words);
    if (*p == GL_JOPC_PUTFIELD || *p == GL_JOPC_GETFIELD) {
        bool lets_out = w->lets_out;
        w->lets_out = lets_out && w->leaks != NULL;
        uint32_t object = gl_jflow_take(w);
        w->lets_out = lets_out;
        if (object == FRESH)
            w->c->fresh[pc] = 1;
        else if (object != OTHER && !w->leaks)
            w->c->marks[pc] |= GL_JM_RAW;
    }
    if (*p == GL_JOPC_GETSTATIC || *p == GL_JOPC_GETFIELD)
        put_words(w, words);
}

void gl_jflow_store(struct flow *w, unsigned op, uint32_t index)
{
    unsigned kind = op <= GL_JOPC_ASTORE ? op - 0x36 : (op - 0x3b) / 4; /* int long float double reference */
    store_local(w, op <= GL_JOPC_ASTORE ? index : (op - 0x3b) % 4, kind == 1 || kind == 3 ? 2 : 1);
}

static void special(struct flow *w, uint32_t pc)
{
    const uint8_t *p = w->c->code + pc;
    unsigned op = *p;
    uint32_t index = 0;
    if (op == GL_JOPC_WIDE) {
        op = p[1];
        index = gl_jget2(p + 2);
    } else if (op == GL_JOPC_ALOAD || (op >= 0x36 && op <= GL_JOPC_ASTORE)) {
        index = p[1];
    }
    switch (op) {
    case GL_JOPC_ALOAD:
        gl_jflow_put(w, index < w->c->max_locals ? w->locals[index] : OTHER);
        break;
    case GL_JOPC_ALOAD_0:
    case GL_JOPC_ALOAD_0 + 1:
    case GL_JOPC_ALOAD_0 + 2:
    case GL_JOPC_ALOAD_0 + 3:
        index = op - GL_JOPC_ALOAD_0;
        gl_jflow_put(w, index < w->c->max_locals ? w->locals[index] : OTHER);
        break;
    case GL_JOPC_DUP:
    case GL_JOPC_DUP_X1:
    case GL_JOPC_DUP_X2:
        duplicate(w, 1, op - GL_JOPC_DUP);
        break;
    case GL_JOPC_DUP2:
    case GL_JOPC_DUP2_X1:
    case GL_JOPC_DUP2_X2:
        duplicate(w, 2, op - GL_JOPC_DUP2);
        break;
    case GL_JOPC_SWAP: {
        uint32_t top = gl_jflow_take(w), below = gl_jflow_take(w);
        gl_jflow_put(w, top);
        gl_jflow_put(w, below);
        break;
    }
    case GL_JOPC_GETSTATIC:
    case GL_JOPC_PUTSTATIC:
    case GL_JOPC_GETFIELD:
    case GL_JOPC_PUTFIELD:
        field(w, pc);
        break;
    case GL_JOPC_INVOKEVIRTUAL:
    case GL_JOPC_INVOKESPECIAL:
    case GL_JOPC_INVOKESTATIC:
    case GL_JOPC_INVOKEINTERFACE:
    case GL_JOPC_INVOKEDYNAMIC:
        invoke(w, op, p);
        break;
    case GL_JOPC_NEW:
        gl_jflow_put(w, NEW + pc);
        break;
    case GL_JOPC_MULTIANEWARRAY:
        take_words(w, p[3]);
        gl_jflow_put(w, OTHER);
        break;
    default: /* stores; wide loads, iinc and ret */
        if (op >= 0x36 && op < GL_JOPC_IASTORE)
            gl_jflow_store(w, op, index);
        else if (op >= GL_JOPC_ILOAD && op < GL_JOPC_ALOAD)
            put_words(w, op & 1 ? 1 : 2); /* iload 15, lload 16, fload 17, dload 18 */
    }
}

bool gl_jflow_is_store(const uint8_t *p)
{
    unsigned op = *p == GL_JOPC_WIDE ? p[1] : *p;
    return op >= GL_JOPC_ISTORE && op < GL_JOPC_IASTORE && (*p != GL_JOPC_WIDE || op <= GL_JOPC_ASTORE);
}

void gl_jflow_effect(struct flow *w, uint32_t pc)
{
    unsigned op = w->c->code[pc];
    if (effects[op] == 0xff) {
        special(w, pc);
    } else {
        take_words(w, effects[op] & 15);
        put_words(w, effects[op] >> 4);
    }
}

void gl_jflow_hand_on(struct flow *w, uint32_t pc)
{
    const uint8_t *p = w->c->code + pc;
    unsigned op = *p;
    bool jump = (op >= GL_JOPC_IFEQ && op <= GL_JOPC_JSR) || op == GL_JOPC_IFNULL || op == GL_JOPC_IFNONNULL;
    if (w->waits && (jump || op == GL_JOPC_GOTO_W || op == GL_JOPC_JSR_W)) {
        uint32_t to = pc + (jump ? (uint32_t)(int16_t)gl_jget2(p + 1) : gl_jget4(p + 1));
        if (to > pc)
            hand_to(w, to, false);
    }
    if (w->waits && (op == GL_JOPC_TABLESWITCH || op == GL_JOPC_LOOKUPSWITCH)) {
        uint32_t at = (pc + 4) & ~3u, end = pc + gl_jcode_size(w->c, pc),
                 step = op == GL_JOPC_TABLESWITCH ? 4 : 8;
        hand_to(w, pc + gl_jget4(w->c->code + at), false);
        for (uint32_t k = at + 12; k < end; k += step)
            hand_to(w, pc + gl_jget4(w->c->code + k), false);
    }
    if (op == GL_JOPC_JSR || op == GL_JOPC_JSR_W)
        gl_jflow_take(w); /* the subroutine takes the return address and leaves all else */
    w->known = !(op == GL_JOPC_GOTO || op == GL_JOPC_GOTO_W || (op >= GL_JOPC_RET && op <= GL_JOPC_RETURN) ||
                 op == GL_JOPC_ATHROW);
}

/* The handlers whose range begins at pc, when there are no frames. */
static void hand_to_handlers(struct flow *w, uint32_t pc, const uint8_t *begins)
{
    if (!w->waits || !begins[pc])
        return;
    w->c->f->work += w->c->n_handlers;
    for (unsigned k = 0; k < w->c->n_handlers && !gl_jflow_too_long(w->c->f); k++)
        if (gl_jget2(w->c->handlers + 8 * k) == pc)
            hand_to(w, gl_jget2(w->c->handlers + 8 * k + 4), true);
}

const char *gl_jcode_flow(struct gl_jcode *c)
{
    struct gl_jfile *f = c->f;
    struct flow w = {.c = c, .room = c->max_stack + 1u, .known = true};
    size_t bytes = sizeof *w.locals * (c->max_locals + w.room);
    w.locals = gl_jfile_scratch(f, bytes);
    memset(w.locals, 0, bytes);
    f->work += bytes / sizeof *w.locals;
    w.stack = w.locals + c->max_locals;
    if (!(c->method->access & GL_JACC_STATIC) && GL_JFILE_IS(f, c->method->name, "<init>")) {
        gl_jflow_set_local(&w, 0, THIS);
        c->fresh = gl_jfile_scratch(f, c->n);
        memset(c->fresh, 0, c->n);
    }
    uint8_t *begins = NULL;
    if (f->major >= 50 && c->frames) {
        gl_jframes_open(&w.frames, c, true, NULL);
        w.frame = gl_jframes_next(&w.frames);
    } else {
        w.waits = gl_jfile_scratch(f, sizeof(struct waiting *) * c->n);
        memset(w.waits, 0, sizeof(struct waiting *) * c->n);
        begins = gl_jfile_scratch(f, 65536);
        memset(begins, 0, 65536);
        for (unsigned k = 0; k < c->n_handlers; k++)
            begins[gl_jget2(c->handlers + 8 * k)] = 1;
    }
    for (uint32_t pc = 0; pc < c->n; pc += gl_jcode_size(c, pc)) {
        unsigned op = c->code[pc];
        gl_jflow_arrive(&w, pc);
        hand_to_handlers(&w, pc, begins);
        w.lets_out = !(op >= GL_JOPC_POP && op <= GL_JOPC_SWAP) && !gl_jflow_is_store(c->code + pc);
        if (op == GL_JOPC_MONITORENTER || op == GL_JOPC_MONITOREXIT) {
            uint32_t object = gl_jflow_take(&w);
            if (object != OTHER && object != FRESH)
                c->marks[pc] |= GL_JM_RAW;
        } else {
            gl_jflow_effect(&w, pc);
        }
        w.lets_out = false;
        gl_jflow_hand_on(&w, pc);
        if (gl_jflow_too_long(f))
            return "to follow its uninitialised objects would take too long";
    }
    return NULL;
}
