// SPDX-License-Identifier: Apache-2.0
// A base class is passed by value: its members are read, and not what the class that is made of it keeps behind them, in the base's last word.
// Racy: the second thread writes a member of the base.
// peer-skip: compilers do not instrument it
// skip clang -O0: it copies the whole words, and tells that
#include "tests/programs/invisible.h"

class base {
    long a = 1, b = 2;

public:
    int c = 3;
    long sum() const { return a + b + c; }
};
struct derived : base {
    int d = 4;
};
static_assert(sizeof(derived) == sizeof(base), "d lies in the last word of its base");
derived x;

NOINLINE static void take(base v) {
    USE(v.sum());
}

THREAD(first) {
    take(x); //@race 1 read *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    *(racy ? &x.c : &x.d) = 5; //@race 2 write 4
    return NULL;
}

int main() {
    RUN(first, second);
    return 0;
}
