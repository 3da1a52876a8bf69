// SPDX-License-Identifier: Apache-2.0
// std::atomic. Racy: the pointer is published with relaxed order.
#include "tests/programs/invisible.h"
#include <atomic>
#include <thread>

struct message {
    long words[3];
};
static message content;
static std::atomic<message *> published;

int main() {
    std::thread a([] {
        content.words[2] = 1; //@race 1 write 8
        published.store(&content, racy ? std::memory_order_relaxed : std::memory_order_release);
        turn_pass();
    });
    std::thread b([] {
        turn_wait(1);
        message *m = published.load(std::memory_order_acquire);
        USE(m->words[2]); //@race 2 read 8
    });
    a.join();
    b.join();
}
