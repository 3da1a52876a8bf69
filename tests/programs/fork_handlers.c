// SPDX-License-Identifier: Apache-2.0
// The handlers of pthread_atfork come after who registered them, in the thread that forks and in the child. Racy: the data is written
// after that.
// exercises: __register_atfork
// peer-skip: libtsan does not know this order
#include "tests/programs/invisible.h"
#include <sys/wait.h>
#include <unistd.h>

_Alignas(8) int x;
_Alignas(8) int y;

static void prepare(void) {
    USE(x); //@race A2 read 4
}

static void in_parent(void) {
    USE(y); //@race B2 read 4
}

THREAD(first) {
    if (racy)
        MUST(pthread_atfork(prepare, in_parent, NULL) == 0);
    x = 1; //@race A1 write 4
    y = 1; //@race B1 write 4
    if (!racy)
        MUST(pthread_atfork(prepare, in_parent, NULL) == 0);
    turn_pass();
    return NULL;
}

THREAD(second) {
    int status;
    turn_wait(1);
    pid_t child = fork();
    MUST(child >= 0);
    if (child == 0)
        _exit(0);
    MUST(waitpid(child, &status, 0) == child);
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
