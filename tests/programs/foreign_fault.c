// SPDX-License-Identifier: Apache-2.0
// An atomic instruction of a library that faults is made again when the handler, which uses others, has mended what was wrong; then it orders. Racy: the
// second thread does not take the lock.
// options: foreign_atomics=libcounted
// library: counted
// skip aarch64: instructions of x86-64 only
// peer-skip: no order is seen there
#include <signal.h>
#include <sys/mman.h>

#include "tests/programs/foreign.h"

static int *lock, count = 3;
int x;

static void mend(int signal) {
    (void)signal;
    counted_drop(&count);
    mprotect(lock, 4096, PROT_READ | PROT_WRITE);
    counted_drop(&count);
}

THREAD(first) {
    counted_lock(lock); // faults
    x = 1; //@race 1 write 4
    counted_unlock(lock);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (!racy)
        counted_lock(lock);
    x = 2; //@race 2 write 4
    if (!racy)
        counted_unlock(lock);
    return NULL;
}

int main(void) {
    lock = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MUST(lock != MAP_FAILED && signal(SIGSEGV, mend) != SIG_ERR);
    RUN(first, second);
    MUST(count == 1);
    return 0;
}
