// SPDX-License-Identifier: Apache-2.0
// A virtual machine's heap may be a variable of the program, and its objects are told apart by their places and sizes although they lie side by
// side, down to 16 bytes. Racy: nothing orders the two threads' accesses to one.
// report: ^  (Location is h|H)eap block of size 16 .*allocated by main thread
#include "tests/programs/invisible.h"

typedef unsigned long jptr;
void __tsan_java_init(jptr heap, jptr size);
int __tsan_java_fini(void);
void __tsan_java_alloc(jptr p, jptr size);
void __tsan_java_free(jptr p, jptr size);
void __tsan_java_move(jptr from, jptr to, jptr size);
jptr __tsan_java_find(jptr *from, jptr to);

enum { SMALL = 16, LARGE = 32, HEAP = 65536 };
static long heap[HEAP / 8] __attribute__((aligned(64)));

static void finds(int from, int at, jptr size) {
    jptr found = (jptr)heap + (jptr)from, end = (jptr)heap + sizeof heap;
    MUST(__tsan_java_find(&found, end) == size && (!size || found == (jptr)heap + (jptr)at));
}

THREAD(first) {
    heap[3] = 1; //@race 1 write 8
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        heap[3] = 2; //@race 2 write 8
    return NULL;
}

int main(void) {
    __tsan_java_init((jptr)heap, sizeof heap);
    __tsan_java_alloc((jptr)heap, SMALL);
    __tsan_java_alloc((jptr)heap + SMALL, SMALL);
    __tsan_java_alloc((jptr)heap + 2 * SMALL, LARGE);
    __tsan_java_alloc((jptr)heap + 2 * SMALL + LARGE, SMALL);
    finds(0, 0, SMALL);
    finds(8, SMALL, SMALL);
    finds(SMALL + 8, 2 * SMALL, LARGE);
    finds(2 * SMALL + 8, 2 * SMALL + LARGE, SMALL);
    finds(2 * SMALL + LARGE + 8, 0, 0);
    RUN(first, second);
    __tsan_java_move((jptr)heap, (jptr)heap + 1024, SMALL);
    __tsan_java_free((jptr)heap + 2 * SMALL + LARGE, SMALL);
    finds(0, SMALL, SMALL);
    finds(2 * SMALL + 8, 1024, SMALL);
    finds(1032, 0, 0);
    return __tsan_java_fini();
}
