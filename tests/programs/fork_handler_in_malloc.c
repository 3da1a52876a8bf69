// SPDX-License-Identifier: Apache-2.0
// A handler that interrupts malloc, or what else takes its locks, waits for no fork, which waits for malloc. Racy: a thread and main write one variable.
// peer-skip: libtsan defers handlers
#include "tests/programs/invisible.h"
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FORKS = 200 };

static unsigned stop;
static __thread int mine;
_Alignas(8) int shared;

static void handle(int sig) {
    (void)sig;
    mine++;
}

THREAD(allocates) {
    if (arg && racy)
        shared = 1; //@race 1 write 4
    turn_pass();
    while (!hidden_count(&stop)) {
        char *p = malloc(200);
        p = realloc(p, 5000);
        USE(p);
        free(p);
        p = calloc(3, 1000);
        USE(p);
        free(p);
        malloc_trim(0);
        USE(mallinfo2().fordblks);
    }
    return NULL;
}

THREAD(signals) {
    pthread_t *to = arg;
    while (!hidden_count(&stop)) {
        MUST(pthread_kill(to[0], SIGUSR1) == 0 && pthread_kill(to[1], SIGUSR1) == 0);
        for (int i = 0; i < 10; i++)
            hidden_yield();
    }
    return NULL;
}

int main(void) {
    pthread_t t[3];
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    MUST(sigaction(SIGUSR1, &action, NULL) == 0);
    for (int i = 0; i < 2; i++)
        MUST(pthread_create(&t[i], NULL, allocates, i ? &stop : NULL) == 0);
    MUST(pthread_create(&t[2], NULL, signals, t) == 0);
    for (int i = 0; i < FORKS; i++) {
        int status;
        pid_t child = fork();
        if (child == 0)
            _exit(0);
        MUST(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    }
    turn_wait(2);
    shared = 2; //@race 2 write 4
    hidden_add_one(&stop);
    for (int i = 2; i >= 0; i--)
        MUST(pthread_join(t[i], NULL) == 0);
    return 0;
}
