// SPDX-License-Identifier: Apache-2.0
// One reader without order is followed by six in order and then by a write, which is ordered after the six. A detector
// that remembers only the last few readers misses it. In the twin the first reader takes the mutex as well.
// peer-skip: libtsan keeps four accesses per 8 bytes and may have lost the one that races
#include "tests/programs/invisible.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

THREAD(first_reader) {
    if (!racy)
        pthread_mutex_lock(&m);
    USE(x); //@race 1 read 4
    if (!racy)
        pthread_mutex_unlock(&m);
    turn_pass();
    return NULL;
}

THREAD(reader) {
    turn_wait(1);
    pthread_mutex_lock(&m);
    USE(x);
    pthread_mutex_unlock(&m);
    turn_pass();
    return NULL;
}

THREAD(writer) {
    turn_wait(7);
    pthread_mutex_lock(&m);
    x = 1; //@race 2 write 4
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    RUN(first_reader, reader, reader, reader, reader, reader, reader, writer);
    return 0;
}
