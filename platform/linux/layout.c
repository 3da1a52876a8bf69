/* SPDX-License-Identifier: Apache-2.0
 *
 * The process as a whole: starting it again without address randomization, and the fence that all of
 * its threads pass at once.
 */
#include <linux/membarrier.h>
#include <sys/personality.h>

#include "platform/linux/syscall.h"
#include "platform/platform.h"

#define MAX_ARGS 4096

void gl_os_restart_unrandomized(char **environ)
{
    long now = gl_syscall1(SYS_personality, 0xffffffff);
    if (gl_syscall_failed(now) || (now & ADDR_NO_RANDOMIZE))
        return; /* not allowed to ask, or it would change nothing */
    if (gl_syscall_failed(gl_syscall1(SYS_personality, now | ADDR_NO_RANDOMIZE)))
        return;
    enum { CAP = 2 << 20 };
    char *text = gl_os_map(CAP), **argv = gl_os_map((MAX_ARGS + 1) * sizeof *argv);
    long n = text && argv ? gl_os_read_file("/proc/self/cmdline", text, CAP) : -1;
    int argc = 0;
    for (long i = 0; i < n && argc < MAX_ARGS; i += (long)__builtin_strlen(text + i) + 1)
        argv[argc++] = text + i;
    if (n > 0 && n < CAP - 1 && argc < MAX_ARGS) /* else it would run with fewer arguments */
        (void)gl_syscall3(SYS_execve, "/proc/self/exe", argv, environ);
}

bool gl_os_membarrier_register(void)
{
    return !gl_syscall_failed(gl_syscall3(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0));
}

void gl_os_membarrier(void)
{
    if (gl_syscall_failed(gl_syscall3(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0)))
        (void)gl_syscall3(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0); /* slower; in every kernel since 4.3 */
}
