// SPDX-License-Identifier: Apache-2.0
// operator new and delete are told by the names that programs give them. Racy: an object is deleted while another thread may still write it.
// report: ^  (Free|Write) of size \d+ at 0x[0-9a-f]+ by thread T2 in operator delete(\(void\*\)|\(void\*, unsigned long\)):$
// peer-skip: wording of our own
#include "tests/programs/invisible.h"

static long *x;

THREAD(first) {
    *x = 1; //@race 1 write 8
    turn_pass();
    return nullptr;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        operator delete(x); //@race 2 free 8
    return nullptr;
}

int main() {
    x = static_cast<long *>(operator new(sizeof *x));
    RUN(first, second);
    if (!racy)
        operator delete(x);
    return 0;
}
