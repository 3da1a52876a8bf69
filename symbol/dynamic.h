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

/* The same, and how many objects had been loaded ever, as of now. */
struct gl_module_loaded {
    uintptr_t lo;
    size_t size;
    unsigned long loads;
};
bool gl_module_loaded(uintptr_t pc, struct gl_module_loaded *out);

/* Those from the place `from` of the linker's list on, at most `max` of them, to `out`; says how many.  The list is in the order of loading, and what
 * the program began with stays at its head.  Takes the dynamic linker's lock. */
size_t gl_modules_loaded(size_t from, struct gl_module_loaded *out, size_t max);

/* Calls `visit` for each place of the executable where the linker puts the address of another object's function that it calls: its name, the place,
 * and whether it is in pages that the linker has made read-only.  Takes the dynamic linker's lock. */
struct gl_slot {
    uintptr_t *at;
    bool read_only;
};
typedef void gl_slot_visit(void *ctx, const char *name, const struct gl_slot *slot);
void gl_program_slots(gl_slot_visit *visit, void *ctx);

/* Calls `visit` for each of these functions that the object with code at `pc` defines for others (in each version of it): where it begins, and its bytes.  Of an object without
 * a GNU hash table: for none.  Takes the dynamic linker's lock, which its holder may do again. */
typedef void gl_defined_visit(void *ctx, uintptr_t at, size_t size);
void gl_module_functions(uintptr_t pc, const char *const *names, size_t count, gl_defined_visit *visit, void *ctx);

/* The memory that nobody writes any more, once it is relocated (PT_GNU_RELRO), of the object with code at `pc`: [*lo, *hi).  False: it has none.  Takes the
 * dynamic linker's lock. */
bool gl_module_constants(uintptr_t pc, uintptr_t *lo, uintptr_t *hi);

#endif
