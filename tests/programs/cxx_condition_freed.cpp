// SPDX-License-Identifier: Apache-2.0
// Who notifies while it holds the mutex may leave the deletion to who waits. Racy: it notifies after it has given up the mutex, when the one that
// waited may have deleted all.
// skip aarch64: libstdc++ of gcc 14 calls through a function of its own there, and the place in the program is not known
#include "tests/programs/invisible.h"
#include <condition_variable>
#include <mutex>

struct shared { //@race A2 write 1
    std::condition_variable condition;
    std::mutex mutex;
    bool done = false;
};
static long place;

static struct shared *s(void) { return (struct shared *)hidden_get(&place); }

THREAD(first) {
    std::unique_lock<std::mutex> lock(s()->mutex);
    s()->done = true;
    if (racy)
        lock.unlock();
    s()->condition.notify_one(); //@race A1 read 1; ?B1 read 1
    if (!racy)
        lock.unlock();
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    {
        std::unique_lock<std::mutex> lock(s()->mutex);
        while (!s()->done)
            s()->condition.wait(lock);
    }
    delete s(); //@race ?B2 write|free *
    return NULL;
}

int main(void) {
    hidden_put(&place, (long)new shared);
    RUN(first, second);
    return 0;
}
