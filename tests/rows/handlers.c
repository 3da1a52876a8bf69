/* SPDX-License-Identifier: Apache-2.0
 *
 * Handlers of signals around a loop whose accesses are told before it begins: a signal of a fault's number that was sent does not keep
 * a fault's handler from running, a child that such a handler makes has the mask that it would have, and a loop told to run for ever
 * can be left.
 */
#include "tests/programs/invisible.h"
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NUMBERS = 1 << 20, ROUNDS = 40, PAGE = 4096, FIRST = 8, SECOND = 20 };
static long *numbers;
static long stop, sent, faults, came; /* by hidden_put() and hidden_get() */
static pid_t child = -1;
static int forks;
static sigjmp_buf out;

static char *page(int number) { return (char *)numbers + (long)PAGE * number; }
static void count(long *what) { hidden_put(what, hidden_get(what) + 1); }

static void on_usr1(int sig) {
    (void)sig;
    count(&came);
}

static void on_alarm(int sig) {
    (void)sig;
    siglongjmp(out, 1);
}

static void on_fault(int sig, siginfo_t *info, void *context) {
    (void)sig, (void)context;
    if (info->si_code <= 0) {
        count(&sent);
        return;
    }
    char *at = (char *)((unsigned long)info->si_addr & ~(unsigned long)(PAGE - 1));
    count(&faults);
    if (forks && at == page(FIRST))
        kill(getpid(), SIGUSR1); /* blocked up to this handler's end, and then kept back */
    if (forks && at == page(SECOND))
        child = fork();
    MUST(mprotect(at, PAGE, PROT_READ | PROT_WRITE) == 0);
}

static NOINLINE long sum(const long *p, long n) {
    long s = 0;
    for (long i = 0; i < n; i++)
        s += p[i] ^ s >> 3;
    return s;
}

static NOINLINE void for_ever(unsigned *p, long n) {
    for (long i = 0; i < n; i++)
        p[i & 15] += (unsigned)i, p[3] ^= p[(i + 1) & 15];
}

static pthread_t target;
THREAD(storm) {
    while (!hidden_get(&stop)) {
        pthread_kill(target, SIGSEGV);
        for (int i = 0; i < 2000; i++)
            (void)hidden_get(&stop);
    }
    return NULL;
}

static int blocked(void) {
    sigset_t now;
    int n = 0;
    MUST(pthread_sigmask(SIG_BLOCK, NULL, &now) == 0);
    for (int sig = 1; sig < 32; sig++)
        n += sigismember(&now, sig);
    return n;
}

int main(void) {
    numbers = mmap(NULL, NUMBERS * sizeof *numbers, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MUST(numbers != MAP_FAILED);
    struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    struct sigaction usr1 = {.sa_handler = on_usr1}, alarm_ = {.sa_handler = on_alarm};
    sigaddset(&fault.sa_mask, SIGUSR1);
    MUST(sigaction(SIGSEGV, &fault, NULL) == 0 && sigaction(SIGUSR1, &usr1, NULL) == 0 && sigaction(SIGALRM, &alarm_, NULL) == 0);
    target = pthread_self();
    pthread_t other;
    MUST(pthread_create(&other, NULL, storm, NULL) == 0);
    long last = 0;
    for (int i = 0; i < ROUNDS; i++) {
        MUST(mprotect(page(i * 7 + 100), PAGE, PROT_NONE) == 0);
        last ^= sum(numbers, UNKNOWN((long)NUMBERS));
    }
    hidden_put(&stop, 1);
    pthread_join(other, NULL);
    MUST(hidden_get(&faults) == ROUNDS && hidden_get(&sent) > 0 && blocked() == 0);

    forks = 1;
    MUST(mprotect(page(FIRST), PAGE, PROT_NONE) == 0 && mprotect(page(SECOND), PAGE, PROT_NONE) == 0);
    last ^= sum(numbers, UNKNOWN((long)NUMBERS));
    if (child == 0) /* what is pending is not inherited, whoever keeps it */
        _exit(blocked() == 0 ? 0 : 1);
    int status = 0;
    MUST(child > 0 && waitpid(child, &status, 0) == child && hidden_get(&came) == 1 && blocked() == 0);

    if (sigsetjmp(out, 1) == 0) {
        struct itimerval soon = {.it_value = {.tv_usec = 100000}};
        static unsigned words[16];
        MUST(setitimer(ITIMER_REAL, &soon, NULL) == 0);
        for_ever(words, UNKNOWN(1L << 60));
    }
    puts(status == 0 && blocked() == 0 ? "as it should be" : "signals are blocked");
    return last == 1;
}
