// SPDX-License-Identifier: Apache-2.0
// A child by clone() that runs in the memory of its maker, who waits for it, is the maker to us: what it does comes before what the maker
// does next, and its end is not the program's. Racy: another thread does not wait.
// peer-skip: libtsan takes such a child for a fork
// skip emulated: qemu makes a fork of it
#include "tests/programs/invisible.h"
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SHARED = 0x100 /* CLONE_VM */ | 0x4000 /* CLONE_VFORK */ | 17 /* SIGCHLD */ };
static char stack[1 << 16] __attribute__((aligned(16)));
int x;

static NOINLINE void ends(int code) {
    x = 1; //@race 1 write 4 in ends
    if (UNKNOWN(code))
        _exit(code); // in the middle of its calls
}

static int child(void *arg) {
    ends(*(int *)arg);
    return 0;
}

THREAD(first) {
    int status, code = 5;
    pid_t pid = clone(child, stack + sizeof stack, SHARED, &code);
    MUST(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 5);
    USE(x);
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
    RUN(first, second);
    return 0;
}
