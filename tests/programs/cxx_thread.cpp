// SPDX-License-Identifier: Apache-2.0
// std::thread: start and join order, arguments are handed over. Racy: main writes before the join.
#include "tests/programs/invisible.h"
#include <thread>

int x;

static void add(int amount) {
    x += amount; //@race 1 write 4; ?1 read 4
    turn_pass();
}

int main() {
    x = 1;
    std::thread t(add, 41);
    turn_wait(1);
    if (!racy)
        t.join();
    x = 2; //@race 2 write 4; ?2 write 4
    if (racy)
        t.join();
}
