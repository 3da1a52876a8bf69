// SPDX-License-Identifier: Apache-2.0
// Pages that were unmapped and mapped again are new memory. Racy: the first thread has not unmapped them, and the
// second one writes into them.
#include "tests/programs/invisible.h"
#include <sys/mman.h>

enum { REGIONS = 40, SIZE = 65536 };
static long address[REGIONS];

static char *map(void *at) {
    int fixed = at ? MAP_FIXED_NOREPLACE : 0;
    return mmap(at, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | fixed, -1, 0);
}

THREAD(first) {
    turn_wait(1); // else the second thread's stack may be put where the pages were
    for (int i = 0; i < REGIONS; i++) {
        char *p = map(NULL);
        MUST(p != MAP_FAILED);
        p[5000] = 1; //@race 1 write 1
        hidden_put(&address[i], (long)p);
    }
    for (int i = 0; i < REGIONS && !racy; i++)
        munmap((char *)hidden_get(&address[i]), SIZE);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_pass();
    turn_wait(2);
    int mapped = 0;
    for (int i = 0; i < REGIONS; i++) {
        char *p = (char *)hidden_get(&address[i]);
        if (!racy && map(p) != p)
            continue; // someone else got these pages first
        p[5000] = 2; //@race 2 write 1
        mapped++;
    }
    MUST(mapped > 0); // else the test says nothing
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
