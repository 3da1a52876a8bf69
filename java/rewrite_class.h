/* SPDX-License-Identifier: Apache-2.0
 *
 * A class while it is rewritten; private to rewrite*.c.
 */
#ifndef GL_JAVA_REWRITE_CLASS_H
#define GL_JAVA_REWRITE_CLASS_H

#include "java/code.h"
#include "java/rewrite.h"

/* Descriptor of goldilocks.rt.T, a thread. */
#define GL_JRUNTIME_T_DESC "L" GL_JRUNTIME_T ";"

/* Types of arrays whose elements have cells of their own: I J F D A. */
enum { GL_JINNER = 5 };

/* The methods of goldilocks/rt/R that are called; names and descriptors in rewrite_probes.c. */
enum gl_jprobe {
    GL_JP_THREAD,
    GL_JP_READ,
    GL_JP_WRITE,
    GL_JP_FRESH,
    GL_JP_SREAD,
    GL_JP_SWRITE,
    GL_JP_POST,
    GL_JP_AREAD,                        /* by type of the array: I J F D A B C S, the order of the opcodes */
    GL_JP_AWRITE = GL_JP_AREAD + 8,     /* likewise */
    GL_JP_KEPT_READ = GL_JP_AWRITE + 8, /* the same, with the array's shadow in a local variable */
    GL_JP_KEPT_WRITE = GL_JP_KEPT_READ + 8,
    GL_JP_INNER_READ = GL_JP_KEPT_WRITE + 8, /* the same in an innermost loop, of the first GL_JINNER types */
    GL_JP_INNER_WRITE = GL_JP_INNER_READ + GL_JINNER,
    GL_JP_SHADOW = GL_JP_INNER_WRITE + GL_JINNER,
    GL_JP_ENTER,
    GL_JP_ENTERING,
    GL_JP_EXIT,
    GL_JP_ENTER_SYNC,
    GL_JP_ENTER_LOADER,
    GL_JP_EXIT_SYNC,
    GL_JP_OURS,
    GL_JP_FOUND,
    GL_JP_CLINIT_BEGINS,
    GL_JP_CLINIT_ONLY,
    GL_JP_CLINIT_DONE,
    GL_JP_CLASS_USE,
    GL_JP_MADE,
    GL_JP_READ_HIT,
    GL_JP_WRITE_HIT,
    GL_JP_FIRST_READ,
    GL_JP_FIRST_WRITE,
    GL_JP_CONSTANT,
    GL_JPROBES
};

/* What is done at an access to the field of a Fieldref. */
enum gl_jplan {
    GL_JPLAN_NOT_ASKED,
    GL_JPLAN_NONE,
    GL_JPLAN_HELPER, /* the class's own $glr$ or $glw$ */
    GL_JPLAN_CALL,   /* R.read, ... before */
    GL_JPLAN_POST    /* and R.post after */
};

struct gl_jplanned {
    uint8_t plan, kind; /* enum gl_jplan, enum gl_jkind */
    uint16_t field;     /* HELPER: index of the class's field */
    bool not_in_constructor;
};

/* A helper method that code of the class calls, and the constants that it needs. */
struct gl_jhelper {
    uint16_t field;
    bool write;
    uint16_t name, desc, ref;     /* of itself */
    uint16_t shadow, hit, miss;   /* $w$f, R.readHit, R.read */
    uint16_t code_name, map_name; /* "Code", "StackMapTable" */
};

/* The constants of the <clinit> that is added to the class; name 0: none is. */
struct gl_jclinit {
    uint16_t name, desc, code_name, map_name; /* "<clinit>", "()V", "Code", "StackMapTable" */
    uint16_t number, only, throwable;         /* the class's number, R.clinitOnly, java.lang.Throwable */
};

/* The names of a field's shadow fields; 0: it has none. */
struct gl_jshadow {
    uint16_t w, s;
};

/* A field by its name and descriptor. */
struct gl_jtext {
    const char *text;
    uint16_t index; /* of the Utf8 constant */
};
struct gl_jnamed {
    struct gl_jtext name, desc;
    uint16_t field;
};

struct gl_jrewriter {
    struct gl_jfile f;
    const struct gl_jpolicy *policy;
    struct gl_jpool pool;
    struct gl_jbuf body;  /* all behind the constants */
    struct gl_jcode code; /* of the method at hand */
    bool changed;         /* there is a reason to replace the class */
    bool asked;           /* whether there is one is all that is asked */

    struct gl_jnamed *sorted;       /* the fields by name and descriptor; NULL: not sorted yet */
    struct gl_jshadow *shadows;     /* by field; NULL: the class gets none */
    uint16_t long_desc;             /* "J" */
    struct gl_jplanned *planned[2]; /* by index of the Fieldref: instance, static */
    uint8_t *uncalled;              /* by index of the Methodref: no rule is for it */
    const struct gl_jcall_filter *filter; /* of the policy's rules; with `uncalled` */

    struct gl_jhelper *helpers;
    unsigned n_helpers, helpers_room;
    char *helper_text;        /* "(LX;Lgoldilocks/rt/T;I)V" */
    uint32_t (*helper_of)[2]; /* by field: read, write: position in helpers + 1 */

    uint16_t r_class, probes[GL_JPROBES]; /* constants; 0: not made yet */

    uint16_t kept
        [256]; /* by local variable of the method at hand: the one that keeps the shadow of the array in it; 0: none */
    bool loops;                       /* the method at hand has a loop, and is short enough to be compiled */
    bool *inner;                      /* then, by position: is it in a loop that has none inside? */
    bool few_inner;                   /* and are there few accesses to elements? */
    const char *method, *method_desc; /* of the method at hand */
    bool clinit;
    bool has_clinit; /* the class has one, or gets one; asked when it matters */
    struct gl_jclinit made_clinit;
    bool constants;  /* it has dynamic constants, and they matter */
    const struct gl_jmethod_rule **rules; /* those of the policy that are applied to it */
    size_t n_rules;
    uint16_t *lines; /* by position; NULL: not asked for yet */
    uint32_t line_at;
    uint16_t line;
};

/* ---- rewrite_probes.c: what is inserted into a method ---- */

/* The opcodes to look at, with returns or without. */
void gl_jprobe_wanted(const struct gl_jrewriter *r, bool returns, uint8_t wanted[256]);
/* Are there dynamic constants in the file? */
bool gl_jprobe_has_dynamic(struct gl_jrewriter *r);
/* Fills r->code with edits.  Returns why the method is to be left alone, or NULL. */
const char *gl_jprobe_method(struct gl_jrewriter *r, uint8_t epilogue[8]);
/* The rules of the method at hand, those that cannot be applied told and left out (rewrite_rules.c); then what they want at that moment. */
void gl_jrule_find(struct gl_jrewriter *r);
void gl_jrule_apply(struct gl_jrewriter *r, enum gl_jwhen when, unsigned result_words);
/* Is the method one by which a class loader is asked? */
bool gl_jprobe_loads(const struct gl_jrewriter *r, const struct gl_jmember *m);
/* Is R.made behind the `new` at pc? */
bool gl_jprobe_tells_new(struct gl_jrewriter *r, uint32_t pc);
/* Does the method begin with R.classUse? */
bool gl_jprobe_uses_class(const struct gl_jrewriter *r, const struct gl_jmember *m);
/* How the method begins that has a monitor while it runs; GL_JPROBES: it has none. */
enum gl_jprobe gl_jprobe_monitor_of(const struct gl_jrewriter *r, const struct gl_jmember *m);
/* The constant of R's method. */
uint16_t gl_jprobe_ref(struct gl_jrewriter *r, enum gl_jprobe probe);
void gl_jprobe_skip(struct gl_jrewriter *r, const char *why);
/* The thread's T on the stack. */
void gl_jprobe_thread(struct gl_jrewriter *r);

/* Pieces of inserted code. */
static inline void gl_jop(struct gl_jrewriter *r, unsigned opcode)
{
    gl_jbuf_1(&r->code.inserted, opcode);
}
static inline void gl_jop_ref(struct gl_jrewriter *r, unsigned opcode, uint16_t constant)
{
    gl_jop(r, opcode);
    gl_jbuf_2(&r->code.inserted, constant);
}
void gl_jprobe_call(struct gl_jrewriter *r, const char *owner, const char *name, const char *desc); /* invokestatic */
/* Copies the three values of one word each on top of the stack to the top; takes four words of stack meanwhile. */
void gl_jprobe_copy_three(struct gl_jrewriter *r);
/* The number of the place on the stack. */
void gl_jprobe_site(struct gl_jrewriter *r, uint32_t pc, enum gl_jop what, const char *owner, const char *name, const char *desc,
                    enum gl_jkind kind);
/* Inserted code needs so many words of stack. */
void gl_jprobe_needs(struct gl_jrewriter *r, unsigned words);

/* ---- rewrite_fields.c: fields ---- */

/* The instruction at pc accesses a field. */
void gl_jprobe_field(struct gl_jrewriter *r, uint32_t pc);
/* Does what is inserted there use the thread? */
bool gl_jprobe_field_uses(struct gl_jrewriter *r, uint32_t pc);

/* ---- rewrite_arrays.c: elements of arrays ---- */

/* A load or store of a variable. */
void gl_jprobe_variable(struct gl_jrewriter *r, unsigned opcode, unsigned index);
/* Finds out where the arrays of the method come from. */
void gl_jprobe_find_arrays(struct gl_jrewriter *r);
/* As part of the prologue: chooses r->kept for the method. */
void gl_jprobe_keep_arrays(struct gl_jrewriter *r);
/* The `at`-th of r->code.looked accesses an element. */
void gl_jprobe_array(struct gl_jrewriter *r, uint32_t at);
/* The `at`-th of r->code.looked stores a reference into a variable. */
void gl_jprobe_array_store(struct gl_jrewriter *r, uint32_t at);

/* ---- rewrite_calls.c: calls for which there are rules ---- */

void gl_jprobe_at_call(struct gl_jrewriter *r, uint32_t pc);

/* ---- rewrite_members.c: the class's own fields; fields and methods that are added ---- */

/* Index of the field that the class declares, or -1.  name and desc are Utf8 constants of the file. */
int gl_jmember_field(struct gl_jrewriter *r, uint16_t name, uint16_t desc);
/* Chooses the shadow fields and makes their constants. */
void gl_jmember_shadows(struct gl_jrewriter *r);
/* The constant of the helper method for that field, made if need be; 0: there can be no more. */
uint16_t gl_jmember_helper(struct gl_jrewriter *r, uint16_t field, bool write);
/* Forgets helpers from the n-th on, as the pool is rolled back. */
void gl_jmember_back(struct gl_jrewriter *r, unsigned n);
void gl_jmember_write_fields(struct gl_jrewriter *r);
void gl_jmember_write_helpers(struct gl_jrewriter *r);
/* Gives the class a <clinit>, if it wants one: before its methods are written.  Sets r->made_clinit, r->has_clinit. */
void gl_jmember_make_clinit(struct gl_jrewriter *r);
void gl_jmember_write_clinit(struct gl_jrewriter *r);

#endif
