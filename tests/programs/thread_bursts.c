// SPDX-License-Identifier: Apache-2.0
// 640 threads at the same time, more than memory is kept for, four times over: what is not kept is given back, so that the last burst leaves no more
// behind than the second. Racy: two threads of the last burst write the same word.
// peer-skip: other runtimes may keep what threads had
// skip emulated: its memory is qemu's
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/programs/invisible.h"

enum { THREADS = 640, BURSTS = 4, FIRST = 3, SECOND = 600, MORE = 8 << 20 };
static pthread_barrier_t all;
int x;

static void *work(void *arg) {
    intptr_t me = (intptr_t)arg;
    pthread_barrier_wait(&all);
    if (me == FIRST) {
        x = 1; //@race 1 write 4
        turn_pass();
    } else if (racy && me == SECOND) {
        turn_wait(1);
        x = 2; //@race 2 write 4
    }
    pthread_barrier_wait(&all);
    return NULL;
}

static long resident(void) {
    char text[200] = "";
    int fd = open("/proc/self/statm", O_RDONLY);
    MUST(fd >= 0 && read(fd, text, sizeof text - 1) > 0);
    close(fd);
    char *second;
    strtol(text, &second, 10);
    return strtol(second, NULL, 10) * sysconf(_SC_PAGESIZE);
}

int main(void) {
    static pthread_t t[THREADS];
    long before = 0;
    pthread_barrier_init(&all, NULL, THREADS);
    for (int burst = 1; burst <= BURSTS; burst++) {
        for (intptr_t i = 0; i < THREADS; i++)
            MUST(pthread_create(&t[i], NULL, work, (void *)(burst == BURSTS ? i : THREADS)) == 0);
        for (int i = 0; i < THREADS; i++)
            pthread_join(t[i], NULL);
        if (burst == 2)
            before = resident();
    }
    MUST(resident() < before + MORE);
    return 0;
}
