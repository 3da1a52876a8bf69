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
/* The site of a place: of a site, or of a stack that gl_jplace() (bridge.h) kept. */
uint32_t gl_j_place_site(uint32_t place);
/* The frames that a place tells: one, or those that were kept. */
void gl_j_stack_of_place(JNIEnv *env, uint32_t place, struct gl_j_stack *out);

/* A place, not 0, for n > 0 frames, innermost first, whose padding is zeroed; equal ones with equal `site` have one.  0: no memory. */
uint32_t gl_j_stack_keep(const jvmtiFrameInfo *frame, jint n, uint32_t site);
/* The frames of such a place. */
const jvmtiFrameInfo *gl_j_stack_kept(uint32_t place, jint *n);
/* One frame in words. */
void gl_j_stack_frame(JNIEnv *env, const jvmtiFrameInfo *frame, struct gl_managed_frame *out);

#endif
