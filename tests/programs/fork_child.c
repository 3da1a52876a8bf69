// SPDX-License-Identifier: Apache-2.0
// After a fork the child is checked on: it starts threads of its own. Racy: they race, and the child's exit code says
// so; the parent passes it on.
#include "tests/programs/invisible.h"
#include <sys/wait.h>
#include <unistd.h>

int x;

THREAD(first) {
    x = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        x = 2; //@race 2 write 4
    return NULL;
}

int main(void) {
    int status;
    x = 0;
    pid_t child = fork();
    MUST(child >= 0);
    if (child == 0) {
        RUN(first, second);
        return 0;
    }
    MUST(waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}
