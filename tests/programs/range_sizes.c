// SPDX-License-Identifier: Apache-2.0
// A loop that copies structures writes one after the other, side by side, from one instruction. Racy: the second thread touches one
// in the middle, whose writer's size is that of one structure. Of an instruction that copies what has all kinds of sizes these make no other
// race of the same. In the twin it touches what follows them.
// reports: 2
// report: Previous write of size 72 at 0x[0-9a-f]+ by thread T1
#include <string.h>

#include "tests/programs/invisible.h"

enum { MANY = 5 };
struct big {
    long member[9];
};
struct {
    struct big s[MANY];
    long after;
} source, target;
struct {
    char text[64];
    long after;
} words;

static NOINLINE void copy(struct big *to, const struct big *from) {
    *to = *from; //@race A1 write 72
}

static NOINLINE void append(char *to, const char *from, size_t n) {
    memcpy(to, from, n); //@race B1 write *
}

static NOINLINE void put(char *to) {
    *to = 1; //@race B2 write 1
}

THREAD(first) {
    for (int i = 0; i < MANY; i++)
        copy(&target.s[i], &source.s[i]);
    for (volatile size_t i = 0, n = 3; i + n < sizeof words.text; i += n, n += 2)
        append(words.text + i, "a text that is long enough", n);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy) {
        USE(target.s[2].member[3]); //@race A2 read 8
        for (volatile int i = 0; i < 60; i += 30)
            put(words.text + i);
    } else {
        target.after = 1;
        words.after = 1;
    }
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
