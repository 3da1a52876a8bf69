/* SPDX-License-Identifier: Apache-2.0
 *
 * Stands in for the agent in the tests of the runtime classes: an agent library that rewrites nothing.  It starts the bridge,
 * passes on the ends of threads and garbage collections, answers which field a site means from a table that the test fills, and
 * keeps the races that are told.
 */
#include <jvmti.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/side.h"
#include "java/bridge.h"

#define SITES 4096
#define RACES (1 << 20)

static struct field {
    jclass declaring; /* global reference; NULL: unchecked */
    int kind;
    bool is_static;
    int class_id;
    jfieldID id;
    char name[64], desc[64], word[80], sites[80];
} fields[SITES];

static struct told {
    jint site, then_site, index, thread, then_thread;
    jint write, then_write;
    jint object; /* identity hash */
} told[RACES];
static _Atomic int n_told;
static _Atomic bool throwing;
static jclass system_class;
static jmethodID identity_hash, make_exception;

uint32_t gl_jplace(uint32_t site)
{
    return site;
}

jthrowable gl_jfound(JNIEnv *env, struct gl_jthread *t, const struct gl_jfinding *f)
{
    (void)t;
    int i = n_told++;
    if (i >= RACES)
        abort();
    told[i] = (struct told){.site = (jint)f->site,
                            .then_site = (jint)f->race->then.site,
                            .index = f->index,
                            .thread = (jint)f->race->now.thread,
                            .then_thread = (jint)f->race->then.thread,
                            .write = f->race->now.write,
                            .then_write = f->race->then.write,
                            .object = f->object ? (*env)->CallStaticIntMethod(env, system_class, identity_hash, f->object) : 0};
    if ((*env)->ExceptionCheck(env) || !throwing)
        return NULL;
    char now[64], then[64];
    gl_jthread_name(f->race->now.thread, now, sizeof now);
    gl_jthread_name(f->race->then.thread, then, sizeof then);
    jstring text = (*env)->NewStringUTF(env, "race");
    return (*env)->CallStaticObjectMethod(env, (*env)->FindClass(env, "goldilocks/rt/R"), make_exception, text, text, text,
                                          (jboolean)f->race->now.write, (*env)->NewStringUTF(env, now), text, NULL,
                                          (jboolean)f->race->then.write, (*env)->NewStringUTF(env, then), text, NULL);
}

bool gl_jresolve(JNIEnv *env, jobject o, uint32_t site, struct gl_jfield *out)
{
    (void)o;
    struct field *f = &fields[site];
    if (!f->declaring)
        return false;
    *out = (struct gl_jfield){.kind = f->kind,
                              .is_static = f->is_static,
                              .declaring = (*env)->NewLocalRef(env, f->declaring),
                              .id = f->id,
                              .name = f->name,
                              .desc = f->desc,
                              .word = f->word,
                              .sites = f->sites,
                              .class_id = f->class_id};
    return true;
}

/* Of the agent's: its tests are tests/java/programs. */
uint32_t gl_jresolve_reflected(JNIEnv *env, jclass declaring, jobject field, uint32_t site, bool write, struct gl_jfield *out)
{
    (void)env, (void)declaring, (void)field, (void)site, (void)write;
    *out = (struct gl_jfield){.kind = GL_JFIELD_UNCHECKED, .class_id = -1};
    return 0;
}

uint32_t gl_jclone_sites(JNIEnv *env, jobject o, uint32_t site, bool super, uint32_t *out, uint32_t room)
{
    (void)env, (void)o, (void)site, (void)super, (void)out, (void)room;
    return 0;
}

int32_t gl_jclass_number(JNIEnv *env, jclass c)
{
    (void)env, (void)c;
    return 0;
}

int32_t gl_jclass_super(int32_t number)
{
    (void)number;
    return 0;
}

unsigned gl_jelement_bytes(JNIEnv *env, jclass array)
{
    static const struct {
        const char *name;
        unsigned bytes;
    } small[] = {{"[B", 1}, {"[Z", 1}, {"[C", 2}, {"[S", 2}};
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++)
        if ((*env)->IsSameObject(env, array, (*env)->FindClass(env, small[i].name)))
            return small[i].bytes;
    return 4;
}

static JNICALL void host_field(JNIEnv *env, jclass c, jint site, jclass declaring, jstring name, jstring desc, jint kind, jboolean is_static,
                       jint class_id)
{
    (void)c;
    struct field *f = &fields[site];
    const char *n = (*env)->GetStringUTFChars(env, name, NULL), *d = (*env)->GetStringUTFChars(env, desc, NULL);
    snprintf(f->name, sizeof f->name, "%s", n);
    snprintf(f->desc, sizeof f->desc, "%s", d);
    snprintf(f->word, sizeof f->word, "$w$%s", n);
    snprintf(f->sites, sizeof f->sites, "$s$%s", n);
    (*env)->ReleaseStringUTFChars(env, name, n);
    (*env)->ReleaseStringUTFChars(env, desc, d);
    f->kind = kind;
    f->is_static = is_static;
    f->class_id = class_id;
    f->id = is_static ? (*env)->GetStaticFieldID(env, declaring, f->name, f->desc)
                      : (*env)->GetFieldID(env, declaring, f->name, f->desc);
    f->declaring = (*env)->NewGlobalRef(env, declaring);
}

/* The races told since the last call, eight numbers each. */
static JNICALL jintArray host_take(JNIEnv *env, jclass c)
{
    (void)c;
    int n = n_told;
    jintArray a = (*env)->NewIntArray(env, 8 * n);
    if (a)
        (*env)->SetIntArrayRegion(env, a, 0, 8 * n, (const jint *)told);
    n_told = 0;
    return a;
}

static JNICALL void host_throwing(JNIEnv *env, jclass c, jboolean on)
{
    (void)env, (void)c;
    throwing = on;
}

static JNICALL jlong host_count(JNIEnv *env, jclass c, jint which)
{
    (void)env, (void)c;
    return (jlong)gl_jbridge_count((enum gl_jcounter)which);
}

struct wanted {
    const char *name;
    uint64_t value;
};

static void find_count(void *ctx, const char *name, const char *sentence, uint64_t n)
{
    (void)sentence;
    struct wanted *w = ctx;
    if (strcmp(w->name, name) == 0)
        w->value = n;
}

/* A counter of the core by name, or the side records in use for "sides". */
static JNICALL jlong host_core_count(JNIEnv *env, jclass c, jstring name)
{
    (void)c;
    struct wanted w = {(*env)->GetStringUTFChars(env, name, NULL), (uint64_t)-1};
    if (strcmp(w.name, "sides") == 0)
        w.value = gl_core_sides(gl_jbridge_core())->live;
    else
        gl_core_counts(gl_jbridge_core(), find_count, &w);
    (*env)->ReleaseStringUTFChars(env, name, w.name);
    return (jlong)w.value;
}

static JNICALL void host_group_at_once(JNIEnv *env, jclass c)
{
    (void)env, (void)c;
    gl_core_group_at_once(gl_jbridge_core(), true);
}

static JNICALL void host_ended(JNIEnv *env, jclass c)
{
    (void)c;
    jclass thread = (*env)->FindClass(env, "java/lang/Thread");
    jmethodID current = (*env)->GetStaticMethodID(env, thread, "currentThread", "()Ljava/lang/Thread;");
    gl_jthread_end(gl_jthread_of(env, (*env)->CallStaticObjectMethod(env, thread, current)));
}

static const JNINativeMethod host_natives[] = {
    {"field", "(ILjava/lang/Class;Ljava/lang/String;Ljava/lang/String;IZI)V", (void *)host_field},
    {"take", "()[I", (void *)host_take},
    {"throwing", "(Z)V", (void *)host_throwing},
    {"count", "(I)J", (void *)host_count},
    {"coreCount", "(Ljava/lang/String;)J", (void *)host_core_count},
    {"groupAtOnce", "()V", (void *)host_group_at_once},
    {"ended", "()V", (void *)host_ended},
};

static void die(const char *what)
{
    fprintf(stderr, "host: %s\n", what);
    exit(2);
}

static void JNICALL vm_init(jvmtiEnv *jvmti, JNIEnv *env, jthread thread)
{
    (void)thread;
    jclass r = (*env)->FindClass(env, "goldilocks/rt/R"), host = (*env)->FindClass(env, "goldilocks/rt/Host"),
           sweep = (*env)->FindClass(env, "goldilocks/rt/Sweep");
    if (!r || !host || !sweep || (*env)->RegisterNatives(env, sweep, gl_jsweep_natives, gl_jsweep_native_count) != 0 ||
        (*env)->RegisterNatives(env, r, gl_jbridge_natives, gl_jbridge_native_count) != 0 ||
        (*env)->RegisterNatives(env, host, host_natives, sizeof host_natives / sizeof host_natives[0]) != 0) {
        (*env)->ExceptionDescribe(env);
        die("the classes are not there, or not with these natives");
    }
    make_exception = (*env)->GetStaticMethodID(
        env, r, "exception",
        "(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;ZLjava/lang/String;Ljava/lang/String;[Ljava/lang/"
        "StackTraceElement;ZLjava/lang/String;Ljava/lang/String;[Ljava/lang/StackTraceElement;)Ljava/lang/RuntimeException;");
    system_class = (*env)->NewGlobalRef(env, (*env)->FindClass(env, "java/lang/System"));
    identity_hash = (*env)->GetStaticMethodID(env, system_class, "identityHashCode", "(Ljava/lang/Object;)I");
    if (!make_exception || !identity_hash || !gl_jbridge_start(env, r)) {
        (*env)->ExceptionDescribe(env);
        die("cannot start");
    }
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_THREAD_END, NULL);
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, NULL);
}

static void JNICALL thread_end(jvmtiEnv *jvmti, JNIEnv *env, jthread thread)
{
    (void)jvmti;
    gl_jthread_end(gl_jthread_of(env, thread));
}

static void JNICALL collected(jvmtiEnv *jvmti)
{
    (void)jvmti;
    gl_jbridge_collected();
}

static void JNICALL vm_death(jvmtiEnv *jvmti, JNIEnv *env)
{
    (void)jvmti, (void)env;
    gl_jbridge_stop();
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    (void)options, (void)reserved;
    jvmtiEnv *jvmti;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_11) != JNI_OK)
        return JNI_ERR;
    jvmtiCapabilities want = {.can_generate_garbage_collection_events = 1};
    jvmtiEventCallbacks calls = {.VMInit = vm_init, .VMDeath = vm_death, .ThreadEnd = thread_end, .GarbageCollectionFinish = collected};
    if ((*jvmti)->AddCapabilities(jvmti, &want) || (*jvmti)->SetEventCallbacks(jvmti, &calls, sizeof calls) ||
        (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL) ||
        (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL))
        return JNI_ERR;
    return JNI_OK;
}
