// SPDX-License-Identifier: Apache-2.0
// The stack of an exit handler goes on where it was registered, below a frame that says so.
// report: by main thread:\n    #0 at_exit_handler.*\n    #1 at_exit_callback_installed_at .*\n    #2 registers\b
// report: by main thread:\n    #0 on_exit_handler.*\n    #1 on_exit_callback_installed_at .*\n    #2 main
// report: by main thread:\n    #0 Destroyed::~Destroyed.*\n    #1 cxa_at_exit_callback_installed_at .*\n    #2 registers_destructor
// reports: 3
// peer-skip: libtsan of gcc 12 does not show the frame in every stack
#include "tests/programs/invisible.h"

#include <cstdlib>

alignas(8) int x;
alignas(8) int y;
alignas(8) int z;
static pthread_t thread;

THREAD(first) {
    x = 1; //@race A1 write 4
    y = 1; //@race B1 write 4
    z = 1; //@race C1 write 4
    turn_pass();
    return nullptr;
}

struct Destroyed {
    ~Destroyed();
};

Destroyed::~Destroyed() {
    z = 2; //@race C2 write 4
}

static void at_exit_handler() {
    x = 2; //@race A2 write 4
}

static void on_exit_handler(int, void *) {
    y = 2; //@race B2 write 4
}

NOINLINE static void registers() {
    MUST(atexit(at_exit_handler) == 0);
}

NOINLINE static void registers_destructor() {
    static Destroyed destroyed;
    (void)destroyed;
}

int main() {
    registers_destructor();
    registers();
    MUST(on_exit(on_exit_handler, nullptr) == 0);
    MUST(pthread_create(&thread, nullptr, first, nullptr) == 0);
    turn_wait(1);
    MUST((racy ? pthread_detach(thread) : pthread_join(thread, nullptr)) == 0);
    return 0;
}
