// SPDX-License-Identifier: Apache-2.0
// Each way to join a thread orders its end before what follows. Racy: it is read what the thread wrote before it is joined.
#include "tests/programs/invisible.h"
#include <threads.h>
#include <time.h>

_Alignas(8) int a, b, c, d;
static long gone;

THREAD(writes_a) {
    a = 1; //@race A1 write 4
    turn_pass();
    return NULL;
}

THREAD(writes_b) {
    b = 1; //@race B1 write 4
    turn_pass();
    return NULL;
}

static int writes_c(void *arg) {
    c = 1; //@race C1 write 4
    MUST(arg == &c);
    turn_pass();
    return 7;
}

static int writes_d(void *arg) {
    MUST(arg == NULL);
    hidden_sign(&gone);
    if (racy)
        d = 1; //@race D1 write 4
    turn_pass();
    return 0;
}

int main(void) {
    struct timespec later;
    pthread_t t;
    thrd_t u;
    int result;
    clock_gettime(CLOCK_REALTIME, &later);
    later.tv_sec += 100000;
    MUST(pthread_create(&t, NULL, writes_a, NULL) == 0);
    turn_wait(1);
    if (racy)
        USE(a); //@race A2 read 4
    MUST(pthread_timedjoin_np(t, NULL, &later) == 0);
    USE(a);
    MUST(pthread_create(&t, NULL, writes_b, NULL) == 0);
    turn_wait(2);
    if (racy)
        USE(b); //@race B2 read 4
    MUST(pthread_clockjoin_np(t, NULL, CLOCK_REALTIME, &later) == 0);
    USE(b);
    MUST(thrd_create(&u, writes_c, &c) == thrd_success);
    turn_wait(3);
    if (racy)
        USE(c); //@race C2 read 4
    MUST(thrd_join(u, &result) == thrd_success && result == 7);
    USE(c);
    MUST(thrd_create(&u, writes_d, NULL) == thrd_success);
    MUST(thrd_detach(u) == thrd_success);
    turn_wait(4);
    hidden_wait_signed_gone(&gone); // its end orders nothing: nobody joins it
    USE(d); //@race D2 read 4
    return 0;
}
