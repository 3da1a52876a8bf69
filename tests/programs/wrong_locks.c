// SPDX-License-Identifier: Apache-2.0
// Locks in memory that cannot be read, semaphores in memory that cannot be written: the fault is the program's, whose handler jumps out, and its threads are
// checked as before. Racy: two threads made after that.
#include "tests/programs/invisible.h"
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <threads.h>

static struct locks {
    pthread_mutex_t m;
    pthread_rwlock_t l;
    mtx_t c;
    sem_t s;
} *l;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static cnd_t d;
static sigjmp_buf out;
int x;

static void on_fault(int sig) {
    (void)sig;
    siglongjmp(out, 1);
}

#define FAULTS(call)                                                                                                   \
    do {                                                                                                               \
        if (sigsetjmp(out, 1) == 0) {                                                                                  \
            (void)(call);                                                                                              \
            __builtin_trap();                                                                                          \
        }                                                                                                              \
    } while (0)

static NOINLINE void faults(void) {
    const struct timespec never = {0, 0};
    MUST(mprotect(l, 4096, PROT_NONE) == 0);
    FAULTS(pthread_mutex_unlock(&l->m));
    FAULTS(pthread_cond_wait(&c, &l->m));
    FAULTS(pthread_cond_timedwait(&c, &l->m, &never));
    FAULTS(pthread_rwlock_unlock(&l->l));
    FAULTS(mtx_unlock(&l->c));
    FAULTS(cnd_wait(&d, &l->c));
    MUST(mprotect(l, 4096, PROT_READ) == 0);
    FAULTS(sem_post(&l->s));
    FAULTS(sem_wait(&l->s));
    FAULTS(sem_trywait(&l->s));
    FAULTS(sem_timedwait(&l->s, &never));
    MUST(mprotect(l, 4096, PROT_READ | PROT_WRITE) == 0);
}

static void add(int value) {
    sem_wait(&l->s);
    pthread_mutex_lock(&l->m);
    if (!racy)
        x = value;
    pthread_mutex_unlock(&l->m);
    sem_post(&l->s);
}

THREAD(first) {
    add(1);
    if (racy)
        x = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        x = 2; //@race 2 write 4
    add(2);
    return NULL;
}

int main(void) {
    l = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MUST(l != MAP_FAILED);
    pthread_mutex_init(&l->m, NULL);
    pthread_rwlock_init(&l->l, NULL);
    MUST(mtx_init(&l->c, mtx_plain) == thrd_success && cnd_init(&d) == thrd_success && sem_init(&l->s, 0, 1) == 0);
    signal(SIGSEGV, on_fault);
    faults();
    RUN(first, second);
    return 0;
}
