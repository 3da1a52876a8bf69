/* SPDX-License-Identifier: Apache-2.0
 *
 * Two threads write `shared`: under a mutex, or with -DRACY without.  With -DLIBRARY the threads' code alone, for a shared library;
 * with -DMAIN the rest. */
#include <pthread.h>
#include <stdio.h>

void *ways_other(void *arg);
void ways_put(void);

#ifndef MAIN
#ifdef ROOM
char ways_room[ROOM]; /* so that the library goes only where there is so much room */
#endif
int shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void put(int value)
{
#ifndef RACY
    pthread_mutex_lock(&lock);
#endif
    shared = value;
    __asm__ volatile("" : : "r"(&shared) : "memory"); /* it is wanted */
#ifndef RACY
    pthread_mutex_unlock(&lock);
#endif
}

void *ways_other(void *arg)
{
    put(1);
    return arg;
}

void ways_put(void)
{
    put(2);
}

/* The mutex is used in both twins. */
__attribute__((constructor)) static void use_lock(void)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}
#endif

#ifndef LIBRARY
int main(void)
{
    pthread_t t;
    if (pthread_create(&t, NULL, ways_other, NULL) != 0)
        return 9;
    ways_put();
    pthread_join(t, NULL);
    puts("done");
    return 0;
}
#endif
