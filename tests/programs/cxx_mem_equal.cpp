// SPDX-License-Identifier: Apache-2.0
// Memory of a length that the compiler knows is compared as C++'s library does it. Racy: another thread wrote to it.
// peer-skip: gcc expands it uninstrumented
#include "tests/programs/invisible.h"

#include <algorithm>
#include <string>

static_assert(__builtin_memcmp("ab", "ab", 2) == 0, "it may stand in a constant");

static int numbers[4], same[4];
static char name[4];
static bool equal, called;

THREAD(first) {
    turn_wait(1);
    numbers[3] = 1; //@race 1 write 4
    turn_pass();
    return nullptr;
}

THREAD(second) {
    called = std::char_traits<char>::compare(name, "abc", 3) == 0;
    turn_pass();
    turn_wait(2);
    equal = __builtin_memcmp(racy ? numbers : same, same, sizeof same) == 0; //@race 2 read *
    equal &= std::equal(same, same + 4, same);
    return nullptr;
}

int main() {
    RUN(first, second);
    return equal && called;
}
