// SPDX-License-Identifier: Apache-2.0
// A race in a handler of a signal, on a stack that lies above the thread's own, while the program's handler of another race runs: what the report
// of that one will say stays, the lock, which is destroyed. Racy: the other thread takes no lock.
// options: sweep_segments=1:stats=1
// report: (Mutex|lock) M\d+
// report: [1-9]\d*  sweeps
#include "tests/programs/sections.h"

#include "include/goldilocks/race.h"
#include <signal.h>
#include <stdlib.h>

enum { ROUNDS = 300 };

static pthread_mutex_t *first_lock;
static stack_t above;
static int raised;
int x, z;

// What it reads would go on naming it: only the two accesses do.
static void *first(void *lock) {
    z = 1; //@race A1 write 4
    pthread_mutex_lock(lock); //@race ?C1 read 1
    x = 1; //@race B1 write 4
    pthread_mutex_unlock(lock);
    turn_pass();
    return NULL;
}

static void *busy(void *arg) {
    for (int i = 0; i < ROUNDS; i++)
        section(NULL);
    return arg;
}

static void on_signal(int sig) {
    (void)sig;
    if (racy)
        z = 2; //@race A2 write 4
}

static void told(const struct goldilocks_race *race, void *ctx) {
    (void)race, (void)ctx;
    pthread_t other;
    if (raised++)
        return;
    MUST(raise(SIGUSR1) == 0);
    MUST(pthread_create(&other, NULL, busy, NULL) == 0);
    busy(NULL);
    MUST(pthread_join(other, NULL) == 0);
}

static void *second(void *arg) {
    struct sigaction act = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    MUST(sigaltstack(&above, NULL) == 0 && sigaction(SIGUSR1, &act, NULL) == 0);
    goldilocks_set_race_handler(told, NULL);
    if (!racy)
        pthread_mutex_lock(first_lock);
    else
        MUST(pthread_mutex_destroy(first_lock) == 0); //@race ?C2 write 1
    x = 2; //@race B2 write 4
    if (!racy) {
        pthread_mutex_unlock(first_lock);
        busy(NULL);
    }
    return arg;
}

int main(void) {
    pthread_t t;
    char stack[1 << 16]; // above those of threads
    above = (stack_t){.ss_sp = stack, .ss_size = sizeof stack};
    first_lock = malloc(sizeof *first_lock);
    MUST(first_lock && pthread_mutex_init(first_lock, NULL) == 0);
    MUST(pthread_create(&t, NULL, first, first_lock) == 0);
    turn_wait(1);
    MUST(pthread_detach(t) == 0);
    MUST(pthread_create(&t, NULL, second, NULL) == 0);
    MUST(pthread_join(t, NULL) == 0);
    return 0;
}
