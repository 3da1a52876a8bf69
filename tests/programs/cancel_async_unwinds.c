// SPDX-License-Identifier: Apache-2.0
// A thread is cancelled asynchronously while it computes, mostly in the runtime's own short functions: the frames below are unwound, and what they have to
// do at their end is done. Racy: that writes what main writes before the join.
// flags: -fexceptions -fasynchronous-unwind-tables
// skip aarch64: where the PLT is interrupted no table for unwinding knows it
#include "tests/programs/invisible.h"

enum { ROUNDS = 20 };
static int ended; // of the threads, which are there one at a time
int x;

static void at_end(int *p) {
    ended += *p;
    x = 1; //@race 2 write 4
}

static NOINLINE void nothing(long i) {
    USE(i);
    __asm__ volatile("" ::: "memory");
}

static NOINLINE void computes(void) { // calls: an access takes the long way in such a thread
    for (long i = 0;; i++)
        nothing(i);
}

static NOINLINE void outer(void) {
    __attribute__((cleanup(at_end), unused)) int one = 1;
    turn_pass();
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    turn_pass();
    UNKNOWN (&computes)(); // a compiler that sees which function it is sees that it throws nothing, and has nothing done at its end
}

THREAD(runs) {
    outer();
    return NULL;
}

int main(void) {
    for (unsigned k = 0; k < ROUNDS; k++) {
        pthread_t t;
        MUST(pthread_create(&t, NULL, runs, NULL) == 0);
        turn_wait(2 * k + 2);
        if (racy && k == ROUNDS - 1)
            x = 2; //@race 1 write 4
        for (volatile int i = 0; i < 20000; i++) {
        }
        pthread_cancel(t);
        pthread_join(t, NULL);
        MUST(ended == (int)k + 1);
    }
    return 0;
}
