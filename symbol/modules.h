/* SPDX-License-Identifier: Apache-2.0
 *
 * Which object is loaded where.  Everything here is under the symbolizer's lock (lines.c).
 *
 * A module is one loading of one file: when it is unloaded, or another file comes to its place, its
 * record is retired and never found again.  Records are never freed, since frames point at their paths.
 */
#ifndef GL_SYMBOL_MODULES_H
#define GL_SYMBOL_MODULES_H

#include <stdbool.h>
#include <stdint.h>

struct backtrace_state;

struct gl_module {
    struct gl_module *next;        /* list of the loaded ones */
    const char *path;
    uintptr_t base;                /* what was added to the file's addresses; 0 for a non-PIE executable */
    uint64_t identity;             /* hash of path, base, program headers and build id */
    uint32_t id;                   /* 1, 2, ...: never given twice */
    bool executable;               /* the program itself */
    bool seen;                     /* in the refresh going on */
    struct backtrace_state *state; /* what was read of it; NULL: nobody asked yet */
};

/* The module with addr in one of its segments, after looking for changes; NULL: none.
 * *exec: the segment is executable. */
struct gl_module *gl_module_at_locked(uintptr_t addr, bool *exec);

#endif
