// SPDX-License-Identifier: Apache-2.0
// System calls that the program makes itself and tells of by the functions of sanitizer/linux_syscall_hooks.h: what they read and write is
// checked, a pipe's bytes order, and its numbers are variables. Racy: another buffer is used, and a close is not ordered.
// peer-skip: libtsan does not know this order
#include "tests/programs/invisible.h"
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

// gcc does not bring the header.
#define HOOKS(name)                                                                                                                    \
    void __sanitizer_syscall_pre_impl_##name(long a, long b, long c);                                                                  \
    void __sanitizer_syscall_post_impl_##name(long r, long a, long b, long c);                                                         \
    static long own_##name(long a, long b, long c) {                                                                                   \
        __sanitizer_syscall_pre_impl_##name(a, b, c);                                                                                  \
        long r = syscall(SYS_##name, a, b, c);                                                                                         \
        __sanitizer_syscall_post_impl_##name(r, a, b, c);                                                                              \
        return r;                                                                                                                      \
    }
HOOKS(read) //@race C1 read 8
HOOKS(write) //@race N2 read 8
HOOKS(pipe2)
HOOKS(close) //@race C2 write 8
HOOKS(getrandom) //@race N1 write 8
HOOKS(dup)

static int ends[2], copy;
_Alignas(8) char text[8] = "abcdefg", came[8], noise[8];
_Alignas(8) int x;

THREAD(first) {
    x = 1;
    MUST(own_write(ends[1], (long)text, 8) == 8);
    MUST(own_getrandom((long)noise, 8, 0) == 8);
    MUST(own_read(copy, (long)noise, 0) <= 0);
    turn_pass();
    return NULL;
}

THREAD(second) {
    char own[8] = "";
    turn_wait(1);
    MUST(own_read(ends[0], (long)came, 8) == 8);
    USE(x);
    if (racy)
        MUST(own_write(ends[1], (long)noise, 8) == 8);
    else
        MUST(own_write(ends[1], (long)own, 8) == 8);
    if (racy)
        MUST(own_close(copy, 0, 0) == 0);
    return NULL;
}

int main(void) {
    MUST(own_pipe2((long)ends, 0, 0) == 0 && (copy = (int)own_dup(0, 0, 0)) >= 0);
    RUN(first, second);
    return 0;
}
