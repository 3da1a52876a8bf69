// SPDX-License-Identifier: Apache-2.0
// A handler on an alternate stack is left by siglongjmp: its functions are on the stack no more.  The alternate stack lies above the thread's, below
// it, and more than 2 GiB away, as that of the runtime may, on which handlers run that want one and have none.  Racy: the second thread writes the
// same variable.
// report: #0 store [^\n]*\n    #1 first [^\n]*\n\n
#include "tests/programs/invisible.h"

#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { SIZE = 1 << 16, DEEP = 20 };
_Alignas(8) int x, y;
static sigjmp_buf back;
static int jumps;

NOINLINE static void leave(int n) {
    volatile char room[64];
    room[0] = (char)n;
    if (n)
        leave(n - 1);
    else
        siglongjmp(back, 1);
    room[1] = room[0];
}

static void handler(int sig) {
    (void)sig;
    jumps++;
    leave(UNKNOWN(DEEP));
}

NOINLINE static void jump(void) {
    if (sigsetjmp(back, 1) == 0)
        raise(SIGUSR1);
}

/* There, if it is free. */
NOINLINE static void jump_from(uintptr_t at) {
    void *stack = mmap((void *)at, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (stack == MAP_FAILED)
        return;
    stack_t s = {.ss_sp = stack, .ss_size = SIZE}, none = {.ss_flags = SS_DISABLE};
    MUST(sigaltstack(&s, NULL) == 0);
    jump();
    MUST(sigaltstack(&none, NULL) == 0);
    munmap(stack, SIZE);
}

NOINLINE static void store(int *place) {
    *place = 1; //@race 1 write 4 in store<first; 2 write 4 in store<second
}

THREAD(first) {
    uintptr_t page = (uintptr_t)__builtin_frame_address(0) & ~(uintptr_t)4095;
    jump();
    int before = jumps, tries = 0;
    for (uintptr_t away = 1 << 20; away < 1ul << 36 && tries < 400; away *= 2)
        for (int i = 0; i < 8; i++, tries += 2) {
            jump_from(page + away + (uintptr_t)i * (away / 8 & ~(uintptr_t)4095));
            jump_from(page - away - (uintptr_t)i * (away / 8 & ~(uintptr_t)4095));
        }
    MUST(jumps > before + 8);
    store(&x);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    store(racy ? &x : &y);
    return NULL;
}

int main(void) {
    struct sigaction a = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
    MUST(sigaction(SIGUSR1, &a, NULL) == 0);
    RUN(first, second);
    return 0;
}
