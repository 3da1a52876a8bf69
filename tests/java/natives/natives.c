/* SPDX-License-Identifier: Apache-2.0
 *
 * The native methods of Natives.java.
 */
#include <jni.h>
#include <stddef.h>

static void run(JNIEnv *env, jobject runnable)
{
    jclass c = (*env)->GetObjectClass(env, runnable);
    (*env)->CallVoidMethod(env, runnable, (*env)->GetMethodID(env, c, "run", "()V"));
}

JNIEXPORT void JNICALL Java_Natives_held(JNIEnv *env, jobject self, jobject runnable)
{
    (void)self;
    run(env, runnable);
}

JNIEXPORT jlong JNICALL Java_Natives_heldByClass(JNIEnv *env, jclass c, jbyte a, jlong b, jdouble d, jfloat f, jintArray e, jstring s, jobject runnable)
{
    jint seven = 0;
    (void)c;
    run(env, runnable);
    (*env)->GetIntArrayRegion(env, e, 0, 1, &seven);
    return a == -1 && d == 0.5 && f == 0.25f && (*env)->GetStringLength(env, s) == 4 ? b + seven : 0;
}

static jobject JNICALL registered(JNIEnv *env, jobject self, jboolean a, jchar b, jshort c, jobject d, jobject runnable)
{
    (void)self;
    run(env, runnable);
    return a && b == 'x' && c == -3 ? d : NULL;
}

JNIEXPORT void JNICALL Java_Natives_enters(JNIEnv *env, jobject self, jobject runnable)
{
    (*env)->MonitorEnter(env, self);
    (*env)->MonitorEnter(env, self);
    (*env)->MonitorExit(env, self);
    run(env, runnable);
    (*env)->MonitorExit(env, self);
}

JNIEXPORT void JNICALL Java_Natives_entersAndThrows(JNIEnv *env, jobject self, jobject runnable)
{
    (*env)->MonitorEnter(env, self);
    run(env, runnable);
    (*env)->ThrowNew(env, (*env)->FindClass(env, "java/lang/IllegalStateException"), "thrown");
    (*env)->MonitorExit(env, self); /* allowed while an exception is on its way */
}

JNIEXPORT void JNICALL Java_Natives_00024Holder_use(JNIEnv *env, jclass c)
{
    (void)env, (void)c;
}

JNIEXPORT void JNICALL Java_Natives_register(JNIEnv *env, jclass c)
{
    static const JNINativeMethod ours = {"registered", "(ZCSLjava/lang/Object;Ljava/lang/Runnable;)Ljava/lang/Object;", (void *)registered};
    (*env)->RegisterNatives(env, c, &ours, 1);
}
