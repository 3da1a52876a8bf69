// SPDX-License-Identifier: Apache-2.0
// __tsan_get_alloc_stack() and __tsan_locate_address() of a heap block; the racy build races on it.
#include "tests/programs/invisible.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int __tsan_get_alloc_stack(uintptr_t addr, uintptr_t *trace, size_t size, int *tid, uint64_t *os_id);
const char *__tsan_locate_address(uintptr_t addr, char *name, uintptr_t name_size, uintptr_t *region, uintptr_t *region_size);

static int *block;

NOINLINE static int *makes(void) { return malloc(40); }

THREAD(first) {
    block[3] = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        block[3] = 2; //@race 2 write 4
    return NULL;
}

int main(void) {
    uintptr_t trace[3], at, size;
    int tid = 5;
    uint64_t os_id = 0;
    char name[4];
    block = UNKNOWN(makes());
    MUST(__tsan_get_alloc_stack((uintptr_t)block + 7, trace, 3, &tid, &os_id) >= 2);
    MUST(tid == 0 && os_id == (uint64_t)hidden_tid() && trace[0] > (uintptr_t)makes && trace[0] < (uintptr_t)makes + 256 && trace[1]);
    MUST(strcmp(__tsan_locate_address((uintptr_t)block + 39, name, sizeof name, &at, &size), "heap") == 0);
    MUST(at == (uintptr_t)block && size == 40);
    RUN(first, second);
    free(block);
    MUST(__tsan_get_alloc_stack((uintptr_t)&tid, trace, 3, &tid, &os_id) == 0);
    return 0;
}
