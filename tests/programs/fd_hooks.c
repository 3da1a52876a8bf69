// SPDX-License-Identifier: Apache-2.0
// A descriptor that is closed by the system call itself, of which sanitizer/linux_syscall_hooks.h tells: what came before comes before
// the call that gets its number next. Others of those functions are there, too. Racy: the first thread writes after the close.
// peer-skip: libtsan does not know this order
#include "tests/programs/invisible.h"
#include <sys/syscall.h>
#include <unistd.h>

// gcc does not bring the header.
void __sanitizer_syscall_pre_impl_close(long fd);
void __sanitizer_syscall_post_impl_close(long result, long fd);
void __sanitizer_syscall_pre_impl_getpid(void);
void __sanitizer_syscall_post_impl_getpid(long result);
void __sanitizer_syscall_pre_impl_getrandom(long buffer, long length, long flags);
void __sanitizer_syscall_post_impl_getrandom(long result, long buffer, long length, long flags);

static int number;
_Alignas(8) int x;

static void close_number(void) {
    __sanitizer_syscall_pre_impl_close(number);
    long result = syscall(SYS_close, number);
    __sanitizer_syscall_post_impl_close(result, number);
    MUST(result == 0);
}

THREAD(first) {
    if (racy)
        close_number();
    x = 1; //@race 1 write 4
    if (!racy)
        close_number();
    turn_pass();
    return NULL;
}

THREAD(second) {
    char byte;
    turn_wait(1);
    MUST(dup(0) == number);
    USE(x); //@race 2 read 4
    __sanitizer_syscall_pre_impl_getrandom((long)&byte, 1, 0);
    __sanitizer_syscall_post_impl_getrandom(syscall(SYS_getrandom, &byte, 1, 0), (long)&byte, 1, 0);
    return NULL;
}

int main(void) {
    __sanitizer_syscall_pre_impl_getpid();
    __sanitizer_syscall_post_impl_getpid(syscall(SYS_getpid));
    number = dup(0);
    RUN(first, second);
    return 0;
}
