// SPDX-License-Identifier: Apache-2.0
// Places of an interpreted program, marked by a bit: their names are the interpreter's to tell. Racy: two of them race.
// racy-text: the places are in no file of ours
// reports: 1
// report: ^    #0 assign<int> script\.lang:42:7 \(0x[0-9a-f]+\)\n    #1 assign script\.lang:1042 .*\n    #2 main_loop script\.lang:7 
// report: ^    #0 read_it script\.lang:43 
// peer-skip: libtsan of the two compilers have different interfaces
#include "tests/programs/invisible.h"
#include <stdbool.h>
#include <stdint.h>

#define PLACE(n) ((void *)(1ul << 60 | (n)))
void __tsan_func_entry(void *pc);
void func_exit(void) __asm__("__tsan_func_exit"); // gcc's idea of its parameters changed with version 16
void __tsan_write4_pc(void *p, void *pc);
void __tsan_read4_pc(void *p, void *pc);

typedef void add_frame(void *ctx, const char *function, const char *file, int line, int column);
void __tsan_symbolize_external_ex(void *pc, add_frame *add, void *ctx);
void __tsan_symbolize_external_ex(void *pc, add_frame *add, void *ctx) {
    switch ((uintptr_t)pc ^ 1ul << 60) {
    case 42:
        add(ctx, "assign<int>", "script.lang", 42, 7);
        add(ctx, "assign", "script.lang", 1042, 0); // two: one was put into the other
        break;
    case 43: add(ctx, "read_it", "script.lang", 43, 0); break;
    case 7: add(ctx, "main_loop", "script.lang", 7, 0); break;
    default:; // nothing is known
    }
}

int x;

THREAD(first) {
    __tsan_func_entry(PLACE(7));
    __tsan_write4_pc(&x, PLACE(42));
    func_exit();
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        __tsan_read4_pc(&x, PLACE(43));
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
