// SPDX-License-Identifier: Apache-2.0
// A virtual call reads the object's hidden pointer, which constructors and destructors write. Racy: the object is
// destroyed while another thread may still be calling.
#include "tests/programs/invisible.h"
#include <mutex>
#include <new>
#include <thread>

static std::mutex m;

struct base {
    virtual NOINLINE void call() { __asm__ volatile("" : : "r"(this) : "memory"); }
    virtual NOINLINE ~base() { //@race 2 write 8
        __asm__ volatile("" : : "r"(this) : "memory");
    }
};
struct derived : base {
    NOINLINE void call() override { __asm__ volatile("" : : "r"(this) : "memory"); }
    NOINLINE ~derived() override { //@race ?2 write 8
        __asm__ volatile("" : : "r"(this) : "memory");
    }
};
alignas(derived) static char storage[sizeof(derived)];

static NOINLINE void call(base *b) {
    b->call(); //@race 1 read 8; ?1 read 8
}

int main() {
    base *object = new (storage) derived;
    std::thread a([object] {
        std::unique_lock<std::mutex> guard(m, std::defer_lock);
        if (!racy)
            guard.lock();
        call(UNKNOWN(object));
        if (!racy)
            guard.unlock();
        turn_pass();
    });
    std::thread b([object] {
        turn_wait(1);
        std::lock_guard<std::mutex> guard(m);
        static_cast<derived *>(object)->derived::~derived();
    });
    a.join();
    b.join();
}
