// SPDX-License-Identifier: Apache-2.0
// Lists of one argument, without a function of variable arguments between the case and the call: all registers are used up.
#ifndef TESTS_PROGRAMS_LISTS_H
#define TESTS_PROGRAMS_LISTS_H

#include <stdarg.h>
#include <stddef.h>

typedef __typeof__(((va_list *)NULL)[0][0]) list_type;
static long list_words[64][2];
static list_type lists[64];

static __attribute__((unused)) list_type *list(int i, void *argument) {
    list_words[i][0] = (long)argument;
    lists[i] = (list_type){.gp_offset = 48, .fp_offset = 304, .overflow_arg_area = list_words[i]};
    return &lists[i];
}

#endif
