// SPDX-License-Identifier: Apache-2.0
// The stack and the thread-local variables of a thread that is gone are given to the next thread as new memory, though
// nothing orders the two threads. Racy: the first thread is still there, and the next one writes into its stack.
#include "tests/programs/invisible.h"

static __thread int mine;
static long local_address, mine_address, tid;

static NOINLINE void set(int *p) {
    *p = 1; //@race 1 write 4; 2 write 4
}

THREAD(first) {
    int local;
    set(&local);
    set(&mine);
    hidden_put(&local_address, (long)&local);
    hidden_put(&mine_address, (long)&mine);
    hidden_put(&tid, hidden_tid());
    turn_pass();
    if (racy)
        turn_wait(2);
    return NULL;
}

static void *next(void *arg) {
    int local;
    if (racy) {
        set((int *)hidden_get(&local_address));
        turn_pass();
    }
    set(&local);
    set(&mine);
    if (hidden_get(&mine_address) == (long)&mine)
        hidden_put(arg, 1);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_attr_t small; // libc keeps such a stack for the next thread, whatever the limit of stacks is
    long reused = 0;
    pthread_attr_init(&small);
    MUST(pthread_attr_setstacksize(&small, 512 * 1024) == 0);
    MUST(pthread_create(&t, &small, first, NULL) == 0);
    pthread_detach(t);
    turn_wait(1);
    if (!racy)
        hidden_wait_gone(hidden_get(&tid));
    for (int i = 0; i < 50 && !hidden_get(&reused); i++) {
        MUST(pthread_create(&t, &small, next, &reused) == 0);
        pthread_join(t, NULL);
        if (racy)
            break;
    }
    MUST(racy || hidden_get(&reused)); // else the test says nothing
    return 0;
}
