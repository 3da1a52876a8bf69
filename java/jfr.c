/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills goldilocks.DataRace, which is defined when it is first needed: it extends a class of the module jdk.jfr, which a JVM may
 * lack, and which is not loaded for nothing.
 */
#include "java/jfr.h"

#include <pthread.h>

#include "java/agent.h"
#include "java/exception.h"

#define EVENT "goldilocks/DataRace"
enum { LOCALS = 16, PLACE = 512 };

static struct {
    pthread_mutex_t lock; /* guards the rest; Java code that runs under it is that of class loading and of EVENT's initializer */
    jclass event;         /* global; NULL: not defined yet */
    jmethodID tell;
    bool absent;          /* there is no flight recorder, or its event cannot be defined: not asked again */
} jfr = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Is there a recorder?  The class is found without initializing the recorder. */
static bool is_on(JNIEnv *env)
{
    jclass recorder = (*env)->FindClass(env, "jdk/jfr/FlightRecorder");
    jmethodID is = recorder ? (*env)->GetStaticMethodID(env, recorder, "isInitialized", "()Z") : NULL;
    return is && (*env)->CallStaticBooleanMethod(env, recorder, is) && !(*env)->ExceptionCheck(env);
}

/* EVENT, defined once.  false: it cannot be. */
static bool define(JNIEnv *env)
{
    size_t n = 0;
    pthread_mutex_lock(&jfr.lock);
    if (!jfr.event && !jfr.absent) {
        const unsigned char *bytes = gl_j_runtime_class(EVENT, &n);
        jclass c = bytes ? (*env)->DefineClass(env, EVENT, NULL, (const jbyte *)bytes, (jsize)n) : NULL;
        jfr.tell = c ? (*env)->GetStaticMethodID(env, c, "tell",
                                                 "(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;ZLjava/lang/String;"
                                                 "ZLjava/lang/String;Ljava/lang/String;)V")
                     : NULL;
        if (jfr.tell) jfr.event = (*env)->NewGlobalRef(env, c);
        jfr.absent = !jfr.event;
        if (jfr.absent) gl_j_say("races are not told to the flight recorder: its event cannot be defined in this JVM");
    }
    bool defined = jfr.event;
    pthread_mutex_unlock(&jfr.lock);
    return defined;
}

static jstring text(JNIEnv *env, const char *s) { return s ? (*env)->NewStringUTF(env, s) : NULL; }

void gl_j_jfr_tell(JNIEnv *env, const struct gl_managed_report *r)
{
    const struct gl_managed_access *a = r->access;
    char place[2][PLACE];
    if ((*env)->PushLocalFrame(env, LOCALS) != 0) {
        (*env)->ExceptionClear(env);
        return;
    }
    if (is_on(env) && define(env)) {
        for (int i = 0; i < 2; i++) gl_j_place_text(&a[i].frame[0], place[i], sizeof place[i]);
        jvalue v[8];
        v[0].l = text(env, r->variable);
        v[1].l = text(env, r->object);
        v[2].l = text(env, r->why);
        v[3].z = a[0].write;
        v[4].l = text(env, place[0]);
        v[5].z = a[1].write;
        v[6].l = text(env, a[1].thread);
        v[7].l = text(env, place[1]);
        if (!(*env)->ExceptionCheck(env)) (*env)->CallStaticVoidMethodA(env, jfr.event, jfr.tell, v);
    }
    (*env)->ExceptionClear(env); /* no such class, or no memory: the report has been told otherwise */
    (*env)->PopLocalFrame(env, NULL);
}
