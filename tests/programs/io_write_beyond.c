// SPDX-License-Identifier: Apache-2.0
// Of a buffer that ends earlier than a call says, what is there is written, and the call returns how much that was. Racy: its last bytes are written by another thread.
#define _GNU_SOURCE
#include "tests/programs/invisible.h"
#include <errno.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define BYTES (1u << 18)
#define LONGER (1ul << 36) // as much room follows the buffer: Linux refuses what ends beyond all addresses
static char *buffer;

THREAD(writer) {
    if (racy)
        buffer[BYTES - 1] = 1; //@race 1 write 1
    turn_pass();
    return NULL;
}

int main(void) {
    pthread_t t;
    int file = memfd_create("file", 0), pair[2];
    buffer = mmap(NULL, 2 * LONGER, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    MUST(file >= 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    MUST(buffer != MAP_FAILED && mprotect(buffer, BYTES, PROT_READ | PROT_WRITE) == 0);
    MUST(pthread_create(&t, NULL, writer, NULL) == 0);
    turn_wait(1);
    MUST(write(file, buffer, LONGER) == BYTES); //@race 2 read 262144
    MUST(pwrite(file, buffer + 4096, 1ul << 30, 0) == BYTES - 4096);
    MUST(pwritev(file, &(struct iovec){buffer + 4096, LONGER}, 1, 0) == BYTES - 4096);
    MUST(send(pair[0], buffer + BYTES - 16, LONGER, 0) == -1 && errno == EFAULT);
    volatile size_t too_many = -1ul;
    MUST(write(file, buffer, too_many) == -1);
    pthread_join(t, NULL);
}
