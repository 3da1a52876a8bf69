/* SPDX-License-Identifier: Apache-2.0
 *
 * What the program asks for now and libc or the kernel does later: exit handlers, timers and notifications that run
 * on threads of libc's own, asynchronous input and output.
 */
#include "native/intercept_fd.h"

#include <aio.h>
#include <dlfcn.h>
#include <mqueue.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "platform/platform.h"
#include "symbol/dynamic.h"

/* ---- exit handlers ---- */

/* What reports show between a handler and the place where it was registered, by these names, as ThreadSanitizer does. */
static void at_exit_callback_installed_at(void) {}
static void cxa_at_exit_callback_installed_at(void) { __asm__(""); } /* not the same function to any compiler */
static void on_exit_callback_installed_at(void) { __asm__("" ::: "memory"); }

bool rt_exit_note(uintptr_t pc)
{
    return pc == (uintptr_t)at_exit_callback_installed_at + 1 || pc == (uintptr_t)cxa_at_exit_callback_installed_at + 1 ||
           pc == (uintptr_t)on_exit_callback_installed_at + 1;
}

/* A handler runs on the thread that ends the process, after it was registered by another. */
struct handler {
    void (*function)(void *, int); /* NULL: it has run */
    void (*note)(void);
    void *arg;
    uintptr_t pc;
    bool listed;        /* in `closing` */
    uintptr_t lo, size; /* of the module with `function`, if it is listed */
    struct handler *next;
};

/* What atexit() below needs, and nobody looks at it without the lock. */
static struct {
    struct gl_spin lock;
    struct handler *first; /* to run when their module is closed, the latest first */
    struct module {
        void *handle; /* by which libc knows a module: an address in it */
        struct module *next;
    } *modules;
} closing;

static void run_now(struct handler h, uintptr_t object)
{
    RT_RECORD(t, rt_acquire(t, object, RT_USER, h.pc);
              rt_sync_destroy(t, object, RT_USER, 0));
    rt_libc_free((void *)object);
}

/* Its stack goes on where it was registered.  In line, since a frame remembers where the stack was (rt_unwind_to()). */
static inline __attribute__((always_inline)) void enter(struct handler h)
{
    __tsan_func_entry((void *)h.pc);
    __tsan_func_entry((void *)((uintptr_t)h.note + 1));
}

static void leave(void)
{
    __tsan_func_exit();
    __tsan_func_exit();
}

/* Takes it off the list. */
static void unlist(struct handler *h)
{
    struct handler **link = &closing.first;
    while (*link && *link != h)
        link = &(*link)->next;
    if (*link)
        *link = h->next;
}

static void run_handler(void *handler, int code)
{
    struct handler h = *(struct handler *)handler;
    rt_thread_exits();
    if (h.listed)
        RT_ALWAYS(gl_spin_lock(&closing.lock); h = *(struct handler *)handler; unlist(handler); gl_spin_unlock(&closing.lock));
    run_now(h, (uintptr_t)handler);
    if (!h.function)
        return;
    enter(h);
    h.function(h.arg, code);
    leave();
}

static void run_on_exit(int code, void *handler)
{
    struct handler h = *(struct handler *)handler;
    rt_thread_exits();
    run_now(h, (uintptr_t)handler);
    enter(h);
    ((void (*)(int, void *))(void (*)(void))h.function)(code, h.arg);
    leave();
}

/* NULL: no memory, or a thread that is not known: then the handler is registered as it is. */
static struct handler *handler_new(void (*function)(void *, int), void *arg, void (*note)(void), uintptr_t pc)
{
    struct handler *h = rt_libc_malloc(sizeof *h);
    if (h) {
        *h = (struct handler){.function = function, .arg = arg, .note = note, .pc = pc};
        RT_RECORD(t, rt_release(t, (uintptr_t)h, RT_USER, pc));
    }
    return h;
}

/* libc's handle of the module, if we were told: else NULL. */
static void *module_handle(uintptr_t lo, uintptr_t size)
{
    struct module *m = closing.modules;
    while (m && (uintptr_t)m->handle - lo >= size)
        m = m->next;
    return m ? m->handle : NULL;
}

static void module_seen(void *handle)
{
    bool known;
    RT_ALWAYS(gl_spin_lock(&closing.lock); known = module_handle((uintptr_t)handle, 1); gl_spin_unlock(&closing.lock));
    struct module *m = known ? NULL : rt_libc_malloc(sizeof *m);
    if (m) {
        m->handle = handle;
        RT_ALWAYS(gl_spin_lock(&closing.lock); m->next = closing.modules; closing.modules = m; gl_spin_unlock(&closing.lock));
    }
}

int __cxa_atexit(void (*function)(void *, int), void *arg, void *module);
INTERCEPT(int, __cxa_atexit, (void (*function)(void *, int), void *arg, void *module))
{
    if (module)
        module_seen(module);
    struct handler *h = handler_new(function, arg, cxa_at_exit_callback_installed_at, RT_CALLER());
    return h ? REAL(__cxa_atexit)(run_handler, h, module) : REAL(__cxa_atexit)(function, arg, module);
}

/* libc's is a part of each program and library, and names it to __cxa_atexit.  But gcc's runtime has this function too, and what gcc linked
 * with that asks us for it.  So a handler's module is the one that it lies in.  As long as libc's handle of that one is not known, libc
 * keeps the handler until the process ends, and we call it when the module is closed: after those that were registered when the handle
 * was known, which came later. */
int atexit(void (*function)(void));
RT_EXPORT int atexit(void (*function)(void))
{
    void (*callee)(void *, int) = (void (*)(void *, int))(void (*)(void))function;
    struct handler *h = handler_new(callee, NULL, at_exit_callback_installed_at, RT_CALLER());
    void *handle = NULL;
    if (!h)
        return -1;
    if (gl_module_span((uintptr_t)function, &h->lo, &h->size))
        RT_ALWAYS(gl_spin_lock(&closing.lock); handle = module_handle(h->lo, h->size); h->listed = !handle;
                  if (h->listed) { h->next = closing.first; closing.first = h; } gl_spin_unlock(&closing.lock));
    return REAL(__cxa_atexit)(run_handler, h, handle);
}

/* The latest handler that is left of the module with that handle, off the list.  At the end of the process libc has us free it. */
static struct handler *closing_next(uintptr_t module, struct handler *copy)
{
    struct handler *h;
    RT_ALWAYS(gl_spin_lock(&closing.lock); h = closing.first; while (h && module - h->lo >= h->size) h = h->next;
              if (h) { *copy = *h; h->function = NULL; unlist(h); } gl_spin_unlock(&closing.lock));
    return h;
}

static void module_closes(void *handle)
{
    struct handler *h, copy;
    while ((h = closing_next((uintptr_t)handle, &copy))) {
        RT_RECORD(t, rt_acquire(t, (uintptr_t)h, RT_USER, copy.pc));
        enter(copy);
        copy.function(copy.arg, 0);
        leave();
    }
    struct module *gone;
    RT_ALWAYS(gl_spin_lock(&closing.lock); struct module **link = &closing.modules;
              while (*link && (*link)->handle != handle) link = &(*link)->next;
              gone = *link; if (gone) *link = gone->next; gl_spin_unlock(&closing.lock));
    rt_libc_free(gone);
}

INTERCEPT(int, on_exit, (void (*function)(int, void *), void *arg))
{
    void (*callee)(void *, int) = (void (*)(void *, int))(void (*)(void))function;
    struct handler *h = handler_new(callee, arg, on_exit_callback_installed_at, RT_CALLER());
    return h ? REAL(on_exit)(run_on_exit, h) : REAL(on_exit)(function, arg);
}

/* The runtime's own, which is no program's (intercept_process.c). */
int rt_libc_on_exit(void (*function)(int, void *)) { return REAL(on_exit)(function, NULL); }

/* ---- threads that libc begins ---- */

/* SIGEV_THREAD: what the program wants to be called.  All calls of one timer are one flow of control to us, as long as none
 * begins before the last is over: each comes after the one before.  A call may be on its way when the timer is deleted, and nobody can know when it has
 * come: so a notice stays, and is used again for a timer with the same function and value only, which is what a late call then calls. */
struct notice {
    void (*function)(union sigval);
    union sigval value;
    struct rt_thread *thread; /* NULL: no memory, or the timer is gone */
    uintptr_t cause;          /* the object that orders what caused the call before it; 0: none */
    timer_t timer;
    int signal;               /* that a timer sends, in place of the function; or 0 */
    unsigned begins;          /* calls that have not yet taken the order of their cause */
    bool once;                /* it is called once at most, and freed then */
    struct notice *next;
};

enum { GONE = 1024, GONE_LOOKED = 64 /* if each timer has a value of its own */ };

/* The lock guards the lists, and what a notice says but for its function and value. */
static struct {
    struct gl_spin lock;
    struct notice *first;      /* of timers that there are */
    struct notice *gone[GONE]; /* of others */
} timers;

static struct notice **gone_place(void (*function)(union sigval), union sigval value)
{
    uint64_t mixed = ((uintptr_t)function ^ (uintptr_t)value.sival_ptr) * 0x9E3779B97F4A7C15ull;
    return &timers.gone[(mixed >> 32) % GONE];
}

static bool is_free_for(const struct notice *n, void (*function)(union sigval), union sigval value)
{
    return n->function == function && n->value.sival_ptr == value.sival_ptr && n->begins == 0;
}

/* One with that function and value of a timer that is gone, or NULL. */
static struct notice *notice_again(void (*function)(union sigval), union sigval value)
{
    gl_spin_lock(&timers.lock);
    struct notice **link = gone_place(function, value), *n;
    int looked = 0;
    while ((n = *link) && !is_free_for(n, function, value) && ++looked < GONE_LOOKED)
        link = &n->next;
    if (n && is_free_for(n, function, value))
        *link = n->next;
    else
        n = NULL;
    gl_spin_unlock(&timers.lock);
    return n;
}

/* A call of the function, on a thread of libc's. */
struct call {
    struct rt_thread *thread;
    bool once;
};

static void call_over(void *call)
{
    struct call *c = call;
    RT_ALWAYS(if (c->once) rt_thread_aside_end(c->thread); rt_thread_step_out(c->thread)); /* it ends when we are out */
}

static void run_notice(union sigval notice)
{
    struct notice n, *there = notice.sival_ptr;
    bool inside = false;
    RT_ALWAYS(gl_spin_lock(&timers.lock); n = *there; there->begins++; gl_spin_unlock(&timers.lock);
              inside = n.thread && rt_thread_step_in(n.thread, pthread_self()));
    if (inside)
        RT_RECORD(t, rt_acquire(t, n.cause, RT_USER, 0));
    if (n.once)
        rt_libc_free(there);
    else
        RT_ALWAYS(gl_spin_lock(&timers.lock); there->begins--; gl_spin_unlock(&timers.lock));
    if (!inside) { /* the last call is not over, or the timer is gone: what this one does is not checked */
        n.function(n.value);
        return;
    }
    struct call c = {n.thread, n.once};
    pthread_cleanup_push(call_over, &c);
    n.function(n.value);
    pthread_cleanup_pop(1);
}

/* The same event with our function.  NULL: not of this kind, or no memory.  cause: 0 is the notice itself. */
static struct notice *notice_new(const struct sigevent *wanted, struct sigevent *ours, bool once, uintptr_t cause, uintptr_t pc)
{
    if (!wanted || wanted->sigev_notify != SIGEV_THREAD)
        return NULL;
    struct notice *n = NULL;
    struct rt_thread *thread = NULL;
    if (!once)
        RT_ALWAYS(n = notice_again(wanted->sigev_notify_function, wanted->sigev_value));
    if (!n && !(n = rt_libc_calloc(1, sizeof *n)))
        return NULL;
    n->function = wanted->sigev_notify_function; /* if it was there, what it says */
    n->value = wanted->sigev_value;
    RT_RECORD(t, thread = rt_thread_aside(t, pc); rt_sync_destroy(t, (uintptr_t)n, RT_USER, 0)); /* what the timer before it left */
    RT_ALWAYS(gl_spin_lock(&timers.lock); n->thread = thread; n->once = once; n->cause = once ? cause : (uintptr_t)n;
              gl_spin_unlock(&timers.lock));
    *ours = *wanted;
    ours->sigev_notify_function = run_notice;
    ours->sigev_value.sival_ptr = n;
    return n;
}

/* Its timer is gone, or never was; inside of the runtime.  It is not in the list of those with a timer.  Says what the caller frees, or NULL. */
static struct notice *notice_gone(struct notice *n)
{
    gl_spin_lock(&timers.lock);
    struct rt_thread *thread = n->thread;
    struct notice **place = gone_place(n->function, n->value);
    bool kept = !n->signal && !n->once;
    n->thread = NULL;
    if (kept) {
        n->next = *place;
        *place = n;
    }
    gl_spin_unlock(&timers.lock);
    if (thread)
        rt_thread_aside_end(thread);
    return kept ? NULL : n;
}

/* Nobody will call it. */
static void notice_drop(struct notice *n)
{
    struct notice *over;
    RT_ALWAYS(over = notice_gone(n));
    rt_libc_free(over);
}

/* The signal by which an event is told; without an event a timer's SIGALRM; or 0. */
static int signal_of(const struct sigevent *event)
{
    if (!event)
        return SIGALRM;
    return event->sigev_notify == SIGEV_SIGNAL || event->sigev_notify == SIGEV_THREAD_ID ? event->sigev_signo : 0;
}

INTERCEPT(int, timer_create, (clockid_t clock, struct sigevent *restrict event, timer_t *restrict timer))
{
    uintptr_t pc = RT_CALLER();
    struct sigevent ours;
    int sig = signal_of(event);
    struct notice *n = sig ? rt_libc_calloc(1, sizeof *n) : notice_new(event, &ours, false, 0, pc);
    if (n)
        n->signal = sig;
    int r = REAL(timer_create)(clock, n && !sig ? &ours : event, timer);
    if (r == 0)
        WHOLE(timer);
    if (n && r == 0)
        RT_ALWAYS(gl_spin_lock(&timers.lock); n->timer = *timer; n->next = timers.first; timers.first = n;
                  gl_spin_unlock(&timers.lock));
    else if (n)
        notice_drop(n);
    return r;
}

/* Returns what the caller frees, or NULL. */
static struct notice *forget_timer(timer_t timer)
{
    gl_spin_lock(&timers.lock);
    struct notice **link = &timers.first;
    while (*link && (*link)->timer != timer)
        link = &(*link)->next;
    struct notice *n = *link;
    if (n)
        *link = n->next;
    gl_spin_unlock(&timers.lock);
    return n ? notice_gone(n) : NULL;
}

INTERCEPT(int, timer_delete, (timer_t timer))
{
    int r = REAL(timer_delete)(timer);
    struct notice *over = NULL;
    if (r == 0)
        RT_ALWAYS(over = forget_timer(timer));
    rt_libc_free(over);
    return r;
}

/* The object of the timer whose function is called, or 0; *sig: the signal that it sends to who may wait for one, or 0. */
static uintptr_t timer_object(timer_t timer, int *sig)
{
    gl_spin_lock(&timers.lock);
    const struct notice *n = timers.first;
    while (n && n->timer != timer)
        n = n->next;
    *sig = n ? n->signal : 0;
    uintptr_t object = n && !n->signal ? (uintptr_t)n : 0;
    gl_spin_unlock(&timers.lock);
    return object;
}

/* It runs out after it was set. */
INTERCEPT(int, timer_settime,
          (timer_t timer, int flags, const struct itimerspec *restrict next, struct itimerspec *restrict old))
{
    uintptr_t pc = RT_CALLER();
    int sig = 0;
    RT_RECORD(t, uintptr_t object = timer_object(timer, &sig); if (object) rt_release(t, object, RT_USER, pc));
    rt_signal_sends(sig, pc);
    int r = REAL(timer_settime)(timer, flags, next, old);
    if (r == 0) {
        R(next, sizeof *next);
        WHOLE(old);
    }
    return r;
}

INTERCEPT(int, mq_notify, (mqd_t fd, const struct sigevent *event))
{
    uintptr_t pc = RT_CALLER(), file = 0;
    struct sigevent ours;
    if (event && event->sigev_notify == SIGEV_THREAD)
        RT_RECORD(t, (void)t; file = rt_named_file(RT_NAMED_FILE, fd)); /* where mq_send releases */
    struct notice *n = notice_new(event, &ours, true, file, pc);
    int r = REAL(mq_notify)(fd, n ? &ours : event);
    if (n && r != 0)
        notice_drop(n);
    return r;
}

/* ---- asynchronous input and output ---- */

enum buffer { BUFFER_READ, BUFFER_WRITTEN, NO_BUFFER };

/* The buffer is the kernel's from the start of the operation until its end was seen. */
static void starts(struct aiocb *c, enum buffer what, uintptr_t pc)
{
    FD_USED(c->aio_fildes);
    size_t n = what == NO_BUFFER ? 0 : rt_bytes_there((void *)c->aio_buf, c->aio_nbytes);
    RT_RECORD(t, if (what == BUFFER_WRITTEN) rt_write_range(t, (void *)c->aio_buf, n, pc);
              if (what == BUFFER_READ) rt_read_range(t, (void *)c->aio_buf, n, pc);
              rt_release(t, (uintptr_t)c, RT_USER, pc));
    rt_signal_sends(signal_of(&c->aio_sigevent), pc);
    FD_BEFORE(c->aio_fildes);
}
#define STARTS(name, params, args, what)                                                                     \
    INTERCEPT(int, name, params)                                                                             \
    {                                                                                                        \
        starts((struct aiocb *)c, what, RT_CALLER());                                                        \
        return REAL(name) args;                                                                              \
    }

STARTS(aio_read, (struct aiocb * c), (c), BUFFER_WRITTEN)
STARTS(aio_write, (struct aiocb * c), (c), BUFFER_READ)
STARTS(aio_fsync, (int how, struct aiocb *c), (how, c), NO_BUFFER)
/* The same structure under the names of programs with 64-bit offsets everywhere. */
STARTS(aio_read64, (struct aiocb64 * c), (c), BUFFER_WRITTEN)
STARTS(aio_write64, (struct aiocb64 * c), (c), BUFFER_READ)
STARTS(aio_fsync64, (int how, struct aiocb64 *c), (how, c), NO_BUFFER)
_Static_assert(sizeof(struct aiocb) == sizeof(struct aiocb64), "the same structure");

static void has_ended(const struct aiocb *c, uintptr_t pc)
{
    RT_RECORD(t, rt_acquire(t, (uintptr_t)c, RT_USER, pc));
    FD_AFTER(c->aio_fildes);
}

CALLS(int, aio_error, (const struct aiocb *c), (c), r != EINPROGRESS, has_ended(c, pc))
CALLS(int, aio_error64, (const struct aiocb64 *c), (c), r != EINPROGRESS,
      has_ended((const struct aiocb *)c, pc))
CALLS(ssize_t, aio_return64, (struct aiocb64 * c), (c), true, has_ended((const struct aiocb *)c, pc))
CALLS(ssize_t, aio_return, (struct aiocb * c), (c), true, has_ended(c, pc))

/* Several at once: each is as one by itself. */
static void have_ended(const struct aiocb *const list[], int n, uintptr_t pc)
{
    R(list, (size_t)(n > 0 ? n : 0) * sizeof *list);
    for (int i = 0; i < n; i++)
        if (list[i] && REAL(aio_error)(list[i]) != EINPROGRESS)
            has_ended(list[i], pc);
}

CALLS(int, aio_suspend, (const struct aiocb *const list[], int n, const struct timespec *restrict timeout), (list, n, timeout), r == 0,
      have_ended(list, n, pc))
CALLS(int, aio_suspend64, (const struct aiocb64 *const list[], int n, const struct timespec *restrict timeout), (list, n, timeout), r == 0,
      have_ended((const struct aiocb *const *)list, n, pc))

/* Of all operations of a descriptor, which are not known here, nothing is told. */
CALLS(int, aio_cancel, (int fd, struct aiocb *c), (fd, c), r != -1 && c && REAL(aio_error)(c) != EINPROGRESS, has_ended(c, pc))
CALLS(int, aio_cancel64, (int fd, struct aiocb64 *c), (fd, c), r != -1 && c && REAL(aio_error)((struct aiocb *)c) != EINPROGRESS,
      has_ended((struct aiocb *)c, pc))

static void all_start(struct aiocb *const list[], int n, const struct sigevent *event, uintptr_t pc)
{
    for (int i = 0; i < n; i++)
        if (list[i] && list[i]->aio_lio_opcode != LIO_NOP)
            starts(list[i], list[i]->aio_lio_opcode == LIO_READ ? BUFFER_WRITTEN : BUFFER_READ, pc);
    rt_signal_sends(event ? signal_of(event) : 0, pc);
}

/* EIO: all have ended, and some failed. */
#define LISTS(name, type)                                                                                    \
    INTERCEPT(int, name, (int mode, type *const list[restrict], int n, struct sigevent *restrict event))     \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        all_start((struct aiocb *const *)list, n, mode == LIO_WAIT ? NULL : event, pc);                      \
        int r = REAL(name)(mode, list, n, event), saved = errno;                                             \
        if (mode == LIO_WAIT && (r == 0 || saved == EIO))                                                    \
            have_ended((const struct aiocb *const *)list, n, pc);                                            \
        errno = saved;                                                                                       \
        return r;                                                                                            \
    }
LISTS(lio_listio, struct aiocb)
LISTS(lio_listio64, struct aiocb64)

/* ---- libraries that go ---- */

struct modules {
    size_t n;
    struct gl_module_loaded *m; /* on no stack, which may be small */
};

/* All that are there; none: no memory. */
static struct modules modules_now(void)
{
    struct modules all = {0, NULL};
    size_t room = 256;
    do {
        room *= 2;
        rt_libc_free(all.m);
        all.m = rt_libc_malloc(room * sizeof *all.m);
        all.n = all.m ? gl_modules_loaded(0, all.m, room) : 0;
    } while (all.n == room);
    return all;
}

/* Every library calls it when it ends, under the linker's lock for loading: what comes to lie there is another one. */
void __cxa_finalize(void *module);
INTERCEPT(void, __cxa_finalize, (void *module))
{
    rt_module_ends((uintptr_t)module);
    REAL(__cxa_finalize)(module);
    if (module)
        module_closes(module);
}

/* Its place in the list, from `from` on, or the end of the list. */
static size_t place_of(const struct modules *modules, size_t from, uintptr_t lo)
{
    while (from < modules->n && modules->m[from].lo != lo)
        from++;
    return from;
}

/* The memory of a library that was unloaded is fresh for whoever gets it next. */
INTERCEPT(int, dlclose, (void *handle))
{
    RT_ALWAYS(rt_modules_look());
    struct modules was = modules_now();
    int r = REAL(dlclose)(handle);
    struct modules is = modules_now();
    for (size_t i = 0, next = 0; i < was.n && is.n; i++) {
        uintptr_t lo = was.m[i].lo, hi = lo + was.m[i].size;
        size_t place = place_of(&is, next, lo); /* those that stay keep their order */
        if (place < is.n)
            next = place + 1;
        else
            RT_RECORD(t, rt_module_gone(lo, is.m[0].loads); rt_memory_fresh(t, lo & ~4095ul, ((hi + 4095) & ~4095ul) - (lo & ~4095ul)));
    }
    rt_libc_free(is.m);
    rt_libc_free(was.m);
    return r;
}
