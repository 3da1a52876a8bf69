// SPDX-License-Identifier: Apache-2.0
// Forks by the system call itself, told by the functions of sanitizer/linux_syscall_hooks.h or not, while another thread is in an atomic
// operation most of the time: the child uses the same atomic and must not hang, and checking goes on in the parent.
// peer-skip: libtsan knows of the hooks only
#include "tests/programs/invisible.h"
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TIMES = 30 };

// gcc does not bring the header.
void __sanitizer_syscall_pre_impl_fork(void);
void __sanitizer_syscall_post_impl_fork(long result);

static int counter, stop;
int x;

static long fork_by_number(void) {
#ifdef SYS_fork
    return syscall(SYS_fork);
#else // newer machines have this one only
    return syscall(SYS_clone, (long)SIGCHLD, 0L, 0L, 0L, 0L);
#endif
}

static long fork_in_way(int way) {
    if (way == 0)
        return fork_by_number();
    if (way == 1)
        return syscall(SYS_clone, (long)SIGCHLD, 0L, 0L, 0L, 0L);
    __sanitizer_syscall_pre_impl_fork();
    long r = fork_by_number();
    __sanitizer_syscall_post_impl_fork(r);
    return r;
}

THREAD(counts) {
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
        __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
    return NULL;
}

THREAD(forks) {
    for (int i = 0; i < 3 * TIMES; i++) {
        long p = fork_in_way(i % 3);
        if (p == 0) {
            __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
            _exit(0);
        }
        MUST(p > 0 && waitpid((pid_t)p, NULL, 0) == p);
    }
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    x = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(writes) {
    turn_wait(1);
    if (racy)
        x = 2; //@race 2 write 4
    return NULL;
}

int main(void) {
    RUN(counts, forks, writes);
    return 0;
}
