// SPDX-License-Identifier: Apache-2.0
// A fuzzer's functions see what the functions of libc compare, and with which result.
// flags: -fno-builtin
// peer-skip: libtsan of gcc 12 does not call them
#include "tests/programs/invisible.h"
#include <string.h>
#include <strings.h>

char text[8] = "ABCDEF", other[4] = "CDE";
static volatile int seen; // the header says that comparisons change nothing

#define HOOK(name, ...)                                                                                                \
    void __sanitizer_weak_hook_##name(void *pc, __VA_ARGS__);                                                          \
    __attribute__((no_sanitize("thread"))) void __sanitizer_weak_hook_##name(void *pc, __VA_ARGS__)
#define SAW(bit) (seen |= pc ? 1 << (bit) : 0)

HOOK(memcmp, const void *a, const void *b, size_t n, int r) { MUST(a == text && b == other && n == 3 && r < 0); SAW(0); }
HOOK(strcmp, const char *a, const char *b, int r) { MUST(a == text && b == other && r < 0); SAW(1); }
HOOK(strncmp, const char *a, const char *b, size_t n, int r) { MUST(a == text && b == other && n == 3 && r < 0); SAW(2); }
HOOK(strcasecmp, const char *a, const char *b, int r) { MUST(a == text && b == other && r < 0); SAW(3); }
HOOK(strncasecmp, const char *a, const char *b, size_t n, int r) { MUST(a == text && b == other && n == 3 && r < 0); SAW(4); }
HOOK(strstr, const char *s, const char *what, char *r) { MUST(s == text && what == other && r == text + 2); SAW(5); }
HOOK(strcasestr, const char *s, const char *what, char *r) { MUST(s == text && what == other && r == text + 2); SAW(6); }
HOOK(memmem, const void *p, size_t n, const void *q, size_t m, void *r) {
    MUST(p == text && n == 6 && q == other && m == 3 && r == text + 2);
    SAW(7);
}

THREAD(first) {
    MUST(memcmp(text, other, 3) < 0); //@race 1 read 3
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        text[0] = 'Z'; //@race 2 write 1
    return NULL;
}

int main(void) {
    MUST(bcmp(text, other, 3) != 0 && seen == 1);
    MUST(strcmp(text, other) < 0 && strncmp(text, other, 3) < 0 && strcasecmp(text, other) < 0 && strncasecmp(text, other, 3) < 0);
    MUST(strstr(text, other) && strcasestr(text, other) && memmem(text, 6, other, 3));
    MUST(seen == 255);
    RUN(first, second);
    return 0;
}
