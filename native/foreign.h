/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomic operations in code that no compiler instrumented, see foreign.c.
 */
#ifndef GL_NATIVE_FOREIGN_H
#define GL_NATIVE_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

/* Has the atomic operations followed of the libraries that option foreign_atomics names and the program begins with.  While it has one thread. */
void rt_foreign_init(void);

/* Behind the reports: how many are not followed, if any. */
void rt_foreign_closing(void);

/* Does one of these names, separated by slashes, stand for the file of this path?  Up to ".so", or up to a `*`. */
bool rt_foreign_named(const char *names, const char *path);

/* The functions of the library at this path, by their symbols, that are followed also where the option does not name it (foreign_known.c). */
struct rt_foreign_known {
    const char *const *functions;
    size_t count;
};
struct rt_foreign_known rt_foreign_known(const char *path);
/* Functions of the library that give up by a plain store of a constant what others take atomically, and call no futex by which that could be seen. */
struct rt_foreign_known rt_foreign_gives_up(const char *path);

#endif
