// SPDX-License-Identifier: Apache-2.0
// Many functions, one line each: a call, a byte of the range that it reads or writes, and one outside of the range (NULL: none is
// known). The program defines `static void cases(enum runs who)`, of such lines, and ends with CASES_MAIN.
//
//     WRITES(stat("/", &a[0]) == 0, &a[0].st_mode, &a[1]); //@case writes
//
// Three threads run it. The first makes the calls. The second, later and unordered, touches: in the racy build the byte inside, in the twin
// the one outside. At last the main thread, which comes after both, touches the byte inside, in the twin: what is ordered is silent.
// All expressions are evaluated by the first thread; so the addresses may depend on what a call returned.
#ifndef TESTS_PROGRAMS_CASES_H
#define TESTS_PROGRAMS_CASES_H

#include "tests/programs/invisible.h"

enum runs { CALLS, TOUCHES, ENDS };

enum { CASE_LINES = 600 };
static long case_in[CASE_LINES], case_out[CASE_LINES]; // by line; through hidden_put() and hidden_get() only

#define CASE(call, in, out, touch)                                                                                     \
    do {                                                                                                               \
        _Static_assert(__LINE__ < CASE_LINES, "more lines than room");                                                 \
        if (who == CALLS) {                                                                                            \
            MUST(call);                                                                                                \
            hidden_put(&case_in[__LINE__], (long)(in));                                                                \
            hidden_put(&case_out[__LINE__], (long)(out));                                                              \
        } else {                                                                                                       \
            char *touched = (char *)hidden_get(who == TOUCHES && !racy ? &case_out[__LINE__] : &case_in[__LINE__]);    \
            if (touched)                                                                                               \
                touch;                                                                                                 \
        }                                                                                                              \
    } while (0)

#define READS(call, in, out)  CASE(call, in, out, *touched = 'x')
#define WRITES(call, in, out) CASE(call, in, out, USE(*touched))

// A call that only prepares others.
#define DOES(...)                                                                                                      \
    do {                                                                                                               \
        if (who == CALLS) {                                                                                            \
            __VA_ARGS__;                                                                                               \
        }                                                                                                              \
    } while (0)

#define CASES_MAIN                                                                                                     \
    THREAD(case_caller) {                                                                                                    \
        cases(CALLS);                                                                                                  \
        turn_pass();                                                                                                   \
        return NULL;                                                                                                   \
    }                                                                                                                  \
    THREAD(case_toucher) {                                                                                                  \
        turn_wait(1);                                                                                                  \
        cases(TOUCHES);                                                                                                \
        return NULL;                                                                                                   \
    }                                                                                                                  \
    int main(void) {                                                                                                   \
        RUN(case_caller, case_toucher);                                                                                           \
        if (!racy)                                                                                                     \
            cases(ENDS);                                                                                               \
        return 0;                                                                                                      \
    }

#endif
