/* SPDX-License-Identifier: Apache-2.0
 *
 * Two threads hold one exception. The last one to drop it destroys it, and comes after all that the other did with it. Racy: it looks at what the
 * other wrote while it still holds it, which nothing orders. Once for an exception that was thrown, once for one that was only made.
 */
#include "tests/programs/invisible.h"
#include <exception>
#include <thread>
#include <utility>

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

static void first(std::exception_ptr e) {
    try {
        std::rethrow_exception(std::exchange(e, nullptr));
    } catch (error &it) {
        it.used = it.number; //@race 1 write 4
    }
}

static void last(std::exception_ptr e) {
    try {
        std::rethrow_exception(std::exchange(e, nullptr));
    } catch (error &it) {
        if (racy)
            USE(it.used); //@race 2 read 4
    }
}

static void share(std::exception_ptr e, unsigned before) {
    std::thread a([](std::exception_ptr mine) {
        first(std::move(mine));
        turn_pass();
    }, e);
    std::thread b([before](std::exception_ptr mine) {
        turn_wait(before + 1);
        last(std::move(mine));
    }, std::move(e));
    a.join();
    b.join();
}

int main() {
    share(thrown(), 0);
    share(std::make_exception_ptr(error(2)), 1);
}
