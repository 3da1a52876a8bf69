// SPDX-License-Identifier: Apache-2.0
// A System V semaphore orders who added before who took. Racy: the data is written after the addition.
// peer-skip: libtsan does not know System V semaphores
#include "tests/programs/invisible.h"
#include <sys/ipc.h>
#include <sys/sem.h>

static int set;
static struct sembuf add = {0, 1, 0}, take = {0, -1, 0};
int x;

THREAD(first) {
    if (racy)
        MUST(semop(set, &add, 1) == 0);
    x = 1; //@race 1 write 4
    if (!racy)
        MUST(semop(set, &add, 1) == 0);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST(semop(set, &take, 1) == 0);
    MUST(semctl(set, 0, IPC_RMID) == 0);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    set = semget(IPC_PRIVATE, 1, 0600);
    MUST(set >= 0);
    RUN(first, second);
    return 0;
}
