// SPDX-License-Identifier: Apache-2.0
// A thread that may be cancelled at any moment is checked like any other, however much it does between two synchronizations.
// Racy: a write after all that.
// peer-skip: about the use of our own segments
#include "tests/programs/invisible.h"

enum { WORDS = 1 << 17 };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int words[WORDS], x;

THREAD(first) {
    MUST(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL) == 0);
    for (int i = 0; i < WORDS; i++)
        words[i] = i;
    if (!racy)
        pthread_mutex_lock(&m);
    x = 1; //@race 1 write 4
    if (!racy)
        pthread_mutex_unlock(&m);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    pthread_mutex_lock(&m);
    x = 2; //@race 2 write 4
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
