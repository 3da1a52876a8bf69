/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the compiler to wrap.  The name decides nothing: a `cc` may be either family, so the compiler
 * itself is asked: who it is, and when the answer is neither's, for its predefined macros, which a vendor's own words cannot hide.  That takes
 * clang as long as a third of a small compilation, and gcc a tenth, so neither is asked where the file that it is, behind all links, says it as LLVM's
 * and Debian's installations do.
 */
#define _GNU_SOURCE
#include "cli/compiler.h"

#include <errno.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* What argv prints: -1 with errno when the compiler cannot be started. */
static int ask(char **argv, char *answer, size_t cap)
{
    int ends[2];
    size_t length = 0;
    pid_t child;
    posix_spawn_file_actions_t actions;
    if (pipe(ends) != 0 || posix_spawn_file_actions_init(&actions) != 0) return -1;
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", 1 /* O_WRONLY */, 0);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    int failed = posix_spawnp(&child, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (!failed) {
        ssize_t n;
        /* Read to the end even when full, so that the compiler is not ended by SIGPIPE. */
        char rest[4096];
        while ((n = length < cap - 1 ? read(ends[0], answer + length, cap - 1 - length)
                                     : read(ends[0], rest, sizeof rest)) > 0)
            if (length < cap - 1) length += (size_t)n;
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
    }
    close(ends[0]);
    answer[length] = 0;
    errno = failed;
    return failed ? -1 : 0;
}

/* The number behind `text`, -1 when that is not there. */
static int number_after(const char *answer, const char *text)
{
    const char *at = strstr(answer, text);
    return at ? atoi(at + strlen(text)) : -1;
}

/* Where posix_spawnp() finds the program, behind all links.  False: nowhere. */
static bool resolve(const char *name, char out[PATH_MAX])
{
    if (strchr(name, '/')) return realpath(name, out) != NULL;
    const char *path = getenv("PATH");
    for (size_t n; path; path = path[n] ? path + n + 1 : NULL) {
        char at[PATH_MAX];
        n = strcspn(path, ":");
        int length = snprintf(at, sizeof at, "%.*s%s%s", (int)n, path, n ? "/" : "", name);
        if (length > 0 && (size_t)length < sizeof at && access(at, X_OK) == 0) return realpath(at, out) != NULL;
    }
    return false;
}

/* Of a clang that is installed as .../llvm-19/bin/clang or .../clang-19: 19, else -1. */
static int clang_of_path(const char *path)
{
    int version = -1, end = 0;
    const char *file = strrchr(path, '/'), *folder = strstr(path, "/llvm-");
    if (sscanf(file, "/clang-%d%n", &version, &end) == 1 && !file[end]) return version;
    end = 0; /* sscanf() may count one and yet not come to its end */
    return folder && sscanf(folder, "/llvm-%d/bin/clang%n", &version, &end) == 1 && end && !folder[end] ? version : -1;
}

/* Is it in the folder of LLVM's package of this version? */
static bool is_packaged(const char *path, int version)
{
    char folder[64];
    int n = snprintf(folder, sizeof folder, "/usr/lib/llvm-%d/bin", version);
    return strncmp(path, folder, (size_t)n) == 0 && (path[n] == '/' || path[n] == '\n');
}

/* Of a gcc that is installed as .../gcc-12, .../x86_64-linux-gnu-g++-12: 12, else -1. */
static int gcc_of_path(const char *path)
{
    const char *end = strrchr(path, '-'), *digits = "0123456789";
    size_t name = strlen("gcc");
    if (!end || end - strrchr(path, '/') <= (ptrdiff_t)name || !end[1] || end[1 + strspn(end + 1, digits)]) return -1;
    const char *start = end - name;
    bool named = (start[-1] == '/' || start[-1] == '-') && (strncmp(start, "gcc", name) == 0 || strncmp(start, "g++", name) == 0);
    return named ? atoi(end + 1) : -1;
}

/* Does the file that the compiler is say the family and the version?  A script of such a name says nothing. */
static bool family_of_file(struct gl_compiler *out)
{
    char path[PATH_MAX], magic[4] = "";
    if (!resolve(out->name, path) || access(path, X_OK) != 0) return false;
    out->version = clang_of_path(path);
    out->family = out->version >= 0 ? GL_CLANG : GL_GCC;
    out->packaged = is_packaged(path, out->version);
    if (out->version < 0) {
        if ((out->version = gcc_of_path(path)) < 0) return false;
        out->packaged = strncmp(path, "/usr/bin/", strlen("/usr/bin/")) == 0;
    }
    FILE *f = fopen(path, "re");
    bool program = f && fread(magic, 1, sizeof magic, f) == sizeof magic && memcmp(magic, "\177ELF", sizeof magic) == 0;
    if (f) fclose(f);
    return program;
}

/* Of what a gcc answers, "gcc (Debian 12.2.0-14) 12.2.0": the version, if it is the distribution's, else -1. */
static int packaged_gcc(const char *answer)
{
    int debian = number_after(answer, "(Debian "), ubuntu = number_after(answer, "(Ubuntu ");
    return debian > ubuntu ? debian : ubuntu;
}

enum answer { UNKNOWN, UNANSWERED, KNOWN };

/* Fills all but the name. */
static enum answer ask_family(struct gl_compiler *out)
{
    static char answer[65536]; /* gcc's predefined macros take about 12 KB */
    if (family_of_file(out)) return KNOWN;
    if (ask((char *[]){out->name, "--version", NULL}, answer, sizeof answer) != 0) return UNANSWERED;
    int clang = number_after(answer, "clang version ");
    const char *installed = strstr(answer, "InstalledDir: ");
    if (installed) installed += strlen("InstalledDir: ");
    /* Up to 15 it tells the folder of the link by which it was called. */
    out->packaged = installed && (is_packaged(installed, clang) || strncmp(installed, "/usr/bin\n", strlen("/usr/bin\n")) == 0);
    bool gnu = strstr(answer, "Free Software Foundation") != NULL;
    int gcc = gnu ? packaged_gcc(answer) : -1;
    if (clang < 0 && !gnu) {
        if (ask((char *[]){out->name, "-E", "-dM", "-x", "c", "/dev/null", NULL}, answer, sizeof answer) != 0) return UNANSWERED;
        clang = number_after(answer, "#define __clang_major__ ");
        gnu = number_after(answer, "#define __GNUC__ ") >= 0;
    }
    out->family = clang >= 0 ? GL_CLANG : GL_GCC;
    out->version = clang >= 0 ? clang : gcc;
    out->packaged |= gcc >= 0;
    return clang >= 0 || gnu ? KNOWN : UNKNOWN;
}

/* The C++ compiler that belongs to a C compiler: the last "clang", "gcc" or "cc" of its file name
 * becomes "clang++", "g++" or "c++"; a path before and a version behind it stay. */
static bool derive(const char *c, char out[PATH_MAX])
{
    static const char *const pairs[][2] = {{"clang", "clang++"}, {"gcc", "g++"}, {"cc", "c++"}};
    const char *file = strrchr(c, '/') ? strrchr(c, '/') + 1 : c;
    if (strstr(file, "++")) return snprintf(out, PATH_MAX, "%s", c) < PATH_MAX;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const char *at = NULL, *next = file;
        while ((next = strstr(next, pairs[i][0]))) at = next++;
        if (!at) continue;
        return snprintf(out, PATH_MAX, "%.*s%s%s", (int)(at - c), c, pairs[i][1], at + strlen(pairs[i][0])) <
               PATH_MAX;
    }
    return false;
}

bool gl_compiler_find(const struct gl_command *cmd, bool cplusplus, struct gl_compiler *out)
{
    const char *c = getenv("GOLDILOCKS_CC"), *cxx = getenv("GOLDILOCKS_CXX");
    const char *variable = cplusplus ? "GOLDILOCKS_CXX" : "GOLDILOCKS_CC";
    const char *asked = cplusplus ? cxx : c;
    if (asked && *asked) {
        snprintf(out->name, sizeof out->name, "%s", asked);
    } else if (cplusplus && c && *c) {
        if (!derive(c, out->name)) {
            gl_complain(cmd, "no C++ compiler is known that belongs to '%s'; set GOLDILOCKS_CXX", c);
            return false;
        }
    } else {
        strcpy(out->name, cplusplus ? "g++" : "gcc");
    }
    switch (ask_family(out)) {
    case UNANSWERED:
        if (errno == ENOENT && strchr(out->name, ' '))
            gl_complain(cmd, "there is no compiler '%s'; set %s to one program, without arguments", out->name, variable);
        else
            gl_complain(cmd, "the compiler '%s' cannot be started: %s; install it, or set %s to another (gcc, or clang from version 14 on)",
                        out->name, strerror(errno), variable);
        return false;
    case UNKNOWN:
        gl_complain(cmd, "'%s' is neither gcc nor clang; set %s to one of them", out->name, variable);
        return false;
    case KNOWN:
        break;
    }
    return true;
}
