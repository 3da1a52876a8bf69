// SPDX-License-Identifier: Apache-2.0
// Pages that are moved to a place are new memory there, and those of a library that was unloaded are nobody's. Racy: the second
// thread writes into what the first one wrote, without moving or unloading.
// exercises: __cxa_finalize
// peer-skip: libtsan does not forget what was moved over
#include "tests/programs/invisible.h"
#include <dlfcn.h>
#include <sys/mman.h>

enum { SIZE = 65536 };
static long place, variable;

static void *map(void *at, size_t size) {
    return mmap(at, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED_NOREPLACE : 0), -1, 0);
}

THREAD(first) {
    char *p = map(NULL, SIZE);
    MUST(p != MAP_FAILED);
    p[5000] = 1; //@race A1 write 1
    hidden_put(&place, (long)p);
    void *lib = dlopen("libm.so.6", RTLD_NOW);
    int *v = lib ? dlsym(lib, "signgam") : NULL;
    MUST(v);
    *v = 1; //@race B1 write 4
    hidden_put(&variable, (long)v);
    if (!racy)
        MUST(dlclose(lib) == 0);
    turn_pass();
    return NULL;
}

THREAD(second) {
    char *p, *from = map(NULL, SIZE);
    turn_wait(1);
    p = (char *)hidden_get(&place);
    if (!racy)
        MUST(mremap(from, SIZE, SIZE, MREMAP_MAYMOVE | MREMAP_FIXED, p) == p);
    p[5000] = 2; //@race A2 write 1
    int *v = (int *)hidden_get(&variable);
    char *page = (char *)((long)v & -4096);
    if (racy || map(page, 4096) == page)
        *v = 2; //@race B2 write 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
