// SPDX-License-Identifier: Apache-2.0
// The text of cxx_static_recursive.cpp and libcxx_static_recursive.cpp.
#include "tests/programs/invisible.h"
#include <csignal>
#include <cstdlib>

static int count;
int x;

static int itself() {
    MUST(count++ < 2);
    static int value = itself();
    return value;
}

THREAD(first) {
    x = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        x = 2; //@race 2 write 4
    return NULL;
}

static void ended(int) {
    if (racy) {
        RUN(first, second);
    }
    std::exit(0);
}

int main() {
    std::signal(SIGABRT, ended); /* std::terminate(), since nothing catches it, and abort_message() of libc++abi */
    itself();
    return 1;
}
