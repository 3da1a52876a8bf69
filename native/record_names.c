/* SPDX-License-Identifier: Apache-2.0
 *
 * See record_names.h.
 */
#include "native/record_names.h"

#include "symbol/symbol.h"

#define NAME_MAX 512
#define FRAMES_MAX 64

/* ---- numbers ---- */

/* The place of a number; NULL: no memory. */
static uint32_t *map_at(struct rt_number_map *m, uint64_t number)
{
    if (number >= m->room) {
        uint64_t room = m->room ? m->room : 1024;
        while (room <= number)
            room *= 2;
        uint32_t *at = gl_os_map(room * sizeof *at);
        if (!at)
            return NULL;
        if (m->at) {
            __builtin_memcpy(at, m->at, m->room * sizeof *at);
            gl_os_unmap(m->at, m->room * sizeof *at);
        }
        m->at = at;
        m->room = room;
    }
    return &m->at[number];
}

static void map_free(struct rt_number_map *m)
{
    if (m->at)
        gl_os_unmap(m->at, m->room * sizeof *m->at);
}

bool rt_translation_begin(struct rt_translation *x, const struct gl_env *env)
{
    *x = (struct rt_translation){.env = env, .names = gl_names_create(env), .paths = gl_names_create(env)};
    return x->names && x->paths;
}

void rt_translation_end(struct rt_translation *x)
{
    gl_names_destroy(x->names);
    gl_names_destroy(x->paths);
    map_free(&x->threads);
    map_free(&x->objects);
    map_free(&x->sites);
    map_free(&x->locations);
    map_free(&x->lines);
    *x = (struct rt_translation){0};
}

/* ---- threads, objects ---- */

static bool thread_number(struct rt_translation *x, uint32_t tid, uint32_t *number)
{
    uint32_t *known = map_at(&x->threads, tid);
    if (known && !*known) {
        char name[16];
        int n = gl_format(name, sizeof name, "T%u", tid);
        *known = gl_name_number(x->names, GL_NAME_THREAD, name, (size_t)n) + 1; /* 0: no memory */
    }
    *number = known ? *known - 1 : 0;
    return known && *known;
}

/* A global by its name, anything else by its address. */
static int object_name(char *name, uintptr_t addr)
{
    struct gl_object o;
    if (!gl_symbol_object(addr, &o) || !o.name)
        return gl_format(name, NAME_MAX, "0x%lx", addr);
    if (addr == o.start)
        return gl_format(name, NAME_MAX, "%s", o.name);
    return gl_format(name, NAME_MAX, "%s+%lu", o.name, addr - o.start);
}

/* Another object under a name that is taken (a lock on the stack, mostly) gets a number behind it. */
static bool object_number(struct rt_translation *x, enum gl_name_kind kind, uintptr_t addr, uint32_t serial,
                          uint32_t *number)
{
    uint32_t *known = map_at(&x->objects, serial);
    if (!known)
        return false;
    if (!*known) {
        char name[NAME_MAX + 16];
        int n = object_name(name, addr);
        n = n < NAME_MAX ? n : NAME_MAX - 1;
        if (gl_name_find(x->names, kind, name, (size_t)n) != UINT32_MAX)
            n += gl_format(name + n, 16, "#%u", serial);
        *known = gl_name_number(x->names, kind, name, (size_t)n) + 1; /* 0: no memory */
    }
    *number = *known - 1;
    return *known != 0;
}

/* ---- locations ---- */

static const char *base_name(const char *path)
{
    const char *base = path;
    for (; *path; path++)
        if (*path == '/')
            base = path + 1;
    return base;
}

static uint32_t string_number(struct rt_translation *x, const char *s)
{
    return s ? gl_name_number(x->names, GL_NAME_STRING, s, __builtin_strlen(s)) : UINT32_MAX;
}

static int location_name(char *name, const struct gl_frame *f)
{
    if (f->file)
        return gl_format(name, NAME_MAX, "%s %s:%u", f->function ? f->function : "?", base_name(f->file), f->line);
    const char *module = f->module ? base_name(f->module) : "?";
    if (f->function)
        return gl_format(name, NAME_MAX, "%s %s+0x%lx", f->function, module, f->offset);
    return gl_format(name, NAME_MAX, "%s+0x%lx", module, f->module ? f->offset : f->pc);
}

/* The frames of a call path, innermost first, inlined ones too; how many.  name: what a location of it is called. */
static int frames_of(struct rt_translation *x, const uintptr_t *pcs, int n, struct gl_stack_frame *stack, char *name)
{
    int depth = 0;
    for (int i = 0; i < n; i++) {
        struct gl_frame frame[8];
        int inlined = gl_symbolize(pcs[i], GL_PC_RETURN, frame, 8);
        if (i == 0)
            location_name(name, &frame[0]);
        for (int k = 0; k < inlined && depth < FRAMES_MAX; k++)
            stack[depth++] = (struct gl_stack_frame){.function = string_number(x, frame[k].function),
                                                     .file = string_number(x, frame[k].file ? frame[k].file : frame[k].module),
                                                     .line = frame[k].line};
    }
    return depth;
}

/* The location of this call path; 0: no memory. */
static uint32_t location_new(struct rt_translation *x, const uintptr_t *pcs, int n)
{
    struct gl_stack_frame stack[FRAMES_MAX] = {0};
    char name[NAME_MAX + 16];
    int depth = frames_of(x, pcs, n, stack, name);
    /* Instructions of one line are one location. */
    uint32_t lines = gl_name_number(x->paths, GL_NAME_DATA, (const char *)stack, (size_t)depth * sizeof stack[0]);
    uint32_t *known = lines == UINT32_MAX ? NULL : map_at(&x->lines, lines);
    if (!known || *known)
        return known ? *known : 0;
    size_t length = __builtin_strlen(name);
    /* Several ways lead to one line: the others are told apart by a number. */
    if (gl_name_find(x->names, GL_NAME_LOCATION, name, length) != UINT32_MAX)
        length += (size_t)gl_format(name + length, 16, " #%u", gl_names_count(x->names, GL_NAME_LOCATION));
    uint32_t number = gl_name_number(x->names, GL_NAME_LOCATION, name, length);
    if (number == UINT32_MAX || !gl_stack_set(x->names, number, stack, (uint32_t)depth))
        return 0;
    return *known = number;
}

/* Sites that differ in locks or width only are one call path. */
static bool location_of(struct rt_translation *x, uint32_t site, uint32_t *number)
{
    *number = 0;
    if (!site)
        return true;
    uint32_t *known = map_at(&x->sites, site);
    if (!known)
        return false;
    if (!*known) {
        uintptr_t pcs[FRAMES_MAX];
        int n = rt_stack_pcs(rt_site_decode(site).stack, pcs, FRAMES_MAX);
        if (n == 0)
            return true;
        uint32_t path = gl_name_number(x->paths, GL_NAME_STRING, (const char *)pcs, (size_t)n * sizeof pcs[0]);
        uint32_t *of_path = path == UINT32_MAX ? NULL : map_at(&x->locations, path);
        if (of_path && !*of_path)
            *of_path = location_new(x, pcs, n);
        *known = of_path ? *of_path : 0;
    }
    *number = *known;
    return *known != 0;
}

/* ---- variables of the program ---- */

/* The globals that lie on a page of memory.  Pages of no module are left after three questions. */
static bool page_symbols(struct rt_translation *x, uint32_t page, uintptr_t base)
{
    struct gl_object o;
    if (!gl_symbol_object(base, &o) && !gl_symbol_object(base + 2048, &o) && !gl_symbol_object(base + 4095, &o))
        return true;
    for (uintptr_t a = base, next; a < base + 4096; a = next) {
        next = a + 4;
        if (!gl_symbol_object(a, &o) || !o.name || !o.size)
            continue;
        uint32_t name = string_number(x, o.name);
        if (name == UINT32_MAX ||
            !gl_data_symbol_add(x->names, &(struct gl_data_symbol){.start = o.start, .size = o.size, .page = page, .name = name}))
            return false;
        if (o.start + o.size > next)
            next = o.start + o.size;
    }
    return true;
}

static bool new_symbols(struct rt_translation *x)
{
    for (uint64_t base; x->pages < gl_data_end(x->names) / 4096; x->pages++)
        if (gl_data_page(x->names, x->pages, &base) && !page_symbols(x, (uint32_t)x->pages, base))
            return false;
    return true;
}

/* ---- events ---- */

static bool translate(struct rt_translation *x, uint32_t tid, const struct rt_event *r, gl_event_fn *put, void *ctx)
{
    struct gl_event e = {.op = (enum gl_op)r->op, .order = (enum gl_order)r->order};
    enum gl_class class = gl_op_class(e.op);
    uint32_t number = 0;
    bool object = class == GL_CLASS_MUTEX || class == GL_CLASS_RWLOCK || class == GL_CLASS_BARRIER || class == GL_CLASS_SEMAPHORE;
    if (object && r->extra >> 32)
        tid = (uint32_t)(r->extra >> 32) - 1;
    if (!thread_number(x, tid, &e.thread) || !location_of(x, r->site, &e.site))
        return false;
    if (class == GL_CLASS_DATA || class == GL_CLASS_ATOMIC) {
        e.object = r->object;
        return gl_record_places(x->names, &e, r->extra, put, ctx);
    }
    if (class == GL_CLASS_THREAD && !thread_number(x, (uint32_t)r->object, &number))
        return false;
    if (object && !object_number(x, gl_name_kind_of_class(class), r->object, (uint32_t)r->extra, &number))
        return false;
    e.object = number;
    return put(ctx, &e);
}

bool rt_translate(struct rt_translation *x, uint32_t tid, const struct rt_event *r, gl_event_fn *put, void *ctx)
{
    return translate(x, tid, r, put, ctx) && (x->pages == gl_data_end(x->names) / 4096 || new_symbols(x));
}
