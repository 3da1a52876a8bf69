// SPDX-License-Identifier: Apache-2.0
// Handlers of signals and of races that were left by longjmp do not keep ids of critical sections from being used again; and while the
// program's handler of a race runs, what the report will say stays: the lock, which is destroyed, and the thread, which has ended. Racy: the main
// thread takes no lock.
// options: sweep_segments=1:stats=1
// report: Thread T1 .*created by
// report: (Mutex|lock) M\d+
// report: [1-9]\d\d+  sweeps
#include "tests/programs/sections.h"

#include "include/goldilocks/race.h"
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

enum { ROUNDS = 200, LEFT = 20 };

int x, y;

// What it reads would go on naming it: only the two accesses do.
static void *first(void *lock) {
    pthread_mutex_lock(lock); //@race ?B1 read 1
    x = 1; //@race A1 write 4
    y = 1;
    pthread_mutex_unlock(lock);
    turn_pass();
    return NULL;
}

static void *busy(void *arg) {
    for (int i = 0; i < ROUNDS; i++)
        section(NULL);
    return arg;
}

// Critical sections and threads that come and go, in the calling thread and in another.
static void churn(void) {
    pthread_t t, other;
    MUST(pthread_create(&other, NULL, busy, NULL) == 0);
    for (int i = 0; i < 10; i++) {
        MUST(pthread_create(&t, NULL, section, NULL) == 0);
        MUST(pthread_join(t, NULL) == 0);
    }
    busy(NULL);
    MUST(pthread_join(other, NULL) == 0);
}

static sigjmp_buf before;

static void leave(int sig) {
    (void)sig;
    siglongjmp(before, 1);
}

static void told(const struct goldilocks_race *race, void *ctx) {
    (void)race, (void)ctx;
    churn();
}

int main(void) {
    pthread_t t;
    pthread_attr_t detached;
    pthread_mutex_t *first_lock = malloc(sizeof *first_lock);
    MUST(first_lock && pthread_mutex_init(first_lock, NULL) == 0);
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    MUST(pthread_create(&t, &detached, first, first_lock) == 0);
    turn_wait(1);
    MUST(signal(SIGUSR1, leave) != SIG_ERR);
    for (volatile int i = 0; i < LEFT; i++)
        if (sigsetjmp(before, 1) == 0)
            MUST(raise(SIGUSR1) != 0); // does not return
    for (volatile int i = 0; i < LEFT && racy; i++) {
        GL_TRY {
            y = 2; // left out, and not reported
        }
        GL_CATCH(race) {
            MUST(race->is_write);
        }
        GL_END_TRY;
    }
    churn();
    goldilocks_set_race_handler(told, NULL);
    if (!racy)
        pthread_mutex_lock(first_lock);
    else
        MUST(pthread_mutex_destroy(first_lock) == 0); //@race ?B2 write 1
    x = 2; //@race A2 write 4
    if (!racy)
        pthread_mutex_unlock(first_lock);
    return 0;
}
