/* SPDX-License-Identifier: Apache-2.0
 *
 * Which compiler `goldilocks cc` wraps: its name from the environment, its family and version.
 */
#ifndef GL_CLI_COMPILER_H
#define GL_CLI_COMPILER_H

#include <limits.h>
#include <stdbool.h>

#include "cli/cmd.h"

enum gl_family { GL_GCC, GL_CLANG };

struct gl_compiler {
    char name[PATH_MAX]; /* for execvp() */
    enum gl_family family;
    int version;   /* major; -1: a gcc that does not say it */
    bool packaged; /* it is installed as Debian's, whose headers our passes are built with: they fit it */
};

/* GOLDILOCKS_CC or gcc; for C++ GOLDILOCKS_CXX, else what belongs to GOLDILOCKS_CC, else g++.
 * Asks the compiler who it is.  false: a sentence has been printed. */
bool gl_compiler_find(const struct gl_command *cmd, bool cplusplus, struct gl_compiler *out);

#endif
