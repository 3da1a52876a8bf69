/* SPDX-License-Identifier: Apache-2.0
 *
 * Monitors that native code enters and leaves, by JNI's MonitorEnter and MonitorExit.
 */
#ifndef GL_JAVA_JNI_MONITOR_H
#define GL_JAVA_JNI_MONITOR_H

#include <jni.h>
#include <stdbool.h>

/* From now on R is told of them.  Once, before the program begins.  False: that cannot be. */
bool gl_j_monitors_begin(JNIEnv *env, jclass r);

#endif
