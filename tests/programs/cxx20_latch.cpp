// SPDX-License-Identifier: Apache-2.0
// Who waits for a latch comes after all that counted it down. Racy: one writes after it has.
// flags: -std=c++20
#include "tests/programs/invisible.h"
#include <latch>
#include <thread>

static std::latch done(2);
int x, y;

static void first() {
    x = 1;
    done.count_down();
    turn_pass();
}

static void second() {
    if (!racy)
        y = 1;
    done.arrive_and_wait();
    if (racy)
        y = 1; //@race 1 write 4
    USE(x);
    turn_pass();
}

static void waiter() {
    done.wait();
    turn_wait(2);
    MUST(done.try_wait());
    USE(x);
    USE(y); //@race 2 read 4
}

int main() {
    std::thread a(first), b(second), c(waiter);
    a.join();
    b.join();
    c.join();
}
