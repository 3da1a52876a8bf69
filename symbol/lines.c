/* SPDX-License-Identifier: Apache-2.0
 *
 * Function, file and line through libbacktrace, which reads ELF and DWARF and takes its memory from
 * mmap.  Names come from the debug information; where there is none, from the symbol table, and in Go programs from their own (pclntab.h).
 *
 * libbacktrace reads all objects that dl_iterate_phdr() names when a state is first asked, and a state
 * can neither grow nor be freed.  So each module has a state of its own, made when it is first asked about, and the build
 * has libbacktrace call gl_backtrace_objects() below instead, which names just that module: the debug
 * information of a C library costs tenths of a second, and a report about the program needs none of it.
 * What leaks is the state of a module that was asked about and then unloaded.
 *
 * Locking: one lock for everything in this folder, which is its holder's thread id.  Rank: before the
 * dynamic linker's lock and the arena's.  A program can make a thread ask while it holds the linker's lock
 * (a race inside a callback of dl_iterate_phdr), so waiting has an end.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* struct dl_phdr_info */
#endif
#include "symbol/symbol.h"

#include <backtrace.h>
#include <link.h>
#include <string.h>

#include "platform/platform.h"
#include "symbol/demangle.h"
#include "symbol/external.h"
#include "symbol/intern.h"
#include "symbol/modules.h"
#include "symbol/pclntab.h"
#include "symbol/units.h"

enum {
    MAX_INLINED = 64,          /* frames at one pc; the outermost are cut */
    MAX_NAME = 4096,           /* of a demangled name */
    BUCKETS = 4096,            /* of the cache */
    STACK_BYTES = 8 << 20,     /* address space; only touched pages cost memory */
    PATIENCE = 1024 + 200000   /* rounds of gl_os_pause(): some ten seconds of naps */
};

struct cached {
    struct cached *next;
    uintptr_t pc;
    uint32_t module; /* its id: the same pc in another module is another entry */
    int frames;
    struct gl_frame frame[];
};

static uint32_t holder;                /* tid; 0: free */
static struct cached *cache[BUCKETS];  /* this and all below guarded by holder */
static void *stack_top;
static struct gl_frame found[MAX_INLINED];
static int n_found;
static char name_buf[MAX_NAME];
static const struct gl_module *asked;  /* the one that libbacktrace is to read */

static bool enter(void)
{
    uint32_t self = gl_os_tid();
    for (unsigned round = 0; round < PATIENCE; round++) {
        uint32_t is = 0;
        /* acquire: pairs with leave() */
        if (__atomic_compare_exchange_n(&holder, &is, self, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            break;
        if (is == self)
            return false; /* a signal handler on top of our own call */
        gl_os_pause(round);
    }
    /* relaxed: only we write our own id */
    if (__atomic_load_n(&holder, __ATOMIC_RELAXED) != self)
        return false;
    if (!stack_top)
        stack_top = gl_os_map_stack(STACK_BYTES);
    if (stack_top)
        return true;
    __atomic_store_n(&holder, 0, __ATOMIC_RELEASE);
    return false;
}

static void leave(void)
{
    /* release: pairs with enter() */
    __atomic_store_n(&holder, 0, __ATOMIC_RELEASE);
}

static bool fork_entered; /* guarded by holder; a refused caller is itself inside, also in the child */

void gl_symbol_fork_before(void)
{
    if (enter())
        fork_entered = true;
}

void gl_symbol_fork_after(void)
{
    if (fork_entered) {
        fork_entered = false;
        leave(); /* in the child the holder is the parent's id: a plain store serves both */
    }
}

static void no_error(void *data, const char *message, int number)
{
    /* Every failure shows as an unknown name, which is what we tell. */
    (void)data, (void)message, (void)number;
}

/* What libbacktrace takes for dl_iterate_phdr().  It has opened the file that its state is about; an object without a
 * name is that file, loaded here.  (One at a fixed address it has read already, and it passes this over.) */
int gl_backtrace_objects(int (*visit)(struct dl_phdr_info *, size_t, void *), void *data);
int gl_backtrace_objects(int (*visit)(struct dl_phdr_info *, size_t, void *), void *data)
{
    struct dl_phdr_info info = {.dlpi_addr = asked->base, .dlpi_name = ""};
    return visit(&info, sizeof info, data);
}

static struct backtrace_state *state_of(struct gl_module *m)
{
    /* The executable's link leads to its file even after that was renamed or deleted. */
    asked = m;
    if (!m->state) {
        m->state = backtrace_create_state(m->executable ? gl_os_executable() : m->path, 1, no_error, NULL);
        if (m->state)
            gl_units_read(m->state, m->base);
    }
    return m->state;
}

static const char *readable(const char *name)
{
    /* A runtime's functions have a second name, by which the program's own interceptors find them; the table of symbols may say either. */
    static const char second[] = "__interceptor_";
    if (name && strncmp(name, second, sizeof second - 1) == 0)
        name += sizeof second - 1;
    if (!name || !name[0])
        return NULL;
    if (gl_demangle(name, name_buf, sizeof name_buf))
        name = name_buf;
    return gl_intern_locked(name, strlen(name));
}

/* ---- symbols ---------------------------------------------------------------------------------- */

struct symbol {
    const char *name; /* as in the table; lives as long as the state */
    uintptr_t start, size;
};

static void take_symbol(void *data, uintptr_t addr, const char *name, uintptr_t start, uintptr_t size)
{
    (void)addr;
    *(struct symbol *)data = (struct symbol){name, start, size};
}

static struct symbol symbol_at(struct backtrace_state *state, uintptr_t addr)
{
    struct symbol s = {NULL, 0, 0};
    if (state)
        backtrace_syminfo(state, addr, take_symbol, no_error, &s);
    return s;
}

/* ---- lines ------------------------------------------------------------------------------------ */

/* gcc 12's libbacktrace puts the compilation folder before the source's name even when that is absolute
 * (clang's DWARF 5): "/build//src/x.c".  But "src//x.c" is also what some makefiles compile.  Believe
 * the file system; without the sources, take a second path of several components for absolute. */
static const char *true_path(const char *file)
{
    const char *second = NULL;
    for (const char *s = file; *s; s++)
        if (s[0] == '/' && s[1] == '/')
            second = s + 1;
    if (!second || gl_os_exists(file))
        return file;
    return gl_os_exists(second) || strchr(second + 1, '/') ? second : file;
}

static int take_line(void *data, uintptr_t pc, const char *file, int line, const char *function)
{
    (void)pc;
    if (n_found == MAX_INLINED)
        return 1;
    struct gl_frame *f = &found[n_found++];
    *f = *(const struct gl_frame *)data;
    f->function = readable(function);
    if (file && file[0]) {
        file = true_path(file);
        f->file = gl_intern_locked(file, strlen(file));
        f->line = line > 0 ? (uint32_t)line : 0;
    }
    return 0;
}

/* By the other program; false: it knows nothing. */
static bool look_up_outside(const struct gl_frame *blank, const struct gl_module *m, uintptr_t pc)
{
    static struct gl_external_line line[MAX_INLINED];
    int n = gl_external_there() ? gl_external_lines(m, pc, line, MAX_INLINED) : 0;
    for (int i = 0; i < n; i++) {
        found[i] = *blank;
        found[i].function = readable(line[i].function);
        if (line[i].file) {
            found[i].file = gl_intern_locked(line[i].file, strlen(line[i].file));
            found[i].line = line[i].line;
            found[i].column = line[i].column;
        }
    }
    n_found = n;
    return n > 0;
}

/* By the executable's own table. */
static void look_up_go(struct gl_frame *f, const struct gl_module *m, uintptr_t pc)
{
    static struct gl_bytes file, table;
    struct gl_go_line line;
    if (!file.bytes) {
        file.bytes = gl_os_map_file(gl_os_executable(), &file.size);
        if (!file.bytes || !gl_section(file, ".gopclntab", &table))
            table = (struct gl_bytes){"", 0};
    }
    if (!gl_pclntab_line(table, pc - m->base, &line))
        return;
    f->function = readable(line.function);
    f->file = gl_intern_locked(line.file, strlen(line.file));
    f->line = line.line;
}

static void look_up(const struct gl_frame *blank, struct gl_module *m, uintptr_t pc)
{
    if (look_up_outside(blank, m, pc))
        return;
    n_found = 0;
    struct backtrace_state *state = state_of(m);
    if (state)
        backtrace_pcinfo(state, pc, take_line, no_error, (void *)(uintptr_t)blank);
    if (n_found == 0)
        found[n_found++] = *blank;
    if (n_found == MAX_INLINED)
        return; /* the last one need not be the function itself */
    /* The outermost frame is the function that the symbol covers.  For C++ the symbol says more than debug
     * information without a linkage name ("operator()"), and without debug information it is all. */
    struct gl_frame *outer = &found[n_found - 1];
    struct symbol s = symbol_at(state, pc);
    if (s.name && (!outer->function || (gl_name_is_mangled(s.name) && !strchr(outer->function, '(')))) {
        const char *name = readable(s.name);
        outer->function = name ? name : outer->function;
    }
    if (!outer->file && m->executable)
        look_up_go(outer, m, pc);
}

struct lines_question {
    uintptr_t pc; /* of the instruction */
    struct gl_frame *out;
    int max;
    int answered;
};

static struct lines_question question(uintptr_t pc, enum gl_pc_kind kind, struct gl_frame *out, int max)
{
    *out = (struct gl_frame){.pc = pc};
    return (struct lines_question){.pc = kind == GL_PC_RETURN && pc ? pc - 1 : pc, .out = out, .max = max};
}

/* The module at the question's pc, told in its first frame; NULL: none. */
static struct gl_module *module_of(const struct lines_question *q)
{
    bool exec;
    struct gl_module *m = gl_module_at_locked(q->pc, &exec);
    if (m) {
        q->out->module = m->path;
        q->out->offset = q->pc - m->base;
    }
    return m;
}

static void answer_module(void *arg)
{
    struct lines_question *q = arg;
    q->answered = module_of(q) != NULL;
}

static void answer_lines(void *arg)
{
    struct lines_question *q = arg;
    struct gl_module *m = module_of(q);
    if (!m)
        return;
    struct cached **head = &cache[(q->pc ^ q->pc >> 12) % BUCKETS], *c;
    for (c = *head; c; c = c->next)
        if (c->pc == q->pc && c->module == m->id)
            break;
    const struct gl_frame *frame = found;
    if (c) {
        frame = c->frame;
        n_found = c->frames;
    } else {
        look_up(q->out, m, q->pc);
        c = gl_arena_alloc(sizeof *c + (size_t)n_found * sizeof *found);
        if (c) { /* no memory: an answer all the same, looked up again next time */
            c->pc = q->pc;
            c->module = m->id;
            c->frames = n_found;
            memcpy(c->frame, found, (size_t)n_found * sizeof *found);
            c->next = *head;
            *head = c;
        }
    }
    uintptr_t given = q->out->pc; /* a cached frame may have been asked for by the other kind of pc */
    for (q->answered = 0; q->answered < n_found && q->answered < q->max; q->answered++) {
        q->out[q->answered] = frame[q->answered];
        q->out[q->answered].pc = given;
    }
}

static int ask(void answer(void *), struct lines_question *q)
{
    if (enter()) {
        gl_os_call_on(stack_top, answer, q);
        leave();
    }
    return q->answered;
}

int gl_symbolize(uintptr_t pc, enum gl_pc_kind kind, struct gl_frame *out, int max)
{
    struct lines_question q = question(pc, kind, out, max);
    int answered = ask(answer_lines, &q);
    return answered ? answered : 1;
}

bool gl_symbol_module(uintptr_t pc, enum gl_pc_kind kind, struct gl_frame *out)
{
    struct lines_question q = question(pc, kind, out, 1);
    return ask(answer_module, &q) != 0;
}

/* ---- variables -------------------------------------------------------------------------------- */

struct object_question {
    uintptr_t addr;
    struct gl_object *out;
    bool answered;
};

static void answer_object(void *arg)
{
    struct object_question *q = arg;
    bool exec;
    struct gl_module *m = gl_module_at_locked(q->addr, &exec);
    if (!m || exec)
        return;
    struct symbol s = symbol_at(state_of(m), q->addr);
    struct gl_object *o = q->out;
    o->name = readable(s.name);
    o->start = o->name ? s.start : q->addr;
    o->size = o->name ? s.size : 0;
    o->module = m->path;
    o->offset = o->start - m->base;
    q->answered = true;
}

bool gl_symbol_object(uintptr_t addr, struct gl_object *out)
{
    *out = (struct gl_object){.start = addr};
    struct object_question q = {addr, out, false};
    if (enter()) {
        gl_os_call_on(stack_top, answer_object, &q);
        leave();
    }
    return q.answered;
}
