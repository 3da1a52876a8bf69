// SPDX-License-Identifier: Apache-2.0
// Atomics of 16 bytes publish like smaller ones. Racy: the compare-and-swap is relaxed.
// flags x86_64: -mcx16 (without it clang calls libatomic: atomic_libatomic.c)
#include "tests/programs/invisible.h"

static __int128 flag;
int x;

THREAD(first) {
    __int128 expected = 0;
    x = 1; //@race 1 write 4
    MUST(__atomic_compare_exchange_n(&flag, &expected, (__int128)1 << 100, 0,
                                     racy ? __ATOMIC_RELAXED : __ATOMIC_RELEASE, __ATOMIC_RELAXED));
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST(__atomic_load_n(&flag, __ATOMIC_ACQUIRE) == (__int128)1 << 100);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
