/* SPDX-License-Identifier: Apache-2.0
 *
 * Where objects and arrays were allocated (the option `allocations`).
 */
#ifndef GL_JAVA_ALLOCATED_H
#define GL_JAVA_ALLOCATED_H

#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "report/managed.h"

/* From now on it is noted.  At Agent_OnLoad, so that no thread has memory to allocate from that the JVM does not ask about.  false:
 * this JVM does not tell what is allocated. */
bool gl_j_allocated_begin(JavaVM *vm);
/* When the VM is up, before the program begins: a collection takes away the memory that threads have for their next objects, from which
 * they would allocate without being asked. */
void gl_j_allocated_up(void);

/* The place and the thread's number (0: not known).  false: it is not known for this object. */
bool gl_j_allocated(JNIEnv *env, jobject o, struct gl_managed_frame *at, uint32_t *thread);

#endif
