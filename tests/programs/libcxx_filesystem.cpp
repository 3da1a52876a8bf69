// SPDX-License-Identifier: Apache-2.0
// Copies of a directory's iterator share what they know by a shared pointer, which libc++'s library gives up at the end: who is the last one
// frees it, and comes after who was before. Racy: it looks at what that one wrote, and has not yet given up its own.
// flags: -stdlib=libc++
// only: clang (libc++)
// skip aarch64: the cross-compiler has no libc++
// exercises: _ZNSt3__119__shared_weak_count16__release_sharedEv
// peer-skip: libtsan does not see what the library of libc++ does
#include "tests/programs/invisible.h"
#include <filesystem>
#include <thread>

using iterator = std::filesystem::recursive_directory_iterator;
int x;

int main() {
    iterator it("/proc/self/attr");
    MUST(it != iterator());
    std::thread a([](iterator mine) {
        x = 1; //@race 1 write 4
        mine = iterator();
        turn_pass();
    }, it);
    std::thread b([](iterator mine) {
        turn_wait(2);
        if (racy)
            USE(x); //@race 2 read 4
        mine.pop(); // the end: the library gives it up
    }, std::move(it));
    it = iterator();
    turn_pass();
    a.join();
    b.join();
}
