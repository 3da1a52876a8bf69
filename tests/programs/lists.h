// SPDX-License-Identifier: Apache-2.0
// Lists of one argument, without a function of variable arguments between the case and the call: all registers are used up.
#ifndef TESTS_PROGRAMS_LISTS_H
#define TESTS_PROGRAMS_LISTS_H

#include <stdarg.h>
#include <stddef.h>

static long list_words[64][2];

#if defined(__x86_64__)
typedef __typeof__(((va_list *)NULL)[0][0]) list_type;
static list_type lists[64];

static __attribute__((unused)) list_type *list(int i, void *argument) {
    list_words[i][0] = (long)argument;
    lists[i] = (list_type){.gp_offset = 48, .fp_offset = 304, .overflow_arg_area = list_words[i]};
    return &lists[i];
}
#elif defined(__aarch64__)
static __attribute__((unused)) va_list list(int i, void *argument) {
    struct {
        void *stack, *general_end, *vector_end;
        int general, vector; // bytes before those ends, negative
    } words = {.stack = list_words[i]};
    va_list made;
    _Static_assert(sizeof words == sizeof made, "of the procedure call standard");
    list_words[i][0] = (long)argument;
    __builtin_memcpy(&made, &words, sizeof made);
    return made;
}
#else
#error "what is a va_list on this machine?"
#endif

#endif
