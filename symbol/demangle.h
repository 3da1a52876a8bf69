/* SPDX-License-Identifier: Apache-2.0
 *
 * Names as the programmer wrote them: C++ (Itanium ABI), Rust (v0 and legacy) and D.
 */
#ifndef GL_SYMBOL_DEMANGLE_H
#define GL_SYMBOL_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

/* Does the name look mangled?  Only then is gl_demangle() worth a call. */
bool gl_name_is_mangled(const char *name);

/* The readable form into buf (cap > 4), always terminated, cut with "..." when too long.
 * False: not a mangled name, a wrong one, or (D) no memory; buf is undefined.  One caller at a time. */
bool gl_demangle(const char *name, char *buf, size_t cap);

#endif
