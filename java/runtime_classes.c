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
enum { MOST = 64 };

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

/* java.base may use them, and they may use its internals. */
static bool open_modules(JNIEnv *env, jclass r)
{
    jvmtiEnv *ti = gl_j_agent.ti;
    jclass class_class = (*env)->FindClass(env, "java/lang/Class"), object = (*env)->FindClass(env, "java/lang/Object");
    jmethodID get = class_class ? (*env)->GetMethodID(env, class_class, "getModule", "()Ljava/lang/Module;") : NULL;
    if (!get || !object) return false;
    jobject base = (*env)->CallObjectMethod(env, object, get), own = (*env)->CallObjectMethod(env, r, get);
    return base && own && (*ti)->AddModuleReads(ti, base, own) == JVMTI_ERROR_NONE &&
           (*ti)->AddModuleExports(ti, base, "jdk.internal.misc", own) == JVMTI_ERROR_NONE &&
           (*ti)->AddModuleExports(ti, base, "jdk.internal.vm.annotation", own) == JVMTI_ERROR_NONE;
}

jclass gl_j_define_runtime(JNIEnv *env)
{
    bool defined[MOST] = {false};
    jclass r = NULL;
    for (size_t i = 0; i < MOST && gl_j_embedded[i].name; i++) /* java/jfr.c defines it, where there is a flight recorder */
        defined[i] = strcmp(gl_j_embedded[i].name, "goldilocks/DataRace") == 0;
    for (bool progress = true; progress;) {
        progress = false;
        for (size_t i = 0; i < MOST && gl_j_embedded[i].name; i++) {
            if (defined[i] || !may_be_defined(&gl_j_embedded[i], defined)) continue;
            const struct gl_j_embedded *e = &gl_j_embedded[i];
            jclass c = (*env)->DefineClass(env, e->name, NULL, (const jbyte *)e->begin, (jsize)(e->end - e->begin));
            if (!c) return NULL;
            defined[i] = progress = true;
            if (strcmp(gl_j_embedded[i].name, R) == 0) r = (*env)->NewGlobalRef(env, c);
            (*env)->DeleteLocalRef(env, c);
        }
    }
    return r && open_modules(env, r) ? r : NULL;
}
