/* SPDX-License-Identifier: Apache-2.0
 *
 * A thread is detached while another one waits for it, and is joined, while the call that detaches it has not returned: a library that stands
 * between the runtime and the C library holds it up (-DBETWEEN).  Meanwhile what is known of the thread may be forgotten, and new threads begin, which
 * are joined like any other.  Then the threads of race.c. */
#ifdef BETWEEN
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <dlfcn.h>
#include <pthread.h>

void (*between_hook)(void);

int pthread_detach(pthread_t t)
{
    int (*next)(pthread_t) = (int (*)(pthread_t))dlsym(RTLD_NEXT, "pthread_detach");
    int r = next(t);
    between_hook();
    return r;
}
#else
#include "tests/programs/invisible.h"
#include <stdio.h>

enum { THREADS = 4, SEGMENTS = 20000 };
extern void (*between_hook)(void);
void *ways_other(void *arg);
void ways_put(void);

static pthread_t child;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long waiter; /* its id in the system */
static long may_end, is_detached, may_return, is_joined, may_begin;
int counter, word[THREADS];

static void wait_for(const long *flag)
{
    while (!hidden_get(flag))
        hidden_yield();
}

THREAD(ends)
{
    wait_for(&may_end);
    return NULL;
}

THREAD(joins)
{
    hidden_put(&waiter, hidden_tid());
    MUST(pthread_join(child, NULL) == 0);
    hidden_put(&is_joined, 1);
    return NULL;
}

static void in_between(void)
{
    hidden_put(&is_detached, 1);
    wait_for(&may_return);
}

THREAD(detaches)
{
    MUST(pthread_detach(child) == 0);
    return NULL;
}

THREAD(begins)
{
    wait_for(&may_begin);
    *(int *)arg = 1;
    return NULL;
}

/* Until the waiter waits for a word in the descriptor of the child, as the calls that join do. */
static void await_waiter(void)
{
    wait_for(&waiter);
    for (;;) {
        char path[64], text[128] = {0};
        unsigned long number = 0, address = 0;
        snprintf(path, sizeof path, "/proc/self/task/%ld/syscall", hidden_get(&waiter));
        long fd = hidden_syscall(2 /* open */, (long)path, 0, 0, 0);
        MUST(fd >= 0);
        hidden_syscall(0 /* read */, fd, (long)text, sizeof text - 1, 0);
        hidden_syscall(3 /* close */, fd, 0, 0, 0);
        if (sscanf(text, "%lu %lx", &number, &address) == 2 && number == 202 /* futex */ && address - (unsigned long)child < 8192)
            return;
        hidden_yield();
    }
}

int main(void)
{
    pthread_t join, detach, t[THREADS];
    between_hook = in_between;
    MUST(pthread_create(&child, NULL, ends, NULL) == 0 && pthread_create(&join, NULL, joins, NULL) == 0);
    await_waiter();
    MUST(pthread_create(&detach, NULL, detaches, NULL) == 0);
    wait_for(&is_detached);
    hidden_put(&may_end, 1);
    wait_for(&is_joined);
    for (int i = 0; i < SEGMENTS; i++) {
        pthread_mutex_lock(&lock);
        counter++;
        pthread_mutex_unlock(&lock);
    }
    for (int i = 0; i < THREADS; i++)
        MUST(pthread_create(&t[i], NULL, begins, &word[i]) == 0);
    hidden_put(&may_return, 1);
    MUST(pthread_join(detach, NULL) == 0);
    hidden_put(&may_begin, 1);
    for (int i = 0; i < THREADS; i++) {
        MUST(pthread_join(t[i], NULL) == 0);
        word[i] = 2;
    }
    MUST(pthread_join(join, NULL) == 0);
    MUST(pthread_create(&t[0], NULL, ways_other, NULL) == 0);
    ways_put();
    pthread_join(t[0], NULL);
    puts("done");
    return 0;
}
#endif
