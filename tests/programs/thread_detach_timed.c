// SPDX-License-Identifier: Apache-2.0
// A thread that detaches itself while another one waits for it, which then gives up: its time runs out, or it is cancelled. The C library may have
// forgotten by then that the thread was detached (glibc does when the time runs out), and it is joined after all: who joins it comes after all that
// it did. Racy: a third thread comes after nothing.
// peer-skip: libtsan ends at a failed check of its own
// skip emulated: the system calls are those that qemu makes
#include "tests/programs/invisible.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

int x, y;
static long waiter;      // its id in the system
static long is_detached; // it has said that it wants to be
static long go_on;

// Does the waiter wait for a word in the descriptor of the calling thread, as the calls that join do?
static int is_waited_for(void) {
    char path[64], text[128] = {0};
    unsigned long number = 0, address = 0, self = (unsigned long)pthread_self();
    snprintf(path, sizeof path, "/proc/self/task/%ld/syscall", hidden_get(&waiter));
    long fd = hidden_syscall(SYS_openat, AT_FDCWD, (long)path, O_RDONLY, 0);
    MUST(fd >= 0);
    hidden_syscall(SYS_read, fd, (long)text, sizeof text - 1, 0);
    hidden_syscall(SYS_close, fd, 0, 0, 0);
    return sscanf(text, "%lu %lx", &number, &address) == 2 && number == SYS_futex && address - self < 8192;
}

static void detach_myself(void) {
    while (!hidden_get(&waiter) || !is_waited_for())
        hidden_yield();
    MUST(pthread_detach(pthread_self()) == 0);
    hidden_put(&is_detached, 1);
    while (!hidden_get(&go_on))
        hidden_yield();
}

THREAD(timed) {
    detach_myself();
    x = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(cancelled) {
    detach_myself();
    y = 1;
    return NULL;
}

THREAD(waits) {
    hidden_put(&waiter, hidden_tid());
    pthread_join(*(pthread_t *)arg, NULL);
    return NULL;
}

THREAD(other) {
    turn_wait(1);
    if (racy)
        x = 2; //@race 2 write 4
    return NULL;
}

static struct timespec in_nanoseconds(long n) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_sec += (t.tv_nsec + n) / 1000000000;
    t.tv_nsec = (t.tv_nsec + n) % 1000000000;
    return t;
}

static void begin(thread_function *f, pthread_t *t) {
    hidden_put(&is_detached, 0);
    hidden_put(&go_on, 0);
    MUST(pthread_create(t, NULL, f, NULL) == 0);
}

// Joins the thread if that can be done: tells whether it was.
static int end(pthread_t t) {
    pthread_attr_t attr;
    int state;
    MUST(pthread_getattr_np(t, &attr) == 0 && pthread_attr_getdetachstate(&attr, &state) == 0);
    pthread_attr_destroy(&attr);
    hidden_put(&go_on, 1);
    if (state == PTHREAD_CREATE_DETACHED)
        return 0;
    MUST(pthread_join(t, NULL) == 0);
    return 1;
}

int main(void) {
    pthread_t t, u;
    begin(cancelled, &t);
    MUST(pthread_create(&u, NULL, waits, &t) == 0);
    while (!hidden_get(&is_detached))
        hidden_yield();
    MUST(pthread_cancel(u) == 0 && pthread_join(u, NULL) == 0);
    if (end(t))
        y = 2;

    MUST(pthread_create(&u, NULL, other, NULL) == 0);
    hidden_put(&waiter, hidden_tid());
    begin(timed, &t);
    while (!hidden_get(&is_detached)) {
        struct timespec until = in_nanoseconds(10000000);
        pthread_timedjoin_np(t, NULL, &until);
    }
    if (end(t) && !racy)
        x = 3;
    MUST(pthread_join(u, NULL) == 0);
    return 0;
}
