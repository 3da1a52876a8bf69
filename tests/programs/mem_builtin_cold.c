// SPDX-License-Identifier: Apache-2.0
// The same as mem_builtin.c in a function that is optimized for size, where gcc expands also what has a length that it does not know.
// Racy: another thread reads what they wrote.
// peer-skip: gcc expands them uninstrumented
#include "tests/programs/invisible.h"

_Alignas(8) static char a[16], b[64], c[16], d[64];
_Alignas(8) static char from[64] = "abc";

__attribute__((cold)) NOINLINE static void rarely(unsigned n) {
    __builtin_memcpy(a, from, 12);     //@race A1 write *
    __builtin_memmove(b, from, 40);    //@race B1 write *
    __builtin_memset(c, 1, 3);         //@race C1 write *
    __builtin_memcpy(d, from, n & 31); //@race D1 write *
}

THREAD(first) {
    rarely(UNKNOWN(4u));
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (!racy)
        return NULL;
    USE(a[0]); //@race A2 read 1
    USE(b[0]); //@race B2 read 1
    USE(c[0]); //@race C2 read 1
    USE(d[0]); //@race D2 read 1
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
