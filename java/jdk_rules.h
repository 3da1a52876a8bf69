/* SPDX-License-Identifier: Apache-2.0
 *
 * Which calls and methods mean synchronization, as rules for the rewriter.
 */
#ifndef GL_JAVA_JDK_RULES_H
#define GL_JAVA_JDK_RULES_H

#include <stdbool.h>

#include "java/rewrite.h"

/* Calls in classes of the application, and in those of the JDK.  Complete after gl_j_rules_start(). */
struct gl_j_calls {
    const struct gl_jcall_rule *call;
    size_t n;
    const struct gl_jaround_rule *around;
    size_t n_around;
    const struct gl_jcall_filter *filter;
};
/* arrays: elements are checked. */
struct gl_j_calls gl_j_application_calls(bool arrays);
struct gl_j_calls gl_j_jdk_calls(void);

/* Does this plain field of a class of the JDK order memory as a volatile one does, by fences? */
bool gl_j_acts_volatile(const char *class_name, const char *field);

/* Methods of a class of the JDK at whose entry or return something is told. */
void gl_j_method_rules(const char *class_name, const struct gl_jmethod_rule **rules, size_t *n);

/* Those of an application class whose objects may have a finalizer. */
void gl_j_finalizer_rules(const struct gl_jmethod_rule **rules, size_t *n);

/* Makes the rules for jdk.internal.misc.Unsafe from the methods of goldilocks/rt/U and its superclasses: each static
 * method whose first parameter is an Unsafe takes the place of the method of that name; and those for java.util.Arrays from
 * goldilocks/rt/Ranges and its superclass, whose last parameter is the site.  Needs no JVM.  Once, before the first class is rewritten.  false:
 * malformed or no memory. */
bool gl_j_rules_start(void);

#endif
