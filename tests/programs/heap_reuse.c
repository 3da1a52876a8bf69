// SPDX-License-Identifier: Apache-2.0
// A block that malloc gives out again is a new object: nothing that its last owner did can race with the new one. The
// second thread allocates until it gets the very byte that the first one wrote and freed. Racy: the first thread
// has not freed its block, and the second one writes into it.
#include "tests/programs/invisible.h"
#include <malloc.h>
#include <stdlib.h>

enum { SIZE = 5000, TRIES = 20000 };
static long address, tid;

THREAD(first) {
    turn_wait(1);
    char *p = malloc(SIZE);
    MUST(p);
    p[100] = 1; //@race 1 write 1
    hidden_put(&address, (long)&p[100]);
    hidden_put(&tid, hidden_tid());
    if (!racy)
        free(p);
    turn_pass();
    return NULL;
}

THREAD(second) {
    static char *block[TRIES];
    int n = 0;
    free(malloc(10)); // what the allocator keeps per thread exists from here on
    turn_pass();
    turn_wait(2);
    char *wanted = (char *)hidden_get(&address);
    if (racy) {
        *wanted = 2; //@race 2 write 1
    } else {
        hidden_wait_gone(hidden_get(&tid)); // what it kept for itself goes back to all
        do {
            MUST(n < TRIES); // else the allocator never reuses and the test says nothing
            block[n] = malloc(SIZE);
            MUST(block[n]);
        } while (wanted < block[n] || wanted >= block[n] + SIZE ? ++n : 0);
        *wanted = 2;
        do
            free(block[n]);
        while (n-- > 0);
    }
    return NULL;
}

int main(void) {
    mallopt(M_ARENA_MAX, 1); // both threads allocate from the same place
    RUN(first, second);
    return 0;
}
