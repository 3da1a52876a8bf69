/* SPDX-License-Identifier: Apache-2.0
 *
 * A pthread_create that returns late, if it is asked to: when the new thread lets it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>

extern long late_create_waits;
long late_create_waits;

int pthread_create(pthread_t *id, const pthread_attr_t *attr, void *(*start)(void *), void *arg) {
    typedef int create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    create *real = (create *)dlsym(RTLD_NEXT, "pthread_create");
    int r = real(id, attr, start, arg);
    while (r == 0 && __atomic_load_n(&late_create_waits, __ATOMIC_ACQUIRE))
        sched_yield();
    return r;
}
