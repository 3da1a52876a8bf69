/* SPDX-License-Identifier: Apache-2.0
 *
 * Running a function on another stack: the stack pointer is kept in a register that the function
 * must preserve, moved, and moved back.  Nothing else of the thread changes; the function must return
 * normally, since no unwinder finds its way across.
 */
#include "platform/platform.h"

#include <signal.h>

#include "platform/linux/syscall.h"

void *gl_os_map_stack(size_t bytes)
{
    char *low = gl_os_map(bytes);
    if (!low)
        return NULL;
    long none = 0; /* PROT_NONE */
    if (gl_syscall3(SYS_mprotect, low, gl_os_page_size(), none) != 0) {
        gl_os_unmap(low, bytes);
        return NULL;
    }
    return low + bytes;
}

bool gl_os_signal_stack_begin(void *low, size_t bytes)
{
    stack_t now, ours = {.ss_sp = low, .ss_size = bytes};
    return gl_syscall2(SYS_sigaltstack, NULL, &now) == 0 && (now.ss_flags & SS_DISABLE) && gl_syscall2(SYS_sigaltstack, &ours, NULL) == 0;
}

bool gl_os_signal_stack_end(const void *low)
{
    stack_t now, none = {.ss_flags = SS_DISABLE};
    return gl_syscall2(SYS_sigaltstack, NULL, &now) == 0 && (now.ss_sp != low || gl_syscall2(SYS_sigaltstack, &none, NULL) == 0);
}

__attribute__((noinline)) void gl_os_call_on(void *stack_top, void (*work)(void *), void *arg)
{
    uintptr_t top = (uintptr_t)stack_top & ~(uintptr_t)15; /* as both ABIs want it at a call */
#if defined(__x86_64__)
    __asm__ volatile("movq %%rsp, %%rbx\n\t"
                     "movq %[top], %%rsp\n\t"
                     "callq *%[work]\n\t"
                     "movq %%rbx, %%rsp"
                     : "+D"(arg), [top] "+r"(top), [work] "+r"(work)
                     :
                     : "rax", "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2",
                       "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
                       "xmm13", "xmm14", "xmm15", "memory", "cc");
#elif defined(__aarch64__)
    register void *x0 __asm__("x0") = arg;
    __asm__ volatile("mov x19, sp\n\t"
                     "mov sp, %[top]\n\t"
                     "blr %[work]\n\t"
                     "mov sp, x19"
                     : "+r"(x0), [top] "+r"(top), [work] "+r"(work)
                     :
                     : "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14",
                       "x15", "x16", "x17", "x19", "x30", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8",
                       "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20",
                       "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31", "memory",
                       "cc");
#else
#error "no way to change the stack of this machine: add it here"
#endif
}
