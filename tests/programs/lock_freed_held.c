// SPDX-License-Identifier: Apache-2.0
// Memory is freed with locks in it that the thread holds, as many times as it likes: it holds them no more. Racy: it still holds one that was not freed.
// peer-skip: libtsan keeps them
// reports: 1
#include "tests/programs/invisible.h"
#include <stdlib.h>

void __tsan_check_no_mutexes_held(void);

enum { TIMES = 1000 };

struct object {
    pthread_mutex_t m;
    pthread_rwlock_t read, written;
};

static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    for (int i = 0; i < TIMES; i++) {
        struct object *o = malloc(sizeof *o);
        pthread_mutex_init(&o->m, NULL);
        pthread_rwlock_init(&o->read, NULL);
        pthread_rwlock_init(&o->written, NULL);
        pthread_mutex_lock(&o->m);
        pthread_rwlock_rdlock(&o->read);
        pthread_rwlock_rdlock(&o->read);
        pthread_rwlock_wrlock(&o->written);
        free(o);
    }
    if (racy)
        pthread_mutex_lock(&other);
    __tsan_check_no_mutexes_held(); //@mistake mutex held in the wrong context
    if (racy)
        pthread_mutex_unlock(&other);
    return 0;
}
