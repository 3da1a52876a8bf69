/* SPDX-License-Identifier: Apache-2.0
 *
 * For a library that is opened: its constructor starts the first thread of the process, and waits until it runs.  Meanwhile the dynamic linker's lock
 * is held. */
#include "tests/programs/invisible.h"

static long runs;

THREAD(first)
{
    hidden_put(&runs, 1);
    return arg;
}

__attribute__((constructor)) static void start(void)
{
    pthread_t t;
    MUST(pthread_create(&t, NULL, first, NULL) == 0);
    while (!hidden_get(&runs))
        hidden_yield();
    MUST(pthread_join(t, NULL) == 0);
}
