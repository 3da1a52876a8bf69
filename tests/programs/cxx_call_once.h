// SPDX-License-Identifier: Apache-2.0
// The text of cxx_call_once.cpp and libcxx_call_once.cpp.
#include "tests/programs/invisible.h"
#include <mutex>
#include <thread>

static std::once_flag once;
int x;

static void initialise() {
    x = 1; //@race 1 write 4
}

int main() {
    std::thread a([] {
        std::call_once(once, initialise);
        turn_pass();
    });
    std::thread b([] {
        turn_wait(1);
        if (!racy)
            std::call_once(once, initialise);
        USE(x); //@race 2 read 4
    });
    a.join();
    b.join();
}
