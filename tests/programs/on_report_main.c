// SPDX-License-Identifier: Apache-2.0
// __tsan_get_report_*(): the main thread is one of the threads of a report, and an intercepted function is a frame.
// flags: -fno-builtin
#include "tests/programs/invisible.h"

#include <stdint.h>
#include <string.h>

char x[8];
static char zeros[8];
static int called;

int __tsan_get_report_data(void *report, const char **description, int *count, int *stacks, int *mops, int *locs, int *mutexes,
                           int *threads, int *unique_tids, void **sleep_trace, unsigned long size);
int __tsan_get_report_mop(void *report, unsigned long i, int *tid, void **addr, int *size, int *write, int *atomic, void **trace,
                          unsigned long trace_size);
int __tsan_get_report_thread(void *report, unsigned long i, int *tid, int *os_id, int *running, const char **name, int *parent,
                             void **trace, unsigned long size);
void __tsan_on_report(void *report);

THREAD(other) {
    turn_wait(1);
    if (racy)
        memcpy(x, UNKNOWN(&zeros[0]), sizeof x); //@race 2 write 8
    return NULL;
}

__attribute__((no_sanitize("thread"))) void __tsan_on_report(void *report) {
    const char *text;
    int count, stacks, mops, locs, mutexes, threads, tids, tid, size, write, atomic, os_id, running, parent;
    void *trace[8], *addr;
    called++;
    MUST(__tsan_get_report_data(report, &text, &count, &stacks, &mops, &locs, &mutexes, &threads, &tids, trace, 8) == 1 && threads == 2);
    MUST(__tsan_get_report_mop(report, 0, &tid, &addr, &size, &write, &atomic, trace, 8) == 1 && tid == 1);
    MUST((char *)trace[1] > (char *)other && (char *)trace[1] < (char *)other + 4096);
    MUST(__tsan_get_report_mop(report, 1, &tid, &addr, &size, &write, &atomic, trace, 8) == 1 && tid == 0);
    MUST(__tsan_get_report_thread(report, 0, &tid, &os_id, &running, &text, &parent, trace, 8) == 1 && tid == 1 && trace[1]);
    MUST(__tsan_get_report_thread(report, 1, &tid, &os_id, &running, &text, &parent, trace, 8) == 1 && tid == 0);
    MUST(os_id > 0 && running && parent < 0 && !trace[0]);
    MUST(__tsan_get_report_thread(report, 2, &tid, &os_id, &running, &text, &parent, trace, 8) == 0);
}

int main(void) {
    pthread_t t;
    MUST(pthread_create(&t, NULL, other, NULL) == 0);
    x[0] = 1; //@race 1 write 1
    turn_pass();
    MUST(pthread_join(t, NULL) == 0);
    MUST(called == racy);
    return 0;
}
