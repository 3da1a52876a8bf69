/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of functions and lines that each Go program has for itself, also without debug information: `go test` and `go run` link without.
 */
#ifndef GL_SYMBOL_PCLNTAB_H
#define GL_SYMBOL_PCLNTAB_H

#include <stdint.h>

#include "symbol/section.h"

struct gl_go_line {
    const char *function, *file; /* in the table */
    uint32_t line;
};

/* pc: as the file counts.  Of inlined functions it tells the innermost line, and the function that they are in.  False: no table of Go 1.18 or later, or it knows
 * nothing of this pc. */
bool gl_pclntab_line(struct gl_bytes table, uintptr_t pc, struct gl_go_line *out);

#endif
