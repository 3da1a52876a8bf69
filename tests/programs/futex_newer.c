// SPDX-License-Identifier: Apache-2.0
// The newer kinds of futexes order as the others: locks with a clock, waiting for one of several words, waiting and then locking. Racy: the data is written after
// the lock was given up, or the wake.
// peer-skip: libtsan does not know futexes
// skip emulated: qemu does not know them all
#include "tests/programs/invisible.h"
#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef FUTEX_LOCK_PI2
#define FUTEX_LOCK_PI2 13
#endif
#define LOCK_PI2   (FUTEX_LOCK_PI2 | FUTEX_PRIVATE_FLAG)
#define SYS_WAITV_ 449 // Linux 5.16
#define WAITV_FLAGS (2 | FUTEX_PRIVATE_FLAG)

static int lock, several[2], condition, mutex;
int x, y, z;

THREAD(first) {
    struct {
        uint64_t value, word;
        uint32_t flags, reserved;
    } words[2] = {{0, (uintptr_t)&several[0], WAITV_FLAGS, 0}, {0, (uintptr_t)&several[1], WAITV_FLAGS, 0}};
    turn_wait(1);
    MUST(syscall(SYS_futex, &lock, LOCK_PI2, 0, NULL, NULL, 0) == 0);
    USE(x); //@race X2 read 4
    MUST(syscall(SYS_WAITV_, words, 2, 0, NULL, CLOCK_MONOTONIC) == 1);
    turn_wait(2);
    USE(y); //@race Y2 read 4
    MUST(syscall(SYS_futex, &condition, FUTEX_WAIT_REQUEUE_PI | FUTEX_PRIVATE_FLAG, 0, NULL, &mutex, 0) == 0);
    turn_wait(3);
    USE(z); //@race Z2 read 4
    return NULL;
}

static void give_up(void) {
    MUST(syscall(SYS_futex, &lock, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL, NULL, 0) == 0);
}

static void wake(void) {
    while (syscall(SYS_futex, &several[1], FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0) != 1)
        hidden_yield();
}

static void move(void) {
    while (syscall(SYS_futex, &condition, FUTEX_CMP_REQUEUE_PI | FUTEX_PRIVATE_FLAG, 1, 1, &mutex, 0) != 1)
        hidden_yield();
}

THREAD(second) {
    MUST(syscall(SYS_futex, &lock, FUTEX_LOCK_PI_PRIVATE, 0, NULL, NULL, 0) == 0);
    if (racy)
        give_up();
    x = 1; //@race X1 write 4
    if (!racy)
        give_up();
    turn_pass();
    if (racy)
        wake();
    y = 1; //@race Y1 write 4
    turn_pass();
    if (!racy)
        wake();
    if (racy)
        move();
    z = 1; //@race Z1 write 4
    turn_pass();
    if (!racy)
        move();
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
