// SPDX-License-Identifier: Apache-2.0
// A library that is known for handing over work by atomic operations, and that nobody instrumented: where there are reports, it is said behind them. Twin: a
// mutex orders the accesses as well, so that there is none.
// library: tbb
// report: ^Goldilocks: .*/libtbb\.so is not built with -fsanitize=thread, and hands over work by atomic operations, which are not seen: reports may be false
// peer-skip: it says nothing of the kind
#include "tests/programs/invisible.h"

void tbb_give(int *place);
void tbb_take(const int *place);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int place;
int x;

THREAD(first) {
    pthread_mutex_lock(&m);
    x = 1; //@race 1 write 4
    pthread_mutex_unlock(&m);
    tbb_give(&place);
    return NULL;
}

THREAD(second) {
    tbb_take(&place);
    if (!racy)
        pthread_mutex_lock(&m);
    x = 2; //@race 2 write 4
    if (!racy)
        pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
