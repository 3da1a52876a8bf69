// SPDX-License-Identifier: Apache-2.0
// Threads that nobody waits for, whose last accesses come after their last release: neither their places in the tables of order nor their tags of
// pages are used up, however many there are; and the first of them, whose access is still there, is taken for none of the others. Racy: its write and
// the last one's.
// options: sweep_segments=64:stats=1
// report: \n *\d{1,3}  page_tags
// report: \n *[1-9]\d{3}  slots_reused
#include "tests/programs/sections.h"

#include <sched.h>

enum { THREADS = 2500 };

static int ended; // guarded by common
int x;

static void *first(void *arg) {
    x = 1; //@race 1 write 4
    turn_pass();
    return arg;
}

static void *alone(void *arg) {
    volatile char mine[8192];
    for (unsigned i = 0; i < sizeof mine; i += 512)
        mine[i] = 1;
    pthread_mutex_lock(&common);
    ended++;
    pthread_mutex_unlock(&common);
    mine[0] = 2; // nobody comes after this
    return arg;
}

static void *last(void *arg) {
    if (racy)
        x = 2; //@race 2 write 4
    return arg;
}

static void start(void *(*run)(void *)) {
    pthread_t t;
    pthread_attr_t detached;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    MUST(pthread_create(&t, &detached, run, NULL) == 0);
    pthread_attr_destroy(&detached);
}

static void wait_for(int n) {
    for (int seen = 0; seen < n; sched_yield()) {
        pthread_mutex_lock(&common);
        seen = ended;
        pthread_mutex_unlock(&common);
    }
}

int main(void) {
    pthread_t t;
    start(first);
    turn_wait(1);
    for (int i = 0; i < THREADS; i++) {
        start(alone);
        wait_for(i - 3);
    }
    wait_for(THREADS);
    MUST(pthread_create(&t, NULL, last, NULL) == 0 && pthread_join(t, NULL) == 0);
    return 0;
}
