/* SPDX-License-Identifier: Apache-2.0
 *
 * Compilers say in DW_AT_producer who compiled a unit, gcc with all its flags, clang with them when it is given
 * -grecord-command-line, as `goldilocks cc` does.  Those strings are looked for where linkers gather all strings, in
 * .debug_str, without reading what refers to them; compressed sections say nothing.
 */
#include "symbol/build.h"

#include <stdint.h>
#include <string.h>

#include "platform/platform.h"
#include "symbol/section.h"

static bool begins_with(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

static const char *find(const char *s, const char *part)
{
    for (; (s = strchr(s, *part)); s++)
        if (begins_with(s, part))
            return s;
    return NULL;
}

/* The last -O decides. */
static bool is_optimized(const char *flags)
{
    bool optimized = false;
    for (const char *s = flags; (s = find(s, " -O")); s += 3)
        optimized = s[3] != '0';
    return optimized;
}

enum gl_build gl_bytes_build(const void *bytes, size_t size)
{
    struct gl_bytes strings;
    bool any = false, clang = false, clang_told = false;
    if (!gl_section((struct gl_bytes){bytes, size}, ".debug_str", &strings) || strings.size == 0 || strings.bytes[strings.size - 1] != 0)
        return GL_BUILD_UNKNOWN;
    for (const char *s = strings.bytes, *end = s + strings.size; s < end; s += strlen(s) + 1) {
        const char *version = begins_with(s, "GNU C") ? NULL : find(s, "clang version ");
        bool instrumented = (version || begins_with(s, "GNU C")) && find(s, " -fsanitize=thread");
        clang = clang || version;
        clang_told = clang_told || (version && find(s, " -grecord-command-line"));
        any = any || instrumented;
        if (!instrumented || !is_optimized(s))
            continue;
        if (!version && !find(s, " -fno-builtin-memcpy") && !find(s, "/complete-gcc-"))
            return GL_BUILD_GCC_HOLES;
        if (version && !find(s, " -fno-slp-vectorize"))
            return GL_BUILD_CLANG_HOLES;
    }
    /* The units of a module are mostly compiled alike; one that told nothing among others that did may not be instrumented. */
    if (clang && !clang_told && !any)
        return GL_BUILD_CLANG_HOLES;
    return any ? GL_BUILD_WHOLE : GL_BUILD_UNKNOWN;
}

enum gl_build gl_file_build(const char *path)
{
    size_t size = 0;
    const void *bytes = gl_os_map_file(path, &size);
    if (!bytes)
        return GL_BUILD_UNKNOWN;
    enum gl_build build = gl_bytes_build(bytes, size);
    gl_os_unmap((void *)(uintptr_t)bytes, size);
    return build;
}
