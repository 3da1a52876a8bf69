// SPDX-License-Identifier: Apache-2.0
// The last std::shared_ptr deletes the object, after all uses by the other owners. Racy: the second thread uses the
// object through a plain pointer while it has no share in it.
#include "tests/programs/invisible.h"
#include <memory>
#include <thread>

struct object {
    int value = 0;
    NOINLINE ~object() {
        value = -1; //@race 2 write 4
        __asm__ volatile("" : : "r"(this) : "memory");
    }
};

static void use(object *o) {
    USE(o->value); //@race 1 read 4; ?1 read 4
}

int main() {
    auto shared = std::make_shared<object>();
    std::thread a([mine = racy ? nullptr : shared, plain = shared.get()]() mutable {
        use(plain);
        mine.reset();
        turn_pass();
        turn_wait(2);
    });
    std::thread b([mine = std::move(shared)]() mutable {
        turn_wait(1);
        mine.reset(); //@race ?2 free *
        turn_pass();
    });
    a.join();
    b.join();
}
