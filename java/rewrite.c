/* SPDX-License-Identifier: Apache-2.0
 *
 * A class rewritten: method by method, each wholly or not at all, and put together again.  Constants are only
 * added behind those that are there, so everything that is not rewritten is copied as it is.
 */
#include <stdlib.h>

#include "java/rewrite_class.h"

/* Where the work on a method began, to undo it. */
struct begun {
    size_t body;
    struct gl_jmark pool;
    unsigned helpers;
};

static struct begun begin(const struct gl_jrewriter *r)
{
    return (struct begun){r->body.n, gl_jpool_mark(&r->pool), r->n_helpers};
}

static void undo(struct gl_jrewriter *r, struct begun b)
{
    r->body.n = b.body;
    gl_jmember_back(r, b.helpers);
    gl_jpool_back(&r->pool, b.pool);
    if (r->r_class >= b.pool.n)
        r->r_class = 0;
    for (unsigned k = 0; k < GL_JPROBES; k++)
        if (r->probes[k] >= b.pool.n)
            r->probes[k] = 0;
}

/* The first rule of the present method; NULL: it has none. */
static const struct gl_jmethod_rule *method_rule(const struct gl_jrewriter *r)
{
    for (size_t i = 0; i < r->policy->n_methods; i++)
        if (strcmp(r->policy->methods[i].name, r->method) == 0 &&
            (!r->policy->methods[i].desc || strcmp(r->policy->methods[i].desc, r->method_desc) == 0))
            return &r->policy->methods[i];
    return NULL;
}

/* The Code attribute of a method; false: it has none. */
static bool find_code(struct gl_jrewriter *r, const struct gl_jmember *m, struct gl_jattribute *code)
{
    uint32_t at = m->attributes;
    bool found = false;
    for (unsigned k = 0; k < m->n_attributes; k++) {
        struct gl_jattribute a = gl_jfile_attribute(&r->f, &at);
        if (!GL_JFILE_IS(&r->f, a.name, "Code"))
            continue;
        if (found)
            gl_jfile_fail(&r->f, "a method has two Code attributes");
        *code = a;
        found = true;
    }
    return found;
}

/* Writes the method up to its attributes, which are all but Code; the count of attributes is `more` more. */
static void write_head(struct gl_jrewriter *r, const struct gl_jmember *m, unsigned access, uint32_t code_at,
                       unsigned more)
{
    gl_jbuf_2(&r->body, access);
    gl_jbuf_2(&r->body, m->name);
    gl_jbuf_2(&r->body, m->desc);
    size_t count = r->body.n;
    gl_jbuf_2(&r->body, 0);
    unsigned n = more;
    uint32_t at = m->attributes;
    for (unsigned k = 0; k < m->n_attributes; k++) {
        uint32_t start = at;
        struct gl_jattribute a = gl_jfile_attribute(&r->f, &at);
        if (a.at == code_at)
            continue;
        gl_jbuf_bytes(&r->body, r->f.in + start, at - start);
        n++;
    }
    gl_jset2(r->body.at + count, n);
}

/* Returns why the method is left alone; "" when it needs nothing; NULL when it is written. */
static const char *rewrite_code(struct gl_jrewriter *r, const struct gl_jmember *m, struct gl_jattribute code)
{
    bool returns = gl_jprobe_monitor_of(r, m) != GL_JPROBES ||
                   (r->clinit && r->policy->flags & GL_JR_CLINIT) || method_rule(r);
    uint8_t wanted[256], epilogue[8];
    gl_jprobe_wanted(r, returns, wanted);
    gl_jcode_read(&r->code, &r->f, m, code, wanted);
    if (!r->code.n_looked && !returns && !gl_jprobe_uses_class(r, m) && !gl_jprobe_loads(r, m))
        return "";
    const char *why = gl_jprobe_method(r, epilogue);
    if (why)
        return why;
    if (!r->code.n_edits && !r->code.n_prologue && !r->code.n_epilogue)
        return "";
    if (!r->pool.full && !(why = gl_jcode_layout(&r->code))) {
        write_head(r, m, m->access, code.at, 1);
        why = gl_jcode_write(&r->code, code.name, &r->pool, &r->body);
    }
    return r->pool.full ? "its class would have too many constants" : why;
}

/* The method as a whole cannot be: then what it orders is seen, which takes little room, and only its data is not checked.  Results as of rewrite_code(). */
static const char *rewrite_order(struct gl_jrewriter *r, const struct gl_jmember *m, struct gl_jattribute code)
{
    const struct gl_jpolicy *all = r->policy;
    struct gl_jplanned *planned[2] = {r->planned[0], r->planned[1]};
    struct gl_jpolicy order = *all;
    order.flags &= ~(unsigned)GL_JR_DATA;
    r->policy = &order;
    r->planned[0] = r->planned[1] = NULL; /* plans are for what is wanted */
    const char *why = rewrite_code(r, m, code);
    r->policy = all;
    r->planned[0] = planned[0], r->planned[1] = planned[1];
    return why;
}

static void rewrite_method(struct gl_jrewriter *r, const struct gl_jmember *m, bool anything)
{
    struct gl_jfile *f = &r->f;
    r->method = gl_jfile_text(f, m->name);
    r->method_desc = gl_jfile_text(f, m->desc);
    r->clinit = strcmp(r->method, "<clinit>") == 0;
    f->where = r->method;
    gl_jfile_next_method(f);
    struct begun start = begin(r);
    struct gl_jattribute code = {0};
    bool has_code = find_code(r, m, &code);
    const char *why = "";
    if (has_code && anything)
        why = rewrite_code(r, m, code);
    if (why && *why && r->policy->flags & GL_JR_DATA) {
        gl_jprobe_skip(r, why);
        undo(r, start);
        gl_jfile_next_method(f);
        why = rewrite_order(r, m, code);
        why = why && *why ? "nor is what it orders" : why;
    }
    if (!has_code && m->access & GL_JACC_NATIVE && m->access & GL_JACC_SYNCHRONIZED && r->policy->flags & GL_JR_MONITORS)
        why = "it is native: its synchronization is not seen";
    else if (!has_code && method_rule(r) && !(method_rule(r)->pass & GL_JPASS_NATIVE && m->access & GL_JACC_NATIVE))
        why = m->access & GL_JACC_ABSTRACT ? "" : "it has no code: a rule cannot be applied";
    if (!why) {
        r->changed = true;
    } else {
        undo(r, start);
        gl_jbuf_bytes(&r->body, f->in + m->at, m->end - m->at);
        if (*why)
            gl_jprobe_skip(r, why);
    }
    r->method = r->method_desc = NULL;
    f->where = NULL;
}

static void rewrite_methods(struct gl_jrewriter *r)
{
    struct gl_jfile *f = &r->f;
    const struct gl_jpolicy *p = r->policy;
    bool anything = p->flags & (GL_JR_DATA | GL_JR_SYNC | GL_JR_LOADERS) || p->n_calls || p->n_arounds || p->n_methods;
    size_t count = r->body.n;
    gl_jbuf_2(&r->body, 0);
    for (unsigned i = 0; p->flags & (GL_JR_CLASS_USE | GL_JR_MAKE_CLINIT) && i < f->n_methods; i++)
        r->has_clinit = r->has_clinit || GL_JFILE_IS(f, f->methods[i].name, "<clinit>");
    gl_jmember_make_clinit(r);
    r->constants = p->flags & GL_JR_CONSTANTS && gl_jprobe_has_dynamic(r);
    for (unsigned i = 0; i < f->n_methods && !(r->asked && r->changed); i++)
        rewrite_method(r, &f->methods[i], anything);
    gl_jmember_write_helpers(r);
    gl_jmember_write_clinit(r);
    gl_jset2(r->body.at + count, f->n_methods + r->n_helpers + (r->made_clinit.name != 0));
}

static __attribute__((noinline)) int rewrite(struct gl_jrewriter *r, const uint8_t *in, size_t n, struct gl_jbuf *out)
{
    struct gl_jfile *f = &r->f;
    gl_jfile_read(f, in, n);
    if (f->access & GL_JACC_MODULE)
        return GL_JR_NOTHING;
    if (f->major < 45 || (f->major == 45 && f->minor < 3)) {
        gl_jprobe_skip(r, "its class file is of a version before Java 1.1");
        return GL_JR_NOTHING;
    }
    gl_jpool_open(&r->pool, f);
    r->body.f = out->f = f;
    gl_jbuf_bytes(&r->body, in + f->pool_end, f->members - f->pool_end);
    if ((r->policy->flags & (GL_JR_DATA | GL_JR_MEMBERS)) == (GL_JR_DATA | GL_JR_MEMBERS))
        gl_jmember_shadows(r);
    gl_jmember_write_fields(r);
    rewrite_methods(r);
    if (!r->changed)
        return GL_JR_NOTHING;
    if (r->asked)
        return GL_JR_REWRITTEN;
    gl_jbuf_bytes(&r->body, in + f->attributes - 2, f->n - (f->attributes - 2)); /* with their count */

    uint8_t *to = gl_jbuf_more(out, f->pool_end + r->pool.bytes.n + r->body.n);
    memcpy(to, in, f->pool_end);
    gl_jset2(to + 8, r->pool.n);
    if (r->pool.bytes.n)
        memcpy(to + f->pool_end, r->pool.bytes.at, r->pool.bytes.n);
    memcpy(to + f->pool_end + r->pool.bytes.n, r->body.at, r->body.n);
    return GL_JR_REWRITTEN;
}

int gl_jrewrite(const uint8_t *in, size_t n, const struct gl_jpolicy *policy, struct gl_jbytes *out,
                char error[GL_JERROR_BYTES])
{
    /* On the heap, for what is on the stack of a function that calls setjmp has no certain value afterwards. */
    struct work {
        struct gl_jrewriter r;
        struct gl_jbuf out;
        int result;
    } *w = calloc(1, sizeof *w);
    error[0] = 0;
    if (!w) {
        memcpy(error, "out of memory", sizeof "out of memory");
        return GL_JR_MALFORMED;
    }
    w->r.policy = policy;
    w->r.f.error = error;
    w->r.asked = !out;
    if (setjmp(w->r.f.failed) == 0)
        w->result = rewrite(&w->r, in, n, &w->out);
    else
        w->result = GL_JR_MALFORMED;
    int result = w->result;
    if (result == GL_JR_REWRITTEN && out)
        *out = (struct gl_jbytes){w->out.at, w->out.n};
    else
        free(w->out.at);
    gl_jpool_close(&w->r.pool);
    free(w->r.body.at);
    free(w->r.code.inserted.at);
    gl_jfile_close(&w->r.f);
    free(w);
    return result;
}
