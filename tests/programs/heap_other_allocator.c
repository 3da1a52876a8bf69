// SPDX-License-Identifier: Apache-2.0
// A program that is linked with another allocator, one that defines the C library's own names too (as gperftools' and mimalloc do):
// blocks still come from the C library's, so what one thread freed and another one gets has no history. Racy: the second thread writes
// into a block that it was not given.
// library: allocator
#include "tests/programs/invisible.h"

#include <malloc.h>
#include <stdlib.h>

enum { BLOCKS = 20 };
static long place;

THREAD(first) {
    char *p[BLOCKS];
    for (int i = 0; i < BLOCKS; i++) {
        p[i] = realloc(calloc(1, 64), 128);
        MUST(p[i] && malloc_usable_size(p[i]) == 128);
        p[i][i] = 1;
    }
    for (int i = 0; i < BLOCKS; i++)
        free(p[i]);
    int *mine = malloc(sizeof *mine);
    hidden_put(&place, (long)mine);
    *mine = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    char *p[BLOCKS];
    turn_wait(1);
    for (int i = 0; i < BLOCKS; i++) {
        p[i] = calloc(1, 64);
        MUST(p[i] && !p[i][i]);
        p[i][i] = 1;
    }
    for (int i = 0; i < BLOCKS; i++)
        free(p[i]);
    if (racy)
        *(int *)hidden_get(&place) = 2; //@race 2 write 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
