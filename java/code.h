/* SPDX-License-Identifier: Apache-2.0
 *
 * The code of a method: instructions, what is inserted among them, where everything lies afterwards, and the tables that
 * speak of positions.
 *
 *     gl_jcode_read      finds the instructions, and which of them the caller wants to look at
 *     gl_jcode_flow      (constructors) marks instructions whose operand is an object not yet initialised
 *     gl_jcode_edit      the caller says what goes before and after an instruction, or in its place
 *     gl_jcode_layout    positions; jumps that no longer reach are widened
 *     gl_jcode_write     the new Code attribute
 *
 * WHERE THINGS GO.  At each instruction:
 *
 *     | after (of the instruction before) | trampolines | before | the instruction | after |
 *                                                        ^ land   ^ self
 *
 *   land   jumps, handlers, lines, variables, frames: what is before an instruction belongs to it.
 *   self   the instruction itself: what an uninitialised object's type or a type annotation names.
 *   ranges of exception handlers begin and end at land; but code after a monitorenter belongs to what follows it (struct gl_jedit,
 *          `forward`), so that javac's handler that unlocks covers it.
 *   Stubs lie behind the code (code_stubs.c), and behind them the epilogue.
 *   The prologue lies before land of instruction 0 and runs once; lines and variables that begin at 0 begin with it, ranges do not.
 *
 * A conditional jump that would be too long jumps to a trampoline, a goto_w near enough, whose stack map frame is the one of the jump's
 * target.  It lies behind an instruction that never falls through, or before one that has a frame; there a goto leads over it.
 * (To invert the condition and jump around a goto_w would need a frame at an instruction that has none, that is, types that
 * nobody knows.)  A method where no place is near enough is left alone.
 */
#ifndef GL_JAVA_CODE_H
#define GL_JAVA_CODE_H

#include "java/classfile.h"

#define GL_JRUNTIME_T "goldilocks/rt/T"

enum {
    GL_JOPC_ACONST_NULL = 0x01,
    GL_JOPC_ICONST_0 = 0x03,
    GL_JOPC_BIPUSH = 0x10,
    GL_JOPC_SIPUSH = 0x11,
    GL_JOPC_LDC = 0x12,
    GL_JOPC_LDC_W = 0x13,
    GL_JOPC_ILOAD = 0x15,
    GL_JOPC_LLOAD = 0x16,
    GL_JOPC_FLOAD = 0x17,
    GL_JOPC_DLOAD = 0x18,
    GL_JOPC_ALOAD = 0x19,
    GL_JOPC_ILOAD_1 = 0x1b,
    GL_JOPC_ALOAD_0 = 0x2a,
    GL_JOPC_IALOAD = 0x2e,
    GL_JOPC_SALOAD = 0x35,
    GL_JOPC_ISTORE = 0x36,
    GL_JOPC_ASTORE = 0x3a,
    GL_JOPC_ISTORE_0 = 0x3b,
    GL_JOPC_ASTORE_0 = 0x4b,
    GL_JOPC_IASTORE = 0x4f,
    GL_JOPC_AASTORE = 0x53,
    GL_JOPC_SASTORE = 0x56,
    GL_JOPC_POP = 0x57,
    GL_JOPC_POP2 = 0x58,
    GL_JOPC_DUP = 0x59,
    GL_JOPC_DUP_X1 = 0x5a,
    GL_JOPC_DUP_X2 = 0x5b,
    GL_JOPC_DUP2 = 0x5c,
    GL_JOPC_DUP2_X1 = 0x5d,
    GL_JOPC_DUP2_X2 = 0x5e,
    GL_JOPC_SWAP = 0x5f,
    GL_JOPC_IFEQ = 0x99,
    GL_JOPC_IFNE = 0x9a,
    GL_JOPC_GOTO = 0xa7,
    GL_JOPC_JSR = 0xa8,
    GL_JOPC_RET = 0xa9,
    GL_JOPC_TABLESWITCH = 0xaa,
    GL_JOPC_LOOKUPSWITCH = 0xab,
    GL_JOPC_IRETURN = 0xac,
    GL_JOPC_RETURN = 0xb1,
    GL_JOPC_GETSTATIC = 0xb2,
    GL_JOPC_PUTSTATIC = 0xb3,
    GL_JOPC_GETFIELD = 0xb4,
    GL_JOPC_PUTFIELD = 0xb5,
    GL_JOPC_INVOKEVIRTUAL = 0xb6,
    GL_JOPC_INVOKESPECIAL = 0xb7,
    GL_JOPC_INVOKESTATIC = 0xb8,
    GL_JOPC_INVOKEINTERFACE = 0xb9,
    GL_JOPC_INVOKEDYNAMIC = 0xba,
    GL_JOPC_NEW = 0xbb,
    GL_JOPC_NEWARRAY = 0xbc,
    GL_JOPC_ANEWARRAY = 0xbd,
    GL_JOPC_ARRAYLENGTH = 0xbe,
    GL_JOPC_ATHROW = 0xbf,
    GL_JOPC_CHECKCAST = 0xc0,
    GL_JOPC_INSTANCEOF = 0xc1,
    GL_JOPC_MONITORENTER = 0xc2,
    GL_JOPC_MONITOREXIT = 0xc3,
    GL_JOPC_WIDE = 0xc4,
    GL_JOPC_MULTIANEWARRAY = 0xc5,
    GL_JOPC_IFNULL = 0xc6,
    GL_JOPC_IFNONNULL = 0xc7,
    GL_JOPC_GOTO_W = 0xc8,
    GL_JOPC_JSR_W = 0xc9,
    GL_JOPC_LAST = 0xc9
};

/* Bits of gl_jcode.marks, one byte per byte of the code. */
enum {
    GL_JM_START = 1,   /* an instruction begins here */
    GL_JM_WIDE = 2,    /* this goto or jsr needs four bytes */
    GL_JM_FAR = 4,     /* this conditional jump goes by a trampoline */
    GL_JM_FORWARD = 8, /* the instruction before has code after it that belongs here */
    GL_JM_RAW = 16,    /* this instruction's object is not initialised yet */
    GL_JM_SPOTS = 32,  /* trampolines lie before this instruction */
    GL_JM_EDIT = 64,   /* there is an edit of this instruction */
    GL_JM_OVER = 128   /* and a goto over them, for control comes from the instruction before */
};

/* What the caller wants done at the instruction at `pc`.  Bytes are in gl_jcode.inserted. */
struct gl_jedit {
    uint32_t pc;
    uint32_t before, replace,
        after; /* offsets there: before..replace, replace..after (none: keep it), after..end */
    uint32_t end;
    bool forward; /* what is after belongs to the range of the next instruction */
};

struct gl_jtrampoline {
    uint32_t from;   /* the conditional jump */
    uint32_t spot;   /* lies before the instruction there (or at the code's end) */
    uint32_t target; /* instruction */
    uint32_t at;     /* its new position */
};

/* The handler of what is inserted before a monitorexit in a handler (code_stubs.c). */
struct gl_jstub {
    uint32_t exit;         /* that monitorexit */
    uint32_t handler;      /* where the handler begins */
    uint32_t entry;        /* of the table: its range over itself */
    uint16_t lock, caught; /* variables: the object, the exception */
    uint32_t at;           /* its new position */
};

/* Nothing is kept in variables from here on: instructions would be wide, and each frame names all variables below. */
#define GL_JKEPT_BELOW 256u

struct gl_jcode {
    struct gl_jfile *f;
    const struct gl_jmember *method;
    uint16_t max_stack, max_locals;
    const uint8_t *code;
    uint32_t n;
    uint16_t n_handlers, n_attributes;
    const uint8_t *handlers;     /* of 8 bytes each */
    uint32_t attributes;         /* offset of the first attribute */
    uint32_t frames, frames_end; /* contents of the StackMapTable; 0: there is none */
    bool jumps_wide;             /* has a 16-bit jump at all, so that one may need widening */

    uint8_t *marks;   /* n + 1 */
    uint8_t *fresh;   /* by pc, of a constructor after gl_jcode_flow: 1: the field is of `this`, which no other thread has.  Else NULL */
    uint32_t *looked; /* instructions the caller wants to look at */
    uint32_t n_looked;
    uint32_t *land, *self; /* n + 1 each, after gl_jcode_layout */
    uint32_t new_n;        /* size of the new code with stubs, without the epilogue */

    struct gl_jbuf inserted; /* the caller frees inserted.at */
    uint32_t n_prologue;     /* its first bytes are the prologue */
    struct gl_jedit *edits;
    uint32_t n_edits;
    struct gl_jtrampoline *trampolines;
    uint32_t n_trampolines;
    struct gl_jstub *stubs;
    uint32_t n_stubs, stubs_asked;
    uint16_t more_stack; /* words that inserted code needs on top of max_stack */
    uint16_t more_locals; /* variables behind max_locals, of type long[], which the prologue sets: up to GL_JKEPT_BELOW */
    bool thread_local;    /* the first of them is of type GL_JRUNTIME_T */
    uint16_t *
        array_local; /* by position in `looked`, after gl_jcode_array_locals: the variable from which the array comes, + 1; 0: not known; or GL_JARRAY_ALONE */
    const uint8_t
        *epilogue; /* a handler of everything, at the end of the code; its frame: no locals, a Throwable */
    uint32_t n_epilogue;
    uint32_t covered; /* where in the prologue its range begins */
};

/* Reads the Code attribute `a` of `method`.  wanted[opcode] != 0: note it in `looked`.  Fails when it is malformed. */
void gl_jcode_read(struct gl_jcode *c, struct gl_jfile *f, const struct gl_jmember *method,
                   struct gl_jattribute a, const uint8_t wanted[256]);

/* Bytes of the instruction at pc, which must begin there. */
uint32_t gl_jcode_size(const struct gl_jcode *c, uint32_t pc);

/* Fills `fresh`, and marks GL_JM_RAW each getfield, putfield, monitorenter and monitorexit whose object may be uninitialised.  Returns why the method must be
 * left alone, or NULL. */
const char *gl_jcode_flow(struct gl_jcode *c);

/* Finds, for the array instructions among `looked`, which local variable the array was loaded from, if it was one (below 256) and still holds
 * the same, and whether it is an array that no other method ever has.  The same for what the stores of references among them put into their variables;
 * there ALONE stands for objects, too, initialised or not.  False: nothing is known, and array_local is NULL. */
enum { GL_JARRAY_ALONE = 0xFFFF };
bool gl_jcode_array_locals(struct gl_jcode *c);

/* Begins an edit of the instruction at pc (ascending).  Then: bytes before into c->inserted; gl_jedit_replace; the bytes in place of
 * it (none: it stays); gl_jedit_after; the bytes after it; gl_jedit_done. */
struct gl_jedit *gl_jedit_begin(struct gl_jcode *c, uint32_t pc);
static inline void gl_jedit_replace(struct gl_jcode *c, struct gl_jedit *e)
{
    e->replace = e->after = (uint32_t)c->inserted.n;
}
static inline void gl_jedit_after(struct gl_jcode *c, struct gl_jedit *e)
{
    e->after = (uint32_t)c->inserted.n;
}
void gl_jedit_done(struct gl_jcode *c, struct gl_jedit *e);

/* Positions of everything.  Returns why the method must be left alone, or NULL. */
const char *gl_jcode_layout(struct gl_jcode *c);

/* Appends the new Code attribute (with name and length) to `out`.  Returns why the method must be left alone, or NULL.  What was appended,
 * and what was added to the pool, is then the caller's to take back. */
const char *gl_jcode_write(struct gl_jcode *c, uint16_t name, struct gl_jpool *pool, struct gl_jbuf *out);

/* ---- pieces of these, by file ------------------------------------------------------------------------------- */

/* Where a range of an exception handler that begins or ends at pc has its new end. */
uint32_t gl_jcode_range(const struct gl_jcode *c, uint32_t pc, bool end);

/* If the monitorexit is in a handler as javac makes it, what is inserted before it gets a stub. */
void gl_jstub_add(struct gl_jcode *c, uint32_t exit);
/* Places the stubs from `at` on; returns the end. */
uint32_t gl_jstub_place(struct gl_jcode *c, uint32_t at);
/* Appends their code. */
void gl_jstub_code(const struct gl_jcode *c, struct gl_jbuf *out);
/* Appends the k-th entry of the table of handlers with what the stubs make of it; returns how many entries that are. */
uint32_t gl_jstub_handlers(const struct gl_jcode *c, unsigned k, struct gl_jbuf *out);

/* An instruction begins at pc; otherwise fails. */
void gl_jcode_check_start(const struct gl_jcode *c, uint32_t pc);

/* The new contents of an attribute of the code, appended to out; false: not one that knows positions. */
bool gl_jcode_table(struct gl_jcode *c, struct gl_jattribute a, struct gl_jbuf *out);

/* The new contents of the StackMapTable (also when there was none, for the epilogue). */
const char *gl_jcode_frames(struct gl_jcode *c, struct gl_jpool *pool, struct gl_jbuf *out);

/* ---- stack map frames, one after the other ------------------------------------------------------------------ */

enum {
    GL_JV_TOP,
    GL_JV_INT,
    GL_JV_FLOAT,
    GL_JV_DOUBLE,
    GL_JV_LONG,
    GL_JV_NULL,
    GL_JV_THIS_RAW,
    GL_JV_OBJECT,
    GL_JV_NEW
};

/* A verification type: its kind, and for OBJECT a constant, for NEW a place of a `new`. */
struct gl_jvtype {
    uint8_t kind;
    uint16_t value;
};

struct gl_jframes {
    struct gl_jcode *c;
    uint32_t at, left; /* offset in the file; frames to come */
    uint32_t pc;       /* of the frame at hand */
    bool begun;
    uint8_t kind;      /* the frame's first byte */
    uint32_t types;    /* offset of its verification types, */
    uint32_t n_locals; /* so many for locals (append, full) at `types`, */
    uint32_t n_stack;  /* then so many for the stack */
    uint32_t stack;    /* offset of the stack's */
    /* The whole state, if asked for: */
    struct gl_jvtype *all; /* room for max_locals; NULL: not asked for */
    uint32_t n_all;
};

/* Starts before the first frame.  With `all` (memory from the file), the state is kept; initial object types are constants of `pool`,
 * or, without a pool, 0. */
void gl_jframes_open(struct gl_jframes *i, struct gl_jcode *c, bool all, struct gl_jpool *pool);
/* Goes to the next frame; false: there is none. */
bool gl_jframes_next(struct gl_jframes *i);
/* The type at offset *at, which moves behind it. */
struct gl_jvtype gl_jframes_type(struct gl_jcode *c, uint32_t *at);

#endif
