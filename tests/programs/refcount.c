// SPDX-License-Identifier: Apache-2.0
// The last owner frees a shared object; the count orders the others' uses before that. Racy: the count is decremented
// with relaxed order.
#include "tests/programs/invisible.h"
#include <stdlib.h>

struct object {
    _Alignas(8) int value;
    _Alignas(8) int count; // an atomic access races with the free as well, and a detector may report that too
};

static void release(struct object *o) {
    if (__atomic_sub_fetch(&o->count, 1, racy ? __ATOMIC_RELAXED : __ATOMIC_ACQ_REL) == 0) //@race ?1 atomic write 4
        free(o); //@race 2 free *; ?2 free *
}

static void *first(void *o) {
    ((struct object *)o)->value = 1; //@race 1 write 4
    release(o);
    turn_pass();
    return NULL;
}

static void *second(void *o) {
    turn_wait(1);
    release(o);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    struct object *o = malloc(sizeof *o);
    MUST(o);
    o->count = 2;
    o->value = 0;
    pthread_create(&t[0], NULL, first, o);
    pthread_create(&t[1], NULL, second, o);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
