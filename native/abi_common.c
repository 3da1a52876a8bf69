/* SPDX-License-Identifier: Apache-2.0
 *
 * <sanitizer/common_interface_defs.h> and the questions that debuggers ask: where an address lies, who allocated it, what
 * stands at a program counter, where reports go.  (What the allocator holds: intercept_alloc.c.)
 */
#include <stdarg.h>

#include "native/collect.h"
#include "native/state.h"
#include "report/text.h"
#include "symbol/symbol.h"

enum { STACK_MAX = 256, FRAMES_MAX = 16 };

/* ---- text ---- */

/* A buffer that is filled up to its end and always terminated. */
struct out {
    char *p;
    size_t room;
};

__attribute__((format(printf, 2, 3))) static void put(struct out *o, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = o->room ? gl_vformat(o->p, o->room, fmt, ap) : 0;
    va_end(ap);
    size_t used = (size_t)n < o->room ? (size_t)n : o->room - (o->room > 0);
    o->p += used;
    o->room -= used;
}

static const char *or_unknown(const char *s) { return s ? s : "??"; }

static const char *shown(const char *file) { return gl_text_strip(file, rt.options.strip_path_prefix); }

/* One frame by a format of ThreadSanitizer's: %p %m %o %f %F %s %l %c %S %L %n %%. */
static void put_frame(struct out *o, const char *fmt, const struct gl_frame *f, int number)
{
    for (; *fmt; fmt++) {
        if (*fmt != '%' || !fmt[1]) {
            put(o, "%c", *fmt);
            continue;
        }
        switch (*++fmt) {
        case 'n':
            put(o, "%d", number);
            break;
        case 'p':
            put(o, "0x%llx", (unsigned long long)f->pc);
            break;
        case 'm':
            put(o, "%s", or_unknown(f->module));
            break;
        case 'o':
            put(o, "0x%llx", (unsigned long long)f->offset);
            break;
        case 'f':
            put(o, "%s", or_unknown(f->function));
            break;
        case 'F':
            put(o, "in %s", or_unknown(f->function));
            break;
        case 's':
            put(o, "%s", f->file ? shown(f->file) : or_unknown(NULL));
            break;
        case 'l':
            put(o, "%u", f->line);
            break;
        case 'c':
            put(o, "%u", f->column);
            break;
        case 'S':
        case 'L':
            if (f->file)
                put(o, f->line ? "%s:%u" : "%s", shown(f->file), f->line);
            else
                put(o, "(%s+0x%llx)", or_unknown(f->module), (unsigned long long)f->offset);
            break;
        default:
            put(o, "%c", *fmt);
        }
    }
}

/* ---- stacks ---- */

RT_EXPORT void __sanitizer_print_stack_trace(void);
RT_EXPORT void __sanitizer_print_stack_trace(void)
{
    uintptr_t pcs[STACK_MAX];
    struct rt_thread *t = rt_enter();
    if (!t)
        return;
    pcs[0] = (uintptr_t)__sanitizer_print_stack_trace + 1; /* as ThreadSanitizer: this function is a frame, too */
    int n = 1 + rt_stack_pcs(rt_stack_here(t, RT_CALLER()), pcs + 1, STACK_MAX - 1), number = 0;
    for (int i = 0; i < n; i++) {
        struct gl_frame frame[FRAMES_MAX];
        int m = gl_symbolize(pcs[i], GL_PC_RETURN, frame, FRAMES_MAX);
        for (int k = 0; k < m; k++) {
            char line[1024];
            struct out o = {line, sizeof line};
            put_frame(&o, "    #%n %p %F %L\n", &frame[k], number++);
            rt_print(line, (size_t)(o.p - line));
        }
    }
    rt_leave();
}

/* The frames at pc, one string after another, then an empty one. */
RT_EXPORT void __sanitizer_symbolize_pc(void *pc, const char *fmt, char *to, size_t room);
RT_EXPORT void __sanitizer_symbolize_pc(void *pc, const char *fmt, char *to, size_t room)
{
    struct gl_frame frame[FRAMES_MAX];
    if (!room)
        return;
    rt_enter_always();
    int n = gl_symbolize((uintptr_t)pc, GL_PC_RETURN, frame, FRAMES_MAX);
    struct out o = {to, room > 1 ? room - 1 : room};
    for (int k = 0; k < n && o.room > 1; k++) {
        put_frame(&o, fmt, &frame[k], k);
        o.p++, o.room--; /* past its end */
    }
    o.p[0] = 0;
    rt_leave();
}

/* %g: its name. */
RT_EXPORT void __sanitizer_symbolize_global(void *p, const char *fmt, char *to, size_t room);
RT_EXPORT void __sanitizer_symbolize_global(void *p, const char *fmt, char *to, size_t room)
{
    struct gl_object object;
    struct out o = {to, room};
    if (!room)
        return;
    *to = 0;
    rt_enter_always();
    bool found = gl_symbol_object((uintptr_t)p, &object);
    for (; found && *fmt; fmt++) {
        if (fmt[0] == '%' && fmt[1] == 'g')
            put(&o, "%s", or_unknown(object.name)), fmt++;
        else
            put(&o, "%c", *fmt);
    }
    rt_leave();
}

/* 1: found. */
RT_EXPORT int __sanitizer_get_module_and_offset_for_pc(void *pc, char *path, size_t room, void **offset);
RT_EXPORT int __sanitizer_get_module_and_offset_for_pc(void *pc, char *path, size_t room, void **offset)
{
    struct gl_frame frame;
    rt_enter_always();
    bool found = gl_symbol_module((uintptr_t)pc, GL_PC_EXACT, &frame);
    if (found) {
        struct out o = {path, room};
        put(&o, "%s", frame.module);
        *offset = (void *)frame.offset;
    }
    rt_leave();
    return found;
}

/* ---- addresses ---- */

/* "heap", "stack", "tls", "global", or "" when nothing is known; a global's name goes into `name`. */
RT_EXPORT const char *__tsan_locate_address(uintptr_t p, char *name, size_t room, uintptr_t *start,
                                            size_t *size);
RT_EXPORT const char *__tsan_locate_address(uintptr_t p, char *name, size_t room, uintptr_t *start,
                                            size_t *size)
{
    const char *kind = "";
    struct rt_block block;
    struct gl_object object;
    struct out o = {name, room};
    enum gl_report_place place;
    uint32_t thread;
    rt_enter_always();
    put(&o, "%s", "");
    *start = 0, *size = 0;
    if (rt_heap_find(p, &block)) {
        kind = "heap";
        *start = block.start, *size = block.size;
    } else if (gl_symbol_object(p, &object)) {
        kind = "global";
        put(&o, "%s", object.name ? object.name : "");
        *start = object.start, *size = object.size;
    } else if (rt_place_of_thread(p, &place, &thread, start, size)) {
        kind = place == GL_PLACE_TLS ? "tls" : "stack";
    }
    rt_leave();
    return kind;
}

/* Where the heap block of `p` was allocated: how many program counters; 0: it is in none. */
RT_EXPORT int __tsan_get_alloc_stack(uintptr_t p, uintptr_t *trace, size_t room, int *thread,
                                     uint64_t *os_thread);
RT_EXPORT int __tsan_get_alloc_stack(uintptr_t p, uintptr_t *trace, size_t room, int *thread,
                                     uint64_t *os_thread)
{
    int n = 0;
    struct rt_block block;
    rt_enter_always();
    if (rt_heap_find(p, &block)) {
        struct rt_thread *t = rt_thread_by_tid(block.tid);
        *thread = (int)block.tid;
        *os_thread = t ? t->os_tid : 0;
        n = rt_stack_pcs(block.stack, trace, (int)(room < STACK_MAX ? room : STACK_MAX));
    }
    rt_leave();
    return n;
}

/* ---- accesses that a program makes by hand ---- */

#define UNALIGNED(bits)                                                                                      \
    RT_EXPORT uint##bits##_t __sanitizer_unaligned_load##bits(const void *p);                                \
    RT_EXPORT uint##bits##_t __sanitizer_unaligned_load##bits(const void *p)                                 \
    {                                                                                                        \
        uint##bits##_t value;                                                                                \
        rt_access_odd((uintptr_t)p, sizeof value, false, RT_CALLER());                                       \
        __builtin_memcpy(&value, p, sizeof value);                                                           \
        return value;                                                                                        \
    }                                                                                                        \
    RT_EXPORT void __sanitizer_unaligned_store##bits(void *p, uint##bits##_t value);                         \
    RT_EXPORT void __sanitizer_unaligned_store##bits(void *p, uint##bits##_t value)                          \
    {                                                                                                        \
        rt_access_odd((uintptr_t)p, sizeof value, true, RT_CALLER());                                        \
        __builtin_memcpy(p, &value, sizeof value);                                                           \
    }

UNALIGNED(16)
UNALIGNED(32)
UNALIGNED(64)

/* ---- reports ---- */

/* As option log_path, or with NULL back to stderr. */
RT_EXPORT void __sanitizer_set_report_path(const char *path);
RT_EXPORT void __sanitizer_set_report_path(const char *path)
{
    rt_enter_always();
    rt_log_to(path ? path : "stderr");
    rt_leave();
}

RT_EXPORT void __sanitizer_set_report_fd(void *fd);
RT_EXPORT void __sanitizer_set_report_fd(void *fd) { rt_log_to_descriptor((int)(intptr_t)fd); }

RT_EXPORT const char *__sanitizer_get_report_path(void);
RT_EXPORT const char *__sanitizer_get_report_path(void) { return rt.options.log_path; }

/* Called once before the process ends with the exit code of reports, or because of one (on_race=halt).  Outside the runtime, so that
 * it may do anything but go on. */
static void (*_Atomic death_callback)(void);

RT_EXPORT void __sanitizer_set_death_callback(void (*callback)(void));
RT_EXPORT void __sanitizer_set_death_callback(void (*callback)(void)) { atomic_store(&death_callback, callback); }

void rt_death(void)
{
    void (*callback)(void) = atomic_exchange(&death_callback, NULL);
    if (callback)
        callback();
}

/* 1 for the first who asks: it may tell of a crash. */
RT_EXPORT int __sanitizer_acquire_crash_state(void);
RT_EXPORT int __sanitizer_acquire_crash_state(void)
{
    static _Atomic bool taken;
    return !atomic_exchange(&taken, true);
}

RT_EXPORT void __sanitizer_sandbox_on_notify(void *args);
RT_EXPORT void __sanitizer_sandbox_on_notify(void *args)
{
    (void)args;
} /* nothing is opened later that a sandbox forbids */
