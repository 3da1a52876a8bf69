/* SPDX-License-Identifier: Apache-2.0
 *
 * What is called in the end is what the JDK's own declaration names: JVM_MonitorWait of libjvm.
 */
#define _GNU_SOURCE /* dladdr */
#include "java/wait.h"

#include <dlfcn.h>
#include <stddef.h>

#include "java/agent.h"

static struct {
    void(JNICALL *wait)(JNIEnv *env, jobject o, jlong millis);
    jmethodID waits, waited; /* of R */
} jvm;

static void JNICALL object_wait(JNIEnv *env, jobject o, jlong millis)
{
    (*env)->CallStaticVoidMethod(env, gl_j_agent.r, jvm.waits, o, millis);
    if ((*env)->ExceptionCheck(env)) return; /* no stack, or no memory */
    jvm.wait(env, o, millis);
    jthrowable thrown = (*env)->ExceptionOccurred(env);
    if (thrown) (*env)->ExceptionClear(env);
    (*env)->CallStaticVoidMethod(env, gl_j_agent.r, jvm.waited);
    if (thrown && !(*env)->ExceptionCheck(env)) (*env)->Throw(env, thrown);
}

/* The agent's file is linked against nothing of the JVM, which a program may have loaded for itself alone: it is found by a function of
 * its own. */
static void *jvm_function(JNIEnv *env, const char *name)
{
    Dl_info of;
    const struct JNINativeInterface_ *functions = *env;
    void *known = NULL;
    _Static_assert(sizeof known == sizeof functions->FindClass, "a function's address");
    __builtin_memcpy(&known, &functions->FindClass, sizeof known);
    void *library = dladdr(known, &of) ? dlopen(of.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    return library ? dlsym(library, name) : NULL; /* the library stays open: it is the JVM */
}

jboolean JNICALL gl_j_watch_wait(JNIEnv *env, jclass r)
{
    (void)r;
    static const JNINativeMethod ours = {"wait", "(J)V", (void *)object_wait};
    jclass object = (*env)->FindClass(env, "java/lang/Object");
    return object && (*env)->RegisterNatives(env, object, &ours, 1) == 0;
}

bool gl_j_wait_begin(JNIEnv *env, jclass r)
{
    void *wait = jvm_function(env, "JVM_MonitorWait");
    __builtin_memcpy(&jvm.wait, &wait, sizeof wait);
    jvm.waits = (*env)->GetStaticMethodID(env, r, "waits", "(Ljava/lang/Object;J)V");
    jvm.waited = jvm.waits ? (*env)->GetStaticMethodID(env, r, "waited", "()V") : NULL;
    /* By way of a class of the boot loader: the JVM would warn of anybody else who does this. */
    jmethodID watch = jvm.waited ? (*env)->GetStaticMethodID(env, r, "watch", "()Z") : NULL;
    jboolean done = wait && watch ? (*env)->CallStaticBooleanMethod(env, r, watch) : JNI_FALSE;
    return !(*env)->ExceptionCheck(env) && done;
}
