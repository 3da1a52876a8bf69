// SPDX-License-Identifier: Apache-2.0
// std::recursive_mutex. Racy: the write comes after the outermost unlock.
#include "tests/programs/invisible.h"
#include <mutex>
#include <thread>

static std::recursive_mutex m;
int x;

static void first() {
    m.lock();
    m.lock();
    m.unlock();
    if (racy)
        m.unlock();
    x = 1; //@race 1 write 4
    if (!racy)
        m.unlock();
    turn_pass();
}

static void second() {
    turn_wait(1);
    MUST(m.try_lock());
    x = 2; //@race 2 write 4
    m.unlock();
}

int main() {
    std::thread a(first), b(second);
    a.join();
    b.join();
}
