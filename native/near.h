/* SPDX-License-Identifier: Apache-2.0
 *
 * The shortest of our functions, copied to where the program's own code is, see near.c.
 */
#ifndef GL_NATIVE_NEAR_H
#define GL_NATIVE_NEAR_H

#include <stdbool.h>
#include <stdint.h>

/* A function that is copied.  It calls others at its end only, and uses no variables but those of its thread. */
#define RT_NEAR __attribute__((section("rt_near")))

/* One that the program calls by this name. */
struct rt_near_function {
    const char *name;
    void (*function)(void);
};
#define RT_NEAR_NAME(name)                                                                     \
    static const struct rt_near_function near_##name                                           \
        __attribute__((used, section("rt_near_names"))) = {#name, (void (*)(void))name};

/* Once, when the program begins. */
void rt_near_init(void);

/* Nobody begins to run a copy any more: what unwinds a stack from within one would find nothing.  Any thread, at any time. */
void rt_near_end(void);

/* The same place in the original, if `pc` is in a copy; else `pc`.  Async-signal-safe. */
uintptr_t rt_near_original(uintptr_t pc);

#endif
