// SPDX-License-Identifier: Apache-2.0
// One thread makes a child, another waits for it, by each function: what was before that is ordered before what comes after the wait. Racy:
// the second thread does not wait.
// peer-skip: libtsan does not see that
// skip emulated: several threads and fork
#include "tests/programs/invisible.h"
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WAYS = 5 };
int data[WAYS];

THREAD(first) {
    for (volatile int i = 0; i < WAYS; i++) {
        data[i] = 1; //@race 1 write 4
        pid_t child;
        if (i == 0) {
            char *const words[] = {"true", NULL};
            MUST(posix_spawnp(&child, "true", NULL, NULL, words, NULL) == 0);
        } else if ((child = i == 1 ? _Fork() : i == 2 ? vfork() : fork()) == 0) {
            _exit(0);
        }
        MUST(child > 0);
        turn_pass();
        turn_wait(2 * i + 2);
    }
    return NULL;
}

THREAD(second) {
    for (volatile int i = 0; i < WAYS; i++) {
        struct rusage usage;
        siginfo_t info;
        int status;
        turn_wait(2 * i + 1);
        if (!racy)
            MUST(i == 0   ? wait(&status) > 0
                 : i == 1 ? waitpid(-1, &status, 0) > 0
                 : i == 2 ? wait3(&status, 0, &usage) > 0
                 : i == 3 ? wait4(-1, &status, 0, &usage) > 0
                          : waitid(P_ALL, 0, &info, WEXITED) == 0);
        USE(data[i]); //@race 2 read 4
        turn_pass();
    }
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
