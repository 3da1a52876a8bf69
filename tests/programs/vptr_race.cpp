// SPDX-License-Identifier: Apache-2.0
// One thread destroys an object of a derived class while another calls a virtual function of it.
// report: data race on vptr \(ctor/dtor vs virtual call\)
#include "tests/programs/invisible.h"

#include <new>

struct base {
    virtual void work() {}
    void done() { turn_pass(); turn_wait(2); }
    virtual ~base() { done(); } //@race 1 write 8
};

struct derived : base {
    void work() override {}
    ~derived() override {}
};

alignas(derived) static char room[sizeof(derived)];
static base *object;

static void *destroys(void *) {
    object->~base();
    return nullptr;
}

static void *calls(void *) {
    turn_wait(1);
    if (racy)
        object->work(); //@race 2 read 8
    turn_pass();
    return nullptr;
}

int main() {
    object = UNKNOWN(static_cast<base *>(new (room) derived));
    RUN(destroys, calls);
    return 0;
}
