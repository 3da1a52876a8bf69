/* SPDX-License-Identifier: Apache-2.0
 *
 * What is done at calls, by rules: another call in its place, or calls around it.
 */
#include "java/rewrite_class.h"

static uint32_t bit_of(const char *name)
{
    uint32_t h = 2166136261u;
    for (; *name; name++)
        h = (h ^ (uint8_t)*name) * 16777619u;
    return (h ^ h >> 15) % (64 * 64);
}

static void put(struct gl_jcall_filter *filter, const char *name, const char *owner)
{
    if (!name && !owner) {
        memset(filter, 0xff, sizeof *filter);
        return;
    }
    uint32_t bit = bit_of(name ? name : owner);
    filter->bits[bit / 64] |= (uint64_t)1 << bit % 64;
}

static bool has(const struct gl_jcall_filter *filter, const char *text)
{
    uint32_t bit = bit_of(text);
    return filter->bits[bit / 64] >> bit % 64 & 1;
}

void gl_jcall_filter_make(struct gl_jcall_filter *filter, const struct gl_jcall_rule *calls, size_t n_calls,
                          const struct gl_jaround_rule *arounds, size_t n_arounds)
{
    memset(filter, 0, sizeof *filter);
    for (size_t i = 0; i < n_calls; i++)
        put(filter, calls[i].name, calls[i].owner);
    for (size_t i = 0; i < n_arounds; i++)
        put(filter, arounds[i].name, arounds[i].owner && *arounds[i].owner != '[' ? arounds[i].owner : NULL);
}

static bool is_owner(const char *wanted, const char *owner)
{
    return !wanted || (strcmp(wanted, "[") == 0 ? *owner == '[' : strcmp(wanted, owner) == 0);
}

static bool is_called(const struct gl_jref *ref, const char *name, const char *desc)
{
    return (!name || strcmp(ref->name, name) == 0) && (!desc || strcmp(ref->desc, desc) == 0);
}

/* The owner that the last rule was about, and whether it is the one that is called: rules of one owner follow one another. */
struct asked {
    const char *wanted;
    bool yes;
};

static bool ask_owner(struct asked *a, const char *wanted, const char *owner)
{
    if (a->wanted != wanted || !wanted)
        *a = (struct asked){wanted, is_owner(wanted, owner)};
    return a->yes;
}

/* The rules for calls of a method, at most one of each kind. */
struct call_rules {
    const struct gl_jcall_rule *instead;
    const struct gl_jaround_rule *around;
};

static void prepare_calls(struct gl_jrewriter *r)
{
    const struct gl_jpolicy *p = r->policy;
    if (r->uncalled)
        return;
    r->uncalled = gl_jfile_alloc(&r->f, r->f.n_pool);
    memset(r->uncalled, 0, r->f.n_pool);
    r->filter = p->filter;
    if (!r->filter) {
        struct gl_jcall_filter *filter = gl_jfile_alloc(&r->f, sizeof *filter);
        gl_jcall_filter_make(filter, p->calls, p->n_calls, p->arounds, p->n_arounds);
        r->filter = filter;
    }
}

static struct call_rules rules_of(struct gl_jrewriter *r, uint16_t index, unsigned kind)
{
    const struct gl_jpolicy *p = r->policy;
    struct gl_jfile *f = &r->f;
    struct call_rules found = {NULL, NULL};
    prepare_calls(r);
    if (index < f->n_pool && r->uncalled[index])
        return found;
    struct gl_jref ref = gl_jfile_ref(f, index);
    struct asked asked = {NULL, false};
    bool some = false, may = has(r->filter, ref.name) || has(r->filter, ref.owner);
    for (size_t i = 0; may && !found.instead && i < p->n_calls; i++) {
        const struct gl_jcall_rule *rule = &p->calls[i];
        if (!ask_owner(&asked, rule->owner, ref.owner) || !is_called(&ref, rule->name, rule->desc))
            continue;
        some = true;
        if (!((rule->opcodes ? rule->opcodes : (unsigned)~GL_JCALL_SPECIAL) & kind))
            continue;
        unsigned result, new_result,
            words = gl_jdesc_arguments(f, ref.desc, &result) + (kind != GL_JCALL_STATIC) + rule->site;
        if (gl_jdesc_arguments(f, rule->to_desc, &new_result) == words && result == new_result)
            found.instead = rule; /* else it is for a method with, or without, a receiver */
    }
    for (size_t i = 0; may && !found.instead && !found.around && i < p->n_arounds; i++) {
        const struct gl_jaround_rule *rule = &p->arounds[i];
        if (!ask_owner(&asked, rule->owner, ref.owner) || !is_called(&ref, rule->name, rule->desc))
            continue;
        some = true;
        if (!rule->opcodes || rule->opcodes & kind)
            found.around = rule;
    }
    if (!some)
        r->uncalled[index] = 1;
    return found;
}

/* Copies the lowest `take` of the `words` words on top of the stack to the top.  false: there is no short way. */
static bool copy_lowest(struct gl_jrewriter *r, unsigned words, unsigned take)
{
    static const uint8_t ways[4][3] = {
        {GL_JOPC_DUP},
        {GL_JOPC_DUP2}, /* of two words: one to be dropped again */
        {GL_JOPC_DUP_X2, GL_JOPC_POP, GL_JOPC_DUP2_X1},
        {GL_JOPC_DUP2_X2, GL_JOPC_POP2, GL_JOPC_DUP2_X2},
    };
    if (take == 0)
        return true;
    if (take == 3 && words == 3) {
        gl_jprobe_copy_three(r);
        return true;
    }
    if (take > 2 || words < take || words > (take == 1 ? 2u : 4u))
        return false;
    for (unsigned k = 0; k < 3 && ways[words - 1][k]; k++)
        gl_jop(r, ways[words - 1][k]);
    if (take == 1 && words == 2)
        gl_jop(r, GL_JOPC_POP);
    return true;
}

static void call_around(struct gl_jrewriter *r, uint32_t pc, const struct gl_jaround_rule *rule, const struct gl_jref *ref)
{
    struct gl_jcode *c = &r->code;
    unsigned result, given = 0, words = gl_jdesc_arguments(&r->f, ref->desc, &result) + (c->code[pc] != GL_JOPC_INVOKESTATIC);
    struct gl_jedit *e = gl_jedit_begin(c, pc);
    if (rule->before) {
        unsigned take = gl_jdesc_arguments(&r->f, rule->before_desc, &given) - rule->site - (rule->type != NULL);
        if ((given && words != 2) || !copy_lowest(r, words, take))
            return; /* nothing was inserted: there is no edit */
        if (rule->type) {
            gl_jop(r, GL_JOPC_BIPUSH);
            gl_jop(r, (unsigned char)*rule->type);
        }
        if (rule->site)
            gl_jprobe_site(r, pc, GL_JOP_CALL, ref->owner, ref->name, ref->desc, GL_JKIND_PLAIN);
        gl_jprobe_call(r, rule->to_owner, rule->before, rule->before_desc);
        gl_jprobe_needs(r, take + 2);
        if (given) { /* beneath the two words */
            gl_jop(r, GL_JOPC_DUP_X2);
            gl_jop(r, GL_JOPC_POP);
        }
    }
    gl_jedit_replace(c, e);
    if (rule->after) {
        if (given && result == 2)
            gl_jop(r, GL_JOPC_DUP2_X1);
        if (given && result)
            gl_jop(r, result == 2 ? GL_JOPC_POP2 : GL_JOPC_SWAP);
        else if (!given && result && rule->after_desc[1] != ')')
            gl_jop(r, result == 2 ? GL_JOPC_DUP2 : GL_JOPC_DUP);
        gl_jprobe_call(r, rule->to_owner, rule->after, rule->after_desc);
        gl_jprobe_needs(r, result + given);
    }
    gl_jedit_done(c, e);
}

void gl_jprobe_at_call(struct gl_jrewriter *r, uint32_t pc)
{
    struct gl_jcode *c = &r->code;
    uint16_t index = gl_jget2(c->code + pc + 1);
    struct call_rules rules = rules_of(r, index, 1u << (c->code[pc] - GL_JOPC_INVOKEVIRTUAL));
    if (!rules.instead && !rules.around)
        return;
    struct gl_jref ref = gl_jfile_ref(&r->f, index);
    if (!rules.instead) {
        call_around(r, pc, rules.around, &ref);
        return;
    }
    struct gl_jedit *e = gl_jedit_begin(c, pc);
    if (rules.instead->site) {
        gl_jprobe_site(r, pc, GL_JOP_CALL, ref.owner, ref.name, ref.desc, GL_JKIND_PLAIN);
        gl_jprobe_needs(r, 1);
    }
    gl_jedit_replace(c, e);
    gl_jprobe_call(r, rules.instead->to_owner, rules.instead->to_name, rules.instead->to_desc);
    gl_jedit_after(c, e);
    gl_jedit_done(c, e);
}
_Static_assert((int)GL_JCALL_INTERFACE == 1 << (GL_JOPC_INVOKEINTERFACE - GL_JOPC_INVOKEVIRTUAL) &&
                   (int)GL_JCALL_STATIC == 1 << (GL_JOPC_INVOKESTATIC - GL_JOPC_INVOKEVIRTUAL),
               "kinds of calls are in the order of the opcodes");
