// SPDX-License-Identifier: Apache-2.0
// exercises: __cxa_guard_abort __cxa_guard_acquire
// peer-skip gcc: libtsan of gcc 12 does not order by a throw
// skip aarch64 clang -O2: makes one store of the two in the constructor
#include "tests/programs/invisible.h"
#include <thread>

int x;

struct object {
    NOINLINE explicit object(bool fails) {
        if (fails) {
            x = 1; //@race 1 write 4
            throw 1;
        }
        x = 2;
    }
};

static NOINLINE void get(bool fails) {
    static object instance(fails);
    USE(&instance);
}

int main() {
    std::thread a([] {
        try {
            get(true);
        } catch (int) {
        }
        turn_pass();
    });
    std::thread b([] {
        turn_wait(1);
        if (racy)
            x = 3; //@race 2 write 4
        else
            get(false);
    });
    a.join();
    b.join();
}
