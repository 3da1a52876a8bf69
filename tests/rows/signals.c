/* SPDX-License-Identifier: Apache-2.0
 *
 * A loop whose accesses are told before it begins, in a storm of signals: no handler runs in it (but a fault's, at once), and those that were kept
 * back run after it.  Handlers change what the program counts by words that the detector does not look at.
 */
#include "tests/programs/invisible.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { NUMBERS = 1 << 22, ROUNDS = 40 };
static long *numbers;
static long stop, in_loop, hits, faults; /* by hidden_put() and hidden_get() */

/* Where sum() lies. */
extern const char __start_summing[], __stop_summing[];

static void on_signal(int sig, siginfo_t *info, void *context) {
    (void)sig, (void)info;
    const char *pc = (const char *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    hidden_put(&hits, hidden_get(&hits) + 1);
    if (pc >= __start_summing && pc < __stop_summing)
        hidden_put(&in_loop, hidden_get(&in_loop) + 1);
}

static void on_fault(int sig, siginfo_t *info, void *context) {
    (void)sig, (void)context;
    hidden_put(&faults, hidden_get(&faults) + 1);
    char *page = (char *)((unsigned long)info->si_addr & ~4095ul);
    MUST(mprotect(page, 4096, PROT_READ | PROT_WRITE) == 0);
}

__attribute__((section("summing"))) static NOINLINE long sum(const long *p, long n) {
    long s = 0;
    for (long i = 0; i < n; i++)
        s += p[i] ^ s >> 3;
    return s;
}

static pthread_t target;
THREAD(storm) {
    while (!hidden_get(&stop))
        pthread_kill(target, SIGUSR1);
    return NULL;
}

int main(void) {
    numbers = mmap(NULL, NUMBERS * sizeof *numbers, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MUST(numbers != MAP_FAILED);
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO}, fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    MUST(sigaction(SIGUSR1, &action, NULL) == 0 && sigaction(SIGSEGV, &fault, NULL) == 0);
    target = pthread_self();
    pthread_t other;
    MUST(pthread_create(&other, NULL, storm, NULL) == 0);
    long last = 0;
    for (int i = 0; i < ROUNDS; i++) {
        MUST(mprotect((char *)numbers + 4096 * (i * 7 + 100), 4096, PROT_NONE) == 0);
        last ^= sum(numbers, NUMBERS);
    }
    hidden_put(&stop, 1);
    pthread_join(other, NULL);
    sigset_t now;
    MUST(pthread_sigmask(SIG_BLOCK, NULL, &now) == 0);
    for (int sig = 1; sig < 32; sig++)
        MUST(!sigismember(&now, sig)); /* what was blocked meanwhile is not any more */
    /* Before the row is told, and after the loop's end, there are a few instructions. */
    if (hidden_get(&hits) < 10 || hidden_get(&in_loop) > hidden_get(&hits) / 10 || hidden_get(&faults) != ROUNDS)
        printf("%ld signals, %ld in the loop, %ld faults\n", hidden_get(&hits), hidden_get(&in_loop), hidden_get(&faults));
    else
        puts("as it should be");
    return last == 1;
}
