// SPDX-License-Identifier: Apache-2.0
// What a std::shared_future<void> leads to is counted in libc++: the thread that gives it up last frees it, with its mutex, after the other used that. Racy: what the other did after it
// gave it up.
// flags: -stdlib=libc++
// only: clang (libc++)
// skip aarch64: the cross-compiler has no libc++
// peer-skip: libtsan does not see what a library counts
#include "tests/programs/invisible.h"
#include <future>
#include <thread>

int x;

static std::shared_future<void> held[2];

static void first() {
    held[0].wait();
    if (!racy)
        x = 1;
    held[0] = std::shared_future<void>();
    if (racy)
        x = 1; //@race 1 write 4
    turn_pass();
}

static void last() {
    turn_wait(1);
    held[1] = std::shared_future<void>();
    x = 2; //@race 2 write 4
}

int main() {
    {
        std::promise<void> p;
        held[0] = held[1] = p.get_future().share();
        p.set_value();
    }
    std::thread a(first), b(last);
    a.join();
    b.join();
    return 0;
}
