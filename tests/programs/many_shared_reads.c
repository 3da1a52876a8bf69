// SPDX-License-Identifier: Apache-2.0
// Thousands of words that two threads read and a third one writes: whatever numbers the runtime gives to what it keeps of each,
// a read of a word is never taken for seen when it was not. Racy: the last reader's reads are unordered with the write.
#include "tests/programs/invisible.h"

enum { N = 6000 };
static int words[N];
static int sum;

static NOINLINE void read_all(void) {
    int s = 0;
    for (int i = 0; i < N; i++)
        s += words[i]; //@race 1 read 4
    USE(s);
}

THREAD(one) {
    read_all();
    turn_pass();
    return NULL;
}

THREAD(two) {
    turn_wait(1);
    read_all();
    turn_pass();
    return NULL;
}

THREAD(three) {
    turn_wait(2);
    if (racy)
        for (int i = 0; i < N; i++)
            words[i] = i; //@race 2 write 4
    return NULL;
}

int main(void) {
    RUN(one, two, three);
    USE(sum);
    return 0;
}
