/* SPDX-License-Identifier: Apache-2.0
 *
 * Stacks as names and lines.
 */
#ifndef GL_JAVA_STACK_H
#define GL_JAVA_STACK_H

#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "report/managed.h"

enum { GL_J_FRAMES = 64 };

struct gl_j_stack {
    struct gl_managed_frame frame[GL_J_FRAMES];
    size_t n;
    bool whole;
};

/* Of the calling thread, without the runtime's frames; the innermost is that of the site.  Strings are interned. */
void gl_j_stack_here(JNIEnv *env, uint32_t site, struct gl_j_stack *out);
/* The one frame that a site tells. */
void gl_j_stack_of_site(uint32_t site, struct gl_j_stack *out);

#endif
