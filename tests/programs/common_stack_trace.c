// SPDX-License-Identifier: Apache-2.0
// A program may print its call stack, and may send reports elsewhere and back.
// report: ^    #0 0x[0-9a-f]+ in __sanitizer_print_stack_trace \(.*\n    #1 0x[0-9a-f]+ in inner \S+common_stack_trace.c:\d+
// report: ^    #2 0x[0-9a-f]+ in outer \S+common_stack_trace.c:\d+
#include "tests/programs/invisible.h"
#include <sanitizer/common_interface_defs.h>

int x;

static NOINLINE void inner(void) {
    __sanitizer_set_report_fd((void *)2);
    __sanitizer_print_stack_trace();
    USE(0);
}

static NOINLINE void outer(void) {
    inner();
    USE(0);
}

THREAD(first) {
    x = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    outer();
    RUN(first, second);
    return 0;
}
