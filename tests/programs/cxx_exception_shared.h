/* SPDX-License-Identifier: Apache-2.0
 *
 * Two threads hold one exception. The last one to drop it destroys it, and comes after all that the other did with it. Racy: it looks at what the
 * other wrote while it still holds it, which nothing orders. Once for an exception that was thrown, once for one that was only made.
 */
#include "tests/programs/invisible.h"
#include <exception>
#include <thread>

struct error {
    int number, used;
    error(int n) : number(n), used(0) {}
    error(const error &other) = default;
    ~error() {
        USE(used);
        number = 0;
    }
};

static std::exception_ptr thrown() {
    try {
        throw error(1);
    } catch (...) {
        return std::current_exception();
    }
}

// Each thread's own; a thread's arguments would be given up only at its end, where they are copied.
static std::exception_ptr held[2];

static void first() {
    try {
        std::rethrow_exception(held[0]);
    } catch (error &it) {
        it.used = it.number; //@race 1 write 4
    }
    held[0] = nullptr;
}

static void last() {
    try {
        std::rethrow_exception(held[1]);
    } catch (error &it) {
        if (racy)
            USE(it.used); //@race 2 read 4
    }
    held[1] = nullptr;
}

static void share(std::exception_ptr e, unsigned before) {
    held[0] = held[1] = e;
    e = nullptr;
    std::thread a([] {
        first();
        turn_pass();
    });
    std::thread b([before] {
        turn_wait(before + 1);
        last();
    });
    a.join();
    b.join();
}

int main() {
    share(thrown(), 0);
    share(std::make_exception_ptr(error(2)), 1);
}
