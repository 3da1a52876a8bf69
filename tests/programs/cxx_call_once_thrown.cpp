// SPDX-License-Identifier: Apache-2.0
// std::call_once whose function throws: who runs it next comes after that. Racy: the second thread writes without asking.
// peer-skip: libtsan's pthread_once never gets over an exception
#include "tests/programs/invisible.h"
#include <mutex>
#include <thread>

static std::once_flag once;
int x;

static void initialise(bool fails) {
    if (fails) {
        x = 1; //@race 1 write 4
        throw 1;
    }
    USE(x);
}

int main() {
    std::thread a([] {
        try {
            std::call_once(once, initialise, true);
        } catch (int) {
        }
        turn_pass();
    });
    std::thread b([] {
        turn_wait(1);
        if (racy)
            x = 3; //@race 2 write 4
        else
            std::call_once(once, initialise, false);
    });
    a.join();
    b.join();
}
