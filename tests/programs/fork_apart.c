// SPDX-License-Identifier: Apache-2.0
// A child of fork writes to memory of its own: not to what the parent's other threads read or wrote before, though nothing orders that.
// Racy: the child reads what one of them wrote, which was copied whatever that thread was doing.
// not recorded: the race is with what was before the fork, where the child's file begins
// peer-skip: libtsan checks nothing in the child of a process with threads
#include "tests/programs/invisible.h"
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

_Alignas(8) int read_there;
_Alignas(8) int written_there;
_Alignas(8) int asked;

THREAD(other) {
    USE(read_there);
    written_there = 1;
    asked = 1; //@race 1 write 4
    turn_pass();
    turn_wait(2); /* nobody passes it: the process ends meanwhile, with no thread that has ended and nobody joined */
    return NULL;
}

THREAD(forker) {
    int status;
    turn_wait(1);
    pid_t child = fork();
    MUST(child >= 0);
    if (child == 0) {
        read_there = 2;
        written_there = 2;
        if (racy)
            USE(asked); //@race 2 read 4
        exit(0);
    }
    MUST(waitpid(child, &status, 0) == child && WIFEXITED(status));
    MUST(WEXITSTATUS(status) == (racy ? 66 : 0));
    _exit(WEXITSTATUS(status));
}

int main(void) {
    RUN(other, forker);
    return 0;
}
