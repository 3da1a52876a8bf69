// SPDX-License-Identifier: Apache-2.0
// A fork while another thread runs: the child ends at once, and the parent is checked as before. Racy: the two threads
// of the parent race afterwards.
#include "tests/programs/invisible.h"
#include <sys/wait.h>
#include <unistd.h>

int x;

THREAD(first) {
    turn_pass();
    turn_wait(2);
    x = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(forker) {
    int status;
    turn_wait(1);
    pid_t child = fork();
    MUST(child >= 0);
    if (child == 0)
        _exit(7);
    MUST(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7);
    turn_pass();
    turn_wait(3);
    if (racy)
        USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, forker);
    return 0;
}
