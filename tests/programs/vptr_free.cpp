// SPDX-License-Identifier: Apache-2.0
// A virtual call on an object that another thread deletes.
// report clang: heap-use-after-free \(virtual call vs free\)
// report gcc: heap-use-after-free
#include "tests/programs/invisible.h"
#include <malloc.h>

struct base {
    long member = 0;
    virtual __attribute__((noinline)) void work() { }
    virtual ~base() = default;
};
struct derived : base {
    void work() override { }
};

struct block {
    long links[4]; // where the allocator writes
    derived object;
};

static block *whole;
static base *object;

static void *deletes(void *) {
    operator delete(whole); //@race 1 free *
    turn_pass();
    return nullptr;
}

static void *calls(void *) {
    turn_wait(1);
    if (racy)
        object->work(); //@race 2 read 8
    return nullptr;
}

int main() {
    mallopt(M_PERTURB, 0); // the object stays what it is when it is freed, whatever MALLOC_PERTURB_ asks for
    whole = UNKNOWN(new block);
    object = UNKNOWN(static_cast<base *>(&whole->object));
    RUN(deletes, calls);
    return 0;
}
