/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of an error that was copied is one, which a library counts that nothing instruments: the thread that gives it up last frees it, and comes after all that the other did before
 * it gave it up. Racy: the other does it after that.
 */
#include "tests/programs/invisible.h"
#include <stdexcept>
#include <string>
#include <thread>

static std::runtime_error *held[2];
static std::logic_error *held_logic[2];
int x, y;

static void first() {
    USE(std::string(held_logic[0]->what()).size());
    if (racy)
        delete held_logic[0];
    y = 1; //@race B1 write 4
    if (!racy)
        delete held_logic[0];
    USE(std::string(held[0]->what()).size());
    if (racy)
        delete held[0];
    x = 1; //@race A1 write 4
    if (!racy)
        delete held[0];
}

static void last() {
    delete held[1];
    x = 2; //@race A2 write 4
}

static void last_logic() {
    delete held_logic[1];
    y = 2; //@race B2 write 4
}

int main() {
    held[0] = new std::runtime_error("a text that is too long to lie in a string itself");
    held[1] = new std::runtime_error(*held[0]);
    held_logic[0] = new std::logic_error("another text that is too long to lie in a string itself");
    held_logic[1] = new std::logic_error(*held_logic[0]);
    std::thread a([] {
        first();
        turn_pass();
    });
    std::thread b([] {
        turn_wait(1);
        last();
        turn_pass();
    });
    std::thread c([] {
        turn_wait(2);
        last_logic();
    });
    a.join();
    b.join();
    c.join();
    return 0;
}
