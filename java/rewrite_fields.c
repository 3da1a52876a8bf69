/* SPDX-License-Identifier: Apache-2.0
 *
 * What is done at accesses to fields.  The sequences stand in rewrite_probes.c.
 */
#include "java/rewrite_class.h"

/* Words of stack that the sequences need on top. */
enum { STACK_FIELD = 3, STACK_STATIC = 1 };

/* What to do about a field of that kind; `own` is its index when the class declares it, or -1. */
static enum gl_jplan plan_for(const struct gl_jrewriter *r, enum gl_jkind kind, bool is_static, int own)
{
    unsigned flags = r->policy->flags;
    switch (kind) {
    case GL_JKIND_VOLATILE:
        return flags & GL_JR_VOLATILE ? GL_JPLAN_POST : GL_JPLAN_NONE;
    case GL_JKIND_FINAL: /* a static one may be the first use of a class */
        return is_static && flags & GL_JR_DATA ? GL_JPLAN_CALL : GL_JPLAN_NONE;
    case GL_JKIND_PLAIN:
        if (!(flags & GL_JR_DATA))
            return GL_JPLAN_NONE;
        return own >= 0 && !is_static && r->shadows && r->shadows[own].w ? GL_JPLAN_HELPER : GL_JPLAN_CALL;
    default:
        return GL_JPLAN_POST;
    }
}

static const struct gl_jplanned *plan_of(struct gl_jrewriter *r, uint16_t index, bool is_static)
{
    struct gl_jfile *f = &r->f;
    struct gl_jplanned **all = &r->planned[is_static];
    if (!*all) {
        *all = gl_jfile_alloc(f, sizeof **all * f->n_pool);
        memset(*all, 0, sizeof **all * f->n_pool);
    }
    const uint8_t *p = gl_jfile_const(f, index, GL_JC_FIELD);
    struct gl_jplanned *planned = &(*all)[index];
    if (planned->plan)
        return planned;
    planned->plan = GL_JPLAN_NONE;
    struct gl_jref ref = gl_jfile_ref(f, index);
    const uint8_t *pair = gl_jfile_const(f, gl_jget2(p + 2), GL_JC_NAME_AND_TYPE);
    bool own_class = gl_jget2(p) == f->this_class || strcmp(ref.owner, f->name) == 0;
    int own = own_class ? gl_jmember_field(r, gl_jget2(pair), gl_jget2(pair + 2)) : -1;
    enum gl_jkind kind = GL_JKIND_UNKNOWN;
    if (own >= 0) {
        unsigned access = f->fields[own].access;
        if (!(access & GL_JACC_STATIC) == is_static)
            return planned; /* the instruction will fail */
        kind = access & GL_JACC_VOLATILE ? GL_JKIND_VOLATILE
               : access & GL_JACC_FINAL  ? GL_JKIND_FINAL
                                         : GL_JKIND_PLAIN;
        planned->field = (uint16_t)own;
        if (kind != GL_JKIND_VOLATILE && r->policy->acts_volatile &&
            r->policy->acts_volatile(r->policy->ctx, ref.owner, ref.name)) {
            kind = GL_JKIND_VOLATILE;
            planned->not_in_constructor = true;
        }
    } else {
        const struct gl_jpolicy *policy = r->policy;
        if (!own_class && policy->checked && !policy->checked(policy->ctx, ref.owner))
            return planned;
        if (policy->field_kind)
            kind = policy->field_kind(policy->ctx, ref.owner, ref.name, ref.desc, is_static);
    }
    planned->kind = (uint8_t)kind;
    planned->plan = (uint8_t)plan_for(r, kind, is_static, own);
    if (r->clinit && own >= 0 &&
        kind == GL_JKIND_FINAL) { /* this class is being initialised: it is not its first use */
        planned->plan = GL_JPLAN_NOT_ASKED;
        static const struct gl_jplanned none = {.plan = GL_JPLAN_NONE};
        return &none;
    }
    return planned;
}

/* What is to be done there; NULL: nothing. */
static const struct gl_jplanned *plan_at(struct gl_jrewriter *r, uint32_t pc)
{
    struct gl_jcode *c = &r->code;
    const struct gl_jplanned *planned =
        plan_of(r, gl_jget2(c->code + pc + 1), c->code[pc] <= GL_JOPC_PUTSTATIC);
    bool none = planned->plan == GL_JPLAN_NONE || c->marks[pc] & GL_JM_RAW ||
                (planned->not_in_constructor && strcmp(r->method, "<init>") == 0);
    return none ? NULL : planned;
}

bool gl_jprobe_field_uses(struct gl_jrewriter *r, uint32_t pc)
{
    const struct gl_jplanned *planned = plan_at(r, pc);
    return planned && (r->code.code[pc] > GL_JOPC_PUTSTATIC || planned->plan == GL_JPLAN_POST);
}

void gl_jprobe_field(struct gl_jrewriter *r, uint32_t pc)
{
    struct gl_jcode *c = &r->code;
    unsigned opcode = c->code[pc];
    uint16_t index = gl_jget2(c->code + pc + 1);
    bool is_static = opcode <= GL_JOPC_PUTSTATIC,
         write = opcode & 1; /* getstatic b2, putstatic b3, getfield b4, putfield b5 */
    const struct gl_jplanned *planned = plan_at(r, pc);
    if (!planned)
        return;
    struct gl_jref ref = gl_jfile_ref(&r->f, index);
    const char *desc = ref.desc;
    unsigned words = gl_jdesc_words(&r->f, &desc);
    struct gl_jedit *e = gl_jedit_begin(c, pc);
    if (!is_static && !write) {
        gl_jop(r, GL_JOPC_DUP);
    } else if (!is_static && words == 2) {
        gl_jop(r, GL_JOPC_DUP2_X1);
        gl_jop(r, GL_JOPC_POP2);
        gl_jop(r, GL_JOPC_DUP_X2);
    } else if (!is_static) {
        gl_jop(r, GL_JOPC_DUP2);
        gl_jop(r, GL_JOPC_POP);
    }
    enum gl_jop what = opcode == GL_JOPC_GETFIELD    ? GL_JOP_GETFIELD
                       : opcode == GL_JOPC_PUTFIELD  ? GL_JOP_PUTFIELD
                       : opcode == GL_JOPC_GETSTATIC ? GL_JOP_GETSTATIC
                                                     : GL_JOP_PUTSTATIC;
    if (!is_static)
        gl_jprobe_thread(r);
    gl_jprobe_site(r, pc, what, ref.owner, ref.name, ref.desc, planned->kind);
    bool own = planned->plan == GL_JPLAN_HELPER, fresh = own && write && c->fresh && c->fresh[pc];
    uint16_t helper = own && !fresh ? gl_jmember_helper(r, planned->field, write) : 0;
    if (helper)
        gl_jop_ref(r, GL_JOPC_INVOKESTATIC, helper);
    else if (fresh)
        gl_jop_ref(r, GL_JOPC_INVOKESTATIC, gl_jprobe_ref(r, GL_JP_FRESH));
    else if (is_static)
        gl_jop_ref(r, GL_JOPC_INVOKESTATIC, gl_jprobe_ref(r, write ? GL_JP_SWRITE : GL_JP_SREAD));
    else
        gl_jop_ref(r, GL_JOPC_INVOKESTATIC, gl_jprobe_ref(r, write ? GL_JP_WRITE : GL_JP_READ));
    gl_jedit_replace(c, e);
    if (planned->plan == GL_JPLAN_POST) {
        gl_jprobe_thread(r);
        gl_jop_ref(r, GL_JOPC_INVOKESTATIC, gl_jprobe_ref(r, GL_JP_POST));
    }
    gl_jedit_done(c, e);
    gl_jprobe_needs(r, is_static ? STACK_STATIC : STACK_FIELD);
}
