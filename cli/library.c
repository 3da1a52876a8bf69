/* SPDX-License-Identifier: Apache-2.0
 *
 * Knows where the runtime library is, relative to the command: in a build tree and when installed.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cmd.h"

/* Absolute path of `folder` in `out` when it holds the runtime. */
static int holds_runtime(const char *folder, char out[PATH_MAX])
{
    char file[PATH_MAX];
    if (!realpath(folder, out)) return 0;
    if (snprintf(file, sizeof file, "%s/%s", out, GL_RUNTIME_NAME) >= (int)sizeof file) return 0;
    return access(file, R_OK) == 0;
}

const char *gl_library_folder(const struct gl_command *cmd)
{
    static char found[PATH_MAX];
    /* Beside the command in a build tree (build/goldilocks, build/lib), else of bin/goldilocks. */
    static const char *const places[] = {"lib", "../lib/goldilocks"};
    char self[PATH_MAX], folder[PATH_MAX];

    const char *asked = getenv("GOLDILOCKS_LIBDIR");
    if (asked && *asked) {
        if (holds_runtime(asked, found)) return found;
        gl_complain(cmd, "there is no %s in '%s'; correct or unset GOLDILOCKS_LIBDIR", GL_RUNTIME_NAME,
                    asked);
        return NULL;
    }
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n > 0) {
        self[n] = 0;
        *strrchr(self, '/') = 0; /* the kernel gives an absolute path */
        for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
            if (snprintf(folder, sizeof folder, "%s/%s", self, places[i]) < (int)sizeof folder &&
                holds_runtime(folder, found))
                return found;
        }
    }
    gl_complain(cmd, "%s was not found beside the command; set GOLDILOCKS_LIBDIR to the folder that holds it",
                GL_RUNTIME_NAME);
    return NULL;
}
