/* SPDX-License-Identifier: Apache-2.0
 *
 * A thread that nobody joins has written its thread-local variables of a library that was opened (-DOPENED), which libc gives back when it makes the
 * next thread on the same stack: no race.  Then the threads of race.c. */
#ifdef OPENED
__thread long opened_room[1 << 17];
long *opened_variables(void);
long *opened_variables(void) { return opened_room; }
#else
#include "tests/programs/invisible.h"
#include <dlfcn.h>
#include <stdio.h>

void *ways_other(void *arg);
void ways_put(void);

static long *(*variables)(void);
static long writer; /* its id in the system */

THREAD(writes)
{
    *variables() = 1;
    hidden_put(&writer, hidden_tid());
    return NULL;
}

int main(int argc, char **argv)
{
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    variables = library ? (long *(*)(void))dlsym(library, "opened_variables") : NULL;
    pthread_t t;
    MUST(variables && pthread_create(&t, NULL, writes, NULL) == 0 && pthread_detach(t) == 0);
    while (!hidden_get(&writer))
        hidden_yield();
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%ld", hidden_get(&writer));
    while (hidden_syscall(21 /* access */, (long)path, 0, 0, 0) == 0)
        hidden_yield();
    hidden_put(&writer, 0);
    MUST(pthread_create(&t, NULL, writes, NULL) == 0 && pthread_join(t, NULL) == 0);
    MUST(pthread_create(&t, NULL, ways_other, NULL) == 0);
    ways_put();
    pthread_join(t, NULL);
    puts("done");
    return 0;
}
#endif
