// SPDX-License-Identifier: Apache-2.0
// A process ends in many ways and comes to be in several; the code of its end says whether a race was reported in it. Racy: there is one in
// each.
// reports: 6
// options: dedup=no
// flags: -Wno-deprecated-declarations
// peer-skip: libtsan hangs in the child of _Fork
#include "tests/programs/invisible.h"
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WAYS = 6 };
int x;

THREAD(first) {
    x = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        USE(x); //@race 2 read 4
    return NULL;
}

static int body(void *unused) {
    (void)unused;
    RUN(first, second);
    return 5;
}

// A copy of the process, begun and ended in this way.
static pid_t begin(int way) {
    char *stack = NULL;
    pid_t child = -1;
    switch (way) {
    case 0: child = _Fork(); break;
    case 1: child = vfork(); break;
    case 2:
        stack = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        MUST(stack != MAP_FAILED);
        return clone(body, stack + (1 << 20), 17 /* SIGCHLD */, NULL);
    default: child = fork();
    }
    if (child != 0)
        return child;
    int code = body(NULL);
    switch (way) {
    case 0: _exit(code);
    case 1: _Exit(code);
    case 3: quick_exit(code);
    case 4: exit(code);
    default: pthread_exit(NULL); // the last thread: the code is 0, or the race's
    }
}

int main(void) {
    for (int way = 0; way < WAYS; way++) {
        int status;
        pid_t child = begin(way);
        MUST(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
        MUST(WEXITSTATUS(status) == (racy ? 66 : way == 5 ? 0 : 5));
    }
    return racy ? 66 : 0;
}
