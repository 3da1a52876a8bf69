/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens an instrumented library (-DOPENED) in a namespace of its own, where nothing is checked, and everything works.  Then the threads of race.c. */
#define _GNU_SOURCE 1 /* dlmopen */
#include <stdlib.h>
#ifdef OPENED
int opened_count(void);
int opened_count(void)
{
    static int *count;
    if (!count)
        count = calloc(1, sizeof *count);
    return ++*count;
}
#else
#include "tests/programs/invisible.h"
#include <dlfcn.h>
#include <stdio.h>

void *ways_other(void *arg);
void ways_put(void);

int main(int argc, char **argv)
{
    static int begun; /* the program is not started again */
    char *again = getenv("WAYS_BEGUN");
    MUST(!begun++ && !again && setenv("WAYS_BEGUN", "1", 1) == 0);
    void *library = argc > 1 ? dlmopen(LM_ID_NEWLM, argv[1], RTLD_NOW) : NULL;
    int (*count)(void) = library ? (int (*)(void))dlsym(library, "opened_count") : NULL;
    pthread_t t;
    MUST(count && count() == 1 && count() == 2);
    MUST(pthread_create(&t, NULL, ways_other, NULL) == 0);
    ways_put();
    pthread_join(t, NULL);
    puts("done");
    return 0;
}
#endif
