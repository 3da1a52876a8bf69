// SPDX-License-Identifier: Apache-2.0
// Locks that are waited for until some time, by POSIX 2024's clocks and as C11 has them, order like others. Racy: the second thread takes
// others.
#include "tests/programs/invisible.h"
#include <semaphore.h>
#include <threads.h>
#include <time.h>

static struct {
    pthread_mutex_t mutex;
    pthread_rwlock_t read, write;
    sem_t sem;
    mtx_t tried, timed;
} locks[2];
_Alignas(8) int a, b, c, d, e, f;

THREAD(first) {
    pthread_mutex_lock(&locks[0].mutex);
    a = 1; //@race A1 write 4
    pthread_mutex_unlock(&locks[0].mutex);
    pthread_rwlock_wrlock(&locks[0].read);
    b = 1; //@race B1 write 4
    pthread_rwlock_unlock(&locks[0].read);
    pthread_rwlock_rdlock(&locks[0].write);
    c = 1; //@race C1 write 4
    pthread_rwlock_unlock(&locks[0].write);
    d = 1; //@race D1 write 4
    sem_post(&locks[0].sem);
    mtx_lock(&locks[0].tried);
    e = 1; //@race E1 write 4
    mtx_unlock(&locks[0].tried);
    mtx_lock(&locks[0].timed);
    f = 1; //@race F1 write 4
    mtx_unlock(&locks[0].timed);
    turn_pass();
    return NULL;
}

THREAD(second) {
    const struct timespec long_ago = {1, 0};
    int value = 0;
    turn_wait(1);
    MUST(pthread_mutex_clocklock(&locks[racy].mutex, CLOCK_MONOTONIC, &long_ago) == 0);
    a = 2; //@race A2 write 4
    MUST(pthread_mutex_unlock(&locks[racy].mutex) == 0);
    MUST(pthread_rwlock_clockrdlock(&locks[racy].read, CLOCK_MONOTONIC, &long_ago) == 0);
    b = 2; //@race B2 write 4
    MUST(pthread_rwlock_unlock(&locks[racy].read) == 0);
    MUST(pthread_rwlock_clockwrlock(&locks[racy].write, CLOCK_MONOTONIC, &long_ago) == 0);
    c = 2; //@race C2 write 4
    MUST(pthread_rwlock_unlock(&locks[racy].write) == 0);
    MUST(sem_getvalue(&locks[racy].sem, &value) == 0 && value == 1);
    MUST(sem_clockwait(&locks[racy].sem, CLOCK_MONOTONIC, &long_ago) == 0);
    d = 2; //@race D2 write 4
    MUST(mtx_trylock(&locks[racy].tried) == thrd_success);
    e = 2; //@race E2 write 4
    mtx_unlock(&locks[racy].tried);
    MUST(mtx_timedlock(&locks[racy].timed, &long_ago) == thrd_success);
    f = 2; //@race F2 write 4
    mtx_unlock(&locks[racy].timed);
    return NULL;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_init(&locks[i].mutex, NULL);
        pthread_rwlock_init(&locks[i].read, NULL);
        pthread_rwlock_init(&locks[i].write, NULL);
        MUST(sem_init(&locks[i].sem, 0, i) == 0);
        mtx_init(&locks[i].tried, mtx_plain);
        mtx_init(&locks[i].timed, mtx_timed);
    }
    RUN(first, second);
    return 0;
}
