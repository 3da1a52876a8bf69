/* SPDX-License-Identifier: Apache-2.0
 *
 * The StackMapTable (JVMS 4.7.4): reading frames one by one, and writing them in their new places.
 *
 * Since nothing that is inserted jumps or changes a variable of the program, a frame keeps its types; only its offset, and the places of `new`
 * instructions that it names, change.  Whole frames are written where a trampoline lies (code.h): there
 * the frame of the jump's target is repeated, and the next one can not be told as a difference any more; and in methods that get more
 * variables: those come behind all others, whose number differs from frame to frame.
 */
#include "java/code.h"

/* A method whose frames would cost more (they can be made to be quadratic) is left alone. */
enum { TYPES_MOST = 1 << 22 };

enum { SAME_1_EXTENDED = 247, SAME_EXTENDED = 251, FULL = 255 };

struct gl_jvtype gl_jframes_type(struct gl_jcode *c, uint32_t *at)
{
    if (*at >= c->frames_end)
        gl_jfile_fail(c->f, "a StackMapTable is too short");
    struct gl_jvtype t = {.kind = c->f->in[*at]};
    uint32_t size = t.kind >= GL_JV_OBJECT ? 3 : 1;
    if (t.kind > GL_JV_NEW || size > c->frames_end - *at)
        gl_jfile_fail(c->f, "a type of a stack map frame is unknown or cut off");
    if (size == 3)
        t.value = gl_jget2(c->f->in + *at + 1);
    if (t.kind == GL_JV_NEW)
        gl_jcode_check_start(c, t.value);
    *at += size;
    return t;
}

/* ---- reading -------------------------------------------------------------------------------------------------- */

static void push(struct gl_jframes *i, uint8_t kind, uint16_t value)
{
    if (i->n_all >= i->c->max_locals)
        gl_jfile_fail(i->c->f, "a stack map frame has more variables than the method");
    if (i->all)
        i->all[i->n_all] = (struct gl_jvtype){kind, value};
    i->n_all++;
}

/* The types with which the method begins; counted only, when nobody asks for them. */
static void first_frame(struct gl_jframes *i, struct gl_jpool *pool)
{
    struct gl_jfile *f = i->c->f;
    const struct gl_jmember *m = i->c->method;
    if (!(m->access & GL_JACC_STATIC)) {
        bool raw = GL_JFILE_IS(f, m->name, "<init>") && f->super_class != 0;
        push(i, raw ? GL_JV_THIS_RAW : GL_JV_OBJECT, raw ? 0 : f->this_class);
    }
    const char *desc = gl_jfile_text(f, m->desc);
    unsigned result;
    gl_jdesc_arguments(f, desc, &result); /* checks it */
    for (desc++; *desc != ')';) {
        const char *start = desc;
        gl_jdesc_words(f, &desc);
        switch (*start) {
        case 'J':
            push(i, GL_JV_LONG, 0);
            break;
        case 'D':
            push(i, GL_JV_DOUBLE, 0);
            break;
        case 'F':
            push(i, GL_JV_FLOAT, 0);
            break;
        case 'L':
        case '[': {
            if (!i->all) {
                push(i, GL_JV_OBJECT, 0);
                break;
            }
            size_t skip = *start == 'L' ? 1 : 0, n = (size_t)(desc - start) - 2 * skip;
            char *name = gl_jfile_scratch(f, n + 1);
            memcpy(name, start + skip, n);
            name[n] = 0;
            push(i, GL_JV_OBJECT, pool ? gl_jpool_class(pool, name) : 0);
            break;
        }
        default:
            push(i, GL_JV_INT, 0);
        }
    }
}

void gl_jframes_open(struct gl_jframes *i, struct gl_jcode *c, bool all, struct gl_jpool *pool)
{
    *i = (struct gl_jframes){.c = c};
    if (all)
        i->all = gl_jfile_scratch(c->f, sizeof *i->all * c->max_locals);
    else if (!c->frames)
        return;
    first_frame(i, pool);
    if (!c->frames)
        return;
    if (c->frames_end - c->frames < 2)
        gl_jfile_fail(c->f, "a StackMapTable is too short");
    i->left = gl_jget2(c->f->in + c->frames);
    i->at = c->frames + 2;
}

bool gl_jframes_next(struct gl_jframes *i)
{
    struct gl_jcode *c = i->c;
    if (!i->left--) {
        if (c->frames && i->at != c->frames_end)
            gl_jfile_fail(c->f, "there are bytes behind the frames of a StackMapTable");
        i->left = 0;
        return false;
    }
    if (i->at >= c->frames_end)
        gl_jfile_fail(c->f, "a StackMapTable is too short");
    const uint8_t *p = c->f->in + i->at;
    uint32_t left = c->frames_end - i->at, delta, head = 3;
    i->kind = p[0];
    i->n_locals = i->n_stack = 0;
    if (i->kind < 128) {
        delta = i->kind & 63;
        head = 1;
        i->n_stack = i->kind >= 64;
    } else {
        if (i->kind < SAME_1_EXTENDED)
            gl_jfile_fail(c->f, "a stack map frame is of no known kind");
        if (left < (i->kind == FULL ? 5 : 3))
            gl_jfile_fail(c->f, "a StackMapTable is too short");
        delta = gl_jget2(p + 1);
        if (i->kind == SAME_1_EXTENDED) {
            i->n_stack = 1;
        } else if (i->kind == FULL) {
            i->n_locals = gl_jget2(p + 3);
            head = 5;
        } else if (i->kind > SAME_EXTENDED) {
            i->n_locals = i->kind - SAME_EXTENDED;
        }
    }
    i->pc = i->begun ? i->pc + delta + 1 : delta;
    i->begun = true;
    gl_jcode_check_start(c, i->pc);

    if (i->kind == FULL)
        i->n_all = 0;
    if (i->kind > SAME_1_EXTENDED && i->kind < SAME_EXTENDED) {
        uint32_t gone = SAME_EXTENDED - i->kind;
        if (gone > i->n_all)
            gl_jfile_fail(c->f, "a stack map frame takes away variables that are not there");
        i->n_all -= gone;
    }
    i->types = i->at + head;
    uint32_t at = i->types;
    for (uint32_t k = 0; k < i->n_locals; k++) {
        struct gl_jvtype t = gl_jframes_type(c, &at);
        push(i, t.kind, t.value);
    }
    if (i->kind == FULL) {
        if (c->frames_end - at < 2)
            gl_jfile_fail(c->f, "a StackMapTable is too short");
        i->n_stack = gl_jget2(c->f->in + at);
        at += 2;
    }
    i->stack = at;
    for (uint32_t k = 0; k < i->n_stack; k++)
        gl_jframes_type(c, &at);
    i->at = at;
    return true;
}

/* ---- writing -------------------------------------------------------------------------------------------------- */

struct writing {
    struct gl_jcode *c;
    struct gl_jbuf *out;
    uint32_t n, last; /* frames so far, and the position of the last */
    uint32_t types;   /* written in whole frames */
    uint16_t shadow, thread; /* constants of the types of variables that are added */
};

static uint32_t delta_to(struct writing *w, uint32_t at)
{
    uint32_t delta = w->n ? at - w->last - 1 : at;
    w->n++;
    w->last = at;
    return delta;
}

static void write_type(struct writing *w, struct gl_jvtype t)
{
    gl_jbuf_1(w->out, t.kind);
    if (t.kind == GL_JV_OBJECT)
        gl_jbuf_2(w->out, t.value);
    if (t.kind == GL_JV_NEW)
        gl_jbuf_2(w->out, w->c->self[t.value]);
}

static void write_types(struct writing *w, uint32_t at, uint32_t n)
{
    while (n--)
        write_type(w, gl_jframes_type(w->c, &at));
}

/* As it was, in its new place. */
static void write_moved(struct writing *w, const struct gl_jframes *i)
{
    uint32_t delta = delta_to(w, w->c->land[i->pc]);
    if (i->kind < 128 || i->kind == SAME_EXTENDED || i->kind == SAME_1_EXTENDED) {
        bool one = i->n_stack;
        if (delta < 64) {
            gl_jbuf_1(w->out, delta + (one ? 64 : 0));
        } else {
            gl_jbuf_1(w->out, one ? SAME_1_EXTENDED : SAME_EXTENDED);
            gl_jbuf_2(w->out, delta);
        }
    } else {
        gl_jbuf_1(w->out, i->kind);
        gl_jbuf_2(w->out, delta);
        if (i->kind == FULL)
            gl_jbuf_2(w->out, i->n_locals);
        write_types(w, i->types, i->n_locals);
        if (i->kind == FULL)
            gl_jbuf_2(w->out, i->n_stack);
    }
    write_types(w, i->stack, i->n_stack);
}

/* The state after a frame, kept for the trampolines to it. */
struct kept {
    struct gl_jvtype *locals;
    uint32_t n_locals, n_stack, stack;
    bool found;
};

/* The variables behind those of the frame, up to the added ones. */
static uint32_t unused_locals(const struct gl_jcode *c, const struct kept *k)
{
    uint32_t used = k->n_locals;
    for (uint32_t j = 0; j < k->n_locals; j++)
        used += k->locals[j].kind == GL_JV_LONG || k->locals[j].kind == GL_JV_DOUBLE;
    return used < c->max_locals ? c->max_locals - used : 0;
}

static void write_whole(struct writing *w, uint32_t at, const struct kept *k)
{
    uint32_t more = w->c->more_locals, unused = more ? unused_locals(w->c, k) : 0;
    gl_jbuf_1(w->out, FULL);
    gl_jbuf_2(w->out, delta_to(w, at));
    gl_jbuf_2(w->out, k->n_locals + unused + more);
    for (uint32_t j = 0; j < k->n_locals; j++)
        write_type(w, k->locals[j]);
    for (uint32_t j = 0; j < unused; j++)
        write_type(w, (struct gl_jvtype){GL_JV_TOP, 0});
    for (uint32_t j = 0; j < more; j++)
        write_type(w, (struct gl_jvtype){GL_JV_OBJECT, j == 0 && w->c->thread_local ? w->thread : w->shadow});
    gl_jbuf_2(w->out, k->n_stack);
    write_types(w, k->stack, k->n_stack);
    w->types += k->n_locals + unused + more + k->n_stack;
}

/* The trampolines, by position: insertion sort of few. */
static struct gl_jtrampoline **by_position(struct gl_jcode *c)
{
    struct gl_jtrampoline **order =
        gl_jfile_scratch(c->f, sizeof(struct gl_jtrampoline *) * c->n_trampolines);
    for (uint32_t k = 0; k < c->n_trampolines; k++) {
        uint32_t j = k;
        for (; j > 0 && order[j - 1]->at > c->trampolines[k].at; j--)
            order[j] = order[j - 1];
        order[j] = &c->trampolines[k];
    }
    return order;
}

/* The frames of the targets of trampolines: kept[k] for order[k]. */
static const char *keep_targets(struct gl_jcode *c, struct gl_jtrampoline **order, struct kept *kept,
                                struct gl_jpool *pool)
{
    uint8_t *wanted = gl_jfile_scratch(c->f, c->n);
    memset(wanted, 0, c->n);
    for (uint32_t k = 0; k < c->n_trampolines; k++)
        wanted[c->trampolines[k].target] = 1;
    struct gl_jframes i;
    uint32_t found = 0, types = 0;
    for (gl_jframes_open(&i, c, true, pool); gl_jframes_next(&i);) {
        if (!wanted[i.pc])
            continue;
        types += i.n_all;
        if (types > TYPES_MOST)
            return "its stack map frames are too large";
        struct kept this = {gl_jfile_scratch(c->f, sizeof *i.all * i.n_all), i.n_all, i.n_stack, i.stack,
                            true};
        memcpy(this.locals, i.all, sizeof *i.all * i.n_all);
        for (uint32_t k = 0; k < c->n_trampolines; k++)
            if (order[k]->target == i.pc) {
                kept[k] = this;
                found++;
            }
    }
    return found == c->n_trampolines
               ? NULL
               : "a conditional jump would be too long, and its target has no stack map frame";
}

static const char *write_all_whole(struct writing *w, struct gl_jpool *pool)
{
    struct gl_jcode *c = w->c;
    struct gl_jtrampoline **order = by_position(c);
    struct kept *kept = gl_jfile_scratch(c->f, sizeof *kept * c->n_trampolines);
    const char *why = keep_targets(c, order, kept, pool);
    if (why)
        return why;
    struct gl_jframes i;
    uint32_t k = 0;
    bool more = true;
    for (gl_jframes_open(&i, c, true, pool); more;) {
        more = gl_jframes_next(&i);
        uint32_t before = k;
        for (; k < c->n_trampolines && (!more || order[k]->at < c->land[i.pc]); k++)
            write_whole(w, order[k]->at, &kept[k]);
        if (more && (k > before || c->more_locals))
            write_whole(w, c->land[i.pc], &(struct kept){i.all, i.n_all, i.n_stack, i.stack, true});
        else if (more)
            write_moved(w, &i);
        if (w->types > TYPES_MOST)
            return "its stack map frames are too large";
    }
    return NULL;
}

/* The frame with nothing in the variable `slot`. */
static void without(struct gl_jcode *c, struct kept *k, uint32_t slot)
{
    struct gl_jvtype *locals = gl_jfile_scratch(c->f, sizeof *locals * (k->n_locals + 1));
    uint32_t n = 0, at = 0;
    for (uint32_t j = 0; j < k->n_locals; j++) {
        bool wide = k->locals[j].kind == GL_JV_LONG || k->locals[j].kind == GL_JV_DOUBLE;
        bool hit = at == slot || (wide && at + 1 == slot);
        locals[n++] = hit ? (struct gl_jvtype){GL_JV_TOP, 0} : k->locals[j];
        if (hit && wide)
            locals[n++] = (struct gl_jvtype){GL_JV_TOP, 0};
        at += wide ? 2 : 1;
    }
    k->locals = locals;
    k->n_locals = n;
}

/* Those of the stubs: of their handlers, less the variable that the exception was put into. */
static const char *write_stubs(struct writing *w, struct gl_jpool *pool)
{
    struct gl_jcode *c = w->c;
    for (uint32_t k = 0; c->frames && k < c->n_stubs; k++) {
        struct gl_jframes i;
        bool found = false;
        gl_jframes_open(&i, c, true, pool);
        while (!found && gl_jframes_next(&i))
            found = i.pc == c->stubs[k].handler;
        if (!found)
            return "an exception handler has no stack map frame";
        struct kept kept = {i.all, i.n_all, i.n_stack, i.stack, true};
        without(c, &kept, c->stubs[k].caught);
        write_whole(w, c->stubs[k].at, &kept);
        if (w->types > TYPES_MOST)
            return "its stack map frames are too large";
    }
    return NULL;
}

const char *gl_jcode_frames(struct gl_jcode *c, struct gl_jpool *pool, struct gl_jbuf *out)
{
    struct writing w = {.c = c, .out = out};
    size_t count = out->n;
    gl_jbuf_2(out, 0);
    if (c->frames && (c->n_trampolines || c->more_locals)) {
        w.thread = c->thread_local ? gl_jpool_class(pool, GL_JRUNTIME_T) : 0;
        w.shadow = c->more_locals > c->thread_local ? gl_jpool_class(pool, "[J") : 0;
        const char *why_not = write_all_whole(&w, pool);
        if (why_not)
            return why_not;
    } else if (c->frames) {
        struct gl_jframes i;
        for (gl_jframes_open(&i, c, false, NULL); gl_jframes_next(&i);)
            write_moved(&w, &i);
    } else if (c->n_trampolines) {
        return "a conditional jump would be too long, and its target has no stack map frame";
    }
    const char *why = write_stubs(&w, pool);
    if (why)
        return why;
    if (c->n_epilogue) {
        gl_jbuf_1(out, FULL);
        gl_jbuf_2(out, delta_to(&w, c->new_n));
        gl_jbuf_2(out, 0);
        gl_jbuf_2(out, 1);
        gl_jbuf_1(out, GL_JV_OBJECT);
        gl_jbuf_2(out, gl_jpool_class(pool, "java/lang/Throwable"));
    }
    if (w.n > 65535)
        return "it has too many stack map frames";
    gl_jset2(out->at + count, w.n);
    return NULL;
}
