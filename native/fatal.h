/* SPDX-License-Identifier: Apache-2.0
 *
 * Signals that end the program because it made a mistake: where it was is told before.
 */
#ifndef GL_NATIVE_FATAL_H
#define GL_NATIVE_FATAL_H

#include <signal.h>
#include <stdbool.h>

/* Is the default action of this signal ours to take the place of? */
bool rt_fatal_wanted(int sig);

/* Tells of a signal that the kernel has given to us in the place of the default action, which the caller then lets have its way.  All signals
 * are blocked. */
void rt_fatal_tell(int sig, siginfo_t *info, void *context);

/* At start: takes the place of the default actions (intercept_signal.c). */
void rt_fatal_begin(void);

#endif
