/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills goldilocks.DataRaceException, by way of R.exception().
 */
#include "java/exception.h"

#include <stdio.h>

#include "java/agent.h"

enum { LOCALS = 256 }; /* local references at a time */

void gl_j_place_text(const struct gl_managed_frame *f, char *out, size_t room)
{
    if (f->file && f->line)
        snprintf(out, room, "%s.%s(%s:%u)", f->class_name, f->method, f->file, (unsigned)f->line);
    else
        snprintf(out, room, "%s.%s(%s)", f->class_name, f->method, f->file ? f->file : "Unknown Source");
}

static jobjectArray stack_of(JNIEnv *env, const struct gl_managed_access *a)
{
    jclass element = (*env)->FindClass(env, "java/lang/StackTraceElement");
    jmethodID make = element ? (*env)->GetMethodID(env, element, "<init>", "(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;I)V")
                             : NULL;
    jobjectArray all = make ? (*env)->NewObjectArray(env, (jsize)a->frames, element, NULL) : NULL;
    for (size_t i = 0; all && i < a->frames; i++) {
        const struct gl_managed_frame *f = &a->frame[i];
        jobject one = (*env)->NewObject(env, element, make, (*env)->NewStringUTF(env, f->class_name), (*env)->NewStringUTF(env, f->method),
                                        f->file ? (*env)->NewStringUTF(env, f->file) : NULL, f->line ? (jint)f->line : -1);
        if (!one) return NULL;
        (*env)->SetObjectArrayElement(env, all, (jsize)i, one);
    }
    return all;
}

jthrowable gl_j_exception(JNIEnv *env, const struct gl_managed_report *r)
{
    char message[2048], place[2][512];
    jthrowable result = NULL;
    jclass runtime = gl_j_agent.r;
    jmethodID make = (*env)->GetStaticMethodID(
        env, runtime, "exception",
        "(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;ZLjava/lang/String;Ljava/lang/String;[Ljava/lang/StackTraceElement;"
        "ZLjava/lang/String;Ljava/lang/String;[Ljava/lang/StackTraceElement;)Ljava/lang/RuntimeException;");
    const struct gl_managed_access *a = r->access;
    for (int i = 0; i < 2; i++) gl_j_place_text(&a[i].frame[0], place[i], sizeof place[i]);
    snprintf(message, sizeof message, "%s of %s at %s races with the %s by thread \"%s\" at %s", a[0].write ? "write" : "read", r->variable,
             place[0], a[1].write ? "write" : "read", a[1].thread ? a[1].thread : "?", place[1]);
    if (make && (*env)->PushLocalFrame(env, LOCALS + 4 * (jint)(a[0].frames + a[1].frames)) == 0) {
        jvalue v[11];
        v[0].l = (*env)->NewStringUTF(env, message);
        v[1].l = r->why ? (*env)->NewStringUTF(env, r->why) : NULL;
        v[2].l = (*env)->NewStringUTF(env, r->variable);
        for (int i = 0; i < 2; i++) {
            v[3 + 4 * i].z = a[i].write;
            v[4 + 4 * i].l = a[i].thread ? (*env)->NewStringUTF(env, a[i].thread) : NULL;
            v[5 + 4 * i].l = (*env)->NewStringUTF(env, place[i]);
            v[6 + 4 * i].l = a[i].whole ? stack_of(env, &a[i]) : NULL;
        }
        jobject made = (*env)->ExceptionCheck(env) ? NULL : (*env)->CallStaticObjectMethodA(env, runtime, make, v);
        result = (*env)->PopLocalFrame(env, made);
    }
    if ((*env)->ExceptionCheck(env)) {
        (*env)->ExceptionClear(env);
        return NULL;
    }
    return result;
}
