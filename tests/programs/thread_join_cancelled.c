// SPDX-License-Identifier: Apache-2.0
// A wait for the end of a thread is cancelled, and another one comes; often, and nothing stays of it. Racy: main writes before it has waited.
// options: sweep_segments=1000
// peer-skip: other runtimes may keep what threads had
// skip emulated: its memory is qemu's
#include "tests/programs/invisible.h"
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

enum { TIMES = 6000, MORE = 3 << 19 };

static long goes_on;
int x;

THREAD(writer) {
    x = 1; //@race 1 write 4
    turn_pass();
    while (!hidden_get(&goes_on))
        hidden_yield();
    return NULL;
}

THREAD(waits) {
    pthread_join((pthread_t)(uintptr_t)arg, NULL);
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
    long before = 0;
    for (unsigned i = 0; i < TIMES; i++) {
        pthread_t t, waiter;
        hidden_put(&goes_on, 0);
        MUST(pthread_create(&t, NULL, writer, NULL) == 0);
        MUST(pthread_create(&waiter, NULL, waits, (void *)(uintptr_t)t) == 0);
        pthread_cancel(waiter);
        pthread_join(waiter, NULL);
        turn_wait(i + 1);
        if (racy && i == TIMES - 1)
            x = 2; //@race 2 write 4
        hidden_put(&goes_on, 1);
        pthread_join(t, NULL);
        x = 3;
        if (i == TIMES / 4)
            before = resident();
    }
    MUST(resident() < before + MORE);
    return 0;
}
