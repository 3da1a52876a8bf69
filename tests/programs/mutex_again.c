// SPDX-License-Identifier: Apache-2.0
// One thread takes and gives up the same mutex again and again, with nothing in between, with accesses in between, with another mutex inside, with
// another thread in between. Each release passes on what was done before it, and nothing after it. Racy: accesses under no lock, or too late.
#include "tests/programs/invisible.h"

enum { ROUNDS = 300 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER, recursive;
int first, last, alone, between, after, taken, inside, rest, deep;

static void section(int *p) {
    pthread_mutex_lock(&m);
    *p += 1;
    pthread_mutex_unlock(&m);
}

THREAD(again) {
    for (int i = 0; i < ROUNDS; i++)
        section(&first);
    turn_pass();
    turn_wait(2);

    section(&taken); // the other one had it
    section(&last);
    between = 1;
    section(&last);
    pthread_mutex_lock(&m);
    alone = 2; //@race B1 write 4
    pthread_mutex_unlock(&m);

    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&recursive);
        pthread_mutex_lock(&recursive);
        pthread_mutex_unlock(&recursive);
        deep = i; //@race C1 write 4
        pthread_mutex_unlock(&recursive);
    }

    section(&last);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&inner);
    inside = 1;
    pthread_mutex_unlock(&inner);
    rest = 1; //@race D1 write 4
    pthread_mutex_unlock(&m);
    section(&last);
    after = 1; //@race E1 write 4
    turn_pass();
    turn_wait(4);
    if (!racy)
        section(&last);
    turn_pass();
    return NULL;
}

THREAD(other) {
    turn_wait(1);
    section(&first);
    turn_pass();
    turn_wait(3);
    if (racy) {
        USE(alone); //@race B2 read 4
        USE(deep);  //@race C2 read 4
    }
    pthread_mutex_lock(&inner);
    USE(inside);
    if (racy)
        USE(rest); //@race D2 read 4
    pthread_mutex_unlock(&inner);
    turn_pass();
    turn_wait(5);
    pthread_mutex_lock(&m);
    USE(between);
    USE(rest);
    USE(last);
    USE(alone);
    USE(taken);
    USE(after); //@race E2 read 4
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&recursive);
    USE(deep);
    pthread_mutex_unlock(&recursive);
    return NULL;
}

int main(void) {
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &a);
    RUN(again, other);
    return 0;
}
