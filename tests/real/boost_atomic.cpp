// SPDX-License-Identifier: Apache-2.0
//
// boost::atomic of a type that no instruction has room for: the locks are in the distribution's library. Prints what two threads hand to one another.
#include <boost/atomic.hpp>
#include <cstdio>
#include <thread>

struct Large {
    long a, b, c, d;
};

static boost::atomic<Large> turn(Large{0, 0, 0, 0});
static long handed_on;

static void take_turns(long mine, long next)
{
    for (int i = 0; i < 200; i++) {
        Large now = turn.load(boost::memory_order_acquire);
        for (; now.a != mine; now = turn.load(boost::memory_order_acquire))
            turn.wait(now, boost::memory_order_acquire);
        handed_on++;
        turn.store(Large{next, 2, 3, 4}, boost::memory_order_release);
        turn.notify_all();
    }
}

int main()
{
    std::thread first(take_turns, 0, 1), second(take_turns, 1, 0);
    first.join();
    second.join();
    std::printf("handed on %ld\n", handed_on);
    return 0;
}
