// SPDX-License-Identifier: Apache-2.0
// Who gets a result comes after who made it: a promise's, also by a shared future, a packaged task's, an asynchronous call's. Racy: what is
// read is written after the promise was kept.
// peer-skip: libtsan reports one of several races with the same address or stack
#include "tests/programs/invisible.h"
#include <future>
#include <thread>
#include <unistd.h>

int x, y, z;

int main() {
    std::promise<void> promise;
    std::shared_future<void> shared = promise.get_future().share();
    std::thread keeper([&] {
        turn_wait(2);
        usleep(20000); // both sleep by now, most likely
        if (!racy)
            x = 1;
        promise.set_value();
        if (racy)
            x = 1; //@race A1 write 4; B1 write 4
        turn_pass();
    });
    std::thread one([shared] {
        turn_pass();
        shared.get();
        turn_wait(3);
        USE(x); //@race A2 read 4
    });
    std::thread other([shared] {
        turn_pass();
        MUST(shared.wait_for(std::chrono::seconds(100)) == std::future_status::ready);
        shared.get();
        turn_wait(3);
        USE(x); //@race B2 read 4
    });
    one.join();
    other.join();
    keeper.join();

    std::packaged_task<int(int)> task([](int n) { return y = n; });
    std::future<int> from_task = task.get_future();
    std::thread runner(std::move(task), 2);
    MUST(from_task.get() == 2);
    MUST(y == 2);
    runner.join();

    std::future<void> call = std::async(std::launch::async, [] {
        z = 1;
        throw 3;
    });
    try {
        call.get();
    } catch (int n) {
        MUST(n == z + 2);
    }
    MUST(std::async(std::launch::deferred, [] { return ++z; }).get() == z);
}
