/* SPDX-License-Identifier: Apache-2.0
 *
 * Does what a script says, which ./run has made: locks are made, taken, given up and destroyed, by threads of which each is joined before its creator goes on, so
 * that nothing ever waits. Before each step its number goes to stderr; so reports are known by the step in which they come.
 *
 *     {  }            a thread begins, and ends
 *     i N KIND        lock N is made: m normal, s from an initializer, r recursive, e error-checking, w for readers and writers, p spin lock, c of C11
 *     d N / f N       it is destroyed / its memory is freed, too
 *     l y t N SITE    taken for writing: waiting, if it is free, waiting until a time
 *     R Y T N SITE    the same for reading
 *     v N SITE        a condition is waited for, with the mutex, until a time that is past
 *     u N             given up
 *     L U A B SITE    locks A to B-1 are taken, one after the other; given up
 *
 * SITE: the function at<SITE> takes it, which reports show.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

enum { LOCKS = 1 << 16, SITES = 6 };

struct lock {
    char kind;
    union {
        pthread_mutex_t mutex;
        pthread_rwlock_t rw;
        pthread_spinlock_t spin;
        mtx_t c11;
    };
};

static struct lock *locks[LOCKS];
static FILE *script;
static int step;

static void must(int result, const char *what)
{
    if (result) {
        fprintf(stderr, "step %d: %s: %s\n", step, what, strerror(result));
        _exit(3);
    }
}

static int timed(struct lock *l, char how)
{
    struct timespec later, now;
    clock_gettime(CLOCK_REALTIME, &later);
    clock_gettime(CLOCK_MONOTONIC, &now);
    later.tv_sec += 100;
    now.tv_sec += 100;
    if (l->kind == 'w')
        return how == 't' ? step & 1 ? pthread_rwlock_timedwrlock(&l->rw, &later) : pthread_rwlock_clockwrlock(&l->rw, CLOCK_MONOTONIC, &now)
               : step & 1 ? pthread_rwlock_timedrdlock(&l->rw, &later) : pthread_rwlock_clockrdlock(&l->rw, CLOCK_MONOTONIC, &now);
    if (l->kind == 'c')
        return mtx_timedlock(&l->c11, &later) != thrd_success;
    return step & 1 ? pthread_mutex_timedlock(&l->mutex, &later) : pthread_mutex_clocklock(&l->mutex, CLOCK_MONOTONIC, &now);
}

static inline __attribute__((always_inline)) void take(struct lock *l, char how)
{
    if (how == 'v') {
        pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
        struct timespec past = {1, 0};
        must(pthread_cond_timedwait(&condition, &l->mutex, &past) != ETIMEDOUT, "wait");
        return;
    }
    int busy = 0;
    if (how == 't' || how == 'T')
        busy = timed(l, how);
    else if (l->kind == 'w')
        busy = how == 'l'   ? pthread_rwlock_wrlock(&l->rw)
               : how == 'y' ? pthread_rwlock_trywrlock(&l->rw)
               : how == 'R' ? pthread_rwlock_rdlock(&l->rw)
                            : pthread_rwlock_tryrdlock(&l->rw);
    else if (l->kind == 'p')
        busy = how == 'l' ? pthread_spin_lock(&l->spin) : pthread_spin_trylock(&l->spin);
    else if (l->kind == 'c')
        busy = how == 'l' ? mtx_lock(&l->c11) != thrd_success : mtx_trylock(&l->c11) != thrd_success ? EBUSY : 0;
    else
        busy = how == 'l' ? pthread_mutex_lock(&l->mutex) : pthread_mutex_trylock(&l->mutex);
    must(busy == EBUSY ? 0 : busy, "lock");
}

#define AT(n) static __attribute__((noinline)) void at##n(struct lock *l, char how) { take(l, how); __asm__ volatile("" ::"i"(n)); }
AT(0)
AT(1)
AT(2)
AT(3)
AT(4)
AT(5)
static void (*const at[SITES])(struct lock *, char) = {at0, at1, at2, at3, at4, at5};

static void give_up(struct lock *l)
{
    int result = l->kind == 'w'   ? pthread_rwlock_unlock(&l->rw)
                 : l->kind == 'p' ? pthread_spin_unlock(&l->spin)
                 : l->kind == 'c' ? mtx_unlock(&l->c11) != thrd_success
                                  : pthread_mutex_unlock(&l->mutex);
    must(result, "unlock");
}

static void make(int n, char kind)
{
    if (!locks[n])
        locks[n] = calloc(1, sizeof **locks);
    struct lock *l = locks[n];
    l->kind = kind;
    pthread_mutexattr_t attribute;
    pthread_mutexattr_init(&attribute);
    pthread_mutexattr_settype(&attribute, kind == 'r' ? PTHREAD_MUTEX_RECURSIVE : kind == 'e' ? PTHREAD_MUTEX_ERRORCHECK : PTHREAD_MUTEX_NORMAL);
    int result = 0;
    if (kind == 's')
        l->mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    else
        result = kind == 'w'   ? pthread_rwlock_init(&l->rw, NULL)
                 : kind == 'p' ? pthread_spin_init(&l->spin, 0)
                 : kind == 'c' ? mtx_init(&l->c11, mtx_timed) != thrd_success
                               : pthread_mutex_init(&l->mutex, &attribute);
    must(result, "init");
    fprintf(stderr, "lock %d %p\n", n, (void *)&l->mutex);
}

static void destroy(int n, int also_free)
{
    struct lock *l = locks[n];
    if (l->kind == 'c')
        mtx_destroy(&l->c11);
    else
        must(l->kind == 'w' ? pthread_rwlock_destroy(&l->rw) : l->kind == 'p' ? pthread_spin_destroy(&l->spin) : pthread_mutex_destroy(&l->mutex), "destroy");
    if (also_free) {
        free(l);
        locks[n] = NULL;
    }
}

static void *run(void *argument)
{
    char line[100], how, kind = 0;
    while (fgets(line, sizeof line, script)) {
        int a = 0, b = 0, c = 0;
        fprintf(stderr, "step %d\n", ++step);
        how = line[0];
        if (how == 'i')
            sscanf(line + 1, "%d %c", &a, &kind);
        else
            sscanf(line + 1, "%d %d %d", &a, &b, &c);
        if (how == '}')
            return argument;
        if (how == '{') {
            pthread_t thread;
            must(pthread_create(&thread, NULL, run, NULL), "create");
            must(pthread_join(thread, NULL), "join");
        } else if (how == 'i') {
            make(a, kind);
        } else if (how == 'd' || how == 'f') {
            destroy(a, how == 'f');
        } else if (how == 'u') {
            give_up(locks[a]);
        } else if (how == 'L' || how == 'U') {
            for (; a < b; a++)
                if (how == 'L')
                    at[c](locks[a], 'l');
                else
                    give_up(locks[a]);
        } else {
            at[b](locks[a], how);
        }
    }
    return argument;
}

int main(int n, char **argument)
{
    script = n > 1 ? fopen(argument[1], "r") : stdin;
    if (!script)
        return 2;
    run(NULL);
    fprintf(stderr, "END\n");
    return 0;
}
