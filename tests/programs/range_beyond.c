// SPDX-License-Identifier: Apache-2.0
// A length that leads out of memory ends a call by a fault: what lies behind was not touched, and nothing is recorded of it, which for gigabytes
// would take all memory. Where the handler of the fault has made memory of it, the call goes on and counts. Racy: another thread has touched the
// last byte of a long range.
#include "tests/programs/invisible.h"
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>

#define GIB (1ul << 30)
#define MIB (1ul << 20)
static char *memory, *late, *whole; // 16 GiB, of which a page is there at the beginning and one at 8 GiB; 2 MiB that come when they are asked for; 2 MiB
static sigjmp_buf out;
static volatile bool comes;
static void *(*volatile set)(void *, int, size_t) = memset;
static void *(*volatile copy)(void *, const void *, size_t) = memcpy;
static void *(*volatile move)(void *, const void *, size_t) = memmove;
static void (*volatile zero)(void *, size_t) = bzero;

static void on_fault(int sig) {
    (void)sig;
    if (!comes)
        siglongjmp(out, 1);
    mprotect(late, 2 * MIB, PROT_READ | PROT_WRITE);
    comes = false;
}

static char *reserve(size_t n, int prot) {
    char *p = mmap(NULL, n, prot, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    MUST(p != MAP_FAILED);
    return p;
}

#define FAULTS(call)                                                                                                   \
    do {                                                                                                               \
        if (sigsetjmp(out, 1) == 0) {                                                                                  \
            call;                                                                                                      \
            MUST(!"it returned");                                                                                      \
        }                                                                                                              \
    } while (0)

THREAD(first) {
    memory[8 * GIB] = 1;
    late[2 * MIB - (racy ? 1 : 2)] = 0; //@race A1 write 1
    whole[2 * MIB - (racy ? 1 : 2)] = 0; //@race B1 write 1
    mprotect(late, 2 * MIB, PROT_NONE);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    FAULTS(set(memory, 1, 16 * GIB));
    FAULTS(set(memory, 1, (size_t)-1));
    FAULTS(zero(memory, 16 * GIB));
    FAULTS(copy(whole, memory, 16 * GIB));
    FAULTS(move(memory, whole, 16 * GIB));
    comes = true;
    set(late, 1, 2 * MIB - (racy ? 0 : 2)); //@race A2 write *
    MUST(!comes && late[0] == 1);
    copy(whole, late, 2 * MIB - (racy ? 0 : 2)); //@race B2 write *
    return NULL;
}

int main(void) {
    memory = reserve(16 * GIB, PROT_NONE);
    MUST(mprotect(memory, 4096, PROT_READ | PROT_WRITE) == 0 && mprotect(memory + 8 * GIB, 4096, PROT_READ | PROT_WRITE) == 0);
    late = reserve(2 * MIB, PROT_READ | PROT_WRITE);
    whole = reserve(2 * MIB, PROT_READ | PROT_WRITE);
    signal(SIGSEGV, on_fault);
    RUN(first, second);
    return 0;
}
