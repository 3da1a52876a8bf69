/* SPDX-License-Identifier: Apache-2.0
 *
 * A fault without a handler of the program's, which is the end.  Our handler stands where the program sees the default action
 * (intercept_signal.c): it has a report printed here, restores that action, and sends the signal anew with all that the kernel said of it.  It
 * comes when our handler returns, to the same instruction: core dump and wait status are what they would have been.
 *
 * Nothing may wait for ever here.  A thread that faults outside of the runtime holds none of its locks.  One that faults inside may hold any:
 * in an atomic operation of the program (abi_atomic.c) that of an object, where its stack ended in the midst of our work whatever that had locked; and
 * others may wait until it has left (rt_alone_begin()) with the registry locked.  So who created it is not told then, nothing while another
 * report takes long, and but a line when a lock does not come free.  A fault while a report is made, in a function of the program's that
 * is asked for symbols or by a mistake of ours, is told in a line, too.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* names of registers */
#endif
#include "native/fatal.h"

#include <ucontext.h>

#include "native/collect.h"
#include "platform/platform.h"
#include "symbol/callee.h"
#include "symbol/symbol.h"

enum {
    SEARCHED = 4096, /* words of the stack, for where a function was */
    FUNCTION = 1 << 20, /* bytes of code: beyond, a word is no address in it */
    NEAR = 512, FRAME = 0xFFFF, /* bytes below and above the stack pointer that a function touches which finds its stack full: as ThreadSanitizer says */
    PAGE = 4096
};

bool rt_fatal_wanted(int sig)
{
    bool fatal = sig == SIGSEGV || sig == SIGBUS || sig == SIGFPE || sig == SIGILL;
    return fatal && rt.options.report_fatal_signals && rt.options.report_bugs;
}

#if defined(__aarch64__)
/* What the kernel says of the processor's exception is one of the records behind the registers. */
static enum gl_report_fault_access access_of(const mcontext_t *m)
{
    enum { CLASS_SHIFT = 26, FETCH_BELOW = 0x20, FETCH = 0x21, WRITES = 1 << 6 };
    const unsigned char *at = m->__reserved, *end = at + sizeof m->__reserved;
    struct _aarch64_ctx head;
    for (; at + sizeof head <= end; at += head.size) {
        __builtin_memcpy(&head, at, sizeof head);
        if (!head.magic || head.size < sizeof head)
            break;
        if (head.magic == ESR_MAGIC && at + sizeof(struct esr_context) <= end) {
            struct esr_context e;
            __builtin_memcpy(&e, at, sizeof e);
            uint32_t class = (uint32_t)e.esr >> CLASS_SHIFT;
            return class == FETCH_BELOW || class == FETCH ? GL_FAULT_EXECUTE : e.esr & WRITES ? GL_FAULT_WRITE : GL_FAULT_READ;
        }
    }
    return GL_FAULT_UNKNOWN;
}
#endif

static struct gl_report_fault fault_of(int sig, const siginfo_t *info, const void *context)
{
    struct gl_report_fault f = {.sent = info->si_code <= 0};
    if (f.sent) {
        f.sender = (uint32_t)info->si_pid;
    } else if (sig == SIGSEGV || sig == SIGBUS) {
        f.address = (uintptr_t)info->si_addr;
        f.addressed = true;
    }
#if defined(__x86_64__)
    enum { PAGE_FAULT = 14, WRITES = 2, FETCHES = 16 };
    const greg_t *r = ((const ucontext_t *)context)->uc_mcontext.gregs;
    f.pc = (uintptr_t)r[REG_RIP];
    f.sp = (uintptr_t)r[REG_RSP];
    f.bp = (uintptr_t)r[REG_RBP];
    f.addressed = f.addressed && r[REG_TRAPNO] == PAGE_FAULT; /* another: of an address that none can be, the kernel says 0 */
    if (f.addressed)
        f.access = r[REG_ERR] & FETCHES ? GL_FAULT_EXECUTE : r[REG_ERR] & WRITES ? GL_FAULT_WRITE : GL_FAULT_READ;
#elif defined(__aarch64__)
    const mcontext_t *m = &((const ucontext_t *)context)->uc_mcontext;
    f.pc = m->pc;
    f.sp = m->sp;
    f.bp = m->regs[29];
    if (f.addressed)
        f.access = access_of(m);
#else
    (void)context;
#endif
    f.stack_full = f.addressed && f.sp && f.address + NEAR > f.sp && f.address < f.sp + FRAME;
    return f;
}

/* ---- the stack ---- */

static bool is_in(uintptr_t pc, const struct gl_frame *function)
{
    struct gl_frame f[16];
    if (!gl_symbol_module(pc, GL_PC_EXACT, f) || f[0].module != function->module)
        return false;
    const struct gl_frame *outer = &f[gl_symbolize(pc, GL_PC_EXACT, f, 16) - 1];
    return outer->function && __builtin_strcmp(outer->function, function->function) == 0;
}

/* Where the words of the stack begin that can be read, or its end. */
static uintptr_t readable(const struct rt_thread *t, const struct gl_report_fault *f)
{
    enum { MOST = 64 };
    uintptr_t sp = f->sp & ~(sizeof(uintptr_t) - 1);
    if (!f->stack_full)
        return sp;
    sp = sp > t->stack_lo ? sp : t->stack_lo;
    uintptr_t next = (f->address & ~(PAGE - 1ul)) + PAGE;
    sp = sp > next ? sp : next;
    for (unsigned n = 0; n < MOST && sp < t->stack_hi; n++, sp = (sp & ~(PAGE - 1ul)) + PAGE)
        if (gl_os_is_mapped(sp & ~(PAGE - 1ul)))
            return sp;
    return t->stack_hi;
}

/* Our own stack of calls has who called the innermost instrumented function, and not where that one is when code that is not
 * instrumented faults, which it has called.  That address lies on the stack, as the first one in the function; if none is found, the function's
 * beginning is told.  caller: 0: who started the thread or the program.  0: that function is where the fault is, or is not known. */
static uintptr_t in_between(const struct rt_thread *t, const struct gl_report_fault *f, uintptr_t caller)
{
    uintptr_t start = caller ? gl_symbol_callee(caller) : (uintptr_t)t->start;
    struct gl_frame function;
    if (!rt.options.symbolize || (!start && (caller || t->tid != 0)))
        return 0;
    gl_symbolize(start ? start : gl_os_program_entry(), GL_PC_EXACT, &function, 1);
    if (!start)
        function.function = "main";
    if (!function.function || is_in(f->pc, &function))
        return 0;
    uintptr_t sp = readable(t, f);
    bool on_stack = sp >= t->stack_lo && sp < t->stack_hi; /* and not on another one, of the program's making */
    size_t words = on_stack ? (t->stack_hi - sp) / sizeof(uintptr_t) : 0;
    const uintptr_t *word = (const uintptr_t *)sp;
    for (size_t i = 0; i < words && i < SEARCHED; i++)
        if ((!start || word[i] - start < FUNCTION) && is_in(word[i] - 1, &function))
            return word[i];
    return start ? start + 1 : 0;
}

/* The collected stack, with that frame. */
static void complete(struct rt_report *p, const struct rt_thread *t, const struct gl_report_fault *f)
{
    struct gl_report_stack *s = &p->stack[0];
    s->called = 0; /* the instruction is no call */
    uintptr_t *pcs = (uintptr_t *)(uintptr_t)s->pc, more = s->pcs > 0 ? in_between(t, f, s->pcs > 1 ? pcs[1] : 0) : 0;
    if (!more)
        return;
    if (f->stack_full && rt_in_runtime(f->pc)) { /* the program called it without a thought, and its stack ended there */
        pcs[0] = more;
        return;
    }
    s->pcs += s->pcs < RT_MAX_PCS; /* else the last one goes */
    __builtin_memmove(pcs + 2, pcs + 1, (s->pcs - 2) * sizeof *pcs);
    pcs[1] = more;
}

/* ---- telling ---- */

static void tell(struct rt_thread *t, int sig, const struct gl_report_fault *f, bool outside)
{
    uint32_t stack = rt_stack_here(t, f->pc + 1); /* +1: as a return address */
    struct rt_report *p = outside ? rt_report_begin(true) : rt_report_begin_soon();
    if (!p)
        return;
    p->r.type = GL_REPORT_FATAL_SIGNAL;
    p->r.signal = (uint32_t)sig;
    p->r.fault = *f;
    p->r.fault.thread = t->tid;
    rt_report_where(p, stack);
    complete(p, t, f);
    if (outside)
        rt_report_thread(p, t->tid);
    (void)rt_report_tell(p);
    rt_report_end();
}

/* No more than where it was. */
static void tell_briefly(int sig, const struct gl_report_fault *f, const char *when, const char *remark)
{
    char line[384];
    struct gl_frame at;
    bool known = gl_symbol_module(f->pc, GL_PC_EXACT, &at);
    int n = gl_format(line, sizeof line, "Goldilocks: %s %s, at %s+0x%lx, address 0x%lx%s; %s\n", gl_report_signal((uint32_t)sig), when,
                      known ? at.module : "?", (unsigned long)(known ? at.offset : f->pc), (unsigned long)f->address,
                      f->stack_full ? ", past the end of the stack" : "", remark);
    rt_print(line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

struct telling {
    struct rt_thread *t;
    int sig;
    const struct gl_report_fault *f;
};

static void tell_inside(void *what)
{
    const struct telling *w = what;
    tell(w->t, w->sig, w->f, false);
}

static void *way_out[5]; /* of a thread that waits for what it has itself */

static void leave(void) { __builtin_longjmp(way_out, 1); }

/* Does the work, and gives it up when it waits long for a lock, which the calling thread may have interrupted itself with.  One thread at a time.
 * False: given up; locks and all else are as they were then. */
static __attribute__((noinline)) bool in_time(void (*work)(void *), void *arg)
{
    static _Atomic uint32_t busy;
    enum { PATIENCE = 1024 + 40000 }; /* rounds: some two seconds of naps */
    uint32_t none = 0;
    for (unsigned round = 0; !atomic_compare_exchange_strong(&busy, &none, 1); round++, none = 0) {
        if (round > PATIENCE)
            return false;
        gl_os_pause(round);
    }
    if (__builtin_setjmp(way_out) != 0)
        return false; /* and nobody has a turn again: the program ends */
    gl_spin_hurry(gl_os_tid(), leave);
    work(arg);
    gl_spin_hurry(0, NULL);
    atomic_store(&busy, 0);
    return true;
}

void rt_fatal_tell(int sig, siginfo_t *info, void *context)
{
    struct gl_report_fault f = fault_of(sig, info, context);
    if (rt_report_is_mine()) {
        tell_briefly(sig, &f, "while a report was made",
                     f.stack_full ? "there was no room to make it" : "if that is no function of the program's own, please tell us");
        return;
    }
    bool inside = rt_tls.depth || (rt_tls.self && f.stack_full && rt_in_runtime(f.pc)); /* and not in rt_enter(), which may wait for others */
    struct rt_thread *t = inside ? rt_tls.self : rt_enter();
    if (t && !inside)
        tell(t, sig, &f, true);
    else if (t && !in_time(tell_inside, &(struct telling){t, sig, &f}))
        tell_briefly(sig, &f, "in the runtime", "no stack is told, since a lock was held that this takes");
    rt_tls.async_cancel = false; /* the end is the signal's: a cancellation that came meanwhile must not unwind the thread in rt_leave() */
    if (t && !inside)
        rt_leave();
}
