// SPDX-License-Identifier: Apache-2.0
// The handlers of pthread_atfork come after who registered them, whatever forks. Racy: the data is written after that.
// exercises: __register_atfork
// flags: -Wno-deprecated-declarations
// peer-skip: libtsan does not know this order
#include "tests/programs/invisible.h"
#include <pty.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum way { VFORK, FORKPTY, DAEMON, WAYS };

int x[WAYS];
static int way;

static void prepare(void) {
    if (way < WAYS)
        USE(x[way]); //@race 2 read 4
}

static void nothing(void) {}

THREAD(first) {
    if (racy)
        MUST(pthread_atfork(prepare, NULL, NULL) == 0);
    for (int i = 0; i < DAEMON; i++)
        x[i] = 1; //@race 1 write 4
    if (!racy)
        MUST(pthread_atfork(prepare, NULL, NULL) == 0);
    turn_pass();
    return NULL;
}

THREAD(second) {
    int status, pty;
    pid_t child;
    turn_wait(1);
    MUST((child = vfork()) >= 0);
    if (child == 0)
        _exit(0);
    MUST(waitpid(child, &status, 0) == child && status == 0);
    way = FORKPTY;
    MUST((child = forkpty(&pty, NULL, NULL, NULL)) >= 0);
    if (child == 0)
        _exit(0);
    MUST(waitpid(child, &status, 0) == child && status == 0 && close(pty) == 0);
    way = DAEMON;
    MUST(pthread_atfork(nothing, nothing, nothing) == 0 && (child = fork()) >= 0);
    if (child == 0) // the parent of a daemon ends
        _exit(daemon(1, 1) == 0 ? 0 : 1);
    MUST(waitpid(child, &status, 0) == child && status == 0);
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
