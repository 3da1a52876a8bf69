// SPDX-License-Identifier: Apache-2.0
// Who sees a stop requested comes after who requested it, as the waiting of condition_variable_any for it does, and a stop callback runs in
// the thread that requests. Racy: what is read is written after the request.
// flags: -std=c++20
// peer-skip: libtsan reports one of several races with the same address or stack
#include "tests/programs/invisible.h"
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

static std::mutex m;
static std::condition_variable_any never;
int x, y, called;

int main() {
    std::jthread spinner([](std::stop_token token) {
        std::stop_callback on_stop(token, [] { called++; });
        turn_pass();
        while (!token.stop_requested())
            std::this_thread::yield();
        turn_wait(3);
        USE(x); //@race A2 read 4
    });
    std::jthread sleeper([](std::stop_token token) {
        std::unique_lock<std::mutex> guard(m);
        turn_pass();
        MUST(!never.wait(guard, token, [] { return false; }));
        guard.unlock();
        turn_wait(3);
        USE(y); //@race B2 read 4
    });
    turn_wait(2);
    if (!racy)
        x = y = 1;
    MUST(spinner.request_stop());
    called++;
    MUST(sleeper.request_stop());
    if (racy)
        x = y = 1; //@race A1 write 4; B1 write 4
    turn_pass();
}
