/* SPDX-License-Identifier: Apache-2.0
 *
 * See record.h.
 */
#include "trace/record.h"

#include "trace/text.h"

enum { PAGE = 4096, PIECE = 64, ATOMIC = 16 /* gl_shape_has_size() */, LETTERS = 24 };

/* ---- memory ---- */

/* The bytes [a, a+n) of one page. */
static bool put_piece(struct gl_names *names, struct gl_event e, uint64_t a, uint64_t n, gl_event_fn *put, void *ctx)
{
    e.object = gl_data_of_address(names, a);
    e.size = (uint32_t)n;
    return e.object != UINT64_MAX && put(ctx, &e);
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* A program may map more than can be gone through page by page: then all known pages are. */
static bool put_fresh(struct gl_names *names, const struct gl_event *e, uint64_t size, gl_event_fn *put, void *ctx)
{
    uint64_t a = e->object, end = a + size, rest = least(a - a % PAGE + PAGE, end), base;
    if (!put_piece(names, *e, a, rest - a, put, ctx))
        return false;
    uint64_t known = gl_data_end(names) / PAGE;
    if ((end - rest) / PAGE < known) {
        for (uint64_t p = rest; p < end; p += PAGE)
            if (gl_data_find_address(names, p) != UINT64_MAX && !put_piece(names, *e, p, least(PAGE, end - p), put, ctx))
                return false;
        return true;
    }
    for (uint64_t i = 0; i < known; i++)
        if (gl_data_page(names, i, &base) && base >= rest && base < end &&
            !put_piece(names, *e, base, least(PAGE, end - base), put, ctx))
            return false;
    return true;
}

bool gl_record_places(struct gl_names *names, const struct gl_event *e, uint64_t size, gl_event_fn *put, void *ctx)
{
    uint64_t a = e->object;
    if (e->op == GL_OP_ALLOC)
        return size == 0 || put_fresh(names, e, size, put, ctx);
    if (gl_op_class(e->op) == GL_CLASS_ATOMIC) /* one operation is one event: what lies on a second page, or behind 16 bytes, is left out */
        return put_piece(names, *e, a, least(least(size, ATOMIC), PAGE - a % PAGE), put, ctx);
    for (uint64_t n; size > 0; a += n, size -= n) {
        n = least(least(size, PIECE), PAGE - a % PAGE);
        if (!put_piece(names, *e, a, n, put, ctx))
            return false;
    }
    return true;
}

/* ---- the wrapper ---- */

struct gl_state {
    struct gl_env env;
    const struct gl_detector *detector;
    struct gl_state *inner;
    struct gl_names *names;
    struct gl_trace_writer *writer;
    bool failed;
    bool atomics[2]; /* without data, with data: a trace has one sort of them only (docs/trace-text.md) */
    /* Location numbers by site: a site may have got a name of the caller's. */
    uint32_t *location;
    uint64_t locations;
    uint64_t *operands; /* places of a commit */
    uint64_t room;
};

struct gl_state *gl_record_over(const struct gl_env *env, const struct gl_detector *detector, struct gl_state *inner,
                                gl_bytes_fn *out, void *ctx)
{
    struct gl_state *s = env->map(env->ctx, sizeof *s);
    if (!s)
        return NULL;
    *s = (struct gl_state){.env = *env, .detector = inner ? detector : NULL, .inner = inner};
    s->names = gl_names_create(env);
    s->writer = s->names ? gl_trace_writer_open(env, GL_TRACE_BINARY, s->names, out, ctx) : NULL;
    if (s->writer)
        return s;
    gl_names_destroy(s->names);
    env->unmap(env->ctx, s, sizeof *s);
    return NULL;
}

/* Room for `need` elements of `bytes` in *array, contents kept. */
static bool reserve(struct gl_state *s, void **array, uint64_t *room, uint64_t need, size_t bytes)
{
    if (need <= *room)
        return true;
    uint64_t more = *room ? *room : PAGE / bytes;
    while (more < need)
        more *= 2;
    char *at = gl_env_map_whole(&s->env, more * bytes), *was = *array;
    if (!at)
        return false;
    for (uint64_t i = 0; i < *room * bytes; i++)
        at[i] = was[i];
    if (was)
        s->env.unmap(s->env.ctx, was, *room * bytes);
    *array = at;
    *room = more;
    return true;
}

bool gl_record_close(struct gl_state *s)
{
    struct gl_env env = s->env;
    bool whole = !s->failed && gl_trace_writer_close(s->writer);
    if (s->failed)
        gl_trace_writer_abandon(s->writer);
    gl_names_destroy(s->names);
    if (s->location)
        env.unmap(env.ctx, s->location, s->locations * sizeof *s->location);
    if (s->operands)
        env.unmap(env.ctx, s->operands, s->room * sizeof *s->operands);
    env.unmap(env.ctx, s, sizeof *s);
    return whole;
}

static bool site_set(struct gl_state *s, uint32_t site, const char *name, size_t length)
{
    if (!reserve(s, (void **)&s->location, &s->locations, (uint64_t)site + 1, sizeof *s->location))
        return false;
    uint32_t number = gl_name_number(s->names, GL_NAME_LOCATION, name, length);
    if (number == UINT32_MAX)
        return false;
    s->location[site] = number;
    return true;
}

bool gl_record_site(struct gl_state *s, uint32_t site, const char *name)
{
    return site_set(s, site, name, gl_text_length(name));
}

bool gl_record_variable(struct gl_state *s, uint64_t address, uint64_t size, const char *name)
{
    uint64_t place = gl_data_of_address(s->names, address);
    uint32_t number = gl_name_number(s->names, GL_NAME_STRING, name, gl_text_length(name));
    if (place == UINT64_MAX || number == UINT32_MAX)
        return false;
    struct gl_data_symbol symbol = {.start = address, .size = size, .page = (uint32_t)(place / PAGE), .name = number};
    return gl_data_symbol_add(s->names, &symbol);
}

bool gl_record_flush(struct gl_state *s) { return gl_trace_writer_flush(s->writer); }

/* A letter or two and a number; its length. */
static size_t make_name(char *to, const char *letters, uint64_t number)
{
    size_t n = 0;
    for (; letters[n]; n++)
        to[n] = letters[n];
    return n + gl_decimal(to + n, number);
}

static bool name_number(struct gl_state *s, enum gl_name_kind kind, uint64_t number, uint32_t *out)
{
    static const char *const letters[GL_NAME_KINDS] = {
        [GL_NAME_THREAD] = "T",  [GL_NAME_DATA] = "x",    [GL_NAME_MUTEX] = "m",   [GL_NAME_RWLOCK] = "rw",   [GL_NAME_VOLATILE] = "v",
        [GL_NAME_ATOMIC] = "a",  [GL_NAME_BARRIER] = "b", [GL_NAME_SEMAPHORE] = "s", [GL_NAME_LOCATION] = "L", [GL_NAME_STRING] = ""};
    char name[LETTERS];
    *out = gl_name_number(s->names, kind, name, make_name(name, letters[kind], number));
    return *out != UINT32_MAX;
}

static bool site_number(struct gl_state *s, uint32_t site, uint32_t *out)
{
    char name[LETTERS];
    *out = 0;
    if (site == 0)
        return true;
    if ((site >= s->locations || !s->location[site]) && !site_set(s, site, name, make_name(name, "L", site)))
        return false;
    *out = s->location[site];
    return true;
}

static bool put_event(void *state, const struct gl_event *e)
{
    return gl_trace_write(((struct gl_state *)state)->writer, e, 1);
}

static bool put_commit(struct gl_state *s, struct gl_event *e)
{
    uint64_t n = (uint64_t)e->n_reads + e->n_writes;
    if (n > 0 && !reserve(s, (void **)&s->operands, &s->room, n, sizeof *s->operands))
        return false;
    for (uint64_t i = 0; i < n; i++) {
        s->operands[i] = gl_data_of_address(s->names, i < e->n_reads ? e->reads[i] : e->writes[i - e->n_reads]);
        if (s->operands[i] == UINT64_MAX)
            return false;
    }
    e->reads = s->operands;
    e->writes = n > 0 ? s->operands + e->n_reads : NULL;
    return put_event(s, e);
}

static bool record(struct gl_state *s, struct gl_event e)
{
    enum gl_class class = gl_op_class(e.op);
    uint32_t number;
    if (!name_number(s, GL_NAME_THREAD, e.thread, &e.thread) || !site_number(s, e.site, &e.site))
        return false;
    if (class == GL_CLASS_ATOMIC)
        s->atomics[e.size > 0] = true;
    if (s->atomics[0] && s->atomics[1])
        return false;
    if (class == GL_CLASS_DATA || (class == GL_CLASS_ATOMIC && e.size > 0))
        return gl_record_places(s->names, &e, e.size, put_event, s);
    if (class == GL_CLASS_TRANSACTION)
        return put_commit(s, &e);
    if (class != GL_CLASS_NONE) {
        if (!name_number(s, gl_name_kind_of_class(class), e.object, &number))
            return false;
        e.object = number;
    }
    return put_event(s, &e);
}

/* ---- the interface ---- */

static struct gl_state *record_create(const struct gl_env *env)
{
    (void)env;
    return NULL;
}

static void record_destroy(struct gl_state *s) { (void)gl_record_close(s); }

static gl_status record_event(struct gl_state *s, const struct gl_event *e, struct gl_race *race)
{
    if (!s->failed && !record(s, *e))
        s->failed = true;
    return s->detector ? s->detector->event(s->inner, e, race) : GL_OK;
}

static void record_counts(const struct gl_state *s, gl_count_fn *fn, void *ctx)
{
    if (s->detector)
        s->detector->counts(s->inner, fn, ctx);
}

const struct gl_detector gl_detector_record = {
    .size = sizeof(struct gl_detector),
    .name = "record",
    .sentence = "writes what another detector is told, and passes it on",
    .create = record_create,
    .destroy = record_destroy,
    .event = record_event,
    .counts = record_counts,
};
