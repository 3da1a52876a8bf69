// SPDX-License-Identifier: Apache-2.0
// A program with the C++ library inside: what we stand in front of in that library is found there. Handlers and the memory resource are set and asked
// for, an allocation fails in each way, an exception is caught, and memory is made and given back by replaced functions.
// flags: -static-libstdc++
// flags clang: -fsized-deallocation
#include "tests/programs/invisible.h"
#include <cstdlib>
#include <exception>
#include <memory_resource>
#include <new>

int data;
static int handled, made;

void *operator new(std::size_t n) {
    made++;
    if (n > std::size_t{1} << 40) { // as the library's does
        for (std::new_handler handler; (handler = std::get_new_handler());)
            handler();
        throw std::bad_alloc();
    }
    return std::malloc(n);
}
void operator delete(void *p) noexcept { std::free(p); }
void operator delete(void *p, std::size_t) noexcept { std::free(p); }

static void no_memory() {
    handled++;
    std::set_new_handler(nullptr);
}

THREAD(first) {
    data = 1; //@race 1 write 4
    turn_pass();
    return nullptr;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        data = 2; //@race 2 write 4
    return nullptr;
}

int main() {
    std::pmr::monotonic_buffer_resource pool;
    MUST(std::pmr::set_default_resource(&pool) == std::pmr::new_delete_resource() && std::pmr::get_default_resource() == &pool);
    std::pmr::set_default_resource(nullptr);
    std::set_terminate(std::abort);
    MUST(std::get_terminate() == std::abort);
    MUST(!std::set_new_handler(no_memory) && std::get_new_handler() == no_memory);
    std::size_t much = UNKNOWN(std::size_t{1} << 46);
    bool caught = false;
    try {
        USE(::operator new[](much));
    } catch (const std::bad_alloc &) {
        caught = true;
    }
    MUST(caught && handled == 1 && !::operator new[](much, std::nothrow));
    std::set_new_handler(no_memory);
    MUST(!::operator new(much, std::align_val_t{64}, std::nothrow) && handled == 2);
    ::operator delete[](::operator new[](64));
    ::operator delete[](::operator new[](64), std::size_t{64});
    MUST(made >= 4);
    RUN(first, second);
    return 0;
}
