/* SPDX-License-Identifier: Apache-2.0
 *
 * A moment in which no Java thread is in the core: for a sweep (java/sweep.c), which changes what all of it uses.
 *
 * Natives go in and out at the cost of two plain stores; who closes the gate makes them seen by a membarrier, and waits until all
 * are out.  Those who come meanwhile wait in front of it, as native code, which delays no safepoint.
 */
#ifndef GL_JAVA_GATE_H
#define GL_JAVA_GATE_H

#include <stdbool.h>
#include <stdint.h>

/* Whether there can be such a moment: membarrier is allowed, and there is memory.  Before other threads are in the core. */
bool gl_jgate_begin(void);

/* Of the calling thread of the system; nested calls do nothing. */
void gl_jgate_in(void);
void gl_jgate_out(void);

/* Nobody else is inside from now on until gl_jgate_open().  False: somebody did not come out for a while, and all go on.  By one thread
 * at a time, which is outside. */
bool gl_jgate_close(void);
void gl_jgate_open(void);

/* Inside, to the end of the block. */
static inline void gl_jgate_leave(const int *in)
{
    (void)in;
    gl_jgate_out();
}
#define GL_JINSIDE                                                                                           \
    __attribute__((cleanup(gl_jgate_leave), unused)) const int inside = 0;                                   \
    gl_jgate_in()

#endif
