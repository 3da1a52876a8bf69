/* SPDX-License-Identifier: Apache-2.0
 *
 * Who gets a handler, or the memory resource for all, comes after who set it. Racy: the data is written after that.
 */
#include "tests/programs/invisible.h"
#include <exception>
#include <memory_resource>
#include <new>
#include <thread>

int x, y, z;

static void no_memory() {
    throw std::bad_alloc();
}

static void ended() {
    MUST(!"reached");
}

static void first() {
    if (!racy)
        x = y = z = 1;
    MUST(!std::set_new_handler(no_memory));
    MUST(std::set_terminate(ended) != ended);
    std::pmr::set_default_resource(std::pmr::null_memory_resource());
    if (racy) {
        x = 1; //@race A1 write 4
        y = 1; //@race B1 write 4
        z = 1; //@race C1 write 4
    }
    turn_pass();
}

// Each gets one of the three: a thread that got two would come after both.
static void of_new() {
    turn_wait(1);
    MUST(std::get_new_handler() == no_memory);
    x = 2; //@race A2 write 4
    turn_pass();
}

static void of_terminate() {
    turn_wait(2);
    MUST(std::get_terminate() == ended);
    y = 2; //@race B2 write 4
    turn_pass();
}

static void of_resource() {
    turn_wait(3);
    MUST(std::pmr::get_default_resource() == std::pmr::null_memory_resource());
    z = 2; //@race C2 write 4
}

int main() {
    std::thread a(first), b(of_new), c(of_terminate), d(of_resource);
    a.join();
    b.join();
    c.join();
    d.join();
    return 0;
}
