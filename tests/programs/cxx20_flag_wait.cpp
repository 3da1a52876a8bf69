// SPDX-License-Identifier: Apache-2.0
// std::atomic_flag as a lock whose losers sleep in wait(), and std::atomic_ref of an object of one's own. Racy: one thread does not lock.
// flags: -std=c++20
// peer-skip: libtsan reports one of several races with the same address or stack
#include "tests/programs/invisible.h"
#include <atomic>
#include <thread>

static std::atomic_flag flag;
static int word;
int x, y;

static void lock() {
    while (flag.test_and_set(std::memory_order_acquire))
        flag.wait(true, std::memory_order_relaxed);
}

static void unlock() {
    flag.clear(std::memory_order_release);
    flag.notify_one();
}

static void first() {
    lock();
    x = 1; //@race A1 write 4
    unlock();
    y = 1; //@race B1 write 4
    std::atomic_ref<int> ref(word);
    ref.store(1, racy ? std::memory_order_relaxed : std::memory_order_release);
    ref.notify_all();
    turn_pass();
}

static void second() {
    turn_wait(1);
    if (!racy)
        lock();
    x = 2; //@race A2 write 4
    if (!racy)
        unlock();
    std::atomic_ref<int>(word).wait(0, std::memory_order_acquire);
    USE(y); //@race B2 read 4
}

int main() {
    std::thread a(first), b(second);
    for (int i = 0; i < 1000; i++) {
        lock();
        unlock();
    }
    a.join();
    b.join();
}
