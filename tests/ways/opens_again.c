/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens the library made of race.c, which wants much room, where a large block was that another thread has used and freed: the C library has
 * unmapped it, and the dynamic linker finds the place.  Nothing orders the two, and nothing has to: it is other memory. */
#include "tests/programs/invisible.h"
#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ROOM_TWICE = (16 << 20) + 4000 }; /* with what malloc adds, whole pages: all places of its mapping are places of the block */
static long block;

THREAD(before)
{
    for (int i = 0; i < 64; i++) /* no other place has so much room but the one below all, which is taken last */
        MUST(mmap(NULL, ROOM_TWICE / 2, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED);
    char *p = malloc(UNKNOWN((size_t)ROOM_TWICE));
    MUST(p);
    memset(p, 1, UNKNOWN((size_t)ROOM_TWICE));
    hidden_put(&block, (long)p);
    free(p);
    turn_pass();
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t;
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    mallopt(M_ARENA_MAX, 1);
    if (argc < 2 || pthread_create(&t, NULL, before, NULL) != 0)
        return 9;
    turn_wait(1);
    void *library = dlopen(argv[1], RTLD_NOW);
    void *(*other)(void *) = library ? (void *(*)(void *))dlsym(library, "ways_other") : NULL;
    void (*put)(void) = library ? (void (*)(void))dlsym(library, "ways_put") : NULL;
    long shared = library ? (long)dlsym(library, "shared") - hidden_get(&block) : -1;
    if (!other || !put || shared < 0 || shared >= ROOM_TWICE) {
        fputs(library ? "the library was opened elsewhere" : dlerror(), stderr);
        return 9;
    }
    put();
    pthread_join(t, NULL);
    if (pthread_create(&t, NULL, other, NULL) != 0)
        return 9;
    put();
    pthread_join(t, NULL);
    puts("done");
    return 0;
}
