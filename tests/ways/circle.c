/* SPDX-License-Identifier: Apache-2.0
 *
 * Two libraries that need each other, opened by one call: this one's constructor runs first and starts a thread that writes what belongs to the other
 * one, made of race.c, under the other one's mutex, whose constructor has not run yet.  Nothing but that mutex orders it before main's write.
 * With -DLIBRARY the library, else the program that opens the other one, twice: what is closed is forgotten. */
#include "tests/programs/invisible.h"

#ifdef LIBRARY
void *ways_other(void *arg);

static long wrote;

THREAD(early)
{
    ways_other(arg);
    hidden_put(&wrote, 1);
    return arg;
}

__attribute__((constructor)) static void start(void)
{
    pthread_t t;
    MUST(pthread_create(&t, NULL, early, NULL) == 0);
    MUST(pthread_detach(t) == 0);
    while (!hidden_get(&wrote))
        hidden_yield();
}
#else
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    if (library && dlclose(library) == 0)
        library = dlopen(argv[1], RTLD_NOW);
    void (*put)(void) = library ? (void (*)(void))dlsym(library, "ways_put") : NULL;
    if (!put) {
        fputs(argc > 1 ? dlerror() : "no library was named", stderr);
        return 9;
    }
    put();
    puts("done");
    return 0;
}
#endif
