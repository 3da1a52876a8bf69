// SPDX-License-Identifier: Apache-2.0
// Between IgnoreSyncBegin and its end a lock orders nothing. Racy: the first thread's unlock lies there.
#include "tests/programs/invisible.h"

void AnnotateIgnoreSyncBegin(const char *file, int line);
void AnnotateIgnoreSyncEnd(const char *file, int line);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

THREAD(first) {
    if (racy)
        AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
    pthread_mutex_lock(&m);
    x = 1; //@race 1 write 4
    pthread_mutex_unlock(&m);
    if (racy)
        AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
