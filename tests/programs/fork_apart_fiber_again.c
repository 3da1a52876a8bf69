// SPDX-License-Identifier: Apache-2.0
// A fiber that is suspended during a fork, and during a fork of the child, goes on in the grandchild: what it does there is not apart.
// Racy: the grandchild's thread and that fiber write one variable, without an order.
// not recorded: the race is in the grandchild
// peer-skip: libtsan checks nothing in the child of a process with threads
#include "tests/programs/invisible.h"
#include <sanitizer/tsan_interface.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

_Alignas(8) int shared;

THREAD(writes) {
    turn_wait(1);
    shared = 1; //@race 2 write 4
    return NULL;
}

/* In the child, which ends as its own did. */
static void fork_once(void) {
    int status;
    pid_t child = fork();
    MUST(child >= 0);
    if (child == 0)
        return;
    MUST(waitpid(child, &status, 0) == child && WIFEXITED(status));
    MUST(WEXITSTATUS(status) == (racy ? 66 : 0));
    _exit(WEXITSTATUS(status));
}

int main(void) {
    void *me = __tsan_get_current_fiber(), *fiber = __tsan_create_fiber(0);
    unsigned flags = racy ? __tsan_switch_to_fiber_no_sync : 0;
    pthread_t t;
    fork_once();
    fork_once();
    if (racy)
        MUST(pthread_create(&t, NULL, writes, NULL) == 0);
    __tsan_switch_to_fiber(fiber, flags);
    shared = 2; //@race 1 write 4
    __tsan_switch_to_fiber(me, flags);
    if (!racy)
        MUST(pthread_create(&t, NULL, writes, NULL) == 0);
    turn_pass();
    MUST(pthread_join(t, NULL) == 0);
    exit(0);
}
