// SPDX-License-Identifier: Apache-2.0
// The thread that libc makes for a timer's notification may get the stack of one that has ended: fresh memory, whoever used it before. Racy: the notification
// writes what main writes as well.
// libs: -lrt
#include "tests/programs/invisible.h"
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <time.h>

_Alignas(8) int x;
static sem_t done;

static NOINLINE void use_stack(int n) {
    char local[2048];
    memset(local, n, UNKNOWN(sizeof local));
    __asm__ volatile("" : : "r"(local) : "memory");
}

THREAD(ends) {
    use_stack(1);
    return NULL;
}

static void notified(union sigval value) {
    use_stack(value.sival_int);
    if (racy && value.sival_int == 3)
        x = 1; //@race A1 write 4
    sem_post(&done);
    turn_pass();
}

static void notify(int n) {
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = notified, .sigev_value = {.sival_int = n}};
    struct itimerspec soon = {.it_value = {.tv_nsec = 1000000}};
    MUST(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0 && timer_settime(timer, 0, &soon, NULL) == 0);
}

int main(void) {
    pthread_t threads[2];
    MUST(sem_init(&done, 0, 0) == 0);
    for (int i = 0; i < 2; i++)
        MUST(pthread_create(&threads[i], NULL, ends, NULL) == 0);
    for (int i = 0; i < 2; i++)
        MUST(pthread_join(threads[i], NULL) == 0);
    notify(2);
    turn_wait(1);
    notify(3); // not ordered after the one before
    turn_wait(2);
    if (racy)
        x = 2; //@race A2 write 4
    MUST(sem_wait(&done) == 0 && sem_wait(&done) == 0);
    return 0;
}
