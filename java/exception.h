/* SPDX-License-Identifier: Apache-2.0
 *
 * A reported race as a Java object.
 */
#ifndef GL_JAVA_EXCEPTION_H
#define GL_JAVA_EXCEPTION_H

#include <jni.h>

#include "report/managed.h"

/* A goldilocks.DataRaceException (a local reference) that tells what the report tells.  NULL: it could not be made; no exception
 * is pending. */
jthrowable gl_j_exception(JNIEnv *env, const struct gl_managed_report *r);

/* "a.b.C.m(C.java:3)", cut at room and NUL-terminated. */
void gl_j_place_text(const struct gl_managed_frame *f, char *out, size_t room);

#endif
