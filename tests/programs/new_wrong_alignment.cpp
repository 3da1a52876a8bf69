// SPDX-License-Identifier: Apache-2.0
// operator new refuses an alignment that is no power of two, as the library's does. Racy: a block of a right one is shared without order.
#include "tests/programs/invisible.h"
#include <new>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long address;

static bool refused(size_t align) {
    bool threw[2] = {false, false};
    try {
        operator delete(operator new(UNKNOWN(size_t(100)), std::align_val_t(UNKNOWN(align))), std::align_val_t(align));
    } catch (const std::bad_alloc &) {
        threw[0] = true;
    }
    try {
        operator delete[](operator new[](UNKNOWN(size_t(100)), std::align_val_t(UNKNOWN(align))), std::align_val_t(align));
    } catch (const std::bad_alloc &) {
        threw[1] = true;
    }
    void *p = operator new(UNKNOWN(size_t(100)), std::align_val_t(UNKNOWN(align)), std::nothrow);
    operator delete(p, std::align_val_t(align), std::nothrow);
    MUST(threw[0] == threw[1] && threw[0] == !p);
    return !p;
}

THREAD(first) {
    MUST(refused(24) && refused(48) && !refused(8) && !refused(4096));
    int *p = static_cast<int *>(operator new(64, std::align_val_t(64)));
    hidden_put(&address, long(p));
    pthread_mutex_lock(&m);
    *p = 1; //@race 1 write 4
    pthread_mutex_unlock(&m);
    turn_pass();
    return nullptr;
}

THREAD(second) {
    turn_wait(1);
    if (!racy)
        pthread_mutex_lock(&m);
    *reinterpret_cast<int *>(hidden_get(&address)) = 2; //@race 2 write 4
    if (!racy)
        pthread_mutex_unlock(&m);
    return nullptr;
}

int main() {
    RUN(first, second);
    return 0;
}
