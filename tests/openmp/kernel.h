/* SPDX-License-Identifier: Apache-2.0
 *
 * What the programs of this folder share: they are right, or racy for certain.
 */
#ifndef TESTS_OPENMP_KERNEL_H
#define TESTS_OPENMP_KERNEL_H

#include "tests/programs/invisible.h"

#include <stdio.h>
#include <stdlib.h>

/* The result is what it should be; a racy one may be anything. */
static inline int finish(int right)
{
    if (!right && !racy) {
        puts("wrong");
        return 1;
    }
    puts("ok");
    return 0;
}

/* In the racy build: the first two that come here go on together, so that they are two threads. */
static inline void meet(void)
{
    if (racy) {
        turn_pass();
        turn_wait(2);
    }
}

#endif
