/* SPDX-License-Identifier: Apache-2.0
 *
 * What each generated program begins with: the invisible order of tests/programs/invisible.h, pointers that pass from thread to thread in the same way, and the
 * handlers of signals, which do what the program has prepared under a number.
 */
#ifndef TESTS_MIXED_MIXED_H
#define TESTS_MIXED_MIXED_H

#include "tests/programs/invisible.h"
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

extern char **environ;
static void *variables[2000], *threads[1000], *processes[1000];
static long chosen;      /* the number of what the next handler without a value does */
static sigset_t waited;  /* SIGUSR2: blocked everywhere, and taken by who waits for it */
static int signals;      /* a descriptor of SIGUSR2 */

HIDDEN void hidden_pointer(void **slot, void *pointer) {
    hidden_put((long *)slot, (long)pointer);
}

HIDDEN void *pointer_of(void **slot) {
    return (void *)hidden_get((long *)slot);
}

#define THREAD_OF(number) ((pthread_t)pointer_of(&threads[number]))
#define PROCESS_OF(number) ((pid_t)(long)pointer_of(&processes[number]))

/* Until a signal's handler leaves by siglongjmp, or the thread is cancelled asynchronously. */
HIDDEN void hidden_forever(void) {
    for (;;)
        hidden_yield();
}

void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);

struct fiber {
    ucontext_t inside, outside;
    void *self, *resumer;
};

static void fiber_make(struct fiber *f, void (*body)(void)) {
    getcontext(&f->inside);
    f->inside.uc_stack.ss_sp = malloc(1 << 17);
    f->inside.uc_stack.ss_size = 1 << 17;
    makecontext(&f->inside, body, 0);
    hidden_pointer(&f->self, __tsan_create_fiber(0));
}

/* Inlined, as a function is left on the stack that it was called on. */
HIDDEN void fiber_resume(struct fiber *f, unsigned flags) {
    hidden_pointer(&f->resumer, __tsan_get_current_fiber());
    __tsan_switch_to_fiber(pointer_of(&f->self), flags);
    swapcontext(&f->outside, &f->inside);
}

HIDDEN void fiber_leave(struct fiber *f, unsigned flags) {
    __tsan_switch_to_fiber(pointer_of(&f->resumer), flags);
    swapcontext(&f->inside, &f->outside);
}

static void *new_page(int how) {
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, how | MAP_ANONYMOUS, -1, 0);
    MUST(page != MAP_FAILED);
    return page;
}

static void handle(long which);

static void on_signal(int number, siginfo_t *info, void *context) {
    int error = errno;
    handle(hidden_get(&chosen));
    errno = error;
}

static void on_value(int number, siginfo_t *info, void *context) {
    int error = errno;
    handle(info->si_value.sival_int);
    errno = error;
}

static void begin(void) {
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
    MUST(!sigaction(SIGUSR1, &action, NULL) && !sigaction(SIGSEGV, &action, NULL) && !sigaction(SIGHUP, &action, NULL));
    action.sa_flags |= SA_ONSTACK;
    MUST(!sigaction(SIGWINCH, &action, NULL));
    action.sa_flags &= ~SA_ONSTACK;
    action.sa_sigaction = on_value;
    MUST(!sigaction(SIGRTMIN, &action, NULL));
    sigemptyset(&waited);
    sigaddset(&waited, SIGUSR2);
    sigset_t blocked = waited;
    sigaddset(&blocked, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &blocked, NULL);
    signals = signalfd(-1, &waited, 0);
    hidden_pointer(&threads[0], (void *)pthread_self());
}

#endif
