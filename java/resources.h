/* SPDX-License-Identifier: Apache-2.0
 *
 * The agent's classes as resources, for other agents: who reads a class that we have rewritten (byte-buddy, javassist) looks for the class files of what
 * it names, and asks the class's loader for them.
 */
#ifndef GL_JAVA_RESOURCES_H
#define GL_JAVA_RESOURCES_H

#include <jni.h>

/* From now on the boot loader finds them, and with it every loader that asks it.  Once, when the JVM is up; if it cannot be, that is said. */
void gl_j_resources_begin(JNIEnv *env);

#endif
