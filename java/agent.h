/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the agent share: the tool environment, the options, where output goes.
 */
#ifndef GL_JAVA_AGENT_H
#define GL_JAVA_AGENT_H

#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "java/options.h"

enum { GL_J_NEWEST = 25 }; /* the newest JDK that the agent was tested with */

struct gl_j_agent {
    jvmtiEnv *ti;
    JavaVM *vm;
    struct gl_j_options options;
    int out;                 /* file descriptor of reports */
    int feature;             /* 17 ... of the JDK */
    jobject platform_loader; /* global; NULL before the VM is up */
    jclass r;                /* goldilocks.rt.R, global */
    bool up;                 /* the runtime classes are there: classes that come now are rewritten.  Set once, at VMInit */
};

extern struct gl_j_agent gl_j_agent;

/* One line to the output of reports, as printf; "goldilocks: " is put before it. */
void gl_j_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, and the JVM ends with code 2: for mistakes in how the agent was started. */
_Noreturn void gl_j_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Text to the output of reports, whole or cut where the disk is full (said once on stderr). */
void gl_j_write(void *ctx, const char *text, size_t n);

/* Is it a loader of the JDK: the boot loader (NULL) or the platform loader? */
bool gl_j_is_jdk_loader(JNIEnv *env, jobject loader);

/* Frees what JVMTI allocated; NULL is fine. */
static inline void gl_j_free(void *p)
{
    if (p) (*gl_j_agent.ti)->Deallocate(gl_j_agent.ti, p);
}

/* ---- found.c ---- */
uint64_t gl_j_races(void); /* found so far, with repetitions */
void gl_j_found_closing(void); /* the closing line */

/* ---- transform.c: the hook at class load ---- */
void JNICALL gl_j_on_class(jvmtiEnv *ti, JNIEnv *env, jclass redefined, jobject loader, const char *name, jobject domain,
                           jint n, const unsigned char *bytes, jint *new_n, unsigned char **new_bytes);
/* At VMInit, after the runtime's classes are there: rewrites the classes of the JDK that are loaded already. */
bool gl_j_transform_loaded(JNIEnv *env);
void gl_j_transform_counts(void (*count)(const char *name, uint64_t value));

/* ---- runtime_classes.c: the classes of java/runtime/, embedded ---- */
/* Defines all that are needed from the start; the class R, a global reference.  NULL: a Java exception is pending. */
jclass gl_j_define_runtime(JNIEnv *env);
/* Native of R: those that Streams needs, once. */
jboolean JNICALL gl_j_define_elements(JNIEnv *env, jclass r);
/* The embedded class file of goldilocks/rt/NAME. */
const unsigned char *gl_j_runtime_class(const char *name, size_t *n);

#endif
