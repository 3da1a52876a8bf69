// SPDX-License-Identifier: Apache-2.0
// Locks that libc does not look at when they are destroyed may be destroyed when their memory is gone. Racy: they are held, which is told while it is there.
// reports: 3
#include "tests/programs/invisible.h"
#include <sys/mman.h>

static struct locks {
    pthread_rwlock_t read, written;
    pthread_spinlock_t spin;
} *l;

int main(void) {
    l = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MUST(l != MAP_FAILED);
    pthread_rwlock_init(&l->read, NULL);
    pthread_rwlock_init(&l->written, NULL);
    pthread_spin_init(&l->spin, PTHREAD_PROCESS_PRIVATE);
    pthread_rwlock_rdlock(&l->read);
    pthread_rwlock_wrlock(&l->written);
    pthread_spin_lock(&l->spin);
    if (!racy) {
        pthread_spin_unlock(&l->spin);
        pthread_rwlock_unlock(&l->written);
        pthread_rwlock_unlock(&l->read);
        MUST(munmap(l, 4096) == 0);
    }
    MUST(pthread_rwlock_destroy(&l->read) == 0);    //@mistake destroy of a locked mutex
    MUST(pthread_rwlock_destroy(&l->written) == 0); //@mistake destroy of a locked mutex
    MUST(pthread_spin_destroy(&l->spin) == 0);      //@mistake destroy of a locked mutex
    return 0;
}
