// SPDX-License-Identifier: Apache-2.0
// calloc touches a page whose fault the program handles, while a signal is kept back that has come in calloc: the handler of the fault runs, and the signal's, and nothing
// stays blocked. Racy: a thread and main write one variable.
// peer-skip: libtsan has an allocator of its own
#include "tests/programs/invisible.h"
#include <malloc.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>

enum { ROUNDS = 30, PAGE = 4096 };
#define BLOCK ((size_t)8 << 20)

static unsigned faults, ticks;
_Alignas(8) int shared;

static void on_fault(int sig, siginfo_t *info, void *context) {
    (void)sig, (void)context;
    hidden_add_one(&faults);
    MUST(mprotect((void *)((uintptr_t)info->si_addr / PAGE * PAGE), PAGE, PROT_READ | PROT_WRITE) == 0);
}

static void on_tick(int sig) {
    (void)sig;
    hidden_add_one(&ticks);
}

THREAD(writes) {
    shared = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

int main(void) {
    struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO}, tick = {.sa_handler = on_tick, .sa_flags = SA_RESTART};
    struct itimerval each = {{0, 500}, {0, 500}}, none = {0};
    pthread_t t;
    MUST(pthread_create(&t, NULL, writes, NULL) == 0);
    if (!racy)
        MUST(pthread_join(t, NULL) == 0);
    turn_wait(1);
    shared = 2; //@race 2 write 4
    if (racy)
        MUST(pthread_join(t, NULL) == 0);
    MUST(mallopt(M_MMAP_THRESHOLD, 1 << 28) && mallopt(M_TRIM_THRESHOLD, 1 << 28));
    MUST(sigaction(SIGSEGV, &fault, NULL) == 0 && sigaction(SIGALRM, &tick, NULL) == 0);
    MUST(setitimer(ITIMER_REAL, &each, NULL) == 0);
    for (int i = 0; i < ROUNDS; i++) {
        char *p = malloc(BLOCK);
        MUST(p);
        memset(p, 1, BLOCK);
        MUST(mprotect((void *)(((uintptr_t)p + BLOCK) / PAGE * PAGE - 2 * PAGE), PAGE, PROT_NONE) == 0);
        free(p);
        p = calloc(1, BLOCK);
        USE(p);
        free(p);
    }
    MUST(setitimer(ITIMER_REAL, &none, NULL) == 0);
    sigset_t blocked;
    MUST(pthread_sigmask(SIG_SETMASK, NULL, &blocked) == 0 && !sigismember(&blocked, SIGALRM) && !sigismember(&blocked, SIGSEGV) && !sigismember(&blocked, SIGUSR1));
    MUST(hidden_count(&faults) > 0 && hidden_count(&ticks) > 0);
    return 0;
}
