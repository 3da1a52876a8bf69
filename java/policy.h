/* SPDX-License-Identifier: Apache-2.0
 *
 * Which classes are instrumented, and for what.  Knows names and options, no JVM.
 */
#ifndef GL_JAVA_POLICY_H
#define GL_JAVA_POLICY_H

#include <stdbool.h>

#include "java/options.h"

enum gl_j_class {
    GL_J_NONE,    /* left alone: our own, generated for reflection, excluded */
    GL_J_CHECKED, /* an application class: its data and its synchronization */
    GL_J_SYNC     /* a class of the JDK in which threads synchronize: only that */
};

/* What is done with the class `name` ("java/util/List").  of_jdk: its loader is the boot loader or the platform loader, or it is of a module of the JDK that the
 * application's loader has (the compiler's). */
enum gl_j_class gl_j_class_of(const struct gl_j_options *o, const char *name, bool of_jdk);

/* Does it look like a name of one of the JDK's packages?  Others may have such names (gl_j_of_jdk() in image.h asks the JDK). */
bool gl_j_of_jdk_by_name(const char *name);

/* May fields of that class be worth a probe when another class uses them?  Its loader is not known yet.  of_jdk: its package is the JDK's. */
bool gl_j_owner_checked(const char *name, bool of_jdk);

/* Does the name with '/' match one of the globs with '.', which ':' separates?  '*' stands for any characters, '?' for one. */
bool gl_j_matches(const char *name, const char *globs);

#endif
