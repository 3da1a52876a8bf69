// SPDX-License-Identifier: Apache-2.0
// Ids of critical sections are handed out again when no memory names them any more: what was accessed long before is still known, with the
// thread, which has ended, and its lock, which is destroyed; and nothing is mistaken for something else. Racy: the main thread's last
// write takes no lock.
// options: sweep_segments=64
// report: Thread T1 .*created by
// report: (Mutex|lock) M\d+
#include "tests/programs/sections.h"

#include <stdlib.h>

enum { ROUNDS = 3000, OTHERS = 3 };

static pthread_mutex_t *first_lock;
int x;

static void *first(void *arg) {
    pthread_mutex_lock(first_lock); //@race ?B1 read 1
    x = 1; //@race A1 write 4
    pthread_mutex_unlock(first_lock);
    turn_pass();
    return arg;
}

// Critical sections, locks and threads that come and go.
static void *busy(void *arg) {
    for (int i = 0; i < ROUNDS; i++) {
        struct {
            pthread_mutex_t lock;
            int value;
        } *m = malloc(sizeof *m);
        MUST(m && pthread_mutex_init(&m->lock, NULL) == 0);
        pthread_mutex_lock(&m->lock);
        m->value = i;
        pthread_mutex_unlock(&m->lock);
        pthread_mutex_destroy(&m->lock);
        free(m);
        section(NULL);
    }
    return arg;
}

int main(void) {
    pthread_t t, others[OTHERS];
    pthread_attr_t detached;
    first_lock = malloc(sizeof *first_lock);
    MUST(first_lock && pthread_mutex_init(first_lock, NULL) == 0);
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    MUST(pthread_create(&t, &detached, first, NULL) == 0);
    turn_wait(1);
    for (int i = 0; i < OTHERS; i++)
        MUST(pthread_create(&others[i], NULL, busy, NULL) == 0);
    for (int i = 0; i < ROUNDS / 100; i++) {
        MUST(pthread_create(&t, NULL, section, NULL) == 0);
        MUST(pthread_join(t, NULL) == 0);
    }
    for (int i = 0; i < OTHERS; i++)
        MUST(pthread_join(others[i], NULL) == 0);
    if (!racy)
        pthread_mutex_lock(first_lock);
    else
        MUST(pthread_mutex_destroy(first_lock) == 0); //@race ?B2 write 1
    x = 2; //@race A2 write 4
    if (!racy)
        pthread_mutex_unlock(first_lock);
    return 0;
}
