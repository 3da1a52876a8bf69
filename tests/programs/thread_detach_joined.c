// SPDX-License-Identifier: Apache-2.0
// A thread that detaches itself while another one waits for it: the C library lets the one that waits have it, so its pthread_join comes after
// all that the thread did. Racy: a third one comes after nothing.
// peer-skip: libtsan ends at a failed check of its own
// skip emulated: the system calls are those that qemu makes
#include "tests/programs/invisible.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

int x;
static long waiter; // its id in the system
static char path[64];

// Does the waiter wait for a word in the descriptor of the calling thread, as pthread_join does?
static int is_waited_for(void) {
    char text[128] = {0};
    unsigned long number = 0, address = 0, self = (unsigned long)pthread_self();
    long fd = hidden_syscall(SYS_openat, AT_FDCWD, (long)path, O_RDONLY, 0);
    MUST(fd >= 0);
    hidden_syscall(SYS_read, fd, (long)text, sizeof text - 1, 0);
    hidden_syscall(SYS_close, fd, 0, 0, 0);
    return sscanf(text, "%lu %lx", &number, &address) == 2 && number == SYS_futex && address - self < 8192;
}

THREAD(worker) {
    while (!is_waited_for())
        hidden_yield();
    MUST(pthread_detach(pthread_self()) == 0);
    x = 1; //@race 1 write 4
    return NULL;
}

THREAD(other) {
    turn_wait(1);
    if (racy)
        x = 2; //@race 2 write 4
    return NULL;
}

int main(void) {
    pthread_t t, u;
    waiter = hidden_tid();
    snprintf(path, sizeof path, "/proc/self/task/%ld/syscall", waiter);
    MUST(pthread_create(&u, NULL, other, NULL) == 0 && pthread_create(&t, NULL, worker, NULL) == 0);
    MUST(pthread_join(t, NULL) == 0);
    if (!racy)
        x = 3;
    turn_pass();
    MUST(pthread_join(u, NULL) == 0);
    return 0;
}
