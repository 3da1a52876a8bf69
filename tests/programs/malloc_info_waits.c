// SPDX-License-Identifier: Apache-2.0
// malloc_info() writes to a stream of the program's, whose function waits for a handler of a signal, or is left by siglongjmp: the handler runs, there and later.
// Racy: a thread and main write one variable.
#include "tests/programs/invisible.h"
#include <malloc.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t came;
static sigjmp_buf out;
static int leaves;
_Alignas(8) int shared;

static void on_signal(int sig) {
    (void)sig;
    came++;
}

static ssize_t takes(void *cookie, const char *bytes, size_t n) {
    (void)cookie, (void)bytes;
    int before = came;
    MUST(raise(SIGUSR1) == 0 && came == before + 1);
    if (leaves)
        siglongjmp(out, 1);
    return (ssize_t)n;
}

THREAD(writes) {
    shared = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

int main(void) {
    pthread_t t;
    MUST(signal(SIGUSR1, on_signal) == SIG_DFL);
    for (leaves = 0; leaves < 2; leaves++) {
        FILE *f = fopencookie(NULL, "w", (cookie_io_functions_t){.write = takes});
        MUST(f && setvbuf(f, NULL, _IONBF, 0) == 0);
        if (sigsetjmp(out, 1) == 0)
            MUST(malloc_info(0, f) == 0);
        int before = came;
        MUST(raise(SIGUSR1) == 0 && came == before + 1);
    }
    MUST(pthread_create(&t, NULL, writes, NULL) == 0);
    if (!racy)
        MUST(pthread_join(t, NULL) == 0);
    turn_wait(1);
    shared = 2; //@race 2 write 4
    if (racy)
        MUST(pthread_join(t, NULL) == 0);
    return 0;
}
