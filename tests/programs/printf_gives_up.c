// SPDX-License-Identifier: Apache-2.0
// At a wide character that the locale does not have printf gives up, and looks at no argument behind it. Racy: it reads a string up to such a character, which another
// thread writes.
// peer-skip: libtsan does not read wide strings
#include "tests/programs/invisible.h"
#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <wchar.h>

enum { NOT_THERE = 0xd800 };

static wchar_t text[] = L"abc?efg", other[] = L"abc?efg";
static char to[32], *nothing;

THREAD(first) {
    text[3] = other[3] = NOT_THERE;
    errno = 0;
    MUST(snprintf(to, sizeof to, "%lc%s", (wint_t)UNKNOWN(NOT_THERE), nothing) == -1 && errno == EILSEQ);
    errno = 0;
    MUST(snprintf(to, sizeof to, "%C%s", (wint_t)UNKNOWN(NOT_THERE), nothing) == -1 && errno == EILSEQ);
    errno = 0;
    MUST(snprintf(to, sizeof to, "%.6ls%s", other, nothing) == -1 && errno == EILSEQ);
    MUST(snprintf(to, sizeof to, "%.2ls%lc", other, (wint_t)'x') == 3);
    errno = 0;
    MUST(snprintf(to, sizeof to, "%ls%s", text, nothing) == -1 && errno == EILSEQ); //@race 1 read *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    text[racy ? 2 : 5] = L'x'; //@race 2 write 4
    return NULL;
}

int main(void) {
    nothing = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MUST(nothing != MAP_FAILED);
    RUN(first, second);
    return 0;
}
