/* SPDX-License-Identifier: Apache-2.0
 *
 * What is added to a class: the shadow fields beside its fields, and the helper methods that test them.
 *
 * The members are private and synthetic, and the fields transient: so the number that serialization computes for
 * the class (Java Object Serialization, 4.6) stays the same.  It asks whether there is a <clinit>, too: who adds one says that there
 * is none (rt.Hidden.hasInitializer).
 */
#include <stdlib.h>

#include "java/rewrite_class.h"

enum { NAME_BYTES = 512, NAME_MOST = NAME_BYTES - 32 };

size_t gl_jshadow_name(char *out, size_t room, char prefix, const char *name, unsigned index, bool twice)
{
    char digits[12];
    unsigned n = 0;
    size_t length = strlen(name);
    for (unsigned v = index; twice && (n == 0 || v); v /= 10)
        digits[n++] = (char)('0' + v % 10);
    size_t all = 3 + length + (twice ? 1 + n : 0);
    if (all >= room)
        return 0;
    out[0] = out[2] = '$';
    out[1] = prefix;
    memcpy(out + 3, name, length);
    char *p = out + 3 + length;
    if (twice) {
        *p++ = '$';
        while (n)
            *p++ = digits[--n];
    }
    *p = 0;
    return all;
}

/* ---- the fields that are there ---------------------------------------------------------------------------- */

/* Order of two texts.  Beyond their first bytes equal texts count as different unless they are one constant: then a class made of long
 * names costs no more than others; a field that is not found so is like an inherited one. */
static int text_order(const struct gl_jtext *a, const struct gl_jtext *b)
{
    if (a->index == b->index)
        return 0;
    int order = strncmp(a->text, b->text, NAME_BYTES);
    if (order || strnlen(a->text, NAME_BYTES) < NAME_BYTES)
        return order;
    return a->index < b->index ? -1 : 1;
}

static int compare(const void *a, const void *b)
{
    const struct gl_jnamed *x = a, *y = b;
    int order = text_order(&x->name, &y->name);
    return order ? order : text_order(&x->desc, &y->desc);
}

static struct gl_jnamed named(struct gl_jfile *f, uint16_t name, uint16_t desc)
{
    return (struct gl_jnamed){{gl_jfile_text(f, name), name}, {gl_jfile_text(f, desc), desc}, 0};
}

static void sort_fields(struct gl_jrewriter *r)
{
    struct gl_jfile *f = &r->f;
    if (r->sorted || !f->n_fields)
        return;
    struct gl_jnamed *sorted = gl_jfile_alloc(f, sizeof *sorted * f->n_fields);
    for (unsigned i = 0; i < f->n_fields; i++) {
        sorted[i] = named(f, f->fields[i].name, f->fields[i].desc);
        sorted[i].field = (uint16_t)i;
    }
    qsort(sorted, f->n_fields, sizeof *sorted, compare);
    r->sorted = sorted;
}

int gl_jmember_field(struct gl_jrewriter *r, uint16_t name, uint16_t desc)
{
    sort_fields(r);
    struct gl_jnamed key = named(&r->f, name, desc);
    const struct gl_jnamed *found =
        r->sorted ? bsearch(&key, r->sorted, r->f.n_fields, sizeof key, compare) : NULL;
    return found ? found->field : -1;
}

/* ---- shadow fields ------------------------------------------------------------------------------------------ */

static bool begins_with(struct gl_jfile *f, uint16_t text, const char *prefix)
{
    size_t n = strlen(prefix);
    const uint8_t *p = gl_jfile_const(f, text, GL_JC_UTF8);
    return gl_jget2(p) >= n && memcmp(p + 2, prefix, n) == 0;
}

static bool has_shadow(const struct gl_jmember *m)
{
    return !(m->access & (GL_JACC_STATIC | GL_JACC_FINAL | GL_JACC_VOLATILE));
}

/* Another field has the name of the i-th of the sorted ones. */
static bool is_twice(struct gl_jrewriter *r, unsigned i)
{
    const struct gl_jnamed *n = &r->sorted[i];
    return (i > 0 && text_order(&n->name, &n[-1].name) == 0) ||
           (i + 1u < r->f.n_fields && text_order(&n->name, &n[1].name) == 0);
}

/* Names that we would use are there already: somebody else's, or ours. */
static bool is_taken(struct gl_jfile *f)
{
    for (unsigned i = 0; i < f->n_fields; i++)
        if (begins_with(f, f->fields[i].name, "$w$") || begins_with(f, f->fields[i].name, "$s$"))
            return true;
    for (unsigned i = 0; i < f->n_methods; i++)
        if (begins_with(f, f->methods[i].name, "$glr$") || begins_with(f, f->methods[i].name, "$glw$"))
            return true;
    return false;
}

static const char *make_shadows(struct gl_jrewriter *r)
{
    struct gl_jfile *f = &r->f;
    unsigned wanted = 0, n = 0;
    for (unsigned i = 0; i < f->n_fields; i++)
        wanted += has_shadow(&f->fields[i]);
    if (!wanted || f->access & GL_JACC_INTERFACE)
        return NULL;
    if (f->n_fields + 2 * wanted > 65535)
        return "its fields get no shadow: they are too many";
    if (is_taken(f))
        return "its fields get no shadow: it has members of the names $w$..., $s$..., $glr$... or $glw$...";
    sort_fields(r);
    r->shadows = gl_jfile_alloc(f, sizeof *r->shadows * f->n_fields);
    memset(r->shadows, 0, sizeof *r->shadows * f->n_fields);
    r->helper_of = gl_jfile_alloc(f, sizeof *r->helper_of * f->n_fields);
    memset(r->helper_of, 0, sizeof *r->helper_of * f->n_fields);
    r->long_desc = gl_jpool_utf8(&r->pool, "J");
    const char *why = NULL;
    for (unsigned i = 0; i < f->n_fields; i++) {
        uint16_t field = r->sorted[i].field;
        char w[NAME_BYTES], s[NAME_BYTES];
        const char *name = r->sorted[i].name.text;
        if (!has_shadow(&f->fields[field]))
            continue;
        bool twice = is_twice(r, i);
        if (strlen(name) > NAME_MOST || !gl_jshadow_name(w, sizeof w, 'w', name, field, twice) ||
            !gl_jshadow_name(s, sizeof s, 's', name, field, twice)) {
            why = "a field gets no shadow: its name is too long";
            continue;
        }
        r->shadows[field] = (struct gl_jshadow){gl_jpool_utf8(&r->pool, w), gl_jpool_utf8(&r->pool, s)};
        n++;
    }
    if (r->pool.full)
        return "its fields get no shadow: it has too many constants";
    r->changed = r->changed || n;
    return why;
}

void gl_jmember_shadows(struct gl_jrewriter *r)
{
    struct gl_jmark mark = gl_jpool_mark(&r->pool);
    const char *why = make_shadows(r);
    if (why)
        gl_jprobe_skip(r, why);
    if (r->pool.full) {
        gl_jpool_back(&r->pool, mark);
        r->shadows = NULL;
    }
}

static void write_field(struct gl_jbuf *out, unsigned access, uint16_t name, uint16_t desc)
{
    gl_jbuf_2(out, access);
    gl_jbuf_2(out, name);
    gl_jbuf_2(out, desc);
    gl_jbuf_2(out, 0);
}

void gl_jmember_write_fields(struct gl_jrewriter *r)
{
    struct gl_jfile *f = &r->f;
    unsigned shadows = 0;
    for (unsigned i = 0; r->shadows && i < f->n_fields; i++)
        shadows += r->shadows[i].w != 0;
    gl_jbuf_2(&r->body, f->n_fields + 2 * shadows);
    if (f->n_fields)
        gl_jbuf_bytes(&r->body, f->in + f->fields[0].at, f->fields[f->n_fields - 1].end - f->fields[0].at);
    for (unsigned i = 0; r->shadows && i < f->n_fields; i++)
        if (r->shadows[i].w) {
            unsigned access = GL_JACC_PRIVATE | GL_JACC_TRANSIENT | GL_JACC_SYNTHETIC;
            write_field(&r->body, access, r->shadows[i].w, r->long_desc);
            write_field(&r->body, access, r->shadows[i].s, r->long_desc);
        }
}

/* ---- helper methods ------------------------------------------------------------------------------------------ */

/*  private static void $glr$f(X o, T t, int site) { if (o != null && !R.readHit(o.$w$f, t)) R.firstRead(o, t, site); }
 *
 * 22 bytes of code: both compilers of the virtual machine inline it. */
enum { HELPER_CODE = 22, HELPER_END = 21 };

/* For the shadow field "$w$f": "$glr$f" or "$glw$f". */
static void helper_name(const struct gl_jrewriter *r, uint16_t field, bool write, char name[NAME_BYTES + 4], char shadow[NAME_BYTES])
{
    const struct gl_jpool *p = &r->pool;
    const uint8_t *w = p->bytes.at; /* the shadow's name is among the added constants */
    uint32_t at;
    memcpy(&at, p->at.at + sizeof at * (r->shadows[field].w - r->f.n_pool), sizeof at);
    size_t n = gl_jget2(w + at + 1);
    memcpy(shadow, w + at + 3, n);
    shadow[n] = 0;
    memcpy(name, write ? "$glw$" : "$glr$", 5);
    memcpy(name + 5, shadow + 3, n - 2);
}

static bool make_helper(struct gl_jrewriter *r, struct gl_jhelper *h)
{
    struct gl_jfile *f = &r->f;
    struct gl_jpool *p = &r->pool;
    char name[NAME_BYTES + 4], shadow[NAME_BYTES];
    helper_name(r, h->field, h->write, name, shadow);
    if (strpbrk(name, "<>"))
        return false; /* no name for a method */
    if (!r->helper_text) {
        static const char rest[] = ";" GL_JRUNTIME_T_DESC "I)V";
        size_t length = strlen(f->name);
        r->helper_text = gl_jfile_alloc(f, 2 + length + sizeof rest);
        memcpy(r->helper_text, "(L", 2);
        memcpy(r->helper_text + 2, f->name, length);
        memcpy(r->helper_text + 2 + length, rest, sizeof rest);
    }

    h->name = gl_jpool_utf8(p, name);
    h->desc = r->n_helpers ? r->helpers[0].desc : gl_jpool_utf8(p, r->helper_text); /* it may be long */
    h->ref = gl_jpool_member_of(p, GL_JC_METHOD, f->this_class, h->name, h->desc);
    h->shadow = gl_jpool_member(p, GL_JC_FIELD, f->this_class, shadow, "J");
    h->hit = gl_jprobe_ref(r, h->write ? GL_JP_WRITE_HIT : GL_JP_READ_HIT);
    h->miss = gl_jprobe_ref(r, h->write ? GL_JP_FIRST_WRITE : GL_JP_FIRST_READ);
    h->code_name = gl_jpool_utf8(p, "Code");
    h->map_name = f->major >= 50 ? gl_jpool_utf8(p, "StackMapTable") : 0;
    return true;
}

static bool has_helper(const struct gl_jrewriter *r, uint16_t field, bool write)
{
    char name[NAME_BYTES + 4], shadow[NAME_BYTES];
    helper_name(r, field, write, name, shadow);
    return r->policy->has_helper(r->policy->ctx, name);
}

uint16_t gl_jmember_helper(struct gl_jrewriter *r, uint16_t field, bool write)
{
    uint32_t *of = &r->helper_of[field][write];
    if (*of)
        return r->helpers[*of - 1].ref;
    if (r->policy->has_helper && !has_helper(r, field, write))
        return 0;
    struct gl_jhelper h = {.field = field, .write = write};
    if (r->f.n_methods + r->n_helpers >= 65535 - 1 || /* one may be a <clinit> */ !make_helper(r, &h))
        return 0;
    if (r->n_helpers == r->helpers_room) {
        unsigned room = r->helpers_room ? 2 * r->helpers_room : 16;
        struct gl_jhelper *more = gl_jfile_alloc(&r->f, sizeof *more * room);
        if (r->n_helpers)
            memcpy(more, r->helpers, sizeof *more * r->n_helpers);
        r->helpers = more;
        r->helpers_room = room;
    }
    r->helpers[r->n_helpers] = h;
    *of = ++r->n_helpers;
    return h.ref;
}

void gl_jmember_back(struct gl_jrewriter *r, unsigned n)
{
    for (; r->n_helpers > n; r->n_helpers--) {
        const struct gl_jhelper *h = &r->helpers[r->n_helpers - 1];
        r->helper_of[h->field][h->write] = 0;
    }
}

/* A class that is transformed again may not lose what it calls no more.  With too many constants it does, and the virtual machine says so. */
static void keep_helpers(struct gl_jrewriter *r)
{
    for (unsigned i = 0; r->policy->has_helper && r->shadows && i < r->f.n_fields; i++)
        for (int write = 0; r->shadows[i].w && write < 2; write++) {
            struct gl_jmark mark = gl_jpool_mark(&r->pool);
            unsigned n = r->n_helpers;
            (void)gl_jmember_helper(r, (uint16_t)i, write);
            if (r->pool.full) {
                gl_jmember_back(r, n);
                gl_jpool_back(&r->pool, mark);
            }
        }
}

void gl_jmember_write_helpers(struct gl_jrewriter *r)
{
    struct gl_jbuf *out = &r->body;
    keep_helpers(r);
    for (unsigned i = 0; i < r->n_helpers; i++) {
        const struct gl_jhelper *h = &r->helpers[i];
        gl_jbuf_2(out, GL_JACC_PRIVATE | GL_JACC_STATIC | GL_JACC_SYNTHETIC);
        gl_jbuf_2(out, h->name);
        gl_jbuf_2(out, h->desc);
        gl_jbuf_2(out, 1);
        gl_jbuf_2(out, h->code_name);
        gl_jbuf_4(out, 8 + HELPER_CODE + 4 + (h->map_name ? 9 : 0));
        gl_jbuf_2(out, 3); /* stack */
        gl_jbuf_2(out, 3); /* variables */
        gl_jbuf_4(out, HELPER_CODE);
        gl_jbuf_1(out, GL_JOPC_ALOAD_0); /* 0 */
        gl_jbuf_1(out, GL_JOPC_IFNULL);  /* 1 */
        gl_jbuf_2(out, HELPER_END - 1);
        gl_jbuf_1(out, GL_JOPC_ALOAD_0);  /* 4 */
        gl_jbuf_1(out, GL_JOPC_GETFIELD); /* 5 */
        gl_jbuf_2(out, h->shadow);
        gl_jbuf_1(out, GL_JOPC_ALOAD_0 + 1);  /* 8 */
        gl_jbuf_1(out, GL_JOPC_INVOKESTATIC); /* 9 */
        gl_jbuf_2(out, h->hit);
        gl_jbuf_1(out, GL_JOPC_IFNE); /* 12 */
        gl_jbuf_2(out, HELPER_END - 12);
        gl_jbuf_1(out, GL_JOPC_ALOAD_0);      /* 15 */
        gl_jbuf_1(out, GL_JOPC_ALOAD_0 + 1);  /* 16 */
        gl_jbuf_1(out, GL_JOPC_ILOAD_1 + 1);  /* 17 */
        gl_jbuf_1(out, GL_JOPC_INVOKESTATIC); /* 18 */
        gl_jbuf_2(out, h->miss);
        gl_jbuf_1(out, GL_JOPC_RETURN); /* 21 */
        gl_jbuf_2(out, 0);
        gl_jbuf_2(out, h->map_name ? 1 : 0);
        if (h->map_name) {
            gl_jbuf_2(out, h->map_name);
            gl_jbuf_4(out, 3);
            gl_jbuf_2(out, 1);
            gl_jbuf_1(out, HELPER_END); /* the same frame as at the begin */
        }
    }
}

/* ---- the initializer ---- */

enum { CLINIT_END = 6, CLINIT_CODE = 9 };

/* JLS 12.4.2: each class is initialized under a lock, be there anything to do or not. */
void gl_jmember_make_clinit(struct gl_jrewriter *r)
{
    struct gl_jfile *f = &r->f;
    struct gl_jpool *p = &r->pool;
    if (!(r->policy->flags & GL_JR_MAKE_CLINIT) || r->has_clinit || f->access & GL_JACC_INTERFACE || f->n_methods >= 65535)
        return;
    struct gl_jmark mark = gl_jpool_mark(p);
    struct gl_jclinit made = {.name = gl_jpool_utf8(p, "<clinit>"),
                              .desc = gl_jpool_utf8(p, "()V"),
                              .code_name = gl_jpool_utf8(p, "Code"),
                              .number = gl_jpool_int(p, r->policy->class_id ? r->policy->class_id(r->policy->ctx, f->name) : 0),
                              .only = gl_jprobe_ref(r, GL_JP_CLINIT_ONLY)};
    if (f->major >= 50) {
        made.map_name = gl_jpool_utf8(p, "StackMapTable");
        made.throwable = gl_jpool_class(p, "java/lang/Throwable");
    }
    if (p->full) {
        gl_jpool_back(p, mark);
        r->r_class = r->probes[GL_JP_CLINIT_ONLY] = 0; /* the first that were asked for */
        gl_jprobe_skip(r, "what its initialization orders is not seen: it would have too many constants");
        return;
    }
    r->made_clinit = made;
    r->has_clinit = r->changed = true;
}

/* try { R.clinitOnly(number); } catch (Throwable) {}: the class must not become unusable, however little stack there is. */
void gl_jmember_write_clinit(struct gl_jrewriter *r)
{
    struct gl_jbuf *out = &r->body;
    const struct gl_jclinit *m = &r->made_clinit;
    if (!m->name)
        return;
    gl_jbuf_2(out, GL_JACC_STATIC | GL_JACC_SYNTHETIC);
    gl_jbuf_2(out, m->name);
    gl_jbuf_2(out, m->desc);
    gl_jbuf_2(out, 1);
    gl_jbuf_2(out, m->code_name);
    gl_jbuf_4(out, 8 + CLINIT_CODE + 2 + 8 + 2 + (m->map_name ? 6 + 2 + 4 : 0));
    gl_jbuf_2(out, 1); /* stack */
    gl_jbuf_2(out, 0); /* variables */
    gl_jbuf_4(out, CLINIT_CODE);
    gl_jbuf_1(out, GL_JOPC_LDC_W); /* 0 */
    gl_jbuf_2(out, m->number);
    gl_jbuf_1(out, GL_JOPC_INVOKESTATIC); /* 3 */
    gl_jbuf_2(out, m->only);
    gl_jbuf_1(out, GL_JOPC_RETURN); /* 6: CLINIT_END */
    gl_jbuf_1(out, GL_JOPC_POP);    /* 7 */
    gl_jbuf_1(out, GL_JOPC_RETURN); /* 8 */
    gl_jbuf_2(out, 1);              /* handlers */
    gl_jbuf_2(out, 0);
    gl_jbuf_2(out, CLINIT_END);
    gl_jbuf_2(out, CLINIT_END + 1);
    gl_jbuf_2(out, 0); /* any */
    gl_jbuf_2(out, m->map_name ? 1 : 0);
    if (m->map_name) {
        gl_jbuf_2(out, m->map_name);
        gl_jbuf_4(out, 2 + 4);
        gl_jbuf_2(out, 1);
        gl_jbuf_1(out, 64 + CLINIT_END + 1); /* the same variables, and on the stack: */
        gl_jbuf_1(out, 7);                   /* an object */
        gl_jbuf_2(out, m->throwable);
    }
}
