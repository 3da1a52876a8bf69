// SPDX-License-Identifier: Apache-2.0
// memcpy, memmove and memset under the compiler's own names, with lengths that it knows, as the C++ library's headers call them. Racy: another
// thread reads what they wrote.
// peer-skip: gcc expands them uninstrumented
#include "tests/programs/invisible.h"

_Alignas(8) static char a[16], b[64], c[16], d[2048], e[64];
_Alignas(8) static char from[2048] = "abc";

THREAD(first) {
    __builtin_memcpy(a, from, 12);   //@race A1 write *
    __builtin_memmove(b, from, 40);  //@race B1 write *
    __builtin_memset(c, 1, 3);       //@race C1 write *
    __builtin_memcpy(d, from, 2048); //@race D1 write *
    __builtin_memset(e, 1, 64);      //@race E1 write *
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
    USE(e[0]); //@race E2 read 1
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
