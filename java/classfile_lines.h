/* SPDX-License-Identifier: Apache-2.0
 *
 * The map of lines that a compiler may leave in a class file (JSR 45): Kotlin does where it has copied an inline function into
 * its caller, compilers of JSP always.  Without it the lines of such code are those of no source: they lie behind the file's end.
 */
#ifndef GL_JAVA_CLASSFILE_LINES_H
#define GL_JAVA_CLASSFILE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gl_jsource_line {
    const char *file; /* in the map, file_n bytes */
    size_t file_n;
    uint32_t line;
};

/* Which line of which source `line` of the class file is, as the map map[0..n) (the contents of SourceDebugExtension) says.  false:
 * it does not say.  The map may hold anything. */
bool gl_jsource_line(const char *map, size_t n, uint32_t line, struct gl_jsource_line *out);

#endif
