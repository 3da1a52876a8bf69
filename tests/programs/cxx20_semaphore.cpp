// SPDX-License-Identifier: Apache-2.0
// Who acquires a semaphore comes after who released it, in each way of acquiring, whether it had to sleep or not. Racy: what is accessed
// is written after the release.
// flags: -std=c++20
// peer-skip: libtsan reports one of several races with the same address or stack
#include "tests/programs/invisible.h"
#include <chrono>
#include <semaphore>
#include <thread>
#include <unistd.h>

static std::counting_semaphore<5> tokens(0);
static std::binary_semaphore token(0);
int x, y, z;

static void writer() {
    turn_wait(1);
    usleep(20000); // the other one sleeps by now, most likely
    if (!racy)
        x = 1;
    tokens.release(2);
    if (racy)
        x = 1; //@race A1 write 4
    turn_pass();
    turn_wait(3);
    if (!racy)
        y = 1;
    tokens.release();
    if (racy)
        y = 1; //@race B1 write 4
    turn_pass();
    turn_wait(5);
    if (!racy)
        z = 1;
    token.release();
    if (racy)
        z = 1; //@race C1 write 4
    turn_pass();
}

static void reader() {
    turn_pass();
    tokens.acquire();
    tokens.acquire();
    turn_wait(2);
    USE(x); //@race A2 read 4
    turn_pass();
    turn_wait(4);
    MUST(tokens.try_acquire());
    USE(y); //@race B2 read 4
    turn_pass();
    turn_wait(6);
    MUST(token.try_acquire_for(std::chrono::seconds(100)));
    USE(z); //@race C2 read 4
}

int main() {
    std::thread a(writer), b(reader);
    a.join();
    b.join();
}
