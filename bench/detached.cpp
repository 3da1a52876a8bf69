// SPDX-License-Identifier: Apache-2.0
// Rounds of 1,000 detached threads that nobody waits for at their end: each counts down under a monitor, and drops a shared pointer last, as
// Thrift's test of its thread factory does. By hand, with either runtime:
//
//     goldilocks c++ -O1 -g bench/detached.cpp -o detached && ./detached 80
//     g++ -fsanitize=thread -O1 -g bench/detached.cpp -o detached && ./detached 80
//
// What it prints, the processor seconds after each round, should grow by as much from round to round.
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

enum { THREADS = 1000 }; // of a round

struct monitor {
    std::mutex mutex;
    std::condition_variable changed;
};

struct worker {
    monitor own;
    bool begun = false;
    monitor *all;
    int *active;
};

void work(const std::shared_ptr<worker> &w) {
    {
        std::lock_guard<std::mutex> held(w->own.mutex);
        w->begun = true;
        w->own.changed.notify_one();
    }
    std::lock_guard<std::mutex> held(w->all->mutex);
    if (--*w->active == 0)
        w->all->changed.notify_one();
}

void round_of(monitor &all) {
    int active = THREADS;
    std::vector<std::shared_ptr<worker>> workers;
    for (int i = 0; i < THREADS; i++) {
        auto w = std::make_shared<worker>();
        w->all = &all;
        w->active = &active;
        workers.push_back(w);
    }
    for (auto &w : workers) {
        std::unique_lock<std::mutex> held(w->own.mutex);
        std::thread(work, w).detach();
        w->own.changed.wait(held, [&] { return w->begun; });
    }
    std::unique_lock<std::mutex> held(all.mutex);
    all.changed.wait(held, [&] { return active == 0; });
}

} // namespace

int main(int argc, char **argv) {
    int rounds = argc > 1 ? std::atoi(argv[1]) : 20;
    monitor all;
    for (int i = 1; i <= rounds; i++) {
        round_of(all);
        std::printf("%d threads: %.2f s\n", i * THREADS, double(std::clock()) / CLOCKS_PER_SEC);
        std::fflush(stdout);
    }
}
