// SPDX-License-Identifier: Apache-2.0
// delete and delete[] are frees. Racy: the second thread deletes what the first one uses without order.
#include "tests/programs/invisible.h"
#include <mutex>
#include <thread>

static std::mutex m;
static long *one, *many;

static void first() {
    std::lock_guard<std::mutex> guard(m);
    *one = 1; //@race A1 write 8
    USE(many[7]); //@race B1 read 8
}

static void second() {
    std::unique_lock<std::mutex> guard(m, std::defer_lock);
    if (!racy)
        guard.lock();
    delete one; //@race A2 free *
    delete[] many; //@race B2 free *
}

int main() {
    one = new long(0);
    many = new long[8]();
    std::thread a([] {
        first();
        turn_pass();
    });
    std::thread b([] {
        turn_wait(1);
        second();
    });
    a.join();
    b.join();
}
