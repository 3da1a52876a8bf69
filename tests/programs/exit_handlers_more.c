// SPDX-License-Identifier: Apache-2.0
// Handlers of on_exit and of __cxa_atexit come after who registered them. Racy: the data is written after that.
// peer-skip: libtsan does not order on_exit's
#include "tests/programs/invisible.h"
#include <stdlib.h>

int __cxa_atexit(void (*function)(void *), void *argument, void *module);

_Alignas(8) int x;
_Alignas(8) int y;

static void with_code(int code, void *argument) {
    MUST(argument == &x && (code == 0 || code == 66));
    USE(x); //@race A2 read 4
}

static void with_argument(void *argument) {
    MUST(argument == &y);
    USE(y); //@race B2 read 4
}

THREAD(first) {
    if (racy)
        MUST(on_exit(with_code, &x) == 0 && __cxa_atexit(with_argument, &y, NULL) == 0);
    x = 1; //@race A1 write 4
    y = 1; //@race B1 write 4
    if (!racy)
        MUST(on_exit(with_code, &x) == 0 && __cxa_atexit(with_argument, &y, NULL) == 0);
    turn_pass();
    turn_wait(2); // nobody joins it
    return NULL;
}

int main(void) {
    pthread_t t;
    MUST(pthread_create(&t, NULL, first, NULL) == 0);
    turn_wait(1);
    exit(0);
}
