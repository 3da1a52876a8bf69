/* SPDX-License-Identifier: Apache-2.0
 *
 * What is inserted where.  Stacks grow to the right; s is the site's number, vv a long or a double.
 *
 *     instruction            stack        before                                      after
 *     getfield, own plain    o            dup; t; s; X.$glr$f(X,T,int)
 *     getfield, other        o            dup; t; s; R.read(Object,T,int)             t; R.post(T)
 *     putfield  1 word       o v          dup2; pop; t; s; X.$glw$f or R.write        t; R.post(T)
 *       in a constructor, of `this`, which nobody else has: R.fresh in place of X.$glw$f
 *     putfield  2 words      o vv         dup2_x1; pop2; dup_x2; t; s; likewise       t; R.post(T)
 *     getstatic, putstatic                s; R.sread(int) or R.swrite(int)            t; R.post(T)
 *     iaload ...             a i          dup2; t; s; R.aread(int[],int,T,int)
 *     iastore ... 1 word     a i v        dup_x2; pop; dup2_x1; t; s; R.awrite
 *     lastore, dastore       a i vv       dup2_x2; pop2; dup2_x2; t; s; R.awrite
 *     aastore                a i v        all three copied (gl_jprobe_copy_three); t; s; R.awrite(Object[],int,Object,T,int)
 *       array from variable v, in a method with a loop
 *     iaload ...             a i          dup2; aload k; t; s; R.aread(int[],int,long[],T,int)
 *     iastore ...            a i v        likewise
 *         of a loop without loops in it, elements with cells of their own: R.areadInner, R.awriteInner
 *     astore v               a            dup; t; R.shadow(Object,T); swap; no        astore k
 *         what was loaded from variable w              no                             aload k of w; astore k
 *         what is no array                             no
 *     monitorenter           o            dup; R.entering(Object)                     R.enter()
 *     monitorexit            o            dup; R.exit(Object)                         (in a handler that unlocks: code_stubs.c)
 *
 *     synchronized method    first        aload_0 or ldc of the class; R.enterSync(Object)
 *     loadClass(String)      first        aload_0; R.enterLoader(Object), since the virtual machine may have taken the monitor
 *     loadClass() of both kinds  first    aload_1; R.ours(String), which throws what is to be returned
 *                            throws       a handler of everything: R.found(Throwable); areturn
 *     synchronized, loadClass    returns  R.exitSync()
 *                            throws       a handler of everything: R.exitSync(); athrow
 *     <clinit>               first        id; R.clinitBegins(int)
 *                            returns      id; R.clinitDone(int)
 *     static method, <init>  first        thread; id; R.classUse(T,int)
 *     new, of another class, where arguments of its constructor are computed           t; s; R.made(T,int)
 *     ldc of a dynamic reference                                                      dup; R.constant(Object)
 *     rules                  as struct gl_jmethod_rule says; a call's rule replaces the instruction, or stands around it
 *
 * k is a new variable: null, or the shadow of the array that is in v. The prologue sets it, to null or that of an argument.
 * no is aconst_null; astore k.  t is R.thread(), or a new variable into which
 * the prologue puts that, where there is more than one use.
 *
 * R.post() only where the field may be volatile.  A field of `this` before super() is left alone, and so is a monitor of an
 * object that is not initialised: they could not be passed to a method.
 */
#include <string.h>

#include "java/classfile_lines.h"
#include "java/rewrite_class.h"

#define T GL_JRUNTIME_T_DESC

static const struct {
    const char *name, *desc;
} probes[GL_JPROBES] = {
    [GL_JP_THREAD] = {"thread", "()" T},
    [GL_JP_READ] = {"read", "(Ljava/lang/Object;" T "I)V"},
    [GL_JP_WRITE] = {"write", "(Ljava/lang/Object;" T "I)V"},
    [GL_JP_FRESH] = {"fresh", "(Ljava/lang/Object;" T "I)V"},
    [GL_JP_SREAD] = {"sread", "(I)V"},
    [GL_JP_SWRITE] = {"swrite", "(I)V"},
    [GL_JP_POST] = {"post", "(" T ")V"},
    [GL_JP_AREAD + 0] = {"aread", "([II" T "I)V"},
    [GL_JP_AREAD + 1] = {"aread", "([JI" T "I)V"},
    [GL_JP_AREAD + 2] = {"aread", "([FI" T "I)V"},
    [GL_JP_AREAD + 3] = {"aread", "([DI" T "I)V"},
    [GL_JP_AREAD + 4] = {"aread", "([Ljava/lang/Object;I" T "I)V"},
    [GL_JP_AREAD + 5] = {"areadB", "(Ljava/lang/Object;I" T "I)V"},
    [GL_JP_AREAD + 6] = {"aread", "([CI" T "I)V"},
    [GL_JP_AREAD + 7] = {"aread", "([SI" T "I)V"},
    [GL_JP_AWRITE + 0] = {"awrite", "([II" T "I)V"},
    [GL_JP_AWRITE + 1] = {"awrite", "([JI" T "I)V"},
    [GL_JP_AWRITE + 2] = {"awrite", "([FI" T "I)V"},
    [GL_JP_AWRITE + 3] = {"awrite", "([DI" T "I)V"},
    [GL_JP_AWRITE + 4] = {"awrite", "([Ljava/lang/Object;ILjava/lang/Object;" T "I)V"},
    [GL_JP_AWRITE + 5] = {"awriteB", "(Ljava/lang/Object;I" T "I)V"},
    [GL_JP_AWRITE + 6] = {"awrite", "([CI" T "I)V"},
    [GL_JP_AWRITE + 7] = {"awrite", "([SI" T "I)V"},
    [GL_JP_KEPT_READ + 0] = {"aread", "([II[J" T "I)V"},
    [GL_JP_KEPT_READ + 1] = {"aread", "([JI[J" T "I)V"},
    [GL_JP_KEPT_READ + 2] = {"aread", "([FI[J" T "I)V"},
    [GL_JP_KEPT_READ + 3] = {"aread", "([DI[J" T "I)V"},
    [GL_JP_KEPT_READ + 4] = {"aread", "([Ljava/lang/Object;I[J" T "I)V"},
    [GL_JP_KEPT_READ + 5] = {"areadB", "(Ljava/lang/Object;I[J" T "I)V"},
    [GL_JP_KEPT_READ + 6] = {"aread", "([CI[J" T "I)V"},
    [GL_JP_KEPT_READ + 7] = {"aread", "([SI[J" T "I)V"},
    [GL_JP_KEPT_WRITE + 0] = {"awrite", "([II[J" T "I)V"},
    [GL_JP_KEPT_WRITE + 1] = {"awrite", "([JI[J" T "I)V"},
    [GL_JP_KEPT_WRITE + 2] = {"awrite", "([FI[J" T "I)V"},
    [GL_JP_KEPT_WRITE + 3] = {"awrite", "([DI[J" T "I)V"},
    [GL_JP_KEPT_WRITE + 4] = {"awrite", "([Ljava/lang/Object;ILjava/lang/Object;[J" T "I)V"},
    [GL_JP_KEPT_WRITE + 5] = {"awriteB", "(Ljava/lang/Object;I[J" T "I)V"},
    [GL_JP_KEPT_WRITE + 6] = {"awrite", "([CI[J" T "I)V"},
    [GL_JP_KEPT_WRITE + 7] = {"awrite", "([SI[J" T "I)V"},
    [GL_JP_INNER_READ + 0] = {"areadInner", "([II[J" T "I)V"},
    [GL_JP_INNER_READ + 1] = {"areadInner", "([JI[J" T "I)V"},
    [GL_JP_INNER_READ + 2] = {"areadInner", "([FI[J" T "I)V"},
    [GL_JP_INNER_READ + 3] = {"areadInner", "([DI[J" T "I)V"},
    [GL_JP_INNER_READ + 4] = {"areadInner", "([Ljava/lang/Object;I[J" T "I)V"},
    [GL_JP_INNER_WRITE + 0] = {"awriteInner", "([II[J" T "I)V"},
    [GL_JP_INNER_WRITE + 1] = {"awriteInner", "([JI[J" T "I)V"},
    [GL_JP_INNER_WRITE + 2] = {"awriteInner", "([FI[J" T "I)V"},
    [GL_JP_INNER_WRITE + 3] = {"awriteInner", "([DI[J" T "I)V"},
    [GL_JP_INNER_WRITE + 4] = {"awriteInner", "([Ljava/lang/Object;ILjava/lang/Object;[J" T "I)V"},
    [GL_JP_SHADOW] = {"shadow", "(Ljava/lang/Object;" T ")[J"},
    [GL_JP_ENTER] = {"enter", "()V"},
    [GL_JP_ENTERING] = {"entering", "(Ljava/lang/Object;)V"},
    [GL_JP_EXIT] = {"exit", "(Ljava/lang/Object;)V"},
    [GL_JP_ENTER_SYNC] = {"enterSync", "(Ljava/lang/Object;)V"},
    [GL_JP_ENTER_LOADER] = {"enterLoader", "(Ljava/lang/Object;)V"},
    [GL_JP_EXIT_SYNC] = {"exitSync", "()V"},
    [GL_JP_OURS] = {"ours", "(Ljava/lang/String;)V"},
    [GL_JP_FOUND] = {"found", "(Ljava/lang/Throwable;)Ljava/lang/Class;"},
    [GL_JP_CLINIT_BEGINS] = {"clinitBegins", "(I)V"},
    [GL_JP_CLINIT_ONLY] = {"clinitOnly", "(I)V"},
    [GL_JP_CLINIT_DONE] = {"clinitDone", "(I)V"},
    [GL_JP_CLASS_USE] = {"classUse", "(" T "I)V"},
    [GL_JP_MADE] = {"made", "(" T "I)V"},
    [GL_JP_READ_HIT] = {"readHit", "(J" T ")Z"},
    [GL_JP_WRITE_HIT] = {"writeHit", "(J" T ")Z"},
    [GL_JP_FIRST_READ] = {"firstRead", "(Ljava/lang/Object;" T "I)V"},
    [GL_JP_FIRST_WRITE] = {"firstWrite", "(Ljava/lang/Object;" T "I)V"},
    [GL_JP_CONSTANT] = {"constant", "(Ljava/lang/Object;)V"},
};

/* Words of stack that the sequences above need on top. */
enum { STACK_MONITOR = 1, STACK_SYNC = 1, STACK_CLINIT = 1, STACK_CLASS_USE = 2, STACK_MADE = 2, STACK_LOADER = 1 };

void gl_jprobe_skip(struct gl_jrewriter *r, const char *why)
{
    if (r->policy->skipped)
        r->policy->skipped(r->policy->ctx, r->f.name, r->method ? r->method : "",
                           r->method ? r->method_desc : "", why);
}

/* ---- small sequences ------------------------------------------------------------------------------------------ */

uint16_t gl_jprobe_ref(struct gl_jrewriter *r, enum gl_jprobe probe)
{
    if (!r->r_class)
        r->r_class = gl_jpool_class(&r->pool, "goldilocks/rt/R");
    if (!r->probes[probe])
        r->probes[probe] =
            gl_jpool_member(&r->pool, GL_JC_METHOD, r->r_class, probes[probe].name, probes[probe].desc);
    return r->probes[probe];
}

static void call(struct gl_jrewriter *r, enum gl_jprobe probe)
{
    gl_jop_ref(r, GL_JOPC_INVOKESTATIC, gl_jprobe_ref(r, probe));
}

void gl_jprobe_thread(struct gl_jrewriter *r)
{
    if (r->code.thread_local)
        gl_jprobe_variable(r, GL_JOPC_ALOAD, r->code.max_locals);
    else
        call(r, GL_JP_THREAD);
}

/* A method with several probes asks for the thread once. */
static void keep_thread(struct gl_jrewriter *r)
{
    struct gl_jcode *c = &r->code;
    unsigned wanted = gl_jprobe_uses_class(r, c->method);
    for (uint32_t k = 0; k < c->n_looked && wanted < 2; k++) {
        unsigned opcode = c->code[c->looked[k]];
        if (opcode >= GL_JOPC_GETSTATIC && opcode <= GL_JOPC_PUTFIELD)
            wanted += gl_jprobe_field_uses(r, c->looked[k]);
        else if (opcode == GL_JOPC_NEW)
            wanted += gl_jprobe_tells_new(r, c->looked[k]);
        else if (opcode == GL_JOPC_LDC || opcode == GL_JOPC_LDC_W)
            continue;
        else if (opcode < GL_JOPC_ISTORE || (opcode >= GL_JOPC_IASTORE && opcode <= GL_JOPC_SASTORE))
            wanted += !c->array_local                        ? 1u
                      : c->array_local[k] == GL_JARRAY_ALONE ? 0u
                      : r->loops && c->array_local[k]        ? 2u /* its shadow has to be found */
                                                             : 1u;
    }
    if (wanted < 2 || c->max_locals + c->more_locals >= GL_JKEPT_BELOW)
        return;
    call(r, GL_JP_THREAD);
    gl_jprobe_variable(r, GL_JOPC_ASTORE, c->max_locals + c->more_locals++);
    c->thread_local = true;
    gl_jprobe_needs(r, 1);
}

void gl_jprobe_call(struct gl_jrewriter *r, const char *owner, const char *name, const char *desc)
{
    gl_jop_ref(r, GL_JOPC_INVOKESTATIC,
           gl_jpool_member(&r->pool, GL_JC_METHOD, gl_jpool_class(&r->pool, owner), name, desc));
}

void gl_jprobe_copy_three(struct gl_jrewriter *r)
{
    static const uint8_t way[] = {
        GL_JOPC_DUP_X2, GL_JOPC_POP,  GL_JOPC_DUP2_X1, /* a b c a b */
        GL_JOPC_DUP2_X1, GL_JOPC_POP2,                 /* a b a b c */
        GL_JOPC_DUP_X2,
    };
    for (size_t k = 0; k < sizeof way; k++)
        gl_jop(r, way[k]);
    gl_jprobe_needs(r, 4);
}

void gl_jprobe_needs(struct gl_jrewriter *r, unsigned words)
{
    if (words > r->code.more_stack)
        r->code.more_stack = (uint16_t)words;
}

/* ldc of a constant of one word. */
static void load_constant(struct gl_jrewriter *r, uint16_t constant)
{
    if (constant < 256) {
        gl_jop(r, GL_JOPC_LDC);
        gl_jop(r, constant);
    } else {
        gl_jop_ref(r, GL_JOPC_LDC_W, constant);
    }
}

static void load_int(struct gl_jrewriter *r, uint32_t value)
{
    if (value <= 5) {
        gl_jop(r, GL_JOPC_ICONST_0 + value);
    } else if (value < 128) {
        gl_jop(r, GL_JOPC_BIPUSH);
        gl_jop(r, value);
    } else if (value < 32768) {
        gl_jop_ref(r, GL_JOPC_SIPUSH, (uint16_t)value);
    } else {
        load_constant(r, gl_jpool_int(&r->pool, value));
    }
}

/* The object whose monitor a synchronized method takes. */
static void load_monitor(struct gl_jrewriter *r)
{
    struct gl_jfile *f = &r->f;
    if (!(r->code.method->access & GL_JACC_STATIC)) {
        gl_jop(r, GL_JOPC_ALOAD_0);
    } else if (f->major >= 49) {
        load_constant(r, f->this_class);
    } else { /* before Java 5 a class was no constant */
        size_t n = strlen(f->name);
        char *name = gl_jfile_scratch(f, n + 1);
        for (size_t i = 0; i <= n; i++)
            name[i] = f->name[i] == '/' ? '.' : f->name[i];
        load_constant(r, gl_jpool_string(&r->pool, name));
        gl_jprobe_call(r, "java/lang/Class", "forName", "(Ljava/lang/String;)Ljava/lang/Class;");
    }
}

/* ---- sites ---------------------------------------------------------------------------------------------------- */

static void read_lines(struct gl_jrewriter *r)
{
    struct gl_jcode *c = &r->code;
    r->lines = gl_jfile_scratch(&r->f, sizeof *r->lines * c->n);
    memset(r->lines, 0, sizeof *r->lines * c->n);
    r->line_at = 0;
    r->line = 0;
    uint32_t at = c->attributes;
    for (unsigned k = 0; k < c->n_attributes; k++) {
        struct gl_jattribute a = gl_jfile_attribute(&r->f, &at);
        if (!GL_JFILE_IS(&r->f, a.name, "LineNumberTable"))
            continue;
        for (uint32_t e = a.at + 2; e + 4 <= a.end; e += 4)
            if (gl_jget2(r->f.in + e) < c->n)
                r->lines[gl_jget2(r->f.in + e)] = gl_jget2(r->f.in + e + 2);
    }
}

/* Of the instruction at pc; called with growing pc. */
static uint32_t line_of(struct gl_jrewriter *r, uint32_t pc)
{
    if (!r->lines)
        read_lines(r);
    for (; r->line_at <= pc; r->line_at++)
        if (r->lines[r->line_at])
            r->line = r->lines[r->line_at];
    return r->line;
}

/* What the class's map of lines says of the place. */
static void tell_source(struct gl_jrewriter *r, struct gl_jplace *place)
{
    struct gl_jsource_line found;
    if (!r->f.n_lines || !gl_jsource_line((const char *)r->f.in + r->f.lines, r->f.n_lines, place->line, &found))
        return;
    char *file = gl_jfile_scratch(&r->f, found.file_n + 1);
    memcpy(file, found.file, found.file_n);
    file[found.file_n] = 0;
    place->source_file = file;
    place->line = found.line;
}

void gl_jprobe_site(struct gl_jrewriter *r, uint32_t pc, enum gl_jop what, const char *owner,
                      const char *name, const char *desc, enum gl_jkind kind)
{
    uint32_t site = 0;
    if (r->policy->site) {
        struct gl_jplace place = {.class_name = r->f.name,
                                  .method = r->method,
                                  .method_desc = r->method_desc,
                                  .source_file = r->f.source,
                                  .bci = pc,
                                  .line = line_of(r, pc),
                                  .op = what,
                                  .owner = owner,
                                  .name = name,
                                  .desc = desc,
                                  .kind = kind};
        tell_source(r, &place);
        site = r->policy->site(r->policy->ctx, &place);
    }
    load_int(r, site);
}

/* ---- monitors ----------------------------------------------------------------------------------------- */

static void probe_monitor(struct gl_jrewriter *r, uint32_t pc)
{
    struct gl_jcode *c = &r->code;
    if (c->marks[pc] & GL_JM_RAW) {
        gl_jprobe_skip(r, "a monitor of an object that is not initialised is not seen");
        return;
    }
    struct gl_jedit *e = gl_jedit_begin(c, pc);
    gl_jop(r, GL_JOPC_DUP);
    if (c->code[pc] == GL_JOPC_MONITOREXIT) {
        call(r, GL_JP_EXIT);
        gl_jstub_add(c, pc);
    } else {
        call(r, GL_JP_ENTERING); /* which keeps the object: nothing of ours may lie below monitorenter's operand (RMonitors.java) */
    }
    gl_jedit_replace(c, e);
    if (c->code[pc] == GL_JOPC_MONITORENTER) {
        call(r, GL_JP_ENTER);
        e->forward = true; /* javac's handler that unlocks begins behind monitorenter */
    }
    gl_jedit_done(c, e);
    gl_jprobe_needs(r, STACK_MONITOR);
}

/* ---- dynamic constants ---------------------------------------------------------------------------------- */

/* The constant is a dynamic one, and a reference. */
static bool is_dynamic(struct gl_jfile *f, unsigned index)
{
    if (index >= f->n_pool || !f->pool[index] || f->in[f->pool[index]] != GL_JC_DYNAMIC)
        return false;
    const uint8_t *type = gl_jfile_const(f, gl_jget2(f->in + f->pool[index] + 3), GL_JC_NAME_AND_TYPE);
    const char *desc = gl_jfile_text(f, gl_jget2(type + 2));
    return *desc == 'L' || *desc == '[';
}

bool gl_jprobe_has_dynamic(struct gl_jrewriter *r)
{
    for (unsigned i = 1; i < r->f.n_pool; i++)
        if (r->f.pool[i] && r->f.in[r->f.pool[i]] == GL_JC_DYNAMIC)
            return true;
    return false;
}

static void probe_constant(struct gl_jrewriter *r, uint32_t pc)
{
    struct gl_jcode *c = &r->code;
    if (!is_dynamic(&r->f, c->code[pc] == GL_JOPC_LDC ? c->code[pc + 1] : gl_jget2(c->code + pc + 1)))
        return;
    struct gl_jedit *e = gl_jedit_begin(c, pc);
    gl_jedit_replace(c, e);
    gl_jop(r, GL_JOPC_DUP);
    call(r, GL_JP_CONSTANT);
    gl_jedit_done(c, e);
    gl_jprobe_needs(r, 1);
}

/* ---- entry and return ------------------------------------------------------------------------------------------- */

enum gl_jprobe gl_jprobe_monitor_of(const struct gl_jrewriter *r, const struct gl_jmember *m)
{
    unsigned flags = r->policy->flags;
    if (!(flags & GL_JR_MONITORS) || r->method[0] == '<') /* neither kind of initializer can be synchronized */
        return GL_JPROBES;
    if (m->access & GL_JACC_SYNCHRONIZED)
        return GL_JP_ENTER_SYNC;
    bool loads = flags & GL_JR_LOADERS && !(m->access & GL_JACC_STATIC) && strcmp(r->method, "loadClass") == 0 &&
                 strcmp(r->method_desc, "(Ljava/lang/String;)Ljava/lang/Class;") == 0;
    return loads ? GL_JP_ENTER_LOADER : GL_JPROBES;
}

bool gl_jprobe_loads(const struct gl_jrewriter *r, const struct gl_jmember *m)
{
    return r->policy->flags & GL_JR_LOADERS && !(m->access & (GL_JACC_STATIC | GL_JACC_NATIVE | GL_JACC_ABSTRACT)) && !(r->f.access & GL_JACC_INTERFACE) &&
           strcmp(r->method, "loadClass") == 0 &&
           (strcmp(r->method_desc, "(Ljava/lang/String;)Ljava/lang/Class;") == 0 || strcmp(r->method_desc, "(Ljava/lang/String;Z)Ljava/lang/Class;") == 0);
}

bool gl_jprobe_uses_class(const struct gl_jrewriter *r, const struct gl_jmember *m)
{
    return r->has_clinit && r->policy->flags & GL_JR_CLASS_USE && !r->clinit &&
           (m->access & GL_JACC_STATIC || strcmp(r->method, "<init>") == 0);
}

static void probe_return(struct gl_jrewriter *r, uint32_t pc, bool synchronized)
{
    struct gl_jcode *c = &r->code;
    unsigned result;
    gl_jdesc_arguments(&r->f, r->method_desc, &result);
    struct gl_jedit *e = gl_jedit_begin(c, pc);
    gl_jrule_apply(r, GL_JWHEN_RETURN, result);
    if (r->clinit && r->policy->flags & GL_JR_CLINIT) {
        load_int(r, r->policy->class_id ? r->policy->class_id(r->policy->ctx, r->f.name) : 0);
        call(r, GL_JP_CLINIT_DONE);
        gl_jprobe_needs(r, STACK_CLINIT);
    }
    if (synchronized)
        call(r, GL_JP_EXIT_SYNC);
    gl_jedit_replace(c, e);
    gl_jedit_done(c, e);
}

/* ---- new ---- */

/* Is anything done between `new` and the constructor's call that could see what the class's initialization did: more than taking constants and local variables? */
static bool computes_arguments(struct gl_jrewriter *r, uint32_t pc)
{
    struct gl_jcode *c = &r->code;
    for (pc += gl_jcode_size(c, pc); pc < c->n; pc += gl_jcode_size(c, pc)) {
        unsigned opcode = c->code[pc];
        if (opcode == GL_JOPC_INVOKESPECIAL) /* there was no other `new` in between */
            return strcmp(gl_jfile_ref(&r->f, gl_jget2(c->code + pc + 1)).name, "<init>") != 0;
        bool loads = opcode >= GL_JOPC_IALOAD && opcode < GL_JOPC_ISTORE, jumps = opcode >= GL_JOPC_IFEQ && opcode <= GL_JOPC_RETURN;
        if (loads || jumps || opcode >= GL_JOPC_GETSTATIC) /* fields, calls, `new`, monitors ... */
            return true;
    }
    return true;
}

bool gl_jprobe_tells_new(struct gl_jrewriter *r, uint32_t pc)
{
    struct gl_jfile *f = &r->f;
    uint16_t index = gl_jget2(r->code.code + pc + 1);
    if (index == f->this_class)
        return false;
    const char *name = gl_jfile_class(f, index);
    return *name != '[' && strcmp(name, f->name) != 0 && (!r->policy->checked || r->policy->checked(r->policy->ctx, name)) && computes_arguments(r, pc);
}

static void probe_new(struct gl_jrewriter *r, uint32_t pc)
{
    struct gl_jcode *c = &r->code;
    if (!gl_jprobe_tells_new(r, pc))
        return;
    struct gl_jedit *e = gl_jedit_begin(c, pc);
    gl_jedit_replace(c, e);
    gl_jprobe_thread(r);
    gl_jprobe_site(r, pc, GL_JOP_NEW, gl_jfile_class(&r->f, gl_jget2(c->code + pc + 1)), NULL, NULL, GL_JKIND_FINAL);
    call(r, GL_JP_MADE);
    gl_jprobe_needs(r, STACK_MADE);
    gl_jedit_done(c, e);
}

/* ---- a method ----------------------------------------------------------------------------------------------------- */

void gl_jprobe_wanted(const struct gl_jrewriter *r, bool returns, uint8_t wanted[256])
{
    const struct gl_jpolicy *policy = r->policy;
    memset(wanted, 0, 256);
    wanted[GL_JOPC_LDC] = wanted[GL_JOPC_LDC_W] = r->constants;
    if (policy->flags & GL_JR_DATA && !(policy->flags & GL_JR_NO_ARRAYS))
        for (unsigned k = 0; k < 8; k++)
            wanted[GL_JOPC_IALOAD + k] = wanted[GL_JOPC_IASTORE + k] = 1;
    if (wanted[GL_JOPC_IALOAD])
        wanted[GL_JOPC_ASTORE] = wanted[GL_JOPC_ASTORE_0] = wanted[GL_JOPC_ASTORE_0 + 1] =
            wanted[GL_JOPC_ASTORE_0 + 2] = wanted[GL_JOPC_ASTORE_0 + 3] = 1;
    if (policy->flags & (GL_JR_DATA | GL_JR_VOLATILE))
        for (unsigned k = GL_JOPC_GETSTATIC; k <= GL_JOPC_PUTFIELD; k++)
            wanted[k] = 1;
    wanted[GL_JOPC_NEW] = policy->flags & GL_JR_CLASS_USE && policy->flags & GL_JR_DATA;
    if (policy->flags & GL_JR_MONITORS)
        wanted[GL_JOPC_MONITORENTER] = wanted[GL_JOPC_MONITOREXIT] = 1;
    if (policy->n_calls || policy->n_arounds)
        for (unsigned k = GL_JOPC_INVOKEVIRTUAL; k <= GL_JOPC_INVOKEINTERFACE; k++)
            wanted[k] = 1;
    if (returns)
        for (unsigned k = GL_JOPC_IRETURN; k <= GL_JOPC_RETURN; k++)
            wanted[k] = 1;
}

/* Something of what is looked at may be about an object that is not initialised. */
static bool may_be_raw(const struct gl_jrewriter *r)
{
    const struct gl_jcode *c = &r->code;
    bool constructor = strcmp(r->method, "<init>") == 0, monitors = false;
    for (uint32_t k = 0; k < c->n_looked; k++) {
        unsigned opcode = c->code[c->looked[k]];
        monitors = monitors || opcode == GL_JOPC_MONITORENTER || opcode == GL_JOPC_MONITOREXIT;
        if (constructor && (opcode == GL_JOPC_PUTFIELD || opcode == GL_JOPC_GETFIELD))
            return true;
    }
    return monitors;
}

static uint8_t *write_call(struct gl_jrewriter *r, uint8_t *to, enum gl_jprobe probe)
{
    *to = GL_JOPC_INVOKESTATIC;
    gl_jset2(to + 1, gl_jprobe_ref(r, probe));
    return to + 3;
}

const char *gl_jprobe_method(struct gl_jrewriter *r, uint8_t epilogue[8])
{
    struct gl_jcode *c = &r->code;
    enum gl_jprobe enters = gl_jprobe_monitor_of(r, c->method);
    bool synchronized = enters != GL_JPROBES;
    r->lines = NULL;
    if (may_be_raw(r)) {
        const char *why = gl_jcode_flow(c);
        if (why)
            return why;
    }
    gl_jprobe_find_arrays(r);
    keep_thread(r);
    gl_jprobe_keep_arrays(r);
    if (gl_jprobe_uses_class(r, c->method)) {
        gl_jprobe_thread(r);
        load_int(r, r->policy->class_id ? r->policy->class_id(r->policy->ctx, r->f.name) : 0);
        call(r, GL_JP_CLASS_USE);
        gl_jprobe_needs(r, STACK_CLASS_USE);
    }
    if (r->clinit && r->policy->flags & GL_JR_CLINIT) {
        load_int(r, r->policy->class_id ? r->policy->class_id(r->policy->ctx, r->f.name) : 0);
        call(r, GL_JP_CLINIT_BEGINS);
        gl_jprobe_needs(r, STACK_CLINIT);
    }
    if (synchronized) {
        load_monitor(r);
        call(r, enters);
        gl_jprobe_needs(r, STACK_SYNC);
    }
    gl_jrule_find(r);
    gl_jrule_apply(r, GL_JWHEN_ENTRY, 0);
    c->covered = (uint32_t)c->inserted.n;
    bool loads = gl_jprobe_loads(r, c->method);
    if (loads) {
        gl_jop(r, GL_JOPC_ALOAD_0 + 1);
        call(r, GL_JP_OURS);
        gl_jprobe_needs(r, STACK_LOADER);
    }
    c->n_prologue = (uint32_t)c->inserted.n;
    for (uint32_t k = 0; k < c->n_looked; k++) {
        uint32_t pc = c->looked[k];
        unsigned opcode = c->code[pc];
        if (opcode == GL_JOPC_LDC || opcode == GL_JOPC_LDC_W)
            probe_constant(r, pc);
        else if (opcode == GL_JOPC_ASTORE || (opcode >= GL_JOPC_ASTORE_0 && opcode < GL_JOPC_IASTORE))
            gl_jprobe_array_store(r, k);
        else if (opcode < GL_JOPC_IRETURN)
            gl_jprobe_array(r, k);
        else if (opcode <= GL_JOPC_RETURN)
            probe_return(r, pc, synchronized);
        else if (opcode <= GL_JOPC_PUTFIELD)
            gl_jprobe_field(r, pc);
        else if (opcode <= GL_JOPC_INVOKEINTERFACE)
            gl_jprobe_at_call(r, pc);
        else if (opcode == GL_JOPC_NEW)
            probe_new(r, pc);
        else
            probe_monitor(r, pc);
    }
    if (synchronized || loads) {
        uint8_t *end = epilogue;
        if (synchronized)
            end = write_call(r, end, GL_JP_EXIT_SYNC);
        if (loads)
            end = write_call(r, end, GL_JP_FOUND);
        *end++ = loads ? GL_JOPC_IRETURN + 4 /* areturn */ : GL_JOPC_ATHROW;
        c->epilogue = epilogue;
        c->n_epilogue = (uint32_t)(end - epilogue);
    }
    return NULL;
}
