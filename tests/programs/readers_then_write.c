// SPDX-License-Identifier: Apache-2.0
// Readers do not race with one another. Racy: the write that follows comes before one of them was joined.
// peer-skip: libtsan keeps four accesses per 8 bytes and may have lost the one that races
#include "tests/programs/invisible.h"

enum { READERS = 8 };
int x;

THREAD(reader) {
    USE(x); //@race 1 read 4
    turn_pass();
    return NULL;
}

int main(void) {
    pthread_t t[READERS];
    x = 1;
    for (int i = 0; i < READERS; i++)
        MUST(pthread_create(&t[i], NULL, reader, NULL) == 0);
    turn_wait(READERS);
    for (int i = racy; i < READERS; i++)
        pthread_join(t[i], NULL);
    x = 2; //@race 2 write 4
    if (racy)
        pthread_join(t[0], NULL);
    return 0;
}
