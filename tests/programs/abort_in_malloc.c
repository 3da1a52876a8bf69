// SPDX-License-Identifier: Apache-2.0
// The handler of SIGABRT runs also where libc's malloc has found its heap damaged. Racy: a thread and main write one variable.
// peer-skip: libtsan has an allocator of its own
#include "tests/programs/invisible.h"
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

_Alignas(8) int shared;

static void handle(int sig) {
    (void)sig;
    _exit(7);
}

static void damage(void) {
    char *volatile first = malloc(2000), *volatile second = malloc(2000);
    MUST(first && second);
    USE(first);
    hidden_put((long *)second - 1, 0x41); /* the size of the second, by a write past the end of the first */
    free(second);
    free(first);
    USE(malloc(100000));
}

THREAD(writes) {
    shared = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

int main(void) {
    int status;
    MUST(signal(SIGABRT, handle) == SIG_DFL);
    pid_t child = fork();
    if (child == 0) {
        close(STDERR_FILENO); /* what malloc says */
        MUST(open("/dev/null", O_WRONLY) == STDERR_FILENO);
        damage();
        _exit(0);
    }
    MUST(child > 0 && waitpid(child, &status, 0) == child);
    MUST(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    pthread_t t;
    MUST(pthread_create(&t, NULL, writes, NULL) == 0);
    if (!racy)
        MUST(pthread_join(t, NULL) == 0);
    turn_wait(1);
    shared = 2; //@race 2 write 4
    if (racy)
        MUST(pthread_join(t, NULL) == 0);
    return 0;
}
