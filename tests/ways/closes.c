/* SPDX-License-Identifier: Apache-2.0
 *
 * Handlers that a library registers with atexit() run when it is closed, in the order of libc; those of the program at its end.
 * What gcc linked with -fsanitize=thread has no atexit() of its own.  With -DCLOSED the library, which also does what a C++ destructor
 * needs; else the program. */
#include <stdio.h>
#include <stdlib.h>
#ifdef CLOSED

extern void *__dso_handle;
int __cxa_atexit(void (*function)(void *), void *argument, void *module);
extern char *closes_order;

static void first(void) { *closes_order++ = '1'; }
static void second(void) { *closes_order++ = '2'; }
static void third(void *argument) { *closes_order++ = *(char *)argument; }
static void fourth(void) { *closes_order++ = '4'; }

__attribute__((constructor)) static void opened(void)
{
    static char three = '3';
    if (atexit(first) != 0 || atexit(second) != 0 || __cxa_atexit(third, &three, &__dso_handle) != 0 || atexit(fourth) != 0)
        abort();
}
#else
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

void *ways_other(void *arg);
void ways_put(void);

char order[16];
char *closes_order = order;

static void says(void)
{
    if (strcmp(order, "43214321") == 0)
        puts("done");
}

int main(int argc, char **argv)
{
    pthread_t t;
    if (argc != 2 || atexit(says) != 0)
        return 9;
    for (int i = 0; i < 2; i++) {
        void *library = dlopen(argv[1], RTLD_NOW);
        if (!library || dlclose(library) != 0 || dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD)) {
            fputs("the library was not opened, or not closed", stderr);
            return 9;
        }
    }
    if (pthread_create(&t, NULL, ways_other, NULL) != 0)
        return 9;
    ways_put();
    pthread_join(t, NULL);
    return 0;
}
#endif
