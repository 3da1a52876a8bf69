/* SPDX-License-Identifier: Apache-2.0
 *
 * The classes of java/runtime/, compiled by the build and embedded in the agent (embedded_classes.c is made by
 * cmake/embed_classes), and their definition in the boot loader, where every class finds them.
 */
#include "java/runtime_classes.h"

#include <string.h>

#include "java/agent.h"
#include "java/rewrite.h"

#define R "goldilocks/rt/R"
#define ELEMENTS "goldilocks/rt/Elements"
/* Packages of java.base whose classes ours use. */
static const char *const internals[] = {"jdk.internal.misc", "jdk.internal.reflect"};
enum { MOST = 64, INTERNALS = sizeof internals / sizeof internals[0] };

const unsigned char *gl_j_runtime_class(const char *name, size_t *n)
{
    for (const struct gl_j_embedded *e = gl_j_embedded; e->name; e++) {
        if (strcmp(e->name, name) == 0) {
            *n = (size_t)(e->end - e->begin);
            return e->begin;
        }
    }
    return NULL;
}

/* ---- superclasses first ---- */

struct order {
    const bool *defined;
    bool waits; /* for a class of ours that is not defined yet */
};

static void need(struct order *o, const char *name)
{
    for (size_t i = 0; name && gl_j_embedded[i].name; i++)
        if (!o->defined[i] && strcmp(gl_j_embedded[i].name, name) == 0) o->waits = true;
}
static void on_class(void *ctx, const struct gl_jclass_view *v) { need(ctx, v->super_name); }
static void on_interface(void *ctx, const char *name) { need(ctx, name); }

static bool may_be_defined(const struct gl_j_embedded *e, const bool *defined)
{
    struct order o = {defined, false};
    struct gl_jscan scan = {.ctx = &o, .klass = on_class, .interface = on_interface};
    char error[GL_JERROR_BYTES];
    return gl_jclass_scan(e->begin, (size_t)(e->end - e->begin), &scan, error) == 0 && !o.waits;
}

/* What java.lang.Module tells the virtual machine, and no more: nobody asks the Java side.  JVMTI's functions keep books there first, by a
 * lambda, and to make the JVM's first lambda takes five times as long as to define all of these classes. */
static bool open_in_vm(JNIEnv *env, jobject base, jobject own)
{
    jclass module = (*env)->FindClass(env, "java/lang/Module");
    jmethodID reads = module ? (*env)->GetStaticMethodID(env, module, "addReads0", "(Ljava/lang/Module;Ljava/lang/Module;)V") : NULL;
    jmethodID exports =
        reads ? (*env)->GetStaticMethodID(env, module, "addExports0", "(Ljava/lang/Module;Ljava/lang/String;Ljava/lang/Module;)V") : NULL;
    bool done = exports != NULL;
    if (done) (*env)->CallStaticVoidMethod(env, module, reads, base, own);
    for (unsigned i = 0; done && i < INTERNALS; i++) {
        jstring package = (*env)->ExceptionCheck(env) ? NULL : (*env)->NewStringUTF(env, internals[i]);
        if (package) (*env)->CallStaticVoidMethod(env, module, exports, base, package, own);
        done = package && !(*env)->ExceptionCheck(env);
    }
    (*env)->ExceptionClear(env);
    return done;
}

/* java.base may use them, and they may use its internals. */
static bool open_modules(JNIEnv *env, jclass r)
{
    jvmtiEnv *ti = gl_j_agent.ti;
    jclass class_class = (*env)->FindClass(env, "java/lang/Class"), object = (*env)->FindClass(env, "java/lang/Object");
    jmethodID get = class_class ? (*env)->GetMethodID(env, class_class, "getModule", "()Ljava/lang/Module;") : NULL;
    if (!get || !object) return false;
    jobject base = (*env)->CallObjectMethod(env, object, get);
    jobject own = (*env)->ExceptionCheck(env) ? NULL : (*env)->CallObjectMethod(env, r, get);
    if ((*env)->ExceptionCheck(env) || !base || !own) return false;
    if (open_in_vm(env, base, own)) return true;
    bool done = (*ti)->AddModuleReads(ti, base, own) == JVMTI_ERROR_NONE;
    for (unsigned i = 0; done && i < INTERNALS; i++) done = (*ti)->AddModuleExports(ti, base, internals[i], own) == JVMTI_ERROR_NONE;
    return done;
}

/* Those that are not needed from the start: java/jfr.c defines the event, where there is a flight recorder. */
static bool is_event(const char *name) { return strcmp(name, "goldilocks/DataRace") == 0; }
static bool is_elements(const char *name) { return strncmp(name, ELEMENTS, strlen(ELEMENTS)) == 0; }

/* Defines those that are not `defined`.  *r, if it is among them, gets R, a global reference.  false: an exception is pending. */
static bool define_rest(JNIEnv *env, bool *defined, jclass *r)
{
    for (bool progress = true; progress;) {
        progress = false;
        for (size_t i = 0; i < MOST && gl_j_embedded[i].name; i++) {
            if (defined[i] || !may_be_defined(&gl_j_embedded[i], defined)) continue;
            const struct gl_j_embedded *e = &gl_j_embedded[i];
            jclass c = (*env)->DefineClass(env, e->name, NULL, (const jbyte *)e->begin, (jsize)(e->end - e->begin));
            if (!c) return false;
            defined[i] = progress = true;
            if (strcmp(gl_j_embedded[i].name, R) == 0) *r = (*env)->NewGlobalRef(env, c);
            (*env)->DeleteLocalRef(env, c);
        }
    }
    return true;
}

jclass gl_j_define_runtime(JNIEnv *env)
{
    bool defined[MOST] = {false};
    jclass r = NULL;
    for (size_t i = 0; i < MOST && gl_j_embedded[i].name; i++)
        defined[i] = is_event(gl_j_embedded[i].name) || is_elements(gl_j_embedded[i].name);
    return define_rest(env, defined, &r) && r && open_modules(env, r) ? r : NULL;
}

jboolean JNICALL gl_j_define_elements(JNIEnv *env, jclass r)
{
    bool defined[MOST] = {false};
    for (size_t i = 0; i < MOST && gl_j_embedded[i].name; i++) defined[i] = !is_elements(gl_j_embedded[i].name);
    if (define_rest(env, defined, &r)) return JNI_TRUE;
    (*env)->ExceptionClear(env); /* no memory: the program goes on with the JDK's */
    gl_j_say("elements that streams read are not checked: the classes for them cannot be defined in this JVM");
    return JNI_FALSE;
}
