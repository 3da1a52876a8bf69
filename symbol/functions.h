/* SPDX-License-Identifier: Apache-2.0
 *
 * Where functions begin and end in the code of loaded objects, by their tables for unwinding (.eh_frame_hdr), which stripped objects have too.
 */
#ifndef GL_SYMBOL_FUNCTIONS_H
#define GL_SYMBOL_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The code of an object, all that can run of it: one segment, as linkers make it (the last one, and no table, if there are several). */
struct gl_code {
    uintptr_t lo, hi;      /* [lo, hi) */
    const uint8_t *table;  /* .eh_frame_hdr, or NULL */
    size_t table_size;
    bool holds;            /* what was asked for */
};

/* Calls `visit` for each loaded object that has a file: its path, "/proc/self/exe" for the executable, and its code; whether that object holds `address`.
 * Under the dynamic linker's lock; the path stays only as long. */
typedef void gl_code_visit(void *ctx, const char *path, const struct gl_code *code);
void gl_code_each(uintptr_t address, gl_code_visit *visit, void *ctx);

/* Calls `visit` for each function, in the order of their addresses.  False: the table is not of the usual form (version 1, sorted, addresses as 4 bytes); then
 * nothing was visited, or not all. */
typedef void gl_function_visit(void *ctx, uintptr_t at, size_t size);
bool gl_functions_each(const struct gl_code *code, gl_function_visit *visit, void *ctx);

#endif
