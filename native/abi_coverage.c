/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions that compilers call for -fsanitize-coverage=, as the runtimes of sanitizers have them: they do nothing, and
 * give way to those of the program (a fuzzer's, most of all).  So a program that was built with both flags links.
 */
#include "native/runtime.h"

/* They are given numbers and addresses, each in a register of its own; nothing looks at them. */
#define COVERAGE(name)                                                                                       \
    RT_EXPORT void name(void);                                                                               \
    RT_EXPORT __attribute__((weak)) void name(void) {}
#define C(name)      COVERAGE(__sanitizer_cov_##name)
#define SIZES(name)  C(name##1) C(name##2) C(name##4) C(name##8)
#define SIZES16(name) SIZES(name) C(name##16)

C(trace_pc) C(trace_pc_guard) C(trace_pc_guard_init) C(trace_pc_indir) C(pcs_init) C(cfs_init) C(8bit_counters_init) C(bool_flag_init)
C(trace_cmp) C(trace_cmpf) C(trace_cmpd) SIZES(trace_cmp) SIZES(trace_const_cmp) C(trace_switch) C(trace_div4) C(trace_div8) C(trace_gep)
SIZES16(load) SIZES16(store) C(dump) C(reset)
COVERAGE(__sanitizer_dump_coverage)
COVERAGE(__sanitizer_dump_trace_pc_guard_coverage)
