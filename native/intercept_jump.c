/* SPDX-License-Identifier: Apache-2.0
 *
 * longjmp and its names, and contexts: the shadow call stack follows.  Frames carry the stack pointer at their
 * entry, so setjmp needs no interceptor: where the jump goes stands in the buffer, scrambled as glibc does.
 */
#include "native/intercept_libc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <ucontext.h>

#ifdef __x86_64__
/* glibc, sysdeps/x86_64: RSP is word 6 of the buffer, XORed with the thread's pointer guard and rotated left by 17. */
static uintptr_t target_sp(const void *env)
{
    uintptr_t sp = ((const uintptr_t *)env)[6], guard;
    __asm__("mov %%fs:0x30, %0" : "=r"(guard));
    return (sp >> 17 | sp << 47) ^ guard;
}
#elif defined(__aarch64__)
/* glibc, sysdeps/aarch64: SP is word 13 of the buffer, XORed with the process's pointer guard, which a buffer of our own shows. */
static uintptr_t target_sp(const void *env)
{
    enum { SP = 13 };
    jmp_buf own;
    uintptr_t sp;
    __asm__ volatile("mov %0, sp" : "=r"(sp));
    (void)_setjmp(own); /* nobody jumps there */
    return ((const uintptr_t *)env)[SP] ^ ((const uintptr_t *)(const void *)own)[SP] ^ sp;
}
#else
#error "where does this machine's jmp_buf keep the stack pointer?"
#endif

#define JUMPS(name, buffer)                                                                                  \
    INTERCEPT(void, name, (buffer env, int value))                                                           \
    {                                                                                                        \
        uintptr_t sp = target_sp(env);                                                                       \
        if (rt_tls.depth == 0)                                                                               \
            rt_unwind_to(sp);                                                                                \
        rt_xdr_left(sp);                                                                                     \
        REAL(name)(env, value);                                                                              \
        __builtin_unreachable();                                                                             \
    }

JUMPS(longjmp, jmp_buf)
JUMPS(_longjmp, jmp_buf)
JUMPS(siglongjmp, sigjmp_buf)
void __longjmp_chk(jmp_buf, int) __attribute__((noreturn));
JUMPS(__longjmp_chk, jmp_buf)

/* ---- contexts ---- */

/* getcontext returns twice and changes no stack: nothing stands in front of it. */

#ifdef __x86_64__
static uintptr_t context_sp(const ucontext_t *u) { return (uintptr_t)u->uc_mcontext.gregs[REG_RSP]; }
#else
static uintptr_t context_sp(const ucontext_t *u) { return (uintptr_t)u->uc_mcontext.sp; }
#endif

/* What runs in a context that makecontext made: when it returns, libc goes on with the next one by itself. */
#define MAKECONTEXT_ARGS 40
#define EIGHT long, long, long, long, long, long, long, long
struct made {
    const ucontext_t *context;
    void (*function)(EIGHT, EIGHT, EIGHT, EIGHT, EIGHT);
    long arg[MAKECONTEXT_ARGS];
};
_Static_assert(sizeof(struct made) <= RT_CONTEXT_WORDS * sizeof(long),
               "room in the runtime's record of a context");

static void run_made(unsigned lo, unsigned hi)
{
    struct made *m = (struct made *)((uintptr_t)hi << 32 | lo);
    const ucontext_t *context = m->context;
    const long *a = m->arg;
#define EIGHT_FROM(i) a[i], a[i + 1], a[i + 2], a[i + 3], a[i + 4], a[i + 5], a[i + 6], a[i + 7]
    m->function(EIGHT_FROM(0), EIGHT_FROM(8), EIGHT_FROM(16), EIGHT_FROM(24), EIGHT_FROM(32));
    const ucontext_t *next = context->uc_link;
    if (next)
        RT_RECORD(t, (void)t; rt_context_switch(NULL, next, context_sp(next)));
}

INTERCEPT(void, makecontext, (ucontext_t * u, void (*function)(void), int n, ...))
{
    long *words = NULL, arg[MAKECONTEXT_ARGS] = {0};
    va_list ap;
    va_start(ap, n);
    for (int i = 0; i < n && i < MAKECONTEXT_ARGS; i++)
        arg[i] = va_arg(ap, long);
    va_end(ap);
    RT_ALWAYS(words = rt_context_make(u, (uintptr_t)u->uc_stack.ss_sp, u->uc_stack.ss_size));
    struct made *m = (struct made *)(void *)words;
    if (!m) { /* no memory: stacks will be wrong, and so will be what libc takes from memory */
        REAL(makecontext)(u, function, n, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
        return;
    }
    m->context = u;
    m->function = (__typeof(m->function))function;
    for (int i = 0; i < MAKECONTEXT_ARGS; i++)
        m->arg[i] = arg[i];
    REAL(makecontext)(u, (void (*)(void))run_made, 2, (unsigned)(uintptr_t)m, (unsigned)((uintptr_t)m >> 32));
}

/* What libc saves is its caller's frame, which must be the program's: the other context may use the stack below that, and so ours, before it comes back
 * here.  So the call is the last thing, which compilers make a jump. */
INTERCEPT(int, swapcontext, (ucontext_t *restrict from, const ucontext_t *restrict to))
{
    RT_RECORD(t, (void)t; rt_context_switch(from, to, context_sp(to)));
    return REAL(swapcontext)(from, to);
}

INTERCEPT(int, setcontext, (const ucontext_t *to))
{
    RT_RECORD(t, (void)t; rt_context_switch(NULL, to, context_sp(to)));
    return REAL(setcontext)(to);
}
