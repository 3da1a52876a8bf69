// SPDX-License-Identifier: Apache-2.0
// A handler that wants an alternate stack, in threads that have given none: wherever it runs then, the handler of a later thread may run there
// as well, and its variables are others.  The second thread is made when the first is gone, of which main knows invisibly.  Racy: both handlers write the same
// variable.
#include "tests/programs/invisible.h"

#include <signal.h>

_Alignas(8) int x, y;
static __thread int *place;
static long first_thread;

NOINLINE static void fill(volatile char *room, int n) {
    for (int i = 0; i < n; i++)
        room[i] = (char)i;
}

static void handler(int sig) {
    char room[256];
    (void)sig;
    fill(room, UNKNOWN(256));
    *place = room[1]; //@race 1 write 4 in handler; 2 write 4 in handler
}

static void *work(void *its) {
    place = its;
    raise(SIGUSR1);
    hidden_put(&first_thread, hidden_syscall(SYS_gettid, 0, 0, 0, 0));
    return NULL;
}

int main(void) {
    struct sigaction a = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
    MUST(sigaction(SIGUSR1, &a, NULL) == 0);
    pthread_t first, second;
    MUST(pthread_create(&first, NULL, work, &x) == 0);
    while (hidden_get(&first_thread) == 0)
        hidden_yield();
    long process = hidden_syscall(SYS_getpid, 0, 0, 0, 0);
    while (hidden_syscall(SYS_tgkill, process, hidden_get(&first_thread), 0, 0) == 0)
        hidden_yield();
    MUST(pthread_create(&second, NULL, work, racy ? &x : &y) == 0);
    pthread_join(second, NULL);
    pthread_join(first, NULL);
    return 0;
}
