// SPDX-License-Identifier: Apache-2.0
// A program that stands in front of a function itself gets on to what stood there by the name with __interceptor_ in front. Racy: the
// thread that uses the memory does not wait for the lock.
// exercises: malloc free pthread_mutex_lock
#include "tests/programs/invisible.h"
#include <stdlib.h>

void *__interceptor_malloc(size_t n);
void __interceptor_free(void *p);
int __interceptor_pthread_mutex_lock(pthread_mutex_t *m);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int locked;
static long place;

int pthread_mutex_lock(pthread_mutex_t *lock) {
    __atomic_fetch_add(&locked, 1, __ATOMIC_RELAXED);
    return __interceptor_pthread_mutex_lock(lock);
}

THREAD(first) {
    pthread_mutex_lock(&m);
    int *p = __interceptor_malloc(sizeof *p);
    MUST(p);
    *p = 1; //@race 1 write 4
    pthread_mutex_unlock(&m);
    hidden_put(&place, (long)p);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (!racy)
        pthread_mutex_lock(&m);
    int *p = (int *)hidden_get(&place);
    USE(*p); //@race 2 read 4
    if (!racy)
        pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    RUN(first, second);
    __interceptor_free((void *)hidden_get(&place));
    MUST(__atomic_load_n(&locked, __ATOMIC_RELAXED) == (racy ? 1 : 2));
    return 0;
}
