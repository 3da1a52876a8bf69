// SPDX-License-Identifier: Apache-2.0
// The compiler's own memcpy, with commas in its arguments that no parentheses keep together.
// Racy: another thread reads what was copied.
// peer-skip: gcc expands it uninstrumented
#include <string>
#include <utility>

#include "tests/programs/invisible.h"

static std::string *text;
static char raw[sizeof(std::pair<int, int>)];

template <class A, class B> static A *same(A *a) { return a; }

THREAD(first) {
    text = new std::string("longer than what a string keeps in itself");
    __builtin_memcpy(same<char, std::pair<int, int>>(raw), text->data(), sizeof raw); //@race A1 write *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (!racy)
        return NULL;
    USE(raw[0]); //@race A2 read 1
    return NULL;
}

int main() {
    RUN(first, second);
    return 0;
}
