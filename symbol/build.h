/* SPDX-License-Identifier: Apache-2.0
 *
 * How a program or library was compiled, as its debug information says.
 */
#ifndef GL_SYMBOL_BUILD_H
#define GL_SYMBOL_BUILD_H

#include <stddef.h>

enum gl_build {
    GL_BUILD_UNKNOWN,    /* no debug information, or it does not say */
    GL_BUILD_WHOLE,      /* what is instrumented in it is so without the holes that `goldilocks cc` closes */
    GL_BUILD_GCC_HOLES,  /* gcc expanded memcpy() and its like inline, where it does not instrument them */
    GL_BUILD_CLANG_HOLES /* clang combined accesses into vectors that it does not instrument, or was not asked to say */
};

/* Of the file; any thread may ask at any time, and it takes no lock.  Reads the whole section of strings. */
enum gl_build gl_file_build(const char *path);

/* The same of an ELF file in memory, which may be anything. */
enum gl_build gl_bytes_build(const void *bytes, size_t size);

#endif
