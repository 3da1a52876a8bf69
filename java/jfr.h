/* SPDX-License-Identifier: Apache-2.0
 *
 * A reported race as an event of the JDK's flight recorder.
 */
#ifndef GL_JAVA_JFR_H
#define GL_JAVA_JFR_H

#include <jni.h>

#include "report/managed.h"

/* Commits an event goldilocks.DataRace that tells what the report tells, if the flight recorder is on; else, and where this JVM
 * has no flight recorder, nothing.  By the thread that found the race, from a native of goldilocks.rt.R, with its hooks off and no lock
 * held.  No exception is pending afterwards. */
void gl_j_jfr_tell(JNIEnv *env, const struct gl_managed_report *r);

#endif
