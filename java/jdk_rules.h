/* SPDX-License-Identifier: Apache-2.0
 *
 * Which calls and methods mean synchronization, as rules for the rewriter.
 */
#ifndef GL_JAVA_JDK_RULES_H
#define GL_JAVA_JDK_RULES_H

#include "java/rewrite.h"

/* The field of java.lang.Thread that holds the runtime's T. */
extern const struct gl_jfield_add gl_j_thread_fields[];
extern const size_t gl_j_thread_field_count;

/* Calls in classes of the application, and in those of the JDK.  Complete after gl_j_rules_start(). */
extern const struct gl_jcall_rule *gl_j_application_calls, *gl_j_jdk_calls;
extern size_t gl_j_application_call_count, gl_j_jdk_call_count;

/* Methods of a class of the JDK at whose entry or return something is told. */
void gl_j_method_rules(const char *class_name, const struct gl_jmethod_rule **rules, size_t *n);

/* The new body of R.cur(). */
extern const struct gl_jbody_rule gl_j_cur_body;

/* Makes the rules for jdk.internal.misc.Unsafe from the methods of the class file `u` (goldilocks/rt/U): each of its static
 * methods whose first parameter is an Unsafe takes the place of the method of that name.  Once, before the first class
 * is rewritten.  false: malformed or no memory. */
bool gl_j_rules_start(const unsigned char *u, size_t n);

#endif
