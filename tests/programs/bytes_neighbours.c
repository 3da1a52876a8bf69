// SPDX-License-Identifier: Apache-2.0
// Bytes of one word are different variables: eight threads write one each. Racy: a ninth one reads the fourth byte.
// peer-skip: libtsan keeps four accesses per 8 bytes and may have lost the one that races
#include "tests/programs/invisible.h"

_Alignas(8) char x[8];
static int number[8];

static void *writer(void *arg) {
    x[*(int *)arg] = 1; //@race 1 write 1
    turn_pass();
    return NULL;
}

THREAD(reader) {
    turn_wait(8);
    if (racy)
        USE(x[3]); //@race 2 read 1
    return NULL;
}

int main(void) {
    pthread_t t[9];
    MUST(pthread_create(&t[8], NULL, reader, NULL) == 0);
    for (int i = 0; i < 8; i++) {
        number[i] = i;
        MUST(pthread_create(&t[i], NULL, writer, &number[i]) == 0);
    }
    for (int i = 0; i < 9; i++)
        pthread_join(t[i], NULL);
    return 0;
}
