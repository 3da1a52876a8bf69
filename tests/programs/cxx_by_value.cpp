// SPDX-License-Identifier: Apache-2.0
// A call that returns a small structure to where others see it writes there, and one that takes one by value reads it. Racy: the second
// thread touches the same ones; in the twin their neighbours.
// peer-skip gcc: it does not instrument them
// skip emulated: there are no passes for cross-compilers
#include "tests/programs/invisible.h"
#include <string_view>

struct point {
    long x, y;
};
std::string_view views[2];
point points[2];

NOINLINE static point make(long n) {
    USE(n);
    return {n, n + 1};
}
NOINLINE static void take(std::string_view v) {
    USE(v.size());
}

THREAD(first) {
    points[0] = make(3); //@race A1 write *
    take(views[0]);      //@race B1 read *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    USE(points[!racy].x);            //@race A2 read 8
    views[!racy] = std::string_view(); //@race B2 write *
    return NULL;
}

int main() {
    RUN(first, second);
    return 0;
}
