// SPDX-License-Identifier: Apache-2.0
// What libc's functions read from a variable on the stack, and write to one, stays there: optimizers know these functions, and what they touch,
// by their names. Racy: the second thread reads what the copy wrote.
// output: 7 8 3 1
#include "tests/programs/invisible.h"
#include <stdio.h>
#include <string.h>

struct pair {
    long a, b;
} target[2];

THREAD(first) {
    struct pair local;
    char name[8], again[8];
    local.a = UNKNOWN(7L);
    local.b = UNKNOWN(8L);
    memcpy(&target[0], &local, UNKNOWN(sizeof local)); //@race 1 write 16
    memset(&local, 0, UNKNOWN(sizeof local));
    MUST(local.a == 0 && local.b == 0);
    name[0] = UNKNOWN('a'), name[1] = UNKNOWN('b'), name[2] = UNKNOWN('c'), name[3] = 0;
    size_t length = strlen(name);
    strcpy(again, name);
    name[1] = UNKNOWN('x');
    printf("%ld %ld %zu %d\n", target[0].a, target[0].b, length, strcmp(name, again) > 0 && memcmp(name, again, UNKNOWN(1ul)) == 0);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    USE(target[!racy].a); //@race 2 read 8
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
