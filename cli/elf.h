/* SPDX-License-Identifier: Apache-2.0
 *
 * What `goldilocks run` must know about a program file before it starts it.  The file is read, never
 * trusted: every offset and length is checked against its size.
 */
#ifndef GL_CLI_ELF_H
#define GL_CLI_ELF_H

#include <stdbool.h>

enum gl_file_kind {
    GL_FILE_UNREADABLE, /* errno says why */
    GL_FILE_SCRIPT,     /* begins with #! */
    GL_FILE_ELF,        /* 64-bit, little-endian */
    GL_FILE_OTHER,
};

struct gl_program {
    enum gl_file_kind kind;
    bool calls_tsan;      /* it uses some __tsan_ function: it is instrumented */
    bool has_runtime;     /* a ThreadSanitizer runtime is linked into the file itself */
    bool has_ours;        /* and that one is ours */
    bool needs_ours;      /* it loads libtsan.so.2, or .0 */
    bool libc_first;      /* it names the C library before that, or does not name that */
    bool has_rpath;       /* DT_RPATH, which is searched before LD_LIBRARY_PATH */
    char needs_other[64]; /* another ThreadSanitizer runtime that it loads; "" = none */
};

void gl_program_read(const char *path, struct gl_program *out);

#endif
