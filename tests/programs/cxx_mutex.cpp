// SPDX-License-Identifier: Apache-2.0
// std::mutex and its guards. Racy: each thread has its own.
#include "tests/programs/invisible.h"
#include <mutex>
#include <thread>

static std::mutex m, other;
int x;

static void first() {
    std::lock_guard<std::mutex> guard(m);
    x = 1; //@race 1 write 4
}

static void second() {
    turn_wait(1);
    std::unique_lock<std::mutex> guard(racy ? other : m);
    x = 2; //@race 2 write 4
}

int main() {
    std::thread a([] {
        first();
        turn_pass();
    });
    std::thread b(second);
    a.join();
    b.join();
}
