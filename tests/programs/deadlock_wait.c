// SPDX-License-Identifier: Apache-2.0
// A condition wait takes its mutex back while another lock is held: that is an order too. Twin: nothing else is held.
// reports: 1
#include "tests/programs/invisible.h"

#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

int main(void) {
    struct timespec past = {0};
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&other); //@mistake lock-order-inversion
    pthread_mutex_unlock(&other);
    if (racy)
        pthread_mutex_lock(&other);
    pthread_cond_timedwait(&c, &m, &past);
    if (racy)
        pthread_mutex_unlock(&other);
    pthread_mutex_unlock(&m);
    return 0;
}
