// SPDX-License-Identifier: Apache-2.0
// Which mutex was held at the earlier access, of several that the same line ran under, and while it is still held: the report names
// that one, and the mutex of the later access too. The twin takes the same one.
// report: ^  Write of size 4 at 0x[0-9a-f]+ by thread T2 \(mutexes: write M\d+\):$
// report: ^  Previous write of size 4 at 0x[0-9a-f]+ by thread T1 \(mutexes: write (M\d+)\):$(?s:.*)^  Mutex \1 \(0x[0-9a-f]+\) created at:$[^T]* right\b
#include <stdlib.h>

#include "tests/programs/invisible.h"

enum { COUNT = 5, RIGHT = 3 };
static pthread_mutex_t m[COUNT], later;
_Alignas(8) int x[2 * COUNT];

__attribute__((noinline)) static void wrong(pthread_mutex_t *mutex) {
    if (pthread_mutex_init(mutex, NULL) != 0)
        exit(3); // not the same as below: compilers merge functions that are
}

__attribute__((noinline)) static void right(pthread_mutex_t *mutex) {
    if (pthread_mutex_init(mutex, NULL) != 0)
        exit(4);
}

THREAD(first) {
    for (int i = 0; i <= RIGHT; i++) {
        pthread_mutex_lock(&m[i]);
        x[2 * i] = 1; //@race 1 write 4
        if (i == RIGHT)
            turn_pass(); // with the mutex held, when racing
        if (i == RIGHT && racy)
            turn_wait(2);
        pthread_mutex_unlock(&m[i]);
    }
    return NULL;
}

THREAD(second) {
    pthread_mutex_t *mine = racy ? &later : &m[RIGHT];
    turn_wait(1);
    pthread_mutex_lock(mine);
    x[2 * RIGHT] = 2; //@race 2 write 4
    pthread_mutex_unlock(mine);
    turn_pass();
    return NULL;
}

int main(void) {
    for (int i = 0; i < COUNT; i++)
        i == RIGHT ? right(&m[i]) : wrong(&m[i]);
    wrong(&later);
    RUN(first, second);
    return 0;
}
