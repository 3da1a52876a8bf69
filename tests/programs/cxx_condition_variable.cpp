// SPDX-License-Identifier: Apache-2.0
// std::condition_variable. Racy: the data is written after the mutex was given back.
#include "tests/programs/invisible.h"
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable changed;
static bool ready;
int x;

static void waiter() {
    {
        std::unique_lock<std::mutex> guard(m);
        changed.wait(guard, [] { return ready; });
    }
    turn_wait(1);
    USE(x); //@race 2 read 4
}

static void signaller() {
    if (!racy)
        x = 1;
    {
        std::lock_guard<std::mutex> guard(m);
        ready = true;
    }
    changed.notify_one();
    if (racy)
        x = 1; //@race 1 write 4
    turn_pass();
}

int main() {
    std::thread a(waiter), b(signaller);
    a.join();
    b.join();
}
