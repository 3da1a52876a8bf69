/* SPDX-License-Identifier: Apache-2.0
 *
 * Signals.  The program's handlers are installed behind one of ours, which keeps them out while their
 * thread is inside the runtime: there a handler would meet held locks and half-made records.
 *
 * How a signal is kept back.  Our handler notes the signal, blocks all others in the interrupted context,
 * and returns; the runtime goes on undisturbed.  rt_leave() then sends the noted signal to its own
 * thread again and restores the mask, so the kernel delivers it a second time, with everything as the
 * program asked (alternate stack, mask, flags).  There is no queue of ours: what comes meanwhile
 * stays with the kernel, which coalesces or queues it by its own rules.
 *
 * A fault (SIGSEGV of a bad pointer ...) belongs to the instruction and runs its handler at once.  By
 * the rules of intercept_libc.h no instruction inside the runtime touches memory at the program's risk.
 *
 * Order: sigaction before a handler's run, and kill or sigqueue before the run they cause, are edges
 * (per signal number, merged: may order too much, never too little).
 */
#include "native/intercept_libc.h"
#include "native/misuse.h"

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "native/fatal.h"
#include "native/fd.h"
#include "native/near.h"
#include "native/owner.h"
#include "platform/internal_libc.h" /* compilers make calls of memcpy from assignments of structures */
#include "platform/linux/syscall.h"
#include "platform/platform.h"

typedef void (*simple_handler)(int);
typedef void (*full_handler)(int, siginfo_t *, void *);

enum { SIGNALS = 65 }; /* the kernel's: 1..64 */
enum { OUR_FLAGS = SA_SIGINFO | SA_RESETHAND };

/* The program's handler where the kernel has ours.  The kernel knows all the rest. */
static struct handler {
    uintptr_t function; /* written under table.lock, read by run_handler() at any time */
    uint32_t flags;     /* what the program gave of OUR_FLAGS, and all of them with on_fatal(); likewise */
} handlers[SIGNALS];

static struct {
    struct gl_spin lock;  /* held only with all signals blocked: a handler may call sigaction */
    uint64_t restartless; /* bit n: siginterrupt(n, 1) was called; guarded by lock */
} table;

/* The signal that waits for the end of the runtime's work. */
static __thread struct {
    siginfo_t info;
    uint64_t mask;   /* blocked when it came */
    bool fault;      /* in a loop, a signal of FAULTS came that does not wait for its end, but for the runtime's */
    uint64_t before; /* blocked when that came */
} kept __attribute__((tls_model("initial-exec")));

typedef uint64_t kernel_set;

static void set_mask(kernel_set new, kernel_set *old)
{
    gl_syscall4(SYS_rt_sigprocmask, SIG_SETMASK, &new, old, sizeof new);
}

static kernel_set lock_table(void)
{
    kernel_set before;
    set_mask(~0ull, &before);
    gl_spin_lock(&table.lock);
    return before;
}

static void unlock_table(kernel_set before)
{
    gl_spin_unlock(&table.lock);
    set_mask(before, NULL);
}

/* fork: called inside the runtime, where signals are kept back. */
void rt_signals_fork_before(void) { gl_spin_lock(&table.lock); }

void rt_signals_fork_after(bool child)
{
    gl_spin_unlock(&table.lock);
    if (!child || !(rt_tls.pending & RT_PENDING_SIGNAL))
        return;
    if (rt_tls.loop) { /* in a handler: the loop goes on with what is blocked in it, up to its end */
        kept.info.si_signo = 0;
    } else { /* it came to the parent, and a child begins with none pending */
        rt_tls.pending &= ~(uint32_t)RT_PENDING_SIGNAL;
        set_mask(kept.mask, NULL);
    }
}

/* ---- delivery ---- */

#define BIT(sig) (1ull << ((sig) - 1))
#define UNHEARD (BIT(SIGKILL) | BIT(SIGSTOP)) /* in a mask */
#define FAULTS (BIT(SIGSEGV) | BIT(SIGBUS) | BIT(SIGFPE) | BIT(SIGILL) | BIT(SIGTRAP) | BIT(SIGSYS))

static bool is_fault(int sig, const siginfo_t *info) { return info->si_code > 0 && (BIT(sig) & FAULTS); }

/* The kernel's set is the first word of libc's. */
static kernel_set *context_mask(void *context)
{
    return (kernel_set *)(void *)&((ucontext_t *)context)->uc_sigmask;
}

INTERCEPT(int, sigaction, (int sig, const struct sigaction *act, struct sigaction *old));
static void on_fatal(int sig, siginfo_t *info, void *context);

/* What the program wants ignored is not what a handler does that comes meanwhile. */
static uint32_t ignore(uint32_t *what, uint32_t times)
{
    uint32_t before = *what;
    *what = times;
    if (before != times)
        rt_show_key();
    return before;
}

void rt_signal_left(void)
{
    rt_tls.signal_frame = 0;
    rt_tls.signal_asked = false;
    rt_tls.raised = 0;
    (void)ignore(&rt_tls.ignore_accesses, rt_tls.outer_accesses);
    (void)ignore(&rt_tls.ignore_sync, rt_tls.outer_sync);
}

/* What the kernel is given for the default action: ours for those that are told of (fatal.c). */
static struct sigaction default_action(int sig)
{
    struct sigaction a = {.sa_handler = SIG_DFL};
    if (rt_fatal_wanted(sig)) {
        a.sa_sigaction = on_fatal;
        a.sa_flags = SA_SIGINFO | SA_ONSTACK;
        *(kernel_set *)(void *)&a.sa_mask = ~0ull;
    }
    return a;
}

/* in_filter: the signal came at any instruction of the program. */
static void run_handler(int sig, siginfo_t *info, void *context, bool in_filter)
{
    struct handler *h = &handlers[sig];
    struct rt_thread *self = rt_tls.self;
    uint32_t interrupted = self ? rt_interrupted_begin(self, (uintptr_t)__builtin_frame_address(0), in_filter) : 0;
    uintptr_t function =
        __atomic_load_n(&h->function, __ATOMIC_ACQUIRE); /* acquire: pairs with set_action() */
    /* SA_RESETHAND is ours to do: the kernel would do it already for a signal that is only kept back. */
    if (__atomic_load_n(&h->flags, __ATOMIC_RELAXED) & SA_RESETHAND) {
        struct sigaction none = default_action(sig);
        __atomic_store_n(&h->flags, 0, __ATOMIC_RELAXED);
        REAL(sigaction)(sig, &none, NULL);
    }
    RT_RECORD(t, rt_acquire(t, (uintptr_t)h, RT_USER, 0); /* who installed it */
              rt_signal_taken(t, pthread_self(), sig, info->si_code, info->si_pid, 0));
    uintptr_t outer = rt_tls.signal_frame;
    bool outer_asked = rt_tls.signal_asked, asked = !outer && rt_tls.raised == sig;
    rt_tls.signal_asked = asked;
    uint32_t accesses = ignore(&rt_tls.ignore_accesses, 0), sync = ignore(&rt_tls.ignore_sync, 0);
    if (!outer) {
        rt_tls.outer_accesses = accesses;
        rt_tls.outer_sync = sync;
    }
    int before = errno;
    rt_tls.signal_frame = (uintptr_t)__builtin_frame_address(0);
    rt_signal_stack_used(rt_tls.signal_frame);
    ((full_handler)function)(sig, info, context); /* one that takes the number only ignores the rest */
    rt_tls.signal_frame = outer;
    rt_tls.signal_asked = outer_asked;
    (void)ignore(&rt_tls.ignore_accesses, accesses);
    (void)ignore(&rt_tls.ignore_sync, sync);
    if (self)
        rt_interrupted_end(self, interrupted);
    int after = errno;
    /* A handler of a fault was called by the instruction, as it were; one of SIGTERM usually ends the program. */
    if (after != before && sig != SIGTERM && !is_fault(sig, info))
        RT_RECORD(t, rt_misuse_errno(t, sig, function));
    errno = after;
}

/* A standard signal: once more through the kernel.  When another of its number came meanwhile, both are
 * one, as ever. */
static void send_again(siginfo_t *info)
{
    long r = gl_syscall4(SYS_rt_tgsigqueueinfo, gl_os_pid(), gl_os_tid(), info->si_signo, info);
    if (gl_syscall_failed(r)) { /* no memory for the details */
        info->si_code = SI_USER;
        info->si_pid = 0; /* as the kernel does then */
        gl_syscall4(SYS_rt_tgsigqueueinfo, gl_os_pid(), gl_os_tid(), info->si_signo, info);
    }
}

static void on_signal(int sig, siginfo_t *info, void *context);

/* The mask of the loop whose fault's handler is about to begin where a signal came: the kernel lays the frames of both at once.  NULL: it is not. */
static const kernel_set *mask_below(const void *context)
{
#if defined(__x86_64__)
    const greg_t *r = ((const ucontext_t *)context)->uc_mcontext.gregs;
    return r[REG_RIP] == (greg_t)(uintptr_t)on_signal ? (const kernel_set *)(const void *)&((const ucontext_t *)r[REG_RDX])->uc_sigmask : NULL;
#elif defined(__aarch64__)
    const mcontext_t *m = &((const ucontext_t *)context)->uc_mcontext;
    return m->pc == (uintptr_t)on_signal ? (const kernel_set *)(const void *)&((const ucontext_t *)m->regs[2])->uc_sigmask : NULL;
#else
    (void)context;
    return NULL;
#endif
}

/* Is it kept back while libc's malloc runs?  SIGABRT that comes with abort() in there is not: who sends it waits for the handler, and does not come back. */
static bool kept_for_libc(int sig, const siginfo_t *info) { return rt_tls.in_libc && !(sig == SIGABRT && info->si_code == SI_TKILL); }

/* What the signal interrupted has this context. */
static void keep_back(siginfo_t *info, void *context)
{
    kernel_set *mask = context_mask(context);
    const kernel_set *below = rt_tls.loop ? mask_below(context) : NULL;
    bool may_fault = rt_tls.loop || !rt_tls.depth; /* in a loop, or in libc's malloc: a fault that is blocked would end the program */
    set_mask(~0ull, NULL); /* another may come until here, and be noted before this one */
    bool first = !(rt_tls.pending & RT_PENDING_SIGNAL), fault = (BIT(info->si_signo) & FAULTS) != 0;
    if (!first && info->si_signo >= __SIGRTMIN && kept.info.si_signo && kept.info.si_signo < __SIGRTMIN) {
        send_again(&kept.info); /* it came later, and has no place to lose */
        gl_libc_memcpy(&kept.info, info, sizeof kept.info);
    } else if (!first) {
        send_again(info);
    } else {
        rt_tls.pending |= RT_PENDING_SIGNAL;
        gl_libc_memcpy(&kept.info, info, sizeof kept.info);
    }
    kernel_set back = below ? *below : rt_tls.loop && rt_tls.loop_faulted && !fault ? rt_tls.loop_mask : *mask; /* it may have come at the ends of the handler of a fault, where that is blocked */
    if (first || !may_fault || ~(back | FAULTS | UNHEARD)) /* else it is ours: one was kept back before in there */
        kept.mask = back; /* the other interrupted this handler: the mask to return to is ours */
    if (rt_tls.loop && fault) {
        kept.fault = true;
        kept.before = *mask;
    }
    *mask = may_fault && !fault ? ~FAULTS : ~0ull;
}

/* Did it come in a system call, which goes on after it or is made again?  (No is always right: fewer sweeps.) */
static bool in_system_call(const void *context)
{
#if defined(__x86_64__)
    uintptr_t pc = (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    const unsigned char *at = (const unsigned char *)pc;
    return (pc % 4096 >= 2 && at[-2] == 0x0F && at[-1] == 0x05) || (pc % 4096 < 4095 && at[0] == 0x0F && at[1] == 0x05);
#elif defined(__aarch64__)
    const uint32_t SVC_0 = 0xD4000001;
    uintptr_t pc = ((const ucontext_t *)context)->uc_mcontext.pc;
    const uint32_t *at = (const uint32_t *)pc;
    return pc % 4 == 0 && ((pc % 4096 && at[-1] == SVC_0) || at[0] == SVC_0);
#else
    (void)context;
    return false;
#endif
}

/* What was interrupted in a copy of ours goes on in the original, which whoever unwinds the stack knows. */
static void leave_copy(void *context)
{
#if defined(__x86_64__)
    greg_t *pc = &((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    *pc = (greg_t)rt_near_original((uintptr_t)*pc);
#else
    (void)context; /* there are no copies */
#endif
}

/* What the kernel has blocked for the program's handler of the signal where that came with this mask. */
static kernel_set mask_during(int sig, kernel_set mask, const struct sigaction *a)
{
    mask |= *(const kernel_set *)(const void *)&a->sa_mask;
    return a->sa_flags & SA_NODEFER ? mask : mask | BIT(sig);
}

/* A handler is about to run in libc's malloc (of a fault, or of abort()), whose context has this mask, while another signal is kept back: that one may come now, as far
 * as this handler lets it.  If it came at the handler's begin all is so already. */
static void unblock_for_handler(int sig, kernel_set *mask)
{
    struct sigaction now;
    if (~(*mask | FAULTS | UNHEARD | BIT(SIGABRT))) /* not ours */
        return;
    *mask = kept.mask & (*mask | ~BIT(SIGABRT)); /* which abort() unblocks */
    if (REAL(sigaction)(sig, NULL, &now) == 0)
        kept.mask = mask_during(sig, kept.mask, &now);
}

/* In a cancellation point libc lets a thread be cancelled anywhere (glibc before 2.41), also in a handler that interrupts it: in the runtime, which it would leave
 * with locks held. So a cancellation that comes meanwhile waits for the next cancellation point, or for the handler's end. */
static bool hold_cancellation(void)
{
    int type = PTHREAD_CANCEL_DEFERRED;
    if (!rt_tls.async_cancel) /* else the runtime keeps it out by itself */
        rt_real_canceltype(PTHREAD_CANCEL_DEFERRED, &type);
    return type == PTHREAD_CANCEL_ASYNCHRONOUS;
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
    uint32_t loop = rt_tls.loop;
    if (RT_UNLIKELY(loop == RT_LOOP_RUNS) && is_fault(sig, info)) { /* first: until then another signal would take this handler's mask for the loop's */
        rt_tls.loop_mask = *context_mask(context);
        atomic_signal_fence(memory_order_seq_cst);
        rt_tls.loop_faulted = true;
    }
    leave_copy(context);
    if (!is_fault(sig, info) && (rt_tls.depth || kept_for_libc(sig, info) || (loop == RT_LOOP_RUNS && !(BIT(sig) & FAULTS)))) {
        keep_back(info, context);
        return;
    }
    uint32_t in_libc = rt_tls.in_libc;
    rt_tls.in_libc = 0; /* the handler may not come back */
    if (RT_UNLIKELY(in_libc && !rt_tls.depth && rt_tls.pending & RT_PENDING_SIGNAL))
        unblock_for_handler(sig, context_mask(context));
    if (RT_UNLIKELY(loop))
        rt_tls.loop = RT_LOOP_FAULT;
    bool held = hold_cancellation();
    if (RT_UNLIKELY(rt_tls.quick)) /* the program's own operation in there faulted (abi_atomic.c): others must not wait for what the handler does */
        rt_section_end();
    run_handler(sig, info, context, !is_fault(sig, info) && !in_system_call(context)); /* it may be left by longjmp */
    if (RT_UNLIKELY(in_libc && !rt_tls.depth && rt_tls.pending & RT_PENDING_SIGNAL)) { /* nobody was inside */
        kept.mask = *context_mask(context);
        *context_mask(context) = ~FAULTS;
    }
    if (RT_UNLIKELY(loop == RT_LOOP_RUNS))
        rt_tls.loop_mask = *context_mask(context); /* which the handler may have changed */
    atomic_signal_fence(memory_order_seq_cst);
    rt_tls.loop = loop;
    if (RT_UNLIKELY(held)) /* last: the thread may end here */
        rt_real_canceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
}

/* In the place of the default action. */
static void on_fatal(int sig, siginfo_t *info, void *context)
{
    leave_copy(context);
    if (!is_fault(sig, info) && (rt_tls.depth || kept_for_libc(sig, info) || rt_tls.loop)) {
        keep_back(info, context); /* somebody sent it */
        return;
    }
    if (RT_UNLIKELY(rt_tls.loop))
        rt_tls.loop = RT_LOOP_FAULT;
    if (RT_UNLIKELY(rt_tls.quick))
        rt_section_end();
    if (!rt_is_shared_child()) /* between vfork() and exec all that is ours is the parent's */
        rt_fatal_tell(sig, info, context);
    struct sigaction usual = {.sa_handler = SIG_DFL};
    REAL(sigaction)(sig, &usual, NULL);
    if (gl_syscall_failed(gl_syscall4(SYS_rt_tgsigqueueinfo, gl_os_pid(), gl_os_tid(), sig, info)))
        gl_os_raise(sig);
}

/* A real-time signal keeps its place before later ones of its number, so it cannot queue again.
 * The handler runs from here with the mask that the kernel would have set; an alternate stack is not
 * used, and the context it sees is this function's.  mask: before it, and after it. */
static void run_here(siginfo_t *info, kernel_set *mask)
{
    struct sigaction now;
    ucontext_t context;
    int sig = info->si_signo;
    if (REAL(sigaction)(sig, NULL, &now) != 0 || now.sa_sigaction != on_signal || getcontext(&context) != 0) {
        send_again(info); /* the handler is gone: what became of the signal is the kernel's to do */
        return;
    }
    *context_mask(&context) = *mask;
    set_mask(mask_during(sig, *mask, &now), NULL);
    run_handler(sig, info, &context, false);
    *mask = *context_mask(&context); /* which the handler may have changed */
}

/* All signals are blocked from on_signal() until here. */
static void deliver_signal(void)
{
    int saved = errno;
    siginfo_t info;
    kernel_set mask = kept.mask;
    gl_libc_memcpy(&info, &kept.info, sizeof info);
    rt_tls.pending &= ~(uint32_t)RT_PENDING_SIGNAL;
    kept.fault = false;
    if (info.si_signo == 0) { /* rt_signals_fork_after() */
    } else if (info.si_signo < __SIGRTMIN || mask & BIT(info.si_signo)) { /* blocked: by a handler in libc's malloc */
        send_again(&info);
    } else {
        run_here(&info, &mask);
        errno = saved;
    }
    set_mask(mask, NULL);
}

void rt_deliver_pending(void)
{
    if (rt_tls.pending & RT_PENDING_SWEEP) {
        __atomic_fetch_and(&rt_tls.pending, ~(uint32_t)RT_PENDING_SWEEP, __ATOMIC_RELAXED); /* one step: a signal may come */
        rt_sweep();
    }
    if (!(rt_tls.pending & RT_PENDING_SIGNAL) || rt_tls.in_libc)
        return;
    if (rt_tls.loop == RT_LOOP_NONE || (kept.fault && kept.info.si_signo && (BIT(kept.info.si_signo) & FAULTS))) {
        deliver_signal();
    } else if (kept.fault) { /* behind the one that waits on */
        kept.fault = false;
        set_mask(kept.before | ~FAULTS, NULL);
    }
}

/* ---- installation ---- */

static bool is_function(const struct sigaction *a)
{
    return a->sa_handler != SIG_DFL && a->sa_handler != SIG_IGN;
}

static int set_action(int sig, const struct sigaction *act, struct sigaction *old, uintptr_t pc)
{
    if (sig < 1 || sig >= SIGNALS)
        return REAL(sigaction)(sig, act, old);
    struct sigaction ours = {0}, was;
    struct handler next = {0};
    if (act) {
        gl_libc_memcpy(&ours, act, sizeof ours);
        if (is_function(act)) {
            next = (struct handler){(uintptr_t)act->sa_sigaction, (uint32_t)act->sa_flags & OUR_FLAGS};
            ours.sa_sigaction = on_signal;
            ours.sa_flags = (act->sa_flags & ~OUR_FLAGS) | SA_SIGINFO;
            RT_RECORD(t, rt_release(t, (uintptr_t)&handlers[sig], RT_USER, pc));
        } else if (act->sa_handler == SIG_DFL && rt_fatal_wanted(sig)) {
            next.flags = (uint32_t)act->sa_flags;
            ours = default_action(sig);
        }
    }
    __typeof(sigaction) *real = REAL(sigaction);
    kernel_set mask = lock_table();
    struct handler before = handlers[sig];
    if (next.function) { /* first, so that ours finds it */
        /* relaxed: published by the next store */
        __atomic_store_n(&handlers[sig].flags, next.flags, __ATOMIC_RELAXED);
        /* release: pairs with run_handler() */
        __atomic_store_n(&handlers[sig].function, next.function, __ATOMIC_RELEASE);
    }
    int r = real(sig, act ? &ours : NULL, &was);
    if (r != 0)
        handlers[sig] = before;
    else if (act && ours.sa_sigaction == on_fatal)
        __atomic_store_n(&handlers[sig].flags, next.flags, __ATOMIC_RELAXED);
    unlock_table(mask);
    if (r == 0 && old) {
        if (was.sa_sigaction == on_signal) {
            was.sa_sigaction = (full_handler)before.function;
            was.sa_flags = (int)(((uint32_t)was.sa_flags & ~(uint32_t)OUR_FLAGS) | before.flags);
        } else if (was.sa_sigaction == on_fatal) {
            was = (struct sigaction){.sa_handler = SIG_DFL, .sa_flags = (int)before.flags};
        }
        gl_libc_memcpy(old, &was, sizeof was);
    }
    return r;
}

int sigaction(int sig, const struct sigaction *act, struct sigaction *old)
{
    uintptr_t pc = RT_CALLER();
    if (act)
        RT_RECORD(t, rt_read_range(t, act, sizeof *act, pc));
    int r = set_action(sig, act, old, pc);
    if (r == 0 && old)
        RT_RECORD(t, rt_write_range(t, old, sizeof *old, pc));
    return r;
}

RT_ALIAS(__sigaction, sigaction);

void rt_fatal_begin(void)
{
    for (int sig = 1; sig < SIGNALS; sig++) {
        struct sigaction now, ours = default_action(sig);
        if (ours.sa_sigaction == on_fatal && REAL(sigaction)(sig, NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            REAL(sigaction)(sig, &ours, NULL);
    }
    if (rt_tls.self)
        rt_signal_stack_begin(rt_tls.self);
}

/* A stack of ours is none for the program. */
CALLS(int, sigaltstack, (const stack_t *restrict next, stack_t *restrict old), (next, old), r == 0,
      if (next && (next->ss_flags & SS_DISABLE)) rt_signal_stack_again();
      if (old && old->ss_sp && old->ss_sp == rt_tls.signal_stack) *old = (stack_t){.ss_flags = SS_DISABLE};
      R(next, sizeof *next);
      WHOLE(old))

/* The older ways to install a handler. */
static simple_handler install(int sig, simple_handler handler, int flags, bool block_itself, uintptr_t pc)
{
    struct sigaction act = {.sa_handler = handler, .sa_flags = flags}, old;
    if (handler == SIG_ERR || (block_itself && sigaddset(&act.sa_mask, sig) != 0)) {
        errno = EINVAL;
        return SIG_ERR;
    }
    return set_action(sig, &act, &old, pc) == 0 ? old.sa_handler : SIG_ERR;
}

RT_EXPORT simple_handler signal(int sig, simple_handler handler)
{
    kernel_set mask = lock_table();
    bool restart = sig < 1 || sig >= SIGNALS || !(table.restartless >> (sig - 1) & 1);
    unlock_table(mask);
    return install(sig, handler, restart ? SA_RESTART : 0, true, RT_CALLER());
}

RT_ALIAS(bsd_signal, signal);
RT_ALIAS(ssignal, signal);

RT_EXPORT simple_handler sysv_signal(int sig, simple_handler handler)
{
    const int sa_interrupt = 0x20000000; /* glibc sets it; the kernel ignores it */
    return install(sig, handler, (int)(SA_RESETHAND | SA_NODEFER) | sa_interrupt, false, RT_CALLER());
}

RT_ALIAS(__sysv_signal, sysv_signal);

INTERCEPT(int, siginterrupt, (int sig, int interrupt))
{
    int r = REAL(siginterrupt)(sig, interrupt);
    if (r == 0) {
        kernel_set mask = lock_table(), bit = 1ull << (sig - 1);
        table.restartless = interrupt ? table.restartless | bit : table.restartless & ~bit;
        unlock_table(mask);
    }
    return r;
}

/* ---- masks ---- */

CALLS(int, sigpending, (sigset_t * to), (to), r == 0, WHOLE(to))
CALLS(int, sigprocmask, (int how, const sigset_t *restrict set, sigset_t *restrict old), (how, set, old), r == 0,
      R(set, sizeof *set);
      WHOLE(old))
CALLS(int, pthread_sigmask, (int how, const sigset_t *restrict set, sigset_t *restrict old), (how, set, old), r == 0,
      R(set, sizeof *set);
      WHOLE(old))

INTERCEPT(int, sigsuspend, (const sigset_t *set))
{
    uintptr_t pc = RT_CALLER();
    R(set, sizeof *set);
    return REAL(sigsuspend)(set);
}

#define SIG_HOLD_ ((simple_handler)2) /* not a handler: asks for the signal to be blocked */

INTERCEPT(simple_handler, sigset, (int sig, simple_handler handler))
{
    if (handler == SIG_HOLD_) { /* the present handler stays: ours when the program has one */
        simple_handler old = REAL(sigset)(sig, handler);
        if ((uintptr_t)old == (uintptr_t)on_fatal)
            return SIG_DFL;
        bool ours = (uintptr_t)old == (uintptr_t)on_signal;
        return ours ? (simple_handler)handlers[sig].function : old;
    }
    uintptr_t pc = RT_CALLER();
    simple_handler old = install(sig, handler, 0, false, pc);
    if (old == SIG_ERR)
        return old;
    sigset_t one = {0}, before;
    sigaddset(&one, sig);
    REAL(sigprocmask)(SIG_UNBLOCK, &one, &before);
    return sigismember(&before, sig) ? SIG_HOLD_ : old;
}

/* ---- order ---- */

bool rt_signal_asks(int sig, bool itself)
{
    if (!itself || sig <= 0 || rt_tls.signal_frame || __atomic_load_n(&rt.n_threads, __ATOMIC_RELAXED) != 1) /* relaxed: only this thread could make another */
        return false;
    rt_tls.raised = sig;
    return true;
}

/* sends: the call that tells to whom. */
#define SENDS(name, params, args, itself, sends)                                                             \
    INTERCEPT(int, name, params)                                                                             \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        sends;                                                                                               \
        bool asked = rt_signal_asks(sig, itself);                                                            \
        int r = REAL(name) args;                                                                             \
        if (asked)                                                                                           \
            rt_tls.raised = 0;                                                                               \
        return r;                                                                                            \
    }

#define TO_PROCESS rt_signal_sends(sig, pc)
#define TO_THREAD  rt_signal_sends_to(id, sig, pc)
SENDS(kill, (pid_t pid, int sig), (pid, sig), pid == (pid_t)gl_os_pid(), TO_PROCESS)
SENDS(tgkill, (pid_t pid, pid_t tid, int sig), (pid, tid, sig), pid == (pid_t)gl_os_pid(), rt_signal_sends_to_number(tid, sig, pc))
SENDS(sigqueue, (pid_t pid, int sig, const union sigval value), (pid, sig, value), pid == (pid_t)gl_os_pid(), TO_PROCESS)
SENDS(pthread_kill, (pthread_t id, int sig), (id, sig), pthread_equal(id, pthread_self()), TO_THREAD)
int pidfd_send_signal(int process, int sig, siginfo_t *info, unsigned flags);
SENDS(pidfd_send_signal, (int process, int sig, siginfo_t *info, unsigned flags), (process, sig, info, flags), false, rt_signal_sends_by_descriptor(process, sig, flags, pc))
SENDS(killpg, (pid_t group, int sig), (group, sig), false, TO_PROCESS)
SENDS(raise, (int sig), (sig), true, (void)pc) /* to the thread itself */
SENDS(pthread_sigqueue, (pthread_t id, int sig, const union sigval value), (id, sig, value), pthread_equal(id, pthread_self()), TO_THREAD)

INTERCEPT(unsigned, alarm, (unsigned seconds))
{
    rt_signal_sends(SIGALRM, RT_CALLER());
    return REAL(alarm)(seconds);
}

/* A signal that is waited for instead of handled. */
void rt_signal_came(int sig, int code, int sender, uintptr_t pc)
{
    RT_RECORD(t, rt_signal_taken(t, pthread_self(), sig, code, sender, pc));
}

INTERCEPT(int, sigwait, (const sigset_t *set, int *sig))
{
    uintptr_t pc = RT_CALLER();
    int r = REAL(sigwait)(set, sig);
    if (r == 0) {
        rt_signal_came(*sig, RT_ANY_CODE, 0, pc);
        WHOLE(sig);
    }
    return r;
}

INTERCEPT(int, sigwaitinfo, (const sigset_t *set, siginfo_t *info))
{
    uintptr_t pc = RT_CALLER();
    int r = REAL(sigwaitinfo)(set, info);
    rt_signal_came(r, RT_ANY_CODE, 0, pc); /* libc says SI_USER for SI_TKILL */
    if (r > 0)
        WHOLE(info);
    return r;
}

INTERCEPT(int, sigtimedwait, (const sigset_t *set, siginfo_t *info, const struct timespec *timeout))
{
    uintptr_t pc = RT_CALLER();
    int r = REAL(sigtimedwait)(set, info, timeout);
    rt_signal_came(r, RT_ANY_CODE, 0, pc); /* libc says SI_USER for SI_TKILL */
    if (r > 0)
        WHOLE(info);
    return r;
}
