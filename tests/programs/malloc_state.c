// SPDX-License-Identifier: Apache-2.0
// What libc tells of its allocator, and how that is tuned: it works as without us, and orders nothing. Racy: two threads write one variable and ask in between.
#include "tests/programs/invisible.h"
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Alignas(8) int shared;

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static void asks(void) {
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    MUST(f && malloc_info(0, f) == 0 && fclose(f) == 0);
    MUST(strncmp(text, "<malloc", 7) == 0);
    MUST(malloc_info(1, stdout) != 0);
    MUST(mallinfo().uordblks > 0 && mallinfo2().uordblks > 0);
    MUST(mallopt(M_TRIM_THRESHOLD, 1 << 20) == 1);
    (void)malloc_trim(0);
    free(text);
}

THREAD(first) {
    shared = 1; //@race 1 write 4
    asks();
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    asks();
    if (racy)
        shared = 2; //@race 2 write 4
    return NULL;
}

int main(void) {
    int saved = dup(2), none = open("/dev/null", O_WRONLY);
    MUST(saved >= 0 && none >= 0 && dup2(none, 2) == 2);
    malloc_stats();
    MUST(dup2(saved, 2) == 2);
    RUN(first, second);
    return 0;
}
