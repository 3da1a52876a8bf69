// SPDX-License-Identifier: Apache-2.0
// Two threads fork at once, others come and go meanwhile; no child may hang, and checking goes on in the parent.
#include "tests/programs/invisible.h"
#include <sys/wait.h>

int x;

THREAD(forks) {
    for (int i = 0; i < 20; i++) {
        pid_t p = fork();
        if (p == 0)
            _exit(0);
        MUST(p > 0 && waitpid(p, NULL, 0) == p);
    }
    return NULL;
}

THREAD(nothing) {
    return NULL;
}

THREAD(starts) {
    for (int i = 0; i < 100; i++) {
        pthread_t t;
        MUST(pthread_create(&t, NULL, nothing, NULL) == 0);
        pthread_join(t, NULL);
    }
    x = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(writes) {
    turn_wait(1);
    if (racy)
        x = 2; //@race 2 write 4
    return NULL;
}

int main(void) {
    RUN(forks, forks, starts, writes);
    return 0;
}
