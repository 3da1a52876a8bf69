// SPDX-License-Identifier: Apache-2.0
// A library with the functions that are called when checking begins and ends; it knows nothing of the runtime.
#include <stdio.h>

void __tsan_on_initialize(void);
int __tsan_on_finalize(int failed);

void __tsan_on_initialize(void) {
    puts("checking begins");
    fflush(stdout);
}

int __tsan_on_finalize(int failed) {
    puts("checking ends");
    fflush(stdout);
    return !failed;
}
