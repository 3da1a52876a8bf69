/* SPDX-License-Identifier: Apache-2.0
 *
 * Another program that knows lines: llvm-symbolizer or addr2line, which read what libbacktrace cannot (debug information
 * in .dwo files or compressed with zstd) and, the first one, tell columns.  It is started when something is first asked.
 * Everything here is under the symbolizer's lock (lines.c).
 */
#ifndef GL_SYMBOL_EXTERNAL_H
#define GL_SYMBOL_EXTERNAL_H

#include <stdbool.h>
#include <stdint.h>

struct gl_module;

struct gl_external_line {
    const char *function; /* as in the file: perhaps mangled; NULL: unknown; until the next question */
    const char *file;     /* NULL: unknown; as long */
    uint32_t line, column; /* 0: unknown */
};

/* Is there such a program to ask? */
bool gl_external_there(void);

/* The functions at `pc` in m, innermost inlined one first; how many, at most `max`; 0: not known, or nobody answers. */
int gl_external_lines(const struct gl_module *m, uintptr_t pc, struct gl_external_line *out, int max);

#endif
