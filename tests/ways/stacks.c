/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program sees of its limits when the stack is unlimited: the limit, as it was; the size of a thread's stack, as without us;
 * and 200 MiB of stack for the first thread. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>

static int deep(int n)
{
    volatile char block[1 << 20];
    block[0] = (char)n;
    return n ? deep(n - 1) + !!block[0] : 0;
}

static void *show(void *arg)
{
    pthread_attr_t attr;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attr) == 0) {
        pthread_attr_getstacksize(&attr, &size);
        pthread_attr_destroy(&attr);
    }
    printf("%zu\n", size);
    return arg;
}

int main(void)
{
    struct rlimit stack;
    pthread_t t;
    if (pthread_create(&t, NULL, show, NULL) != 0)
        return 9;
    pthread_join(t, NULL);
    getrlimit(RLIMIT_STACK, &stack);
    printf("%s %d\n", stack.rlim_cur == RLIM_INFINITY ? "unlimited" : "limited", deep(200));
    return 0;
}
