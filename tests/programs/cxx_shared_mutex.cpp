// SPDX-License-Identifier: Apache-2.0
// std::shared_mutex. Racy: the writer has a shared lock only.
#include "tests/programs/invisible.h"
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex m;
int x;

static NOINLINE void set() {
    x = 1; //@race 1 write 4
}

static void writer() {
    if (racy) {
        std::shared_lock<std::shared_mutex> guard(m);
        set();
    } else {
        std::unique_lock<std::shared_mutex> guard(m);
        set();
    }
    turn_pass();
}

static void reader() {
    turn_wait(1);
    std::shared_lock<std::shared_mutex> guard(m);
    USE(x); //@race 2 read 4
}

int main() {
    std::thread a(writer), b(reader);
    a.join();
    b.join();
}
