// SPDX-License-Identifier: Apache-2.0
// posix_memalign and aligned_alloc give fresh memory like malloc. Racy: a block is shared without order.
#include "tests/programs/invisible.h"
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long address;

static NOINLINE void churn(void) {
    for (int i = 0; i < 200; i++) {
        void *p;
        MUST(posix_memalign(&p, 64, 200) == 0);
        char *q = aligned_alloc(256, 512);
        MUST(q && (long)p % 64 == 0 && (long)q % 256 == 0);
        ((char *)p)[199] = q[511] = 1;
        free(p);
        free(q);
    }
}

THREAD(first) {
    void *p;
    churn();
    MUST(posix_memalign(&p, 128, 128) == 0);
    hidden_put(&address, (long)p);
    pthread_mutex_lock(&m);
    *(int *)p = 1; //@race 1 write 4
    pthread_mutex_unlock(&m);
    turn_pass();
    return NULL;
}

THREAD(second) {
    churn();
    turn_wait(1);
    if (!racy)
        pthread_mutex_lock(&m);
    *(int *)hidden_get(&address) = 2; //@race 2 write 4
    if (!racy)
        pthread_mutex_unlock(&m);
    churn();
    return NULL;
}

int main(void) {
    RUN(first, second);
    free((void *)hidden_get(&address));
    return 0;
}
