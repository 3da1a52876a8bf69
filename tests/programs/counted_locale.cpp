// SPDX-License-Identifier: Apache-2.0
// A locale of one's own that two threads copied, which the C++ library counts: who gives it up last destroys its parts, after all who printed with it. Racy: a part is used
// by who has given the locale up.
// skip aarch64: instructions of x86-64 only
// peer-skip: libtsan does not see what a library counts
#include "tests/programs/invisible.h"
#include <locale>
#include <thread>

struct part : std::locale::facet {
    static std::locale::id id;
    int used = 0;
    ~part() override {
        USE(used); //@race 2 read 4
    }
};
std::locale::id part::id;

static std::locale *held[2];

static void first() {
    part &mine = const_cast<part &>(std::use_facet<part>(*held[0]));
    if (racy)
        delete held[0];
    mine.used = 1; //@race 1 write 4
    if (!racy)
        delete held[0];
}

int main() {
    held[0] = new std::locale(std::locale::classic(), new part);
    held[1] = new std::locale(*held[0]);
    std::thread a([] {
        first();
        turn_pass();
    });
    std::thread b([] {
        turn_wait(1);
        delete held[1];
    });
    a.join();
    b.join();
    return 0;
}
