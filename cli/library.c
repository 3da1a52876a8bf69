/* SPDX-License-Identifier: Apache-2.0
 *
 * Knows where the runtime library is, relative to the command: in a build tree and when installed; and, beside it, the headers.
 */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cmd.h"

/* Absolute path of `folder` in `out` when it holds the runtime. */
static bool holds_runtime(const char *folder, char out[PATH_MAX])
{
    char file[PATH_MAX];
    if (!realpath(folder, out)) return false;
    if (snprintf(file, sizeof file, "%s/%s", out, GL_RUNTIME_NAME) >= (int)sizeof file) return false;
    return access(file, R_OK) == 0;
}

/* false: it is not there. */
static bool find_folder(const char *asked, char found[PATH_MAX])
{
    /* Beside the command in a build tree (build/goldilocks, build/lib), else of bin/goldilocks. */
    static const char *const places[] = {"lib", "../lib/goldilocks"};
    char self[PATH_MAX], folder[PATH_MAX];

    if (asked && *asked) return holds_runtime(asked, found);
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n > 0) {
        self[n] = 0;
        *strrchr(self, '/') = 0; /* the kernel gives an absolute path */
        for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
            if (snprintf(folder, sizeof folder, "%s/%s", self, places[i]) < (int)sizeof folder &&
                holds_runtime(folder, found))
                return true;
        }
    }
    return false;
}

const char *gl_library_folder(const struct gl_command *cmd)
{
    static char found[PATH_MAX];
    const char *asked = getenv("GOLDILOCKS_LIBDIR");
    if (find_folder(asked, found)) return found;
    if (asked && *asked)
        gl_complain(cmd, "there is no %s in '%s'; correct or unset GOLDILOCKS_LIBDIR", GL_RUNTIME_NAME, asked);
    else
        gl_complain(cmd, "%s was not found beside the command; set GOLDILOCKS_LIBDIR to the folder that holds it",
                    GL_RUNTIME_NAME);
    return NULL;
}

const char *gl_library_folder_if_any(void)
{
    static char found[PATH_MAX];
    return find_folder(getenv("GOLDILOCKS_LIBDIR"), found) ? found : NULL;
}

const char *gl_header_folder(void)
{
    static char found[PATH_MAX + sizeof "/include"];
    char header[PATH_MAX + 64];
    const char *folder = gl_library_folder_if_any();
    if (!folder) return NULL;
    snprintf(found, sizeof found, "%s/include", folder);
    snprintf(header, sizeof header, "%s/goldilocks/race.h", found);
    return access(header, R_OK) == 0 ? found : NULL;
}
