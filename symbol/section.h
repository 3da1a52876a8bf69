/* SPDX-License-Identifier: Apache-2.0
 *
 * The sections of an ELF file that lies in memory, by their names.
 */
#ifndef GL_SYMBOL_SECTION_H
#define GL_SYMBOL_SECTION_H

#include <stdbool.h>
#include <stddef.h>

struct gl_bytes {
    const char *bytes;
    size_t size;
};

/* Whatever the file is: what is found lies inside it.  False: no such section, or it is compressed, or has no bytes in the file. */
bool gl_section(struct gl_bytes file, const char *name, struct gl_bytes *out);

#endif
