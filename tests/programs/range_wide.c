// SPDX-License-Identifier: Apache-2.0
// Wide strings are ranges as other strings are. Racy: another thread touches the last unit that counts; in the twin
// the one behind it.
// peer-skip: libtsan does not know all of these
#include "tests/programs/invisible.h"
#include <stdlib.h>
#include <wchar.h>

_Alignas(8) wchar_t a[8] = L"abc";
_Alignas(8) wchar_t b[8];
_Alignas(8) wchar_t c[8] = L"x";
_Alignas(8) wchar_t d[8] = L"x";
_Alignas(8) wchar_t e[8];
_Alignas(8) wchar_t f[8];
_Alignas(8) char g[8];

THREAD(first) {
    MUST(wcslen(UNKNOWN(&a[0])) == 3); //@race A1 read *
    wcscpy(b, L"ab"); //@race B1 write *
    wcscat(c, L"yz"); //@race C1 write *
    wcsncat(d, L"yz", 1); //@race D1 write *
    wmemset(e, 1, 4); //@race E1 write *
    MUST(mbstowcs(f, "abc", 8) == 3); //@race F1 write *
    MUST(wcstombs(g, L"ab", 8) == 2); //@race G1 write *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy) {
        a[3] = 1; //@race A2 write 4
        USE(b[2]); //@race B2 read 4
        USE(c[3]); //@race C2 read 4
        USE(d[2]); //@race D2 read 4
        USE(e[3]); //@race E2 read 4
        USE(f[3]); //@race F2 read 4
        USE(g[2]); //@race G2 read 1
    } else {
        a[4] = 1;
        USE(b[3]);
        USE(c[4]);
        USE(d[3]);
        USE(e[4]);
        USE(f[4]);
        USE(g[3]);
    }
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
