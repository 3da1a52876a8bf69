// SPDX-License-Identifier: Apache-2.0
// A local variable that another thread has the address of is watched as a whole: its first member and what follows, and elements of an array.
// Racy: both write to the same ones; in the twin to those beside them.
#include "tests/programs/invisible.h"

struct pair {
    int a, b, c;
};
struct both {
    struct pair *members;
    int *elements;
};

static NOINLINE void other(struct both *p) {
    p->members->b = 1; //@race A1 write 4
    p->elements[3] = 1; //@race B1 write 4
}

THREAD(first) {
    other(arg);
    turn_pass();
    return NULL;
}

int main(void) {
    struct pair members = {0};
    int elements[8] = {0};
    struct both both = {&members, elements};
    pthread_t t;
    if (pthread_create(&t, NULL, first, &both))
        return 1;
    turn_wait(1);
    if (racy) {
        members.b = 2; //@race A2 write 4
        elements[3] = 2; //@race B2 write 4
    } else {
        members.c = 2;
        elements[4] = 2;
    }
    pthread_join(t, NULL);
    USE(members.b);
    return elements[7];
}
