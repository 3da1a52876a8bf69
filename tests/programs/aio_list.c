// SPDX-License-Identifier: Apache-2.0
// aio_suspend, aio_cancel and a lio_listio that waits see that operations have ended, and so come after who started them; lio_listio starts them. Racy: the
// data is written after the start, and what is read into is looked at meanwhile.
// peer-skip: libtsan does not know aio
#define _GNU_SOURCE 1
#include "tests/programs/invisible.h"
#include <aio.h>
#include <errno.h>
#include <time.h>
#include <unistd.h>

static int out[2], in[2];
static char sent[2] = {1, 2};
char got;
static struct aiocb writes[2], reads = {.aio_buf = &got, .aio_nbytes = 1, .aio_lio_opcode = LIO_READ};
int x;
int y;

THREAD(first) {
    struct aiocb64 *const list[] = {(struct aiocb64 *)&writes[0], NULL}, *const waited[] = {(struct aiocb64 *)&writes[1]};
    struct aiocb *const read[] = {&reads};
    if (!racy)
        x = y = 1;
    MUST(lio_listio64(LIO_NOWAIT, list, 2, NULL) == 0);
    MUST(lio_listio64(LIO_WAIT, waited, 1, NULL) == 0);
    MUST(lio_listio(LIO_WAIT, read, 1, NULL) == 0); //@race G1 write *
    if (racy) {
        x = 1; //@race X1 write 4
        y = 1; //@race Y1 write 4
    }
    turn_pass();
    return NULL;
}

THREAD(second) {
    const struct aiocb *const list[] = {&writes[0]};
    turn_wait(1);
    if (racy)
        USE(got); //@race G2 read 1
    MUST(aio_suspend(list, 1, NULL) == 0);
    USE(x); //@race X2 read 4
    turn_pass();
    return NULL;
}

THREAD(canceller) {
    turn_wait(3);
    MUST(aio_cancel(out[1], &writes[0]) == AIO_ALLDONE);
    MUST(aio_cancel64(in[0], (struct aiocb64 *)&reads) == AIO_ALLDONE);
    if (!racy)
        USE(x + got);
    return NULL;
}

THREAD(third) {
    const struct aiocb64 *const list[] = {NULL, (struct aiocb64 *)&writes[1]};
    const struct timespec zero = {0, 0};
    turn_wait(2);
    MUST(aio_suspend64(list, 2, &zero) == 0);
    USE(y); //@race Y2 read 4
    turn_pass();
    return NULL;
}

int main(void) {
    MUST(pipe(out) == 0 && pipe(in) == 0);
    for (int i = 0; i < 2; i++)
        writes[i] = (struct aiocb){.aio_fildes = out[1], .aio_buf = &sent[i], .aio_nbytes = 1, .aio_lio_opcode = LIO_WRITE};
    reads.aio_fildes = in[0];
    MUST(write(in[1], "a", 1) == 1);
    for (int i = 0; i < 2; i++)
        writes[i].aio_sigevent.sigev_notify = SIGEV_NONE;
    reads.aio_sigevent.sigev_notify = SIGEV_NONE;
    RUN(first, second, third, canceller);
    return 0;
}
