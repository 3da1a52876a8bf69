// SPDX-License-Identifier: Apache-2.0
// A profiler's signal comes while a thread computes, mostly in the runtime's own short functions. Its handler finds the whole stack each time, and what it
// interrupted goes on as if nothing had been. Racy: main writes what the thread has written, before the join.
// skip aarch64: where the PLT is interrupted no table for unwinding knows it
#include "tests/programs/invisible.h"

#include <execinfo.h>
#include <signal.h>
#include <sys/time.h>

enum { N = 512, SIGNALS = 60, DEPTH = 64 };
static long data[N];
static volatile sig_atomic_t signals, whole;
int x;

static NOINLINE void computes(void);

static void handler(int sig) {
    void *pcs[DEPTH];
    int n = backtrace(pcs, DEPTH);
    MUST(sig == SIGPROF);
    for (int i = 0; i < n; i++)
        if ((char *)pcs[i] > (char *)computes && (char *)pcs[i] < (char *)computes + 4096) { // its section has a page of its own
            whole++;
            break;
        }
    signals++;
}

static __attribute__((section("text_of_computes"), aligned(4096))) void computes(void) {
    struct itimerval often = {{.tv_usec = 1000}, {.tv_usec = 1000}}, never = {0};
    long sum = 0;
    MUST(setitimer(ITIMER_PROF, &often, NULL) == 0);
    while (__atomic_load_n(&signals, __ATOMIC_RELAXED) < SIGNALS)
        for (int i = 1; i < N; i++) {
            data[i] = data[i - 1] + i;
            sum += data[i];
        }
    MUST(setitimer(ITIMER_PROF, &never, NULL) == 0);
    USE(sum);
}

THREAD(runs) {
    x = 1; //@race 1 write 4
    turn_pass();
    computes();
    return NULL;
}

int main(void) {
    void *pcs[DEPTH];
    backtrace(pcs, DEPTH); // the first call loads a library
    struct sigaction act = {.sa_handler = handler, .sa_flags = SA_RESTART};
    MUST(sigaction(SIGPROF, &act, NULL) == 0);
    pthread_t t;
    MUST(pthread_create(&t, NULL, runs, NULL) == 0);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPROF);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    turn_wait(1);
    if (racy)
        x = 2; //@race 2 write 4
    pthread_join(t, NULL);
    MUST(whole == signals);
    return 0;
}
