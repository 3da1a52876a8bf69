// SPDX-License-Identifier: Apache-2.0
// Locks that processes share are held by the parent when it forks: the child does not hold them, and may wait for them; those of private memory are copied as
// they are, and the child gives them up. Racy: the child writes what another thread of its writes with the locks held.
// not recorded: the race is in the child
#include "tests/programs/invisible.h"
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct locks {
    pthread_mutex_t m;
    pthread_rwlock_t read, written;
    pthread_spinlock_t spin;
};

static struct locks *s;
static struct locks own;
_Alignas(8) int x;
_Alignas(8) int y;
_Alignas(8) int z;
_Alignas(8) int w;

static void make(struct locks *l) {
    pthread_mutexattr_t m;
    pthread_rwlockattr_t r;
    pthread_mutexattr_init(&m);
    pthread_mutexattr_setpshared(&m, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&l->m, &m);
    pthread_rwlockattr_init(&r);
    pthread_rwlockattr_setpshared(&r, PTHREAD_PROCESS_SHARED);
    pthread_rwlock_init(&l->read, &r);
    pthread_rwlock_init(&l->written, &r);
    pthread_spin_init(&l->spin, PTHREAD_PROCESS_SHARED);
}

// Libc knows a writer by its number, which is another in the child: no rwlock of private memory is held for writing.
static void lock(struct locks *l) {
    MUST(pthread_mutex_lock(&l->m) == 0);
    MUST(pthread_rwlock_rdlock(&l->read) == 0);
    if (l == s)
        MUST(pthread_rwlock_wrlock(&l->written) == 0);
    MUST(pthread_spin_lock(&l->spin) == 0);
}

static void unlock(struct locks *l) {
    pthread_spin_unlock(&l->spin);
    if (l == s)
        pthread_rwlock_unlock(&l->written);
    pthread_rwlock_unlock(&l->read);
    pthread_mutex_unlock(&l->m);
}

static void lock_alone(void) {
    pthread_mutex_lock(&s->m);
    pthread_rwlock_wrlock(&s->read);
    pthread_rwlock_wrlock(&s->written);
    pthread_spin_lock(&s->spin);
}

THREAD(other) {
    lock_alone();
    x = 1; //@race A1 write 4
    y = 1; //@race B1 write 4
    z = 1; //@race C1 write 4
    w = 1; //@race D1 write 4
    unlock(s);
    turn_pass();
    return NULL;
}

static int child(int from_parent) {
    char c;
    pthread_t t;
    MUST(read(from_parent, &c, 1) == 1); // the parent has given them up
    unlock(&own);
    lock(&own);
    unlock(&own);
    lock_alone();
    unlock(s);
    MUST(pthread_create(&t, NULL, other, NULL) == 0);
    turn_wait(1);
    if (!racy)
        lock_alone();
    x = 2; //@race A2 write 4
    y = 2; //@race B2 write 4
    z = 2; //@race C2 write 4
    w = 2; //@race D2 write 4
    if (!racy)
        unlock(s);
    pthread_join(t, NULL);
    return 0;
}

int main(void) {
    int to_child[2], status;
    s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    MUST(s != MAP_FAILED && pipe(to_child) == 0);
    make(s);
    make(&own);
    lock(s);
    lock(&own);
    pid_t pid = fork();
    MUST(pid >= 0);
    if (pid == 0)
        return child(to_child[0]);
    unlock(s);
    unlock(&own);
    MUST(write(to_child[1], "", 1) == 1);
    MUST(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    return WEXITSTATUS(status);
}
