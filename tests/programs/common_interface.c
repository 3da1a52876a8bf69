// SPDX-License-Identifier: Apache-2.0
// What programs ask of a sanitizer: where an address lies, what stands at a program counter, who allocated a block, whose a
// stack is. The race is one of an access made by hand.
// options: strip_path_prefix=/tests/
// peer-skip: libtsan's answers differ in their spelling
#include "tests/programs/invisible.h"
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/tsan_interface.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const char *__tsan_locate_address(uintptr_t p, char *name, size_t room, uintptr_t *start, size_t *size);
int __tsan_get_alloc_stack(uintptr_t p, uintptr_t *trace, size_t room, int *thread, uint64_t *os_thread);
size_t __sanitizer_get_allocated_size(const void *p);
const void *__sanitizer_get_allocated_begin(const void *p);
int __sanitizer_get_ownership(const void *p);
size_t __sanitizer_get_current_allocated_bytes(void);
uint32_t __sanitizer_unaligned_load32(const void *p);
void __sanitizer_unaligned_store32(void *p, uint32_t value);

static char words[16];
char *bytes = words + 1;

THREAD(first) {
    __sanitizer_unaligned_store32(bytes, 7); //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        USE(__sanitizer_unaligned_load32(bytes)); //@race 2 read 4
    return NULL;
}

int main(void) {
    char name[64], text[256];
    uintptr_t start, trace[8];
    size_t size;
    int thread = -1;
    uint64_t os_thread = 0;
    void *offset;
    char *p = malloc(40);
    MUST(__sanitizer_get_allocated_size(p) == 40 && __sanitizer_get_ownership(p));
    MUST(!__sanitizer_get_ownership(p + 1) && __sanitizer_get_allocated_size(p + 1) == 0);
    MUST(!__sanitizer_get_ownership(&p) && __sanitizer_get_current_allocated_bytes() >= 40);
    MUST(__sanitizer_get_allocated_begin(p) == p && __sanitizer_get_allocated_begin(p + 39) == p);
    MUST(!__sanitizer_get_allocated_begin(NULL) && !__sanitizer_get_allocated_begin(&p) && !__sanitizer_get_allocated_begin((void *)1));
    MUST(strcmp(__tsan_locate_address((uintptr_t)p + 8, name, sizeof name, &start, &size), "heap") == 0);
    MUST(start == (uintptr_t)p && size == 40);
    MUST(strcmp(__tsan_locate_address((uintptr_t)&bytes, name, sizeof name, &start, &size), "global") == 0);
    MUST(strcmp(name, "bytes") == 0 && start == (uintptr_t)&bytes && size == sizeof bytes);
    MUST(__tsan_get_alloc_stack((uintptr_t)p, trace, 8, &thread, &os_thread) >= 1 && thread == 0 && os_thread != 0);
    __sanitizer_symbolize_pc((char *)(uintptr_t)trace[0], "%f", text, sizeof text);
    MUST(strcmp(text, "main") == 0);
    __sanitizer_symbolize_pc((char *)(uintptr_t)trace[0], "%s", text, sizeof text);
    MUST(strcmp(text, "programs/common_interface.c") == 0);
    __sanitizer_symbolize_global(&bytes, "<%g>", text, sizeof text);
    MUST(strcmp(text, "<bytes>") == 0);
    MUST(__sanitizer_get_module_and_offset_for_pc((void *)trace[0], text, sizeof text, &offset) && text[0] == '/');
    free(p);
    MUST(!__sanitizer_get_allocated_begin(p));
    RUN(first, second);
    return 0;
}
