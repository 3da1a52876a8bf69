// SPDX-License-Identifier: Apache-2.0
// A structure of 12 bytes in std::atomic, which compilers leave to libatomic, hands data on, and is changed as a whole. Racy: relaxed.
// exercises: __atomic_load __atomic_store __atomic_exchange __atomic_compare_exchange
#include "tests/programs/invisible.h"
#include <atomic>

struct where {
    int x, y, z;
};
static std::atomic<where> here{where{0, 0, 0}}, there{where{0, 0, 0}};
static std::atomic<where> counted{where{0, 0, 0}};
int stored, swapped;

static void count() {
    for (int i = 0; i < 1000; i++) {
        where was = counted.load(std::memory_order_relaxed), now;
        do
            now = where{was.x + 1, was.y + 2, was.z - 1};
        while (!counted.compare_exchange_weak(was, now, std::memory_order_relaxed));
    }
}

THREAD(first) {
    where expected = {0, 0, 0};
    stored = 1; //@race A1 write 4
    here.store(where{1, 2, 3}, racy ? std::memory_order_relaxed : std::memory_order_release);
    swapped = 1; //@race B1 write 4
    MUST(there.compare_exchange_strong(expected, where{1, 2, 3}, racy ? std::memory_order_relaxed : std::memory_order_release));
    turn_pass();
    count();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST(here.load(std::memory_order_acquire).z == 3);
    USE(stored); //@race A2 read 4
    MUST(there.exchange(where{4, 5, 6}, std::memory_order_acquire).y == 2);
    USE(swapped); //@race B2 read 4
    count();
    return NULL;
}

int main() {
    RUN(first, second);
    where all = counted;
    MUST(all.x == 2000 && all.y == 4000 && all.z == -2000);
    return 0;
}
