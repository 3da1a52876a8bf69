// SPDX-License-Identifier: Apache-2.0
//
// race.c in C++: threads, mutex, streams, containers and exceptions of the standard library, and operator new that fails.
// With THROWS each write is beside an exception, one thread's after the other's: the locks that the unwinder takes order nothing.
#include <iostream>
#include <mutex>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

#ifdef THROWS
#include "tests/programs/invisible.h"

static void unwind()
{
    try {
        throw 1;
    } catch (int) {
    }
}
#else
static void unwind() {}
static void turn_pass() {}
static void turn_wait(unsigned) {}
#endif

static std::mutex lock;
int shared;

static void put(int value)
{
#ifdef RACY
    shared = value;
#else
    std::lock_guard<std::mutex> held(lock);
    shared = value;
#endif
}

int main(int argc, char **)
{
    std::thread other([] {
        put(1);
        unwind();
        turn_pass();
    });
    turn_wait(1);
    unwind();
    put(2);
    other.join();
    std::vector<int> one(1);
    try {
        one.at(static_cast<size_t>(argc) + 5) = 1;
        return 9;
    } catch (const std::out_of_range &) {
    }
    try {
        char *volatile p = new char[static_cast<size_t>(argc) << 46];
        delete[] p;
        return 9;
    } catch (const std::bad_alloc &) {
    }
    std::cout << "done" << std::endl;
    return 0;
}
