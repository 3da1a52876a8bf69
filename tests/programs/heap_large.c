// SPDX-License-Identifier: Apache-2.0
// The size of a block of more than 1 GiB is known to the byte: the program may use all that it asked for, and the free of it is one of
// the last byte too. Racy: the free has no order with a use of that byte.
#include "tests/programs/invisible.h"
#include <malloc.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#define SIZE ((1ul << 30) + 4095)
static long address;

THREAD(first) {
    char *p = malloc(UNKNOWN(SIZE)), *other = realloc(malloc(100), UNKNOWN(SIZE - 100));
    MUST(p && malloc_usable_size(p) >= SIZE && other && malloc_usable_size(other) >= SIZE - 100);
    free(other);
    hidden_put(&address, (long)p);
    pthread_mutex_lock(&m);
    p[SIZE - 1] = 1; //@race 1 write 1
    pthread_mutex_unlock(&m);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (!racy)
        pthread_mutex_lock(&m);
    free((void *)hidden_get(&address)); //@race 2 free|write *
    if (!racy)
        pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
