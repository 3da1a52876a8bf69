/* SPDX-License-Identifier: Apache-2.0
 *
 * Object.wait() of JDK 17 and 18, where it is a native method: one of ours stands in for it, so that it is seen from wherever it is
 * called, by reflection and method handles as well.  (Later it is Java, see jdk_rules.c.)
 */
#ifndef GL_JAVA_WAIT_H
#define GL_JAVA_WAIT_H

#include <jni.h>
#include <stdbool.h>

enum { GL_J_WAIT_IS_JAVA = 19 }; /* from this JDK on */

/* `r`: the class goldilocks.rt.R, whose natives are registered.  Once, before the program runs.  False: the JVM is not as it should be. */
bool gl_j_wait_begin(JNIEnv *env, jclass r);

/* R.watchWait(). */
jboolean JNICALL gl_j_watch_wait(JNIEnv *env, jclass r);

#endif
