// SPDX-License-Identifier: Apache-2.0
// A jump out of the function of an element leaves the functions of XDR: what is encoded after it is read. Racy: another thread writes that without order.
// flags: -I/usr/include/tirpc -ltirpc
// peer-skip: libtsan does not know all of these
#include "tests/programs/invisible.h"
#include <rpc/rpc.h>
#include <setjmp.h>

static char buffer[64];
static int numbers[2] = {1, 2};
static jmp_buf back;
int x = 5, y = 5;

static bool_t element(XDR *stream, ...) {
    MUST(stream->x_op == XDR_ENCODE);
    longjmp(back, 1);
}

static NOINLINE void leave(XDR *stream) {
    if (setjmp(back) == 0)
        xdr_vector(stream, (char *)numbers, 2, sizeof *numbers, (xdrproc_t)element);
}

static NOINLINE int deep(XDR *stream, int levels, int *what) {
    volatile char room[64] = {0};
    return (levels ? deep(stream, levels - 1, what) : xdr_int(stream, what)) + room[0]; //@race 1 read 4
}

THREAD(first) {
    XDR stream;
    xdrmem_create(&stream, buffer, sizeof buffer, XDR_ENCODE);
    leave(&stream);
    MUST(deep(&stream, 20, &x));
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        x = 2; //@race 2 write 4
    else
        y = 2;
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
