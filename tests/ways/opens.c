/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens the library made of race.c while it runs. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    if (!library) {
        fputs(argc > 1 ? dlerror() : "no library was named", stderr);
        return 9;
    }
    void *(*other)(void *) = (void *(*)(void *))dlsym(library, "ways_other");
    void (*put)(void) = (void (*)(void))dlsym(library, "ways_put");
    pthread_t t;
    if (!other || !put || pthread_create(&t, NULL, other, NULL) != 0)
        return 9;
    put();
    pthread_join(t, NULL);
    puts("done");
    return 0;
}
