/* SPDX-License-Identifier: Apache-2.0
 *
 * The JVM's table of JNI functions gets two of ours (JVMTI, SetJNIFunctionTable), which call what was there.
 */
#include "java/jni_monitor.h"

#include "java/agent.h"

static struct {
    jint(JNICALL *enter)(JNIEnv *env, jobject o);
    jint(JNICALL *leave)(JNIEnv *env, jobject o);
    jmethodID entered, leaves; /* of R */
} jni;

/* Native code may leave a monitor while an exception is on its way. */
static void tell(JNIEnv *env, jmethodID what, jobject o)
{
    jthrowable thrown = (*env)->ExceptionOccurred(env);
    if (thrown) (*env)->ExceptionClear(env);
    (*env)->CallStaticVoidMethod(env, gl_j_agent.r, what, o);
    jboolean overflowed = (*env)->ExceptionCheck(env); /* no stack: that goes on its way in place of the other */
    if (thrown && !overflowed) (*env)->Throw(env, thrown);
    if (thrown) (*env)->DeleteLocalRef(env, thrown);
}

static jint JNICALL monitor_enter(JNIEnv *env, jobject o)
{
    jint failed = jni.enter(env, o);
    if (!failed) tell(env, jni.entered, o);
    return failed;
}

static jint JNICALL monitor_exit(JNIEnv *env, jobject o)
{
    tell(env, jni.leaves, o);
    return jni.leave(env, o);
}

bool gl_j_monitors_begin(JNIEnv *env, jclass r)
{
    jvmtiEnv *ti = gl_j_agent.ti;
    jniNativeInterface *functions = NULL;
    jni.entered = (*env)->GetStaticMethodID(env, r, "nativeEntered", "(Ljava/lang/Object;)V");
    jni.leaves = jni.entered ? (*env)->GetStaticMethodID(env, r, "nativeLeaves", "(Ljava/lang/Object;)V") : NULL;
    if (!jni.leaves || (*ti)->GetJNIFunctionTable(ti, &functions) != JVMTI_ERROR_NONE) return false;
    jni.enter = functions->MonitorEnter;
    jni.leave = functions->MonitorExit;
    functions->MonitorEnter = monitor_enter;
    functions->MonitorExit = monitor_exit;
    bool done = (*ti)->SetJNIFunctionTable(ti, functions) == JVMTI_ERROR_NONE;
    gl_j_free(functions);
    return done;
}
