// SPDX-License-Identifier: Apache-2.0
// A mutex in memory that processes share: each process is judged for itself, and what the other did is no race. Racy: two
// threads of the child do not take it.
#include "tests/programs/invisible.h"
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static struct shared {
    pthread_mutex_t m;
    _Alignas(8) int x;
} *s;

static void add(int locked, int value) {
    if (locked)
        pthread_mutex_lock(&s->m);
    s->x = value; //@race 1 write 4; 2 write 4
    if (locked)
        pthread_mutex_unlock(&s->m);
}

THREAD(first) {
    add(!racy, 1);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    add(!racy, 2);
    return NULL;
}

int main(void) {
    pthread_mutexattr_t shared;
    int status;
    s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    MUST(s != MAP_FAILED);
    pthread_mutexattr_init(&shared);
    pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&s->m, &shared);
    pid_t child = fork();
    MUST(child >= 0);
    if (child == 0) {
        RUN(first, second);
        return 0;
    }
    add(1, 3);
    MUST(waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}
