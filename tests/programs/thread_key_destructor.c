// SPDX-License-Identifier: Apache-2.0
// The destructor of thread-specific data runs in the ending thread. Racy: the creator reads before the join.
#include "tests/programs/invisible.h"

static pthread_key_t key;
int x;

static void destroy(void *value) {
    (void)value;
    x = 1; //@race 1 write 4 in destroy
    turn_pass();
}

THREAD(child) {
    pthread_setspecific(key, &x);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, destroy);
    MUST(pthread_create(&t, NULL, child, NULL) == 0);
    turn_wait(1);
    if (!racy)
        pthread_join(t, NULL);
    USE(x); //@race 2 read 4
    if (racy)
        pthread_join(t, NULL);
    return 0;
}
