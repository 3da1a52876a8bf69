// SPDX-License-Identifier: Apache-2.0
// A realloc to more than there can be leaves the block alone: it is no free. Racy: one that is granted is.
#include "tests/programs/invisible.h"
#include <errno.h>
#include <stdlib.h>

static char *block, *moved;

THREAD(first) {
    USE(block[3]); //@race 1 read 1
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        MUST((moved = realloc(block, 200)) != NULL); //@race 2 free|write *
    else
        MUST((errno = 0, realloc(block, UNKNOWN((size_t)-1 / 2 + 1))) == NULL && errno == ENOMEM);
    return NULL;
}

int main(void) {
    MUST((block = malloc(100)) != NULL);
    block[3] = 1;
    RUN(first, second);
    free(racy ? moved : block);
    return 0;
}
