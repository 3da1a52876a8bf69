/* SPDX-License-Identifier: Apache-2.0
 *
 * A phase of std::barrier: all that came before the arrivals comes before the completion, and that before what follows a wait. Racy: a
 * thread that arrived and does not wait goes on writing.
 */
#include "tests/programs/invisible.h"
#include <barrier>
#include <thread>

enum { N = 3, PHASES = 4 };
static int part[N], sum;
int x;

static void add() noexcept {
    for (int i : part)
        sum += i;
}

// Made while the program runs: libstdc++ 16 makes room for one that was not at the first arrival, and others come to it by a relaxed load.
static long number() {
    return UNKNOWN(N + 0L);
}

static std::barrier phase(number(), add);

static void work(int self) {
    for (int i = 0; i < PHASES; i++) {
        part[self] = i;
        phase.arrive_and_wait();
        MUST(sum == N * i * (i + 1) / 2);
    }
}

static void leaves() {
    work(0);
    part[0] = 0;
    if (!racy)
        x = 1;
    phase.arrive_and_drop();
    if (racy)
        x = 1; //@race 1 write 4
    turn_pass();
}

static void stays(int self) {
    work(self);
    part[self] = 0;
    auto token = phase.arrive();
    phase.wait(std::move(token));
    turn_wait(1);
    if (self == 1)
        USE(x); //@race 2 read 4
    phase.arrive_and_wait();
}

int main() {
    std::thread a(leaves), b(stays, 1), c(stays, 2);
    a.join();
    b.join();
    c.join();
    MUST(sum == N * PHASES * (PHASES - 1) / 2);
}
