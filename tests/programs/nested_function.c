// SPDX-License-Identifier: Apache-2.0
// Functions inside another one come to its variables by a hidden pointer; to gcc a variable whose address nobody takes has no address
// there, either. A mutex orders what two threads do under it. Racy: the second thread does not take it.
// only: gcc (nested functions are GNU C)
// peer-skip: gcc leaves these accesses out; our pass tells them
// skip aarch64: the cross-compiler has no pass of ours
// flags: -Wl,-z,execstack (the address of one is that of code on the stack)
#include "tests/programs/invisible.h"

int main(void) {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    int x = 0;
    struct {
        char name[3];
        short n;
    } pair = {"", 0};
    struct {
        unsigned low : 5, : 4, high : 7; // in one unit, not in one byte
    } bits = {0, 0};

    void *first(void *unused) {
        pthread_mutex_lock(&m);
        x = 1;      //@race A1 write 4
        pair.n = 2; //@race B1 write 2
        bits.low = 3; //@race C1 write *
        pthread_mutex_unlock(&m);
        turn_pass();
        return unused;
    }

    void *second(void *unused) {
        turn_wait(1);
        if (!racy)
            pthread_mutex_lock(&m);
        USE(x);     //@race A2 read 4
        pair.n = 5; //@race B2 write 2
        bits.high = 6; //@race C2 read|write *
        if (!racy)
            pthread_mutex_unlock(&m);
        return unused;
    }

    RUN(first, second);
    MUST(x == 1);
    MUST(pair.n == 5);
    MUST(bits.low == 3);
    MUST(bits.high == 6);
    return 0;
}
