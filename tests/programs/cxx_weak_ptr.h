/* SPDX-License-Identifier: Apache-2.0
 *
 * A weak pointer keeps the block of its object: who drops the last one frees it, after all that those did who shared the object. Who makes a
 * shared pointer of a weak one comes after those that have given theirs up. Racy: a thread does neither, and looks.
 */
#include "tests/programs/invisible.h"
#include <memory>
#include <thread>

struct object {
    int x, y;
};

int main() {
    auto kept = std::make_shared<object>(), gone = std::make_shared<object>();
    std::weak_ptr<object> weak = kept, last = gone;
    std::thread a([](std::shared_ptr<object> k, std::shared_ptr<object> g) {
        k->x = 1; //@race A1 write 4
        g->y = 1; //@race B1 write 4
        k.reset();
        turn_wait(1); // main has given up its own
        g.reset();
        turn_pass();
    }, kept, gone);
    object *there = kept.get(), *was = gone.get();
    gone.reset();
    std::thread b([there, was](std::weak_ptr<object> w, std::weak_ptr<object> l) {
        turn_wait(2);
        if (racy) {
            USE(there->x); //@race A2 read 4
            USE(was->y);   //@race B2 read 4
        }
        std::shared_ptr<object> again = w.lock();
        USE(again->x);
        MUST(!l.lock());
        l.reset(); // frees
    }, std::move(weak), std::move(last));
    turn_pass();
    a.join();
    b.join();
}
