/* SPDX-License-Identifier: Apache-2.0
 *
 * The process as a whole: starting it again in another address space layout, and the fence that all of
 * its threads pass at once.
 */
#include <elf.h>
#include <linux/membarrier.h>
#include <sys/personality.h>
#include <sys/resource.h>

#include "platform/linux/syscall.h"
#include "platform/platform.h"

#define MAX_ARGS 4096
#define MAX_RESTARTS 2000u
/* Under an unlimited stack the kernel maps from the bottom up; under any limit it leaves so much room below the stack. */
#define LIMITED_STACK (16ull << 30)
#define VARIABLE      "GOLDILOCKS_RESTARTS="

uintptr_t gl_os_program_entry(void)
{
    unsigned long auxv[128]; /* pairs of type and value */
    long n = gl_os_read_file("/proc/self/auxv", (char *)auxv, sizeof auxv);
    for (long i = 0; i + 2 <= n / (long)sizeof *auxv; i += 2)
        if (auxv[i] == AT_ENTRY)
            return auxv[i + 1];
    return 0;
}

uintptr_t gl_os_heap_end(void)
{
    return (uintptr_t)gl_syscall1(SYS_brk, 0);
}

/* The variable's value, "PID:COUNT" or "PID:COUNT:unlimited", when it is about this process, whose id stays the same;
 * else a count of 0. */
struct restarts {
    unsigned count;
    bool stack_was_unlimited;
};

static const char *number(const char *s, unsigned *out)
{
    *out = 0;
    while (*s >= '0' && *s <= '9')
        *out = *out * 10 + (unsigned)(*s++ - '0');
    return s;
}

static struct restarts restarts_so_far(char **environ)
{
    struct restarts r = {0, false};
    for (char **e = environ; e && *e; e++) {
        unsigned pid, count;
        if (__builtin_strncmp(*e, VARIABLE, sizeof VARIABLE - 1) != 0)
            continue;
        const char *s = number(*e + sizeof VARIABLE - 1, &pid);
        if (*s != ':' || pid != gl_os_pid())
            continue;
        s = number(s + 1, &count);
        r = (struct restarts){count, *s == ':'};
    }
    return r;
}

/* The same program with the same arguments; the variable is added to, or replaced in, the environment. */
static void execute_again(char **environ, struct restarts r)
{
    enum { CAP = 2 << 20 };
    char *text = gl_os_map(CAP), **argv = gl_os_map((MAX_ARGS + 1) * sizeof *argv), variable[64];
    long n = text && argv ? gl_os_read_file("/proc/self/cmdline", text, CAP) : -1;
    int argc = 0;
    for (long i = 0; i < n && argc < MAX_ARGS; i += (long)__builtin_strlen(text + i) + 1)
        argv[argc++] = text + i;
    if (n <= 0 || n >= CAP - 1 || argc == MAX_ARGS) /* else it would run with fewer arguments */
        return;

    size_t variables = 0, kept = 0;
    while (environ && environ[variables])
        variables++;
    char **changed = gl_os_map((variables + 2) * sizeof *changed);
    if (!changed)
        return;
    for (size_t i = 0; i < variables; i++)
        if (__builtin_strncmp(environ[i], VARIABLE, sizeof VARIABLE - 1) != 0)
            changed[kept++] = environ[i];
    gl_format(variable, sizeof variable, VARIABLE "%u:%u%s", gl_os_pid(), r.count, r.stack_was_unlimited ? ":unlimited" : "");
    changed[kept] = variable;
    (void)gl_syscall3(SYS_execve, "/proc/self/exe", argv, changed);
}

/* Mappings from the top down again: no compatible layout, no unlimited stack.  false: that is how it is already. */
static bool ask_for_top_down(long personality, struct restarts *r)
{
    struct rlimit stack;
    bool asked = false;
    if (!gl_syscall_failed(personality) && personality & ADDR_COMPAT_LAYOUT)
        asked = !gl_syscall_failed(gl_syscall1(SYS_personality, personality & ~ADDR_COMPAT_LAYOUT));
    if (gl_syscall4(SYS_prlimit64, 0, RLIMIT_STACK, 0, &stack) == 0 && stack.rlim_cur == RLIM_INFINITY) {
        struct rlimit limited = {LIMITED_STACK, stack.rlim_max};
        if (gl_syscall4(SYS_prlimit64, 0, RLIMIT_STACK, &limited, 0) == 0)
            asked = r->stack_was_unlimited = true;
    }
    return asked;
}

void gl_os_restart(char **environ)
{
    struct restarts r = restarts_so_far(environ);
    long now = gl_syscall1(SYS_personality, 0xffffffff);
    bool random = gl_syscall_failed(now) || !(now & ADDR_NO_RANDOMIZE);
    if (++r.count > MAX_RESTARTS)
        return;
    if (ask_for_top_down(now, &r) || (random && !gl_syscall_failed(now) && !gl_syscall_failed(gl_syscall1(SYS_personality, now | ADDR_NO_RANDOMIZE))) ||
        random) /* it may not be switched off (containers): other random addresses may do */
        execute_again(environ, r);
}

bool gl_os_restarted_with_limited_stack(char **environ)
{
    struct rlimit stack;
    if (!restarts_so_far(environ).stack_was_unlimited || gl_syscall4(SYS_prlimit64, 0, RLIMIT_STACK, 0, &stack) != 0)
        return false;
    stack.rlim_cur = RLIM_INFINITY;
    return stack.rlim_max == RLIM_INFINITY && gl_syscall4(SYS_prlimit64, 0, RLIMIT_STACK, &stack, 0) == 0;
}

bool gl_os_membarrier_known(void)
{
    long commands = gl_syscall3(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
    return !gl_syscall_failed(commands) && (commands & MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
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
