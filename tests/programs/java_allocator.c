// SPDX-License-Identifier: Apache-2.0
// An object of a virtual machine was allocated by the innermost function that the machine runs, where it says which one that is.
// report: ^  Location is heap block of size 32 at 0x[0-9a-f]+ allocated by main thread:\n    #0 <null> <null> \(0x0+2a\)\n
// peer-skip: libtsan of the two compilers have different interfaces
#include "tests/programs/invisible.h"

typedef unsigned long jptr;
void __tsan_java_init(jptr heap, jptr size);
int __tsan_java_fini(void);
void __tsan_java_alloc(jptr p, jptr size);
void __tsan_func_entry(void *pc);
void func_exit(void) __asm__("__tsan_func_exit"); // gcc's idea of its parameters changed with version 16

static long heap[4096] __attribute__((aligned(64)));

THREAD(first) {
    heap[1] = 1; //@race 1 write 8
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        heap[1] = 2; //@race 2 write 8
    return NULL;
}

int main(void) {
    __tsan_java_init((jptr)heap, sizeof heap);
    __tsan_func_entry((void *)(1ul << 60 | 42));
    __tsan_java_alloc((jptr)heap, 32);
    func_exit();
    RUN(first, second);
    return __tsan_java_fini();
}
