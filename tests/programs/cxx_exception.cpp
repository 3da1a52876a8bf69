// SPDX-License-Identifier: Apache-2.0
// An exception leaves functions and unlocks what their guards hold; the stacks are right all the same. Racy: the write
// comes after the unwinding.
#include "tests/programs/invisible.h"
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex m;
int x;

static NOINLINE void fail(int depth) {
    if (depth == 0)
        throw std::runtime_error("expected");
    fail(depth - 1);
    __asm__ volatile("" : : : "memory");
}

static NOINLINE void set() {
    x = 1; //@race 1 write 4 in set
    __asm__ volatile("" : : : "memory");
}

static void first() {
    try {
        std::lock_guard<std::mutex> guard(m);
        if (!racy)
            set();
        fail(5);
    } catch (const std::runtime_error &) {
    }
    if (racy)
        set();
    turn_pass();
}

static void second() {
    turn_wait(1);
    MUST(m.try_lock());
    USE(x); //@race 2 read 4 in second
    m.unlock();
}

int main() {
    std::thread a(first), b(second);
    a.join();
    b.join();
}
