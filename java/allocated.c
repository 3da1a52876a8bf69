/* SPDX-License-Identifier: Apache-2.0
 *
 * The JVM tells of each object it allocates (its sampler, asked for all of them); thread and place become the object's tag, in a
 * tool environment of our own.  The JVM keeps tags while it moves objects and drops them with the dead; classes get neither code nor
 * fields for it.
 *
 * Only what can be in a report gets one: objects of application classes and arrays, if application code makes them, by itself or by
 * a method of the JDK that is there to make something for its caller.  The place is the innermost application method.
 */
#include "java/allocated.h"

#include <pthread.h>
#include <string.h>

#include "core/atomic.h"
#include "java/agent.h"
#include "java/bridge.h"
#include "java/rewrite.h"
#include "java/stack.h"

enum { FRAMES = 32, SLOTS = 8192, CLONES = 64 };

/* Whose method it is. */
enum whose {
    APPLICATION = 1,
    MAKER, /* the JDK's, and makes objects or arrays for its caller */
    OURS,
    OTHER
};

static struct {
    jvmtiEnv *ti; /* NULL: the option is off */
    /* What was found out about methods: id and `whose` of one; another one takes its slot.  An id that is used again after its class
     * has been unloaded may be taken for the old one: then a place is not known, or is a method of the JDK. */
    _Atomic uint64_t slot[SLOTS];
    /* The last clones by Object's method.  They get their tags later: newer JVMs (seen with JDK 25, not 17) find a tag by the
     * object's identity hash, which a copy loses when the JVM goes on after telling us. */
    pthread_mutex_t lock; /* guards the rest */
    struct {
        jweak object;
        jlong tag;
    } clone[CLONES];
    uint32_t clones; /* where the next one goes */
} allocated = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- methods ---- */

static bool begins(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static enum whose whose_name(const char *class, const char *method, bool of_jdk)
{
    if (begins(class, "Lgoldilocks/rt/"))
        return OURS;
    if (begins(method, "$gl"))
        return MAKER; /* put into the application's class by us */
    if (strstr(class, "$$Lambda"))
        return MAKER; /* a reference to a constructor: it has no line */
    if (!of_jdk)
        return APPLICATION;
    static const char *const maker[] = {
        "Ljava/util/Arrays;", "Ljava/lang/Class;",          "Ljava/lang/reflect/", "Ljdk/internal/reflect/",
        "Ljava/lang/invoke/", "Ljdk/internal/misc/Unsafe;", "Lsun/misc/Unsafe;"};
    bool makes = (strcmp(class, "Ljava/lang/Object;") == 0 && strcmp(method, "clone") == 0) ||
                 (begins(class, "Ljava/util/") && strcmp(method, "toArray") == 0);
    for (size_t i = 0; i < sizeof maker / sizeof maker[0]; i++)
        makes |= begins(class, maker[i]);
    return makes ? MAKER : OTHER;
}

static enum whose look_up(JNIEnv *env, jmethodID method)
{
    jvmtiEnv *ti = allocated.ti;
    jclass c = NULL;
    jobject loader = NULL;
    char *class = NULL, *name = NULL;
    enum whose whose = OTHER;
    if ((*ti)->GetMethodDeclaringClass(ti, method, &c) == JVMTI_ERROR_NONE &&
        (*ti)->GetClassLoader(ti, c, &loader) == JVMTI_ERROR_NONE &&
        (*ti)->GetClassSignature(ti, c, &class, NULL) == JVMTI_ERROR_NONE &&
        (*ti)->GetMethodName(ti, method, &name, NULL, NULL) == JVMTI_ERROR_NONE)
        whose = whose_name(class, name, gl_j_is_jdk_loader(env, loader));
    gl_j_free(class);
    gl_j_free(name);
    if (loader)
        (*env)->DeleteLocalRef(env, loader);
    if (c)
        (*env)->DeleteLocalRef(env, c);
    return whose;
}

static enum whose whose_method(JNIEnv *env, jmethodID method)
{
    uint64_t id = (uint64_t)(uintptr_t)method * 0x9E3779B97F4A7C15u; /* odd: no two ids become one */
    _Atomic uint64_t *slot = &allocated.slot[id >> 51];
    uint64_t found = gl_load_relaxed(slot); /* relaxed: it says all by itself */
    if (found >> 3 == id << 3 >> 3 && (found & 7))
        return (enum whose)(found & 7);
    enum whose whose = look_up(env, method);
    gl_store_relaxed(slot, id << 3 | whose); /* relaxed: as above */
    return whose;
}

/* ---- at an allocation ---- */

/* Which of the frames is the innermost one of the application; -1: other code has asked for the object. */
static jint application_frame(JNIEnv *env, const jvmtiFrameInfo *frame, jint n)
{
    for (jint i = 0; i < n; i++) {
        enum whose whose = whose_method(env, frame[i].method);
        if (whose == APPLICATION)
            return i;
        if (whose == OTHER || (whose == OURS && i == 0))
            return -1;
    }
    return -1;
}

static bool is_clone(jmethodID method)
{
    char *name = NULL;
    bool is = (*allocated.ti)->GetMethodName(allocated.ti, method, &name, NULL, NULL) == JVMTI_ERROR_NONE &&
              strcmp(name, "clone") == 0;
    gl_j_free(name);
    return is;
}

/* The clone before that had its place is complete by now. */
static void note_clone(JNIEnv *env, jobject o, jlong tag)
{
    jweak fresh = (*env)->NewWeakGlobalRef(env, o);
    pthread_mutex_lock(&allocated.lock);
    uint32_t i = allocated.clones++ % CLONES;
    jweak old = allocated.clone[i].object;
    jlong old_tag = allocated.clone[i].tag;
    allocated.clone[i].object = fresh;
    allocated.clone[i].tag = tag;
    pthread_mutex_unlock(&allocated.lock);
    jobject complete = old ? (*env)->NewLocalRef(env, old) : NULL;
    if (complete)
        (*allocated.ti)->SetTag(allocated.ti, complete, old_tag);
    if (old)
        (*env)->DeleteWeakGlobalRef(env, old);
}

static void JNICALL on_allocated(jvmtiEnv *ti, JNIEnv *env, jthread thread, jobject o, jclass c, jlong size)
{
    jvmtiFrameInfo frame[FRAMES];
    jobject loader = NULL;
    jboolean array = JNI_FALSE;
    jint n = 0;
    (void)size;
    if (!gl_j_agent.up)
        return;
    (*ti)->IsArrayClass(ti, c, &array);
    if (!array &&
        ((*ti)->GetClassLoader(ti, c, &loader) != JVMTI_ERROR_NONE || gl_j_is_jdk_loader(env, loader)))
        return;
    memset(frame, 0, sizeof frame); /* they are compared with their padding */
    if ((*ti)->GetStackTrace(ti, NULL, 0, 1, frame, &n) != JVMTI_ERROR_NONE || n == 0)
        return;
    jint at = application_frame(env, frame, 1);
    if (at < 0 && whose_method(env, frame[0].method) == MAKER) {
        if ((*ti)->GetStackTrace(ti, NULL, 0, FRAMES, frame, &n) != JVMTI_ERROR_NONE)
            return;
        at = application_frame(env, frame, n);
    }
    uint32_t place = at < 0 ? 0 : gl_j_stack_keep(frame, at + 1, 0);
    if (!place)
        return;
    const struct gl_jthread *t = gl_jthread_of(env, thread);
    jlong tag = (jlong)((uint64_t)(t ? t->uid : 0) << 32 | place);
    if (at > 0 && is_clone(frame[0].method))
        note_clone(env, o, tag);
    else
        (*ti)->SetTag(ti, o, tag);
}

void gl_j_allocated_up(void)
{
    if (allocated.ti)
        (*allocated.ti)->ForceGarbageCollection(allocated.ti);
}

bool gl_j_allocated_begin(JavaVM *vm)
{
    jvmtiEnv *ti = NULL;
    jvmtiCapabilities c = {.can_tag_objects = 1,
                           .can_generate_sampled_object_alloc_events = 1,
                           .can_get_bytecodes = 1,
                           .can_get_constant_pool = 1};
    jvmtiEventCallbacks on = {.SampledObjectAlloc = on_allocated};
    if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_11) != JNI_OK ||
        (*ti)->AddCapabilities(ti, &c) != JVMTI_ERROR_NONE)
        return false;
    allocated.ti = ti;
    return (*ti)->SetHeapSamplingInterval(ti, 0) == JVMTI_ERROR_NONE &&
           (*ti)->SetEventCallbacks(ti, &on, sizeof on) == JVMTI_ERROR_NONE &&
           (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, NULL) ==
               JVMTI_ERROR_NONE;
}

/* ---- at a race ---- */

static unsigned two(const unsigned char *at) { return (unsigned)at[0] << 8 | at[1]; }

/* The constant of that number in a class file's table of n bytes, or NULL. */
static const unsigned char *constant(const unsigned char *pool, jint n, unsigned number)
{
    for (unsigned i = 1; n >= 3; i++) {
        static const unsigned char bytes[21] = {
            [5] = 9, [6] = 9, [7] = 3, [8] = 3, [15] = 4, [16] = 3, [19] = 3, [20] = 3}; /* 0: five */
        unsigned tag = pool[0];
        jint size = tag == 1 ? 3 + (jint)two(pool + 1) : tag < sizeof bytes && bytes[tag] ? bytes[tag] : 5;
        if (i == number)
            return size <= n ? pool : NULL;
        i += size == 9 && tag != 1; /* a long or double has two numbers */
        pool += size;
        n -= size;
    }
    return NULL;
}

/* Does the constant, a class or a `method`, have that name?  NULL: is it the name of a method of the JDK's that makes something,
 * which compilers may put into its caller? */
static bool names(jclass of, unsigned number, bool method, const char *wanted, size_t length)
{
    static const char *const maker[] = {"clone", "copyOf", "copyOfRange", "newInstance", "toArray"};
    unsigned char *pool = NULL;
    jint count = 0, n = 0;
    bool found = false;
    if ((*allocated.ti)->GetConstantPool(allocated.ti, of, &count, &n, &pool) != JVMTI_ERROR_NONE)
        return false;
    const unsigned char *at = constant(pool, n, number);
    if (at && method && (at = constant(pool, n, two(at + 3)))) /* a method, its name and type */
        at = constant(pool, n, two(at + 1));
    else if (at) /* a class */
        at = constant(pool, n, two(at + 1));
    if (at && at[0] == 1 && wanted)
        found = two(at + 1) == length && memcmp(at + 3, wanted, length) == 0;
    for (size_t i = 0; at && at[0] == 1 && !wanted && i < sizeof maker / sizeof maker[0]; i++)
        found |= two(at + 1) == strlen(maker[i]) && memcmp(at + 3, maker[i], two(at + 1)) == 0;
    gl_j_free(pool);
    return found;
}

/* Is the object, of the class with that signature, made by this instruction?  One that compiled code has done without is allocated
 * when that code is left, at any other instruction: then its place is not known. */
static bool makes(const jvmtiFrameInfo *at, bool called, const char *signature)
{
    enum {
        INVOKEVIRTUAL = 0xB6,
        INVOKEINTERFACE = 0xB9,
        NEW = 0xBB,
        NEWARRAY,
        ANEWARRAY,
        MULTIANEWARRAY = 0xC5
    };
    unsigned char *code = NULL;
    jint n = 0;
    jclass of = NULL;
    if (called)
        return true; /* the frames say who made it */
    if ((*allocated.ti)->GetMethodDeclaringClass(allocated.ti, at->method, &of) != JVMTI_ERROR_NONE ||
        (*allocated.ti)->GetBytecodes(allocated.ti, at->method, &n, &code) != JVMTI_ERROR_NONE)
        return false;
    bool inside = at->location >= 0 && at->location + 2 < n;
    unsigned op = inside ? code[at->location] : 0, operand = inside ? two(code + at->location + 1) : 0;
    gl_j_free(code);
    if (op >= INVOKEVIRTUAL && op <= INVOKEINTERFACE)
        return names(of, operand, true, NULL, 0);
    if (op == NEW)
        return signature[0] == 'L' && names(of, operand, false, signature + 1, strlen(signature) - 2);
    return signature[0] == '[' && (op == NEWARRAY || op == ANEWARRAY || op == MULTIANEWARRAY);
}

/* A clone that has no tag yet; else 0. */
static jlong tag_of_clone(JNIEnv *env, jobject o)
{
    jlong tag = 0;
    pthread_mutex_lock(&allocated.lock);
    for (int i = 0; i < CLONES && !tag; i++)
        if (allocated.clone[i].object && (*env)->IsSameObject(env, allocated.clone[i].object, o))
            tag = allocated.clone[i].tag;
    pthread_mutex_unlock(&allocated.lock);
    return tag;
}

bool gl_j_allocated(JNIEnv *env, jobject o, struct gl_managed_frame *at, uint32_t *thread)
{
    jlong tag = 0;
    jint n = 0;
    char *signature = NULL;
    if (!allocated.ti || (*allocated.ti)->GetTag(allocated.ti, o, &tag) != JVMTI_ERROR_NONE)
        return false;
    if (!tag)
        tag = tag_of_clone(env, o);
    if (!tag)
        return false;
    const jvmtiFrameInfo *frame = gl_j_stack_kept((uint32_t)tag, &n);
    jclass c = (*env)->GetObjectClass(env, o);
    bool is = (*allocated.ti)->GetClassSignature(allocated.ti, c, &signature, NULL) == JVMTI_ERROR_NONE &&
              makes(&frame[n - 1], n > 1, signature);
    gl_j_free(signature);
    (*env)->DeleteLocalRef(env, c);
    if (is)
        gl_j_stack_frame(env, &frame[n - 1], at);
    *thread = (uint32_t)((uint64_t)tag >> 32);
    return is;
}
