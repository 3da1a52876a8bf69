/* SPDX-License-Identifier: Apache-2.0
 *
 * Which compilation unit covers an address, where several say that they do.
 *
 * Templates and inline functions are compiled in each object that uses them, and the linker keeps one copy;
 * the debug information of the other objects is made to name that copy too.  So ranges of units overlap, and
 * gcc 12's libbacktrace finds nothing in a range inside which another one begins: in a C++ program of several
 * objects, compiled without optimization, most frames would be without file and line.
 */
#ifndef GL_SYMBOL_UNITS_H
#define GL_SYMBOL_UNITS_H

#include <stdint.h>

struct backtrace_state;

/* Has libbacktrace read the units of the object that `state` is about, loaded at `base`, with ranges that do
 * not overlap.  To be called once for each state, before it is asked anything, by the holder of lines.c's lock. */
void gl_units_read(struct backtrace_state *state, uintptr_t base);

#endif
