// SPDX-License-Identifier: Apache-2.0
// The compiler guards the initialisation of a function's static object: who comes later sees it whole. Racy: a thread
// reads the object behind the guard's back.
// exercises: __cxa_guard_acquire __cxa_guard_release
#include "tests/programs/invisible.h"
#include <thread>

struct object {
    int value;
    NOINLINE explicit object(int v) {
        value = v; //@race 1 write 4
    }
};
static long address;

static NOINLINE object &get() {
    static object instance(UNKNOWN(7));
    return instance;
}

int main() {
    std::thread a([] {
        hidden_put(&address, (long)&get());
        turn_pass();
    });
    std::thread b([] {
        turn_wait(1);
        object &o = racy ? *(object *)hidden_get(&address) : get();
        USE(o.value); //@race 2 read 4
    });
    a.join();
    b.join();
}
