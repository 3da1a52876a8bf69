// SPDX-License-Identifier: Apache-2.0
// Forks by the system call itself, told by the functions of sanitizer/linux_syscall_hooks.h or not, while another thread is in an atomic
// operation or uses locks most of the time: the child does the same and must not hang, and checking goes on in the parent.
// peer-skip: libtsan knows of the hooks only
#include "tests/programs/invisible.h"
#include <errno.h>
#include <signal.h>
#include <stdint.h>
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

// Not in older kernels, and not in all containers.
static long fork_by_clone3(void) {
    uint64_t flags_to_signal[8] = {[4] = SIGCHLD};
    long r = syscall(435 /* clone3 */, flags_to_signal, sizeof flags_to_signal);
    return r < 0 && (errno == ENOSYS || errno == EPERM) ? fork_by_number() : r;
}

static long fork_in_way(int way) {
    if (way == 0)
        return fork_by_number();
    if (way == 1)
        return syscall(SYS_clone, (long)SIGCHLD, 0L, 0L, 0L, 0L);
    if (way == 2)
        return fork_by_clone3();
    __sanitizer_syscall_pre_impl_fork();
    long r = fork_by_number();
    __sanitizer_syscall_post_impl_fork(r);
    return r;
}

// Locks need more of the runtime than the atomic.
static void count_up(void) {
    pthread_mutex_t once;
    __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
    MUST(pthread_mutex_init(&once, NULL) == 0 && pthread_mutex_lock(&once) == 0);
    MUST(pthread_mutex_unlock(&once) == 0 && pthread_mutex_destroy(&once) == 0);
}

THREAD(counts) {
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
        count_up();
    return NULL;
}

THREAD(forks) {
    for (int i = 0; i < 4 * TIMES; i++) {
        long p = fork_in_way(i % 4);
        if (p == 0) {
            count_up();
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
