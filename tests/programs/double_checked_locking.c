// SPDX-License-Identifier: Apache-2.0
// Double-checked locking needs an acquire load on its fast path. Racy: it is a plain read, which races with the write
// of the pointer, and the object behind it is not ordered either.
#include "tests/programs/invisible.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int object;
int *instance;

static NOINLINE int *get_instance(void) {
    int *p;
    if (racy)
        p = instance; //@race A2 read 8
    else
        p = __atomic_load_n(&instance, __ATOMIC_ACQUIRE);
    if (p)
        return p;
    pthread_mutex_lock(&m);
    p = __atomic_load_n(&instance, __ATOMIC_RELAXED);
    if (!p) {
        p = &object;
        *p = 1; //@race B1 write 4
        if (racy)
            instance = p; //@race A1 write 8
        else
            __atomic_store_n(&instance, p, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&m);
    return p;
}

THREAD(first) {
    get_instance();
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    int *p = get_instance();
    USE(*p); //@race B2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
