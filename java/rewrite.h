/* SPDX-License-Identifier: Apache-2.0
 *
 * Rewriting a Java class file so that its accesses and its synchronization call the runtime (goldilocks/rt/R).
 *
 * What is inserted is straight-line code before or after instructions that stay as they were; no jump is added to a
 * method of the program, so its stack map frames only move, or get variables of ours behind their own.  The list of what goes where is in
 * rewrite_probes.c.
 *
 * Nothing here has state of its own: every function may be called by many threads at once.  Class files are hostile input:
 * lengths are checked before use, work is linear in the size of the class (and bounded where it cannot be), and a
 * malformed class is an error with a sentence, never a crash.  A class that is well-formed for this reader may still be
 * refused by the virtual machine: then it would have been refused unchanged, too.
 *
 *     struct gl_jpolicy policy = {.ctx = me, .flags = GL_JR_DATA | GL_JR_SYNC | GL_JR_MEMBERS, .checked = ..., ...};
 *     struct gl_jbytes out;
 *     char error[GL_JERROR_BYTES];
 *     if (gl_jrewrite(in, n, &policy, &out, error) == GL_JR_REWRITTEN) { use out.at, out.n; free(out.at); }
 *
 * All strings that go in and out are NUL-terminated modified UTF-8, as in the class file; classes are in internal form
 * ("a/b/C").  Strings given to a callback are valid during the rewriting call only.
 */
#ifndef GL_JAVA_REWRITE_H
#define GL_JAVA_REWRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { GL_JERROR_BYTES = 200 };

/* Bits of gl_jpolicy.flags. */
enum {
    GL_JR_DATA = 1, /* accesses to plain fields and to array elements call R.read, R.write, R.aread, ... */
    GL_JR_MONITORS = 2, /* monitorenter, monitorexit, synchronized methods */
    GL_JR_VOLATILE = 4, /* volatile fields */
    GL_JR_CLINIT = 8,   /* R.clinitBegins when <clinit> begins, R.clinitDone before it returns */
    GL_JR_SYNC = GL_JR_MONITORS | GL_JR_VOLATILE | GL_JR_CLINIT,
    GL_JR_MEMBERS =
        16, /* fields and methods may be added (impossible when a loaded class is transformed again) */
    GL_JR_NO_ARRAYS = 32, /* DATA without array elements */
    GL_JR_CLASS_USE = 64, /* R.classUse at the begin of static methods and constructors, if the class has a <clinit> in the end; with DATA, R.made behind `new` */
    GL_JR_CONSTANTS = 128, /* R.constant behind each ldc of a dynamic constant that is a reference */
    GL_JR_LOADERS = 256,   /* loadClass() asks R.ours first, and with MONITORS loadClass(String) may run with the monitor of `this`, which the virtual machine has taken */
    GL_JR_MAKE_CLINIT = 512 /* with CLINIT: a class that has no <clinit> and is no interface gets one (impossible as with MEMBERS) */
};

/* What is known of a field. */
enum gl_jkind { GL_JKIND_UNKNOWN, GL_JKIND_PLAIN, GL_JKIND_VOLATILE, GL_JKIND_FINAL };

/* What the instruction at a place does. */
enum gl_jop {
    GL_JOP_GETFIELD,
    GL_JOP_PUTFIELD,
    GL_JOP_GETSTATIC,
    GL_JOP_PUTSTATIC,
    GL_JOP_ARRAY_LOAD,
    GL_JOP_ARRAY_STORE,
    GL_JOP_CALL, /* of a gl_jcall_rule with `site` */
    GL_JOP_NEW   /* no access; without name and desc */
};

/* A place in a program that can make an access. */
struct gl_jplace {
    const char *class_name;  /* of the class that is rewritten, "a/b/C" */
    const char *method;      /* "run", "<init>" */
    const char *method_desc; /* "(I)V" */
    const char *source_file; /* "C.java", or NULL */
    uint32_t bci;            /* index of the instruction in the code as it was before */
    uint32_t line;           /* 0: unknown */
    enum gl_jop op;
    const char *owner; /* field or call: the class named by the instruction; array: NULL */
    const char *name;  /* field or method; array: NULL */
    const char *
        desc; /* field "I", method "(I)V"; array: "[I"; "[Ljava/lang/Object;" for any array of references, "[B" for byte[] or
                          boolean[] */
    enum gl_jkind kind; /* of the field, as far as known here; arrays and calls: GL_JKIND_PLAIN */
};

/* Kinds of invoke instructions, for gl_jcall_rule.opcodes. */
enum { GL_JCALL_VIRTUAL = 1, GL_JCALL_SPECIAL = 2, GL_JCALL_STATIC = 4, GL_JCALL_INTERFACE = 8 };

/* A call `owner.name desc` becomes `invokestatic to_owner.to_name to_desc`.  to_desc takes the receiver (if any) and the
 * arguments of the old call, then an int when `site` is set, and returns the same type. */
struct gl_jcall_rule {
    const char *owner; /* the class named by the instruction; NULL: any */
    const char *name, *desc;
    const char *to_owner, *to_name, *to_desc;
    unsigned opcodes; /* GL_JCALL_*; 0: all but SPECIAL, for super.name() must not become a virtual call */
    bool site;        /* pass policy->site() as a last argument */
};

/* A call that stays as it is, for it asks who its caller is, or nobody else may make it.  Before it, to_owner.before (NULL:
 * nothing) gets the first one, two or three of receiver and arguments, as many words as before_desc takes beside the ints, and returns
 * void, or an object.  They are of one word each; behind one or two of them one value of one or two words may follow.  After it,
 * to_owner.after (NULL: nothing) gets that object, which has been on the stack meanwhile, beneath two words; or where there is none the
 * result, unless after_desc is "()V"; and returns void.  A call for which there is a gl_jcall_rule, too, is replaced. */
struct gl_jaround_rule {
    const char *owner; /* as in gl_jcall_rule; "[": any array */
    const char *name, *desc; /* NULL: any */
    const char *to_owner, *before, *before_desc, *after, *after_desc;
    unsigned opcodes; /* GL_JCALL_*; 0: all */
    bool site;        /* pass policy->site() as a last argument of `before` */
    const char *type; /* pass the letter with which this begins, as the last argument but `site`; NULL: no such argument */
};

/* Which methods may have a rule: none that has is missing, few others are in it. */
struct gl_jcall_filter {
    uint64_t bits[64]; /* by the hash of the method's name, or of its owner where a rule is for any name */
};
void gl_jcall_filter_make(struct gl_jcall_filter *filter, const struct gl_jcall_rule *calls, size_t n_calls,
                          const struct gl_jaround_rule *arounds, size_t n_arounds);

/* What a gl_jmethod_rule passes, in this order. */
enum {
    GL_JPASS_RESULT = 1, /* the value about to be returned */
    GL_JPASS_THIS = 2,
    GL_JPASS_ARGS = 4, /* all arguments, as they are in their local variables at that moment */
    GL_JPASS_NATIVE = 8 /* nothing more; in some JDKs the method is native, and is seen otherwise */
};

enum gl_jwhen { GL_JWHEN_ENTRY, GL_JWHEN_RETURN };

/* At the entry, or before each return, of a method of THIS class: call a static method.  When RESULT is passed and to_desc does not
 * return void, the call's value is returned in place of the result. */
struct gl_jmethod_rule {
    const char *name, *desc; /* desc NULL: any */
    enum gl_jwhen when;
    unsigned pass; /* GL_JPASS_* */
    const char *to_owner, *to_name, *to_desc;
};

/* What a rewrite needs to know.  Callbacks get ctx; they may be NULL where the comment says so. */
struct gl_jpolicy {
    void *ctx;
    unsigned flags; /* GL_JR_* */

    /* Are accesses to fields that `owner` (another class than this one) names worth a probe?  NULL: all. */
    bool (*checked)(void *ctx, const char *owner);

    /* The kind of a field that this class does not declare itself: of another class, or inherited (owner is then this class).  `owner`
     * is what the instruction names; the field may be declared in a superclass of it.  NULL: unknown.
     * Unknown fields get probes that find the kind at run time. */
    enum gl_jkind (*field_kind)(void *ctx, const char *owner, const char *name, const char *desc,
                                bool is_static);

    /* Does a plain or final field of THIS class do what a volatile one does, in some way of its own (fences)?  Its accesses are then treated as
     * volatile, but for those in constructors.  (For fields of other classes field_kind says so.)  NULL: none does. */
    bool (*acts_volatile)(void *ctx, const char *owner, const char *name);

    /* The number of a place, passed to the probe there.  Called once per probe that is inserted; small numbers make
     * small code.  NULL: 0.  A place of a method that is left alone in the end may have been asked for, too. */
    uint32_t (*site)(void *ctx, const struct gl_jplace *place);

    /* The number passed to R.clinitDone and R.classUse.  NULL: 0. */
    uint32_t (*class_id)(void *ctx, const char *name);

    /* A method was left as it was, or (method "") something of the class could not be done.  NULL: nobody wants to know. */
    void (*skipped)(void *ctx, const char *class_name, const char *method, const char *method_desc,
                    const char *why);

    /* A class that is transformed again keeps the helper methods that it has got, and gets no others (the virtual machine would refuse them): has it the one
     * of this name?  Accesses without go to the runtime each time.  NULL: it gets those that it needs. */
    bool (*has_helper)(void *ctx, const char *helper);

    const struct gl_jcall_rule *calls;
    size_t n_calls;
    const struct gl_jaround_rule *arounds;
    size_t n_arounds;
    const struct gl_jcall_filter *filter; /* of calls and arounds; NULL: made for each class, which takes a while */
    const struct gl_jmethod_rule *methods;
    size_t n_methods;
};

struct gl_jbytes {
    uint8_t *at; /* from malloc; the caller frees it */
    size_t n;
};

enum { GL_JR_MALFORMED = -1, GL_JR_NOTHING = 0, GL_JR_REWRITTEN = 1 };

/* Rewrites the class in in[0..n).  NOTHING: no need for it (out is untouched).  MALFORMED: error holds a sentence that says
 * where.  Out of memory counts as MALFORMED ("out of memory").  out NULL: asks whether there is a need only; what is behind the first
 * method that has to change is not looked at. */
int gl_jrewrite(const uint8_t *in, size_t n, const struct gl_jpolicy *policy, struct gl_jbytes *out,
                char error[GL_JERROR_BYTES]);

/* Puts methods with code before native ones that are synchronized or static, for gl_jrewrite() to see (rewrite_natives.c).  Results as there.  The
 * virtual machine must know the prefix (SetNativeMethodPrefix), and methods may be added. */
#define GL_JNATIVE_PREFIX "$gln$"
int gl_jwrap_natives(const uint8_t *in, size_t n, struct gl_jbytes *out, char error[GL_JERROR_BYTES]);

/* The shadow fields of field `index` (counted from 0 in the order of the class file) called `name`: "$w$name" and "$s$name", both `J`, private
 * transient synthetic; when the class declares two fields of that name, "$w$name$index" and "$s$name$index".  Non-static,
 * non-final, non-volatile fields have them, if the class was rewritten with DATA and MEMBERS (and nothing was
 * in the way: look the field up).  prefix is 'w' or 's'.  Returns the length, or 0 when room is too small. */
size_t gl_jshadow_name(char *out, size_t room, char prefix, const char *name, unsigned index, bool twice);

/* ---- a light look at a class ------------------------------------------------------------------------------ */

struct gl_jclass_view {
    const char *name, *super_name; /* super_name NULL: java/lang/Object, or a module */
    const char *source_file;       /* or NULL */
    uint16_t major, access;
    unsigned n_fields;
};

/* Callbacks may be NULL.  Strings are valid during the callback only. */
struct gl_jscan {
    void *ctx;
    void (*klass)(void *ctx, const struct gl_jclass_view *view);
    void (*interface)(void *ctx, const char *name);
    void (*field)(void *ctx, unsigned index, const char *name, const char *desc, uint16_t access);
    void (*method)(void *ctx, const char *name, const char *desc, uint16_t access);
};

/* klass first, then the interfaces, fields, methods, each in the order of the file.  Returns 0, or -1 (malformed) with a sentence. */
int gl_jclass_scan(const uint8_t *in, size_t n, const struct gl_jscan *scan, char error[GL_JERROR_BYTES]);

/* Copies the name of the class to out (cut at room, NUL-terminated).  Returns its length, 0 when malformed. */
size_t gl_jclass_name(const uint8_t *in, size_t n, char *out, size_t room);

#endif
