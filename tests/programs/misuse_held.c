// SPDX-License-Identifier: Apache-2.0
// A program may say where no lock should be held.
// report: ^  Mutex M\d+ \(0x[0-9a-f]+\) created at:$
// report: ^    #0 __tsan_check_no_mutexes_held <null> \(\S+\)\n    #1 main 
// options: format=tsan
// reports: 1
// peer-skip: libtsan of gcc 12 and clang 14 do not have it
#include "tests/programs/invisible.h"

void __tsan_check_no_mutexes_held(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
    if (!racy) {
        pthread_mutex_unlock(&n);
        pthread_mutex_unlock(&m);
    }
    __tsan_check_no_mutexes_held(); //@mistake mutex held in the wrong context
    if (racy) {
        pthread_mutex_unlock(&n);
        pthread_mutex_unlock(&m);
    }
    return 0;
}
