// SPDX-License-Identifier: Apache-2.0
// A shared pointer of libc++ that is given up by a call of the library, as code does that was compiled long ago: the last one destroys and frees, after
// the others. Racy: it looks first.
// flags: -stdlib=libc++
// only: clang (libc++)
// skip aarch64: the cross-compiler has no libc++
// exercises: _ZNSt3__119__shared_weak_count16__release_sharedEv
// peer-skip: libtsan does not see what the library of libc++ does
#include "tests/programs/invisible.h"
#include <dlfcn.h>
#include <memory>
#include <thread>

// By its name: the program's own code has another one inline.
static void (*release_shared)(void *block);

struct block final : std::__shared_weak_count {
    int x = 0;
    block() : __shared_weak_count(1) {} // one more than that
    void __on_zero_shared() noexcept override { USE(x); }
    void __on_zero_shared_weak() noexcept override { delete this; }
};

int main() {
    release_shared = reinterpret_cast<void (*)(void *)>(dlsym(RTLD_DEFAULT, "_ZNSt3__119__shared_weak_count16__release_sharedEv"));
    MUST(release_shared);
    block *shared = new block;
    std::thread a([shared] {
        shared->x = 1; //@race 1 write 4
        release_shared(shared);
        turn_pass();
    });
    std::thread b([shared] {
        turn_wait(1);
        if (racy)
            USE(shared->x); //@race 2 read 4
        release_shared(shared);
    });
    a.join();
    b.join();
}
