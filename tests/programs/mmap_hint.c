// SPDX-License-Identifier: Apache-2.0
// mmap() without MAP_FIXED may give another address than the one that was asked for: where there is no shadow (6 TiB, as mimalloc asks
// for), memory comes from elsewhere, and is checked. Racy: two threads write to it; in the twin to a word each.
#include <sys/mman.h>

#include "tests/programs/invisible.h"

int *words;

THREAD(first) {
    words[0] = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    words[racy ? 0 : 1] = 2; //@race 2 write 4
    return NULL;
}

int main(void) {
    void *hint = (void *)(6ul << 40);
    words = mmap(hint, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (words == MAP_FAILED)
        return 1;
    RUN(first, second);
    return munmap(words, 4096);
}
