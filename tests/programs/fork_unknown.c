// SPDX-License-Identifier: Apache-2.0
// A thread that the runtime does not know forks (the second call of a timer while the first goes on) while others take locks: the child finds no
// lock of the runtime taken. Racy: two threads write afterwards.
// options: sweep_segments=64
// peer-skip: libtsan does not know such threads
#include "tests/programs/invisible.h"
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FORKS = 40 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long calls, over;
int x, shared;

static void *busy(void *arg) {
    while (!hidden_get(&over)) {
        pthread_mutex_lock(&lock);
        shared++;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void run_out(union sigval value) {
    (void)value;
    long call = hidden_get(&calls);
    hidden_put(&calls, call + 1);
    if (call == 0)
        while (!hidden_get(&over))
            hidden_yield();
    if (call != 1)
        return;
    for (int i = 0; i < FORKS; i++) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            close(1000); // looks at a table of the runtime
            _exit(0);
        }
        MUST(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    }
    hidden_put(&over, 1);
}

THREAD(first) {
    x = 1; //@race 1 write 4 in first
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    x = 2; //@race 2 write 4 in second
    return NULL;
}

int main(void) {
    timer_t timer;
    pthread_t t[2];
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = run_out};
    struct itimerspec often = {.it_value = {.tv_nsec = 1000000}, .it_interval = {.tv_nsec = 5000000}};
    for (int i = 0; i < 2; i++)
        MUST(pthread_create(&t[i], NULL, busy, NULL) == 0);
    MUST(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    MUST(timer_settime(timer, 0, &often, NULL) == 0);
    while (!hidden_get(&over))
        hidden_yield();
    MUST(timer_delete(timer) == 0);
    for (int i = 0; i < 2; i++)
        MUST(pthread_join(t[i], NULL) == 0);
    if (racy)
        RUN(first, second);
    return 0;
}
