// SPDX-License-Identifier: Apache-2.0
// A program that replaces only the forms of operator new and delete for arrays, with and without an alignment: the others of these forms call them, also
// those that are given a size or std::nothrow. What the replacements hand out lies 64 bytes behind what malloc gave, so nobody else may free it.
// flags: -fsized-deallocation -faligned-new
// flags gcc: -Wno-sized-deallocation
#include "tests/programs/invisible.h"
#include <cstdlib>
#include <new>

enum { SIZE = 64, BEFORE = 64, FORMS = 6 };
static const std::align_val_t align{64};
static int made, ended, made_aligned, ended_aligned;
static int *blocks[FORMS];

void *operator new[](std::size_t n) {
    made++;
    return static_cast<char *>(std::malloc(n + BEFORE)) + BEFORE;
}
void operator delete[](void *p) noexcept {
    ended++;
    std::free(static_cast<char *>(p) - BEFORE);
}
void *operator new[](std::size_t n, std::align_val_t) {
    made_aligned++;
    return static_cast<char *>(std::aligned_alloc(64, n + BEFORE)) + BEFORE;
}
void operator delete[](void *p, std::align_val_t) noexcept {
    ended_aligned++;
    std::free(static_cast<char *>(p) - BEFORE);
}

THREAD(first) {
    for (int i = 0; i < FORMS; i++)
        if (racy)
            USE(blocks[i][1]); //@race A1 read 4; B1 read 4; C1 read 4; D1 read 4; E1 read 4; F1 read 4
    turn_pass();
    return nullptr;
}

THREAD(second) {
    turn_wait(1);
    for (int i = 0; i < FORMS; i++)
        blocks[i][1] = i; //@race A2 write 4; B2 write 4; C2 write 4; D2 write 4; E2 write 4; F2 write 4
    ::operator delete[](blocks[0]);
    ::operator delete[](blocks[1], std::size_t{SIZE});
    ::operator delete[](blocks[2], std::nothrow);
    ::operator delete[](blocks[3], align);
    ::operator delete[](blocks[4], std::size_t{SIZE}, align);
    ::operator delete[](blocks[5], align, std::nothrow);
    MUST(made == 3 && ended == 3 && made_aligned == 3 && ended_aligned == 3);
    return nullptr;
}

int main() {
    void *all[FORMS] = {
        ::operator new[](SIZE), ::operator new[](SIZE), ::operator new[](SIZE, std::nothrow),
        ::operator new[](SIZE, align), ::operator new[](SIZE, align), ::operator new[](SIZE, align, std::nothrow),
    };
    for (int i = 0; i < FORMS; i++) {
        blocks[i] = static_cast<int *>(all[i]);
        blocks[i][1] = i;
    }
    RUN(first, second);
    return 0;
}
