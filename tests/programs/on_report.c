// SPDX-License-Identifier: Apache-2.0
// __tsan_on_report() and the functions that it may ask, for a race on a global variable under a mutex.
#include "tests/programs/invisible.h"

#include <stdint.h>
#include <string.h>

int x; // racy
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int called;

int __tsan_get_report_data(void *report, const char **description, int *count, int *stacks, int *mops, int *locs, int *mutexes,
                           int *threads, int *unique_tids, void **sleep_trace, unsigned long size);
int __tsan_get_report_mop(void *report, unsigned long i, int *tid, void **addr, int *size, int *write, int *atomic, void **trace,
                          unsigned long trace_size);
int __tsan_get_report_loc(void *report, unsigned long i, const char **type, void **addr, unsigned long *start, unsigned long *size,
                          int *tid, int *fd, int *suppressable, void **trace, unsigned long trace_size);
int __tsan_get_report_mutex(void *report, unsigned long i, unsigned long *id, void **addr, int *destroyed, void **trace, unsigned long size);
int __tsan_get_report_thread(void *report, unsigned long i, int *tid, int *os_id, int *running, const char **name, int *parent,
                             void **trace, unsigned long size);
int __tsan_get_report_stack(void *report, unsigned long i, void **trace, unsigned long size);
int __tsan_get_report_unique_tid(void *report, unsigned long i, int *tid);
void *__tsan_get_current_report(void);
const char *__tsan_locate_address(uintptr_t addr, char *name, uintptr_t name_size, uintptr_t *region, uintptr_t *region_size);
void __tsan_on_report(void *report);

THREAD(first) {
    pthread_mutex_lock(&m);
    x = 1; //@race 1 write 4
    pthread_mutex_unlock(&m);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        USE(x); //@race 2 read 4
    return NULL;
}

__attribute__((no_sanitize("thread"))) void __tsan_on_report(void *report) {
    const char *text;
    int count, stacks, mops, locs, mutexes, threads, tids, tid, size, write, atomic, other, fd, destroyed, os_id, running, parent;
    unsigned long n, id;
    void *trace[4], *addr;
    called++;
    MUST(report && report == __tsan_get_current_report());
    MUST(__tsan_get_report_data(report, &text, &count, &stacks, &mops, &locs, &mutexes, &threads, &tids, trace, 4) == 1);
    MUST(strcmp(text, "data-race") == 0 && count == 0 && stacks == 0 && mops == 2 && locs == 1 && mutexes == 1 && threads == 2);
    MUST(tids == 0);
    MUST(__tsan_get_report_mop(report, 0, &tid, &addr, &size, &write, &atomic, trace, 4) == 1);
    MUST(tid == 2 && addr == &x && size == 4 && !write && !atomic && trace[0] && !trace[3]);
    MUST((char *)trace[0] > (char *)second && (char *)trace[0] < (char *)second + 4096);
    MUST(__tsan_get_report_mop(report, 1, &tid, &addr, &size, &write, &atomic, trace, 4) == 1);
    MUST(tid == 1 && addr == &x && write);
    MUST(__tsan_get_report_mop(report, 2, &tid, &addr, &size, &write, &atomic, trace, 4) == 0);
    MUST(__tsan_get_report_loc(report, 0, &text, &addr, &n, &n, &tid, &fd, &other, trace, 4) == 1);
    MUST(strcmp(text, "global") == 0 && addr == &x);
    MUST(__tsan_get_report_mutex(report, 0, &id, &addr, &destroyed, trace, 4) == 1 && addr == &m && !destroyed && trace[0]);
    MUST(__tsan_get_report_mutex(report, 1, &id, &addr, &destroyed, trace, 4) == 0);
    MUST(__tsan_get_report_thread(report, 0, &tid, &os_id, &running, &text, &parent, trace, 4) == 1);
    MUST(tid == 2 && os_id > 0 && running && parent == 0 && trace[0]);
    MUST(__tsan_get_report_stack(report, 0, trace, 4) == 0 && __tsan_get_report_unique_tid(report, 0, &tid) == 0);
}

int main(void) {
    char name[8];
    uintptr_t at, size;
    RUN(first, second);
    MUST(called == racy);
    MUST(strcmp(__tsan_locate_address((uintptr_t)&x + 1, name, sizeof name, &at, &size), "global") == 0);
    MUST(strcmp(name, "x") == 0 && at == (uintptr_t)&x && size == 4);
    MUST(strcmp(__tsan_locate_address((uintptr_t)&at, name, sizeof name, &at, &size), "stack") == 0);
    MUST(strcmp(__tsan_locate_address(0x10, name, sizeof name, &at, &size), "") == 0 && !name[0]);
    MUST(!__tsan_get_current_report());
    return 0;
}
