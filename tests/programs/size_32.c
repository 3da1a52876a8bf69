// SPDX-License-Identifier: Apache-2.0
// A vector of 32 bytes. Racy: the second thread reads the last number of the same one; in the twin the first of its neighbour.
// peer-skip: clang does not instrument vectors of more than 16 bytes, and libtsan reports reads of whole ranges as single ones of 8
// skip emulated clang: there are no passes for cross-compilers
#include "tests/programs/invisible.h"

typedef double vector __attribute__((vector_size(32)));
vector x[2], from;

THREAD(first) {
    x[0] = from; //@race 1 write 32
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    double v = ((double *)x)[racy ? 3 : 4]; //@race 2 read 8
    USE(v);
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
