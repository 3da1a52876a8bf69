/* SPDX-License-Identifier: Apache-2.0
 *
 * What a variable is called, and its object.
 */
#ifndef GL_JAVA_VARIABLE_H
#define GL_JAVA_VARIABLE_H

#include <jni.h>
#include <stddef.h>
#include <stdint.h>

/* Where the names go; both are cut where there is no room, and end with NUL. */
struct gl_j_variable {
    char *text;   /* "a.b.C.field", "int[3]" */
    size_t room;
    char *object; /* "a.b.C@1b2c"; "" for a static field */
    size_t object_room;
};

/* The static field that is accessed at `site`, declared by `declaring`. */
void gl_j_name_static(uint32_t site, jclass declaring, char *out, size_t room);
/* The variable that is accessed at `site`: a field of `object` (NULL: static), or its element `index` (-1: a field). */
void gl_j_name_variable(JNIEnv *env, uint32_t site, jobject object, jint index, const struct gl_j_variable *out);

#endif
