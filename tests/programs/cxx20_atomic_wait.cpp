// SPDX-License-Identifier: Apache-2.0
// std::atomic's wait returns after it has loaded another value: with acquire, what came before the release store is ordered. One thread
// sleeps in it and is woken, another comes when the value is there. Racy: what is read is written after the store.
// flags: -std=c++20
// peer-skip: libtsan reports one of several races with the same address or stack
#include "tests/programs/invisible.h"
#include <atomic>
#include <thread>
#include <unistd.h>

static std::atomic<int> ready;
int x;

static void writer() {
    turn_wait(1);
    usleep(20000); // the sleeper sleeps by now, most likely
    if (!racy)
        x = 1;
    ready.store(1, std::memory_order_release);
    ready.notify_all();
    if (racy)
        x = 1; //@race A1 write 4; B1 write 4
    turn_pass();
}

static void sleeper() {
    turn_pass();
    ready.wait(0, std::memory_order_acquire);
    turn_wait(2);
    USE(x); //@race A2 read 4
}

static void latecomer() {
    turn_wait(2);
    ready.wait(0, std::memory_order_acquire);
    USE(x); //@race B2 read 4
}

int main() {
    std::thread a(writer), b(sleeper), c(latecomer);
    a.join();
    b.join();
    c.join();
}
