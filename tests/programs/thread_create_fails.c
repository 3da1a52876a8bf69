// SPDX-License-Identifier: Apache-2.0
// Threads that cannot be made, often: each leaves its place to the next one. Racy: the thread that could be made writes without order.
// options: stats=1
// report: \b1\d\d\d  slots_reused
#include "tests/programs/invisible.h"
#include <errno.h>

enum { FAILURES = 1001 };

int x;

THREAD(writer) {
    x = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

int main(void) {
    pthread_attr_t large;
    pthread_t t;
    pthread_attr_init(&large);
    MUST(pthread_attr_setstacksize(&large, (size_t)1 << 48) == 0);
    for (int i = 0; i < FAILURES; i++)
        MUST(pthread_create(&t, &large, writer, NULL) == EAGAIN);
    MUST(pthread_create(&t, NULL, writer, NULL) == 0);
    turn_wait(1);
    if (racy)
        x = 2; //@race 2 write 4
    pthread_join(t, NULL);
    x = 3;
    return 0;
}
