// SPDX-License-Identifier: Apache-2.0
// Who is moved to another word while asleep, and to a third, and woken there, comes after who woke it. Racy: the data is written after the wake.
// peer-skip: libtsan does not know futexes
#include "tests/programs/invisible.h"
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

static int a, b, c;
int x;

THREAD(first) {
    MUST(syscall(SYS_futex, &a, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0) == 0);
    turn_wait(2);
    USE(x); //@race 2 read 4
    return NULL;
}

THREAD(second) {
    while (syscall(SYS_futex, &a, FUTEX_CMP_REQUEUE_PRIVATE, 0, 1, &b, 0) != 1)
        hidden_yield(); // until the other sleeps
    MUST(syscall(SYS_futex, &b, FUTEX_CMP_REQUEUE_PRIVATE, 0, 1, &c, 0) == 1);
    turn_pass();
    return NULL;
}

THREAD(third) {
    turn_wait(1);
    if (racy)
        MUST(syscall(SYS_futex, &c, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0) == 1);
    x = 1; //@race 1 write 4
    turn_pass();
    if (!racy)
        MUST(syscall(SYS_futex, &c, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0) == 1);
    return NULL;
}

int main(void) {
    RUN(first, second, third);
    return 0;
}
