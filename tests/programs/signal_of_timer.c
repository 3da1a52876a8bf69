// SPDX-License-Identifier: Apache-2.0
// Who waits for the signal of a timer, or of an asynchronous write, comes after who has set or begun it. Racy: a write behind that.
// libs: -lrt
// peer-skip: libtsan does not see that order
#include "tests/programs/invisible.h"
#include <aio.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static timer_t timer;
static struct aiocb request;
static char buffer[8] = "text";
int x, y;

THREAD(first) {
    const struct itimerspec soon = {.it_value.tv_nsec = 1000000};
    if (!racy)
        x = 1;
    MUST(timer_settime(timer, 0, &soon, NULL) == 0);
    if (racy)
        x = 1; //@race A1 write 4
    turn_pass();
    turn_wait(2);
    if (!racy)
        y = 1;
    MUST(aio_write(&request) == 0);
    if (racy)
        y = 1; //@race B1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    sigset_t set;
    int sig;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    turn_wait(1);
    MUST(sigwait(&set, &sig) == 0 && sig == SIGUSR1);
    USE(x); //@race A2 read 4
    turn_pass();
    turn_wait(3);
    MUST(sigwaitinfo(&set, NULL) == SIGUSR1);
    USE(y); //@race B2 read 4
    buffer[0] = 'n';
    return NULL;
}

int main(void) {
    const struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    char name[] = "/tmp/goldilocks.signal_of_timer.XXXXXX";
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    MUST(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
    MUST(timer_create(CLOCK_REALTIME, (struct sigevent *)&event, &timer) == 0);
    request.aio_fildes = mkstemp(name);
    request.aio_buf = buffer;
    request.aio_nbytes = 4;
    request.aio_sigevent = event;
    MUST(unlink(name) == 0);
    RUN(first, second);
    MUST(timer_delete(timer) == 0);
    return 0;
}
