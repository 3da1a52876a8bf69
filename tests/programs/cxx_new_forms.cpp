// SPDX-License-Identifier: Apache-2.0
// Every form of operator new gives fresh memory, and every form of operator delete ends it. Racy: a block is read by one thread
// while another ends it.
// flags clang: -fsized-deallocation
// exercises: _Znwm _Znam _ZnwmRKSt9nothrow_t _ZnamRKSt9nothrow_t _ZnwmSt11align_val_t _ZnamSt11align_val_t
// exercises: _ZnwmSt11align_val_tRKSt9nothrow_t _ZnamSt11align_val_tRKSt9nothrow_t
// exercises: _ZdlPv _ZdaPv _ZdlPvm _ZdaPvm _ZdlPvRKSt9nothrow_t _ZdaPvRKSt9nothrow_t _ZdlPvSt11align_val_t _ZdaPvSt11align_val_t
// exercises: _ZdlPvmSt11align_val_t _ZdaPvmSt11align_val_t _ZdlPvSt11align_val_tRKSt9nothrow_t _ZdaPvSt11align_val_tRKSt9nothrow_t
#include "tests/programs/invisible.h"
#include <new>

enum { SIZE = 64, FORMS = 12 };
static const std::align_val_t align{64};
static int *blocks[FORMS];

THREAD(first) {
    for (int i = 0; i < FORMS; i++)
        if (racy)
            USE(blocks[i][1]); //@race A1 read 4; B1 read 4; C1 read 4; D1 read 4; E1 read 4; F1 read 4; G1 read 4; H1 read 4; I1 read 4; J1 read 4; K1 read 4; L1 read 4
    turn_pass();
    return nullptr;
}

THREAD(second) {
    turn_wait(1);
    ::operator delete(blocks[0]); //@race A2 free *
    ::operator delete[](blocks[1]); //@race B2 free *
    ::operator delete(blocks[2], SIZE); //@race C2 free *
    ::operator delete[](blocks[3], SIZE); //@race D2 free *
    ::operator delete(blocks[4], std::nothrow); //@race E2 free *
    ::operator delete[](blocks[5], std::nothrow); //@race F2 free *
    ::operator delete(blocks[6], align); //@race G2 free *
    ::operator delete[](blocks[7], align); //@race H2 free *
    ::operator delete(blocks[8], SIZE, align); //@race I2 free *
    ::operator delete[](blocks[9], SIZE, align); //@race J2 free *
    ::operator delete(blocks[10], align, std::nothrow); //@race K2 free *
    ::operator delete[](blocks[11], align, std::nothrow); //@race L2 free *
    return nullptr;
}

int main() {
    void *made[FORMS] = {
        ::operator new(SIZE), ::operator new[](SIZE), ::operator new(SIZE), ::operator new[](SIZE),
        ::operator new(SIZE, std::nothrow), ::operator new[](SIZE, std::nothrow), ::operator new(SIZE, align), ::operator new[](SIZE, align),
        ::operator new(SIZE, align), ::operator new[](SIZE, align),
        ::operator new(SIZE, align, std::nothrow), ::operator new[](SIZE, align, std::nothrow),
    };
    for (int i = 0; i < FORMS; i++) {
        blocks[i] = static_cast<int *>(made[i]);
        blocks[i][1] = i;
    }
    RUN(first, second);
    return 0;
}
