// SPDX-License-Identifier: Apache-2.0
// Who is woken by a futex call comes after who woke it, whatever the atomics say. Racy: the data is written after the wake.
// peer-skip: libtsan does not know futexes
#include "tests/programs/invisible.h"
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word;
int x;

static void wake(void) {
    while (syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0) == 0)
        hidden_yield(); /* until the other sleeps */
}

THREAD(first) {
    if (racy)
        wake();
    x = 1; //@race 1 write 4
    turn_pass();
    if (!racy)
        wake();
    return NULL;
}

THREAD(second) {
    MUST(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0) == 0);
    turn_wait(1);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
