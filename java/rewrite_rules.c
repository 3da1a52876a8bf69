/* SPDX-License-Identifier: Apache-2.0
 *
 * What is done by rules (struct gl_jmethod_rule) when a method begins, and before it returns.
 */
#include <string.h>

#include "java/rewrite_class.h"

static void load_argument(struct gl_jrewriter *r, char type, unsigned index)
{
    unsigned opcode = type == 'J'                  ? GL_JOPC_LLOAD
                      : type == 'F'                ? GL_JOPC_FLOAD
                      : type == 'D'                ? GL_JOPC_DLOAD
                      : type == 'L' || type == '[' ? GL_JOPC_ALOAD
                                                   : GL_JOPC_ILOAD;
    gl_jprobe_variable(r, opcode, index);
}

/* The words of stack it takes. */
static unsigned load_arguments(struct gl_jrewriter *r)
{
    const char *desc = r->method_desc + 1;
    unsigned first = r->code.method->access & GL_JACC_STATIC ? 0 : 1, index = first;
    while (*desc != ')') {
        char type = *desc;
        unsigned words = gl_jdesc_words(&r->f, &desc);
        load_argument(r, type, index);
        index += words;
    }
    return index - first;
}

static void apply_rule(struct gl_jrewriter *r, const struct gl_jmethod_rule *rule, unsigned result_words)
{
    unsigned words = 0;
    size_t n = strlen(rule->to_desc);
    if (rule->pass & GL_JPASS_RESULT && result_words && rule->to_desc[n - 1] == 'V') {
        gl_jop(r, result_words == 2 ? GL_JOPC_DUP2 : GL_JOPC_DUP);
        words += result_words;
    }
    if (rule->pass & GL_JPASS_THIS) {
        gl_jop(r, GL_JOPC_ALOAD_0);
        words++;
    }
    if (rule->pass & GL_JPASS_ARGS)
        words += load_arguments(r);
    gl_jprobe_call(r, rule->to_owner, rule->to_name, rule->to_desc);
    gl_jprobe_needs(r, words + 2); /* and a result of two words in place of one that was not there */
}

/* Is one of the first `words` variables, which held the arguments, stored to? */
static bool arguments_change(const struct gl_jcode *c, unsigned words)
{
    for (uint32_t pc = 0; pc < c->n; pc += gl_jcode_size(c, pc)) {
        const uint8_t *p = c->code + pc;
        bool wide = *p == GL_JOPC_WIDE;
        unsigned opcode = p[wide], index = wide ? gl_jget2(p + 2) : pc + 1 < c->n ? p[1] : 0;
        if (opcode >= GL_JOPC_ISTORE && opcode < GL_JOPC_IASTORE) {
            if (opcode >= GL_JOPC_ISTORE_0)
                index = (opcode - GL_JOPC_ISTORE_0) % 4;
            if (index < words)
                return true;
        }
    }
    return false;
}

/* Do the frames say, wherever the method returns, that the object and the arguments are still in their variables (the first `n` entries of a frame)?  An optimizer may
 * leave out what is not used any more. */
static bool frames_keep(struct gl_jcode *c, unsigned n)
{
    struct gl_jframes i;
    if (!c->frames)
        return true;
    gl_jframes_open(&i, c, true, NULL);
    bool more = gl_jframes_next(&i), kept = true;
    for (uint32_t pc = 0; pc < c->n; pc += gl_jcode_size(c, pc)) {
        if (more && i.pc == pc) {
            kept = i.n_all >= n;
            for (unsigned k = 0; kept && k < n; k++)
                kept = i.all[k].kind != GL_JV_TOP;
            more = gl_jframes_next(&i);
        }
        if (!kept && c->code[pc] >= GL_JOPC_IRETURN && c->code[pc] <= GL_JOPC_RETURN)
            return false;
    }
    return true;
}

/* How many entries of a frame the arguments take: one each. */
static unsigned argument_entries(struct gl_jrewriter *r)
{
    unsigned n = 0;
    for (const char *desc = r->method_desc + 1; *desc != ')'; n++)
        gl_jdesc_words(&r->f, &desc);
    return n;
}

/* Why a rule that names this method cannot be applied to it; "": a reason that nobody needs to hear; or NULL. */
static const char *cannot(struct gl_jrewriter *r, const struct gl_jmethod_rule *rule)
{
    struct gl_jcode *c = &r->code;
    bool is_static = c->method->access & GL_JACC_STATIC, constructor = strcmp(r->method, "<init>") == 0;
    unsigned result, words = gl_jdesc_arguments(&r->f, r->method_desc, &result);
    if (rule->pass & GL_JPASS_THIS && is_static)
        return "a rule wants the object of a static method";
    if (rule->pass & GL_JPASS_THIS && constructor && rule->when == GL_JWHEN_ENTRY)
        return "a rule wants an object before its constructor ran";
    if (rule->pass & GL_JPASS_RESULT && (rule->when == GL_JWHEN_ENTRY || !result))
        return "a rule wants a result where there is none";
    if (rule->when == GL_JWHEN_RETURN && rule->pass & (GL_JPASS_THIS | GL_JPASS_ARGS) &&
        arguments_change(c, rule->pass & GL_JPASS_ARGS ? words + !is_static : 1))
        return constructor ? "" : "a rule wants an argument whose variable is used for something else";
    unsigned entries = !is_static + (rule->pass & GL_JPASS_ARGS ? argument_entries(r) : 0);
    if (rule->when == GL_JWHEN_RETURN && rule->pass & (GL_JPASS_THIS | GL_JPASS_ARGS) && !frames_keep(c, entries))
        return ""; /* as above, the constructor of an optimized program, mostly: the rule is for a finalizer, of which few have one */
    return NULL;
}

void gl_jrule_find(struct gl_jrewriter *r)
{
    const struct gl_jpolicy *p = r->policy;
    r->n_rules = 0;
    r->rules = gl_jfile_scratch(&r->f, sizeof(struct gl_jmethod_rule *) * p->n_methods);
    for (size_t i = 0; i < p->n_methods; i++)
        if (strcmp(p->methods[i].name, r->method) == 0 &&
            (!p->methods[i].desc || strcmp(p->methods[i].desc, r->method_desc) == 0)) {
            const char *why = cannot(r, &p->methods[i]);
            if (why && *why)
                gl_jprobe_skip(r, why);
            else if (!why)
                r->rules[r->n_rules++] = &p->methods[i];
        }
}

void gl_jrule_apply(struct gl_jrewriter *r, enum gl_jwhen when, unsigned result_words)
{
    for (size_t i = 0; i < r->n_rules; i++)
        if (r->rules[i]->when == when)
            apply_rule(r, r->rules[i], result_words);
}
