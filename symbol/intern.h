/* SPDX-License-Identifier: Apache-2.0
 *
 * One copy of each string, forever: the same few file and function names come back in every frame.
 */
#ifndef GL_SYMBOL_INTERN_H
#define GL_SYMBOL_INTERN_H

#include <stddef.h>

/* The copy of s[0..n), NUL-terminated.  NULL: no memory.  Under the symbolizer's lock. */
const char *gl_intern_locked(const char *s, size_t n);

#endif
