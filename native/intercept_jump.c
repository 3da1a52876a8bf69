/* SPDX-License-Identifier: Apache-2.0
 *
 * longjmp and its names: the shadow call stack follows the jump.  Frames carry the stack pointer at their
 * entry, so setjmp needs no interceptor: where the jump goes stands in the buffer, scrambled as glibc does.
 */
#include "native/intercept_libc.h"

#include <setjmp.h>

#ifdef __x86_64__
/* glibc, sysdeps/x86_64: RSP is word 6 of the buffer, XORed with the thread's pointer guard and rotated left by 17. */
static uintptr_t target_sp(const void *env)
{
    uintptr_t sp = ((const uintptr_t *)env)[6], guard;
    __asm__("mov %%fs:0x30, %0" : "=r"(guard));
    return (sp >> 17 | sp << 47) ^ guard;
}
#else
#error "where does this machine's jmp_buf keep the stack pointer?"
#endif

#define JUMPS(name, buffer)                                                                                  \
    INTERCEPT(void, name, (buffer env, int value))                                                           \
    {                                                                                                        \
        if (rt_tls.depth == 0)                                                                               \
            rt_unwind_to(target_sp(env));                                                                    \
        REAL(name)(env, value);                                                                              \
        __builtin_unreachable();                                                                             \
    }

JUMPS(longjmp, jmp_buf)
JUMPS(_longjmp, jmp_buf)
JUMPS(siglongjmp, sigjmp_buf)
void __longjmp_chk(jmp_buf, int) __attribute__((noreturn));
JUMPS(__longjmp_chk, jmp_buf)
