/* SPDX-License-Identifier: Apache-2.0
 *
 * What a loaded object wants from others.
 */
#ifndef GL_SYMBOL_DYNAMIC_H
#define GL_SYMBOL_DYNAMIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Does the object with code at `pc` have `symbol` in its table of dynamic symbols, defined or not, or hold the address `or_holds`
 * itself?  False too when no object is there.  Takes the dynamic linker's lock. */
bool gl_module_needs(uintptr_t pc, const char *symbol, uintptr_t or_holds);

/* Calls `visit` for each loaded object that has a file: its path, whether it has `symbol`, and whether it holds the address itself.
 * Under the dynamic linker's lock; the path stays only as long. */
typedef void gl_module_visit(void *ctx, const char *path, bool has_symbol, bool holds);
void gl_modules_each(const char *symbol, uintptr_t address, gl_module_visit *visit, void *ctx);

/* The addresses from the first to the last of its segments of the object with `pc` in one of them.  False: there is none.  Takes the
 * dynamic linker's lock. */
bool gl_module_span(uintptr_t pc, uintptr_t *lo, size_t *size);

/* The same, and how the object came there.  `place`: how many objects come before it in the linker's list, which those that the program began with
 * head for good; `loads`: how many had been loaded ever, as of now. */
struct gl_module_loaded {
    uintptr_t lo;
    size_t size;
    unsigned long place, loads;
};
bool gl_module_loaded(uintptr_t pc, struct gl_module_loaded *out);

/* How many objects are there.  Takes the dynamic linker's lock. */
unsigned long gl_modules_count(void);

#endif
