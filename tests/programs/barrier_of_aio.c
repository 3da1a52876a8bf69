// SPDX-License-Identifier: Apache-2.0
// A thread that libc makes for a notification of aio counts at a barrier, though it is not known and orders nothing. Racy: two threads that are known race
// behind it.
// libs: -lrt
// peer-skip: libtsan ends by SIGSEGV there
#include "tests/programs/invisible.h"
#include <aio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_barrier_t meeting;
int x;

static void notified(union sigval unused) {
    (void)unused;
    pthread_barrier_wait(&meeting);
}

THREAD(first) {
    pthread_barrier_wait(&meeting);
    if (racy)
        x = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    pthread_barrier_wait(&meeting);
    turn_wait(1);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    static char name[] = "/tmp/goldilocks.barrier_of_aio.XXXXXX", text[] = "text";
    struct aiocb request = {.aio_buf = text, .aio_nbytes = 4};
    struct aiocb *all[] = {&request};
    MUST(pthread_barrier_init(&meeting, NULL, 3) == 0);
    request.aio_fildes = mkstemp(name);
    MUST(request.aio_fildes >= 0 && unlink(name) == 0);
    request.aio_lio_opcode = LIO_WRITE;
    request.aio_sigevent.sigev_notify = SIGEV_THREAD;
    request.aio_sigevent.sigev_notify_function = notified;
    MUST(lio_listio(LIO_WAIT, all, 1, NULL) == 0);
    RUN(first, second);
    return 0;
}
